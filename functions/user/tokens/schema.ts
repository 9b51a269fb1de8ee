import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { NextCursor } from "#http/response/paging";

const Time = z.iso.datetime({ precision: 3 });

export const TokenId = Uuid.meta({ description: "The id of the token." });

const Scope = z.enum(ENUMS.token_scope);

export const NewToken = z.object({
  name: text(LENGTHS.personal_tokens.name).meta({ description: "Which program it is for." }),
  scopes: z
    .array(Scope)
    .min(1)
    .max(ENUMS.token_scope.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, "must not have the same scope twice")
    .meta({ description: "What it may be used for. A scope to write includes the one to read." }),
  expires_in_days: z.int().min(1).max(366).default(90),
});
export type NewToken = z.output<typeof NewToken>;

export const PersonalToken = z
  .object({
    id: z.guid(),
    name: z.string(),
    scopes: z.array(Scope),
    hint: z.string().meta({ description: "The last four characters of the token." }),
    created_at: Time,
    expires_at: Time,
    last_used_at: Time.nullable().meta({ description: "Updated at most once an hour; null if it was never used." }),
  })
  .meta({ id: "PersonalToken" });
export type PersonalToken = z.infer<typeof PersonalToken>;

export const CreatedTokenResponse = z.object({
  token: PersonalToken.extend({
    secret: z.string().nullable().meta({
      description: "The token to send. It is returned only here; null in the response to a repeated request.",
    }),
  }).meta({ id: "CreatedPersonalToken" }),
});
export const TokensResponse = z.object({ tokens: z.array(PersonalToken), next_cursor: NextCursor });
