import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { Card } from "#core/people/card";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { NextCursor, pageFields } from "#http/response/paging";
import { REPORTED_PHOTO } from "../reported-photo.ts";

export const ReportId = Uuid.meta({ description: "The id of the report." });

const Timestamp = z.iso.datetime({ precision: 3 });

const ReportTarget = z.enum(["entry", "notebook", "goal", "tone_pack", "drop", "checkin", "message", "user"]);
const ReportReason = z.enum(ENUMS.report_reason);
const ReportStatus = z.enum(["open", "dismissed", "actioned"]);

export const Report = z
  .object({
    id: z.guid(),
    target_type: ReportTarget,
    target_id: z.guid(),
    reason: ReportReason,
    details: z.string().nullable(),
    status: ReportStatus.meta({
      description:
        "open: not decided yet. dismissed: nothing was done, or what was done was reversed. actioned: an admin acted.",
    }),
    created_at: Timestamp,
    decided_at: Timestamp.nullable().meta({ description: "null while the report is open." }),
  })
  .meta({ id: "Report" });
export type Report = z.infer<typeof Report>;

export const NewReport = z
  .object({
    target_type: ReportTarget,
    target_id: Uuid.meta({
      description:
        "The id of the thing or the user, which you can see, or could without your own block; of a check-in, its photo.",
    }),
    reason: ReportReason,
    details: text({ ...LENGTHS.reports.details, min: 0 })
      .nullish()
      .meta({ description: "What is wrong with it. Only admins read it." }),
  })
  .meta({ id: "NewReport" });
export type NewReport = z.output<typeof NewReport>;

const StatusFilter = ReportStatus.optional().meta({ description: "Only reports with this status." });

export const ReportQuery = z.object({ ...pageFields(), status: StatusFilter });
export type ReportQuery = z.output<typeof ReportQuery>;

/** A report as admins see it. */
export const ReceivedReport = Report.extend({
  reporter: Card,
  owner: Card.meta({ description: "The reported user, or whose the thing is." }),
  excerpt: z
    .string()
    .nullable()
    .meta({
      description: `The first ${LENGTHS.reports.excerpt.max} characters of the thing when it was reported, as far as the reporter could see it; null for a photo.`,
    }),
  ...REPORTED_PHOTO,
  age_hours: z.int().meta({ description: "Whole hours since the report was made." }),
  open_reports_of_target: z.int().meta({ description: "How many reports of the same thing are open." }),
}).meta({ id: "ReceivedReport" });
export type ReceivedReport = z.infer<typeof ReceivedReport>;

export const ReceivedReportQuery = ReportQuery.extend({
  ...pageFields({ default: 50, max: 500 }),
  target_type: ReportTarget.optional().meta({ description: "Only reports of this kind of thing." }),
});
export type ReceivedReportQuery = z.output<typeof ReceivedReportQuery>;

export const ModerationDecision = z
  .object({
    id: z.guid(),
    target_type: ReportTarget,
    target_id: z.guid(),
    decision: z.enum(ENUMS.moderation_decision),
    reason: z.string(),
    automated: z.literal(false).meta({ description: "Always false: people decide." }),
    decided_at: Timestamp,
    suspended_until: Timestamp.nullable().meta({ description: "null unless the decision is `suspend`." }),
  })
  .meta({ id: "ModerationDecision" });
export type ModerationDecision = z.infer<typeof ModerationDecision>;

export const MAX_SUSPENSION_DAYS = 365;

export const NewDecision = z
  .object({
    decision: ModerationDecision.shape.decision.exclude(["reject"]).meta({
      description:
        "dismiss: do nothing. warn: only send the reason to the owner. hide: from now on only the owner sees the thing, and super admins if they see such things of everyone; of a check-in only the photo is hidden. suspend: the owner may not write until `suspend_until`.",
    }),
    reason: text(LENGTHS.moderation_decisions.reason).meta({
      description: "Why. The owner reads it, unless you dismiss.",
    }),
    suspend_until: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({
        description: `Required for \`suspend\`, and only then: in the future, at most ${MAX_SUSPENSION_DAYS} days from now.`,
      }),
  })
  .refine(({ decision, suspend_until }) => (decision === "suspend") === (suspend_until !== undefined), {
    path: ["suspend_until"],
    message: "must be given for suspend, and only for suspend",
  })
  .meta({ id: "NewModerationDecision" });
export type NewDecision = z.output<typeof NewDecision>;

export const ReportResponse = z.object({ report: Report });
export const ReportsResponse = z.object({ reports: z.array(Report), next_cursor: NextCursor });
export const ReceivedReportsResponse = z.object({ reports: z.array(ReceivedReport), next_cursor: NextCursor });
export const DecisionResponse = z.object({ decision: ModerationDecision });
