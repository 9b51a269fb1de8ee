import * as z from "zod";
import { MAX_SHARED_ORGANIZATIONS } from "#core/limits";
import { BadgeLevel } from "#core/people/badges";
import { Card } from "#core/people/card";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { NextCursor, pageByNameFields } from "#http/response/paging";

export const PeopleQuery = z
  .object({
    q: text({ min: 2, max: 100 })
      .refine((q) => (q.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2, "must have 2 letters or digits")
      .optional()
      .meta({
        description:
          "The beginning of a word of the name, in any case and without accents: 2 letters or digits at least.",
      }),
    org_id: Uuid.optional().meta({ description: "Only members of this organization." }),
    ...pageByNameFields(),
  })
  .refine(({ q, org_id }) => q !== undefined || org_id !== undefined, "must have q or org_id");
export type PeopleQuery = z.output<typeof PeopleQuery>;

export const PeopleResponse = z.object({ users: z.array(Card), next_cursor: NextCursor });

export const UserPage = Card.extend({
  badge: BadgeLevel.pick({ level: true, name: true, emoji: true })
    .nullable()
    .meta({ description: "null for the assistant and for synthetic users." }),
  shared_organizations: z.array(z.object({ id: z.guid(), name: z.string() })).meta({
    description: `The organizations that you are both members of, by name; at most ${MAX_SHARED_ORGANIZATIONS}.`,
  }),
}).meta({ id: "UserPage" });
export type UserPage = z.infer<typeof UserPage>;

export const UserResponse = z.object({ user: UserPage });
