import * as z from "zod";
import { LENGTHS } from "#core/lengths.generated";
import { Card } from "#core/people/card";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";

export const TeamMessage = z
  .object({
    id: z.guid(),
    team_id: z.guid().nullable().meta({ description: "null for a message to a squad." }),
    squad_id: z.guid().nullable().meta({ description: "null for a message to a team." }),
    sender: Card,
    content: z.string(),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "TeamMessage" });
export type TeamMessage = z.infer<typeof TeamMessage>;

export const NewTeamMessage = z.object({ content: text(LENGTHS.team_messages.content) }).meta({ id: "NewTeamMessage" });

/** The path parameter of a message. */
export const MessageId = Uuid.meta({ description: "The id of the message." });
