import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { Card } from "#core/people/card";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { NextCursor, pageFields } from "#http/response/paging";
import { REPORTED_PHOTO } from "../reported-photo.ts";
import { ModerationDecision } from "../reports/schema.ts";

export const DecisionId = Uuid.meta({ description: "The id of the decision." });
export const AppealId = Uuid.meta({ description: "The id of the appeal." });

const Timestamp = z.iso.datetime({ precision: 3 });
const AppealStatus = z.enum(ENUMS.appeal_status);

export const Appeal = z
  .object({
    id: z.guid(),
    status: AppealStatus.meta({
      description: "open: not decided yet. upheld: the decision stays. reversed: its effect was taken back.",
    }),
    reason: z.string(),
    answer: z.string().nullable().meta({ description: "What the admin answered; null while the appeal is open." }),
    created_at: Timestamp,
    decided_at: Timestamp.nullable(),
  })
  .meta({ id: "Appeal" });
export type Appeal = z.infer<typeof Appeal>;

/** A decision as the person that it is about reads it. */
export const ReceivedDecision = ModerationDecision.extend({
  appeal_until: Timestamp.meta({ description: "You can appeal until then, once." }),
  appeal: z.object({
    status: z.enum(["none", ...AppealStatus.options]),
    reason: z.string().nullable(),
    answer: z.string().nullable(),
    decided_at: Timestamp.nullable(),
  }),
}).meta({ id: "ReceivedDecision" });
export type ReceivedDecision = z.infer<typeof ReceivedDecision>;

export const NewAppeal = z
  .object({ reason: text(LENGTHS.moderation_appeals.reason).meta({ description: "Why the decision is wrong." }) })
  .meta({ id: "NewAppeal" });

/** An appeal as admins see it. */
export const ReceivedAppeal = Appeal.extend({
  decision: ModerationDecision,
  owner: Card.meta({ description: "The user who appeals." }),
  excerpt: z
    .string()
    .nullable()
    .meta({
      description: `The first ${LENGTHS.reports.excerpt.max} characters of what was decided about, when it was reported; null for a photo.`,
    }),
  ...REPORTED_PHOTO,
  age_hours: z.int().meta({ description: "Whole hours since the appeal was made." }),
}).meta({ id: "ReceivedAppeal" });
export type ReceivedAppeal = z.infer<typeof ReceivedAppeal>;

export const AppealQuery = z.object({
  ...pageFields({ default: 50, max: 500 }),
  status: AppealStatus.optional().meta({ description: "Only appeals with this status." }),
});
export type AppealQuery = z.output<typeof AppealQuery>;

export const AppealDecision = z
  .object({
    decision: z.enum(["uphold", "reverse"]).meta({
      description: "uphold: the decision stays. reverse: its effect is taken back, and its reports count as dismissed.",
    }),
    answer: text(LENGTHS.moderation_appeals.answer).meta({ description: "Why. The user who appeals reads it." }),
  })
  .meta({ id: "AppealDecision" });
export type AppealDecision = z.output<typeof AppealDecision>;

export const AppealResponse = z.object({ appeal: Appeal });
export const ReceivedDecisionsResponse = z.object({ decisions: z.array(ReceivedDecision), next_cursor: NextCursor });
export const ReceivedAppealsResponse = z.object({ appeals: z.array(ReceivedAppeal), next_cursor: NextCursor });
