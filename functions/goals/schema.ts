import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { Card } from "#core/people/card";
import { Moderation } from "#core/people/moderation";
import { Scope, Visibility } from "#core/people/visibility";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { CalendarDate } from "#core/time/calendar-date";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { ChosenId } from "#http/request/chosen-id";
import { NextCursor, pageFields } from "#http/response/paging";
import { COMMENT_FIELDS, CommentsEnabled } from "#journal/entry";
import { newSharing, SHARING_FIELDS } from "#journal/sharing";

export const GoalId = Uuid.meta({ description: "The id of the goal." });
export const CheckInId = Uuid.meta({ description: "The id of the check-in." });

const WEEKDAYS =
  "The days on which it is due, ascending; 1 is Monday. null: it has no fixed days, and every day with a check-in is due.";
const EFFECTIVE = "What applies: `user` if its owner is not in the team or organization.";
const GoalStatus = z.enum(ENUMS.goal_status);

export const Goal = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    user: Card.meta({ description: "Whose goal it is." }),
    title: z.string(),
    description: z.string().nullable().meta({ description: "Empty if there is none, null if you may not see it." }),
    target_date: z.iso.date().nullable(),
    status: GoalStatus,
    weekdays: z.array(z.int().min(1).max(7)).nullable().meta({ description: WEEKDAYS }),
    streak: z
      .object({
        current: z.int().meta({ description: "Days of the run that has not ended." }),
        longest: z.int().meta({ description: "Days of the longest run." }),
      })
      .meta({
        description:
          "Runs of due days with a check-in `completed`. `missed` ends a run, and so does a due weekday that is over without a check-in. Other check-ins, and days on which the goal is paused or has ended, change nothing.",
      }),
    metadata_visibility: Visibility.meta({ description: "Who may see everything but the content." }),
    content_visibility: Visibility.meta({ description: "Who may see the description and the notes of check-ins." }),
    team_id: z.guid().nullable().meta({ description: "The team that visibility `team` means." }),
    org_id: z.guid().nullable().meta({ description: "The organization that visibility `org` means." }),
    effective_metadata_visibility: Visibility.meta({ description: EFFECTIVE }),
    effective_content_visibility: Visibility.meta({ description: EFFECTIVE }),
    content_hidden: z.boolean().meta({ description: "Whether you may not see the content." }),
    ...COMMENT_FIELDS,
    moderation: Moderation,
    created_at: z.iso.datetime({ precision: 3 }),
    updated_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "Goal" });
export type Goal = z.infer<typeof Goal>;
/** A goal with what its etag is computed from. */
export type VersionedGoal = Goal & { readonly version: string };

const CheckInStatus = z.enum(ENUMS.goal_check_in_status);

export const CheckIn = z
  .object({
    id: z.guid(),
    goal_id: z.guid(),
    user_id: z.guid(),
    status: CheckInStatus,
    notes: z.string().nullable().meta({ description: "Empty if there are none, null if you may not see them." }),
    check_in_date: z.iso.date().meta({ description: "By the calendar of the owner's time zone." }),
    created_at: z.iso.datetime({ precision: 3 }),
  })
  .meta({ id: "GoalCheckIn" });
export type CheckIn = z.infer<typeof CheckIn>;

const Title = text(LENGTHS.goals.title);
const Description = text({ ...LENGTHS.goal_contents.description, min: 0 }).nullish();
const TargetDate = CalendarDate.nullish().meta({ description: "May be in the past." });

const Weekdays = z
  .array(z.int().min(1).max(7))
  .max(7)
  .min(1)
  .refine((weekdays) => new Set(weekdays).size === weekdays.length, "must not have the same day twice")
  .overwrite((weekdays) => weekdays.toSorted())
  .nullish()
  .meta({ description: WEEKDAYS });

const OPTIONAL_FIELDS = {
  description: Description,
  target_date: TargetDate,
  weekdays: Weekdays,
  comments_enabled: CommentsEnabled,
  ...SHARING_FIELDS,
};

export const NewGoal = newSharing(z.object({ id: ChosenId, title: Title, ...OPTIONAL_FIELDS })).meta({ id: "NewGoal" });
export type NewGoal = z.output<typeof NewGoal>;

export const GoalUpdate = atLeastOneField(
  z.object({
    title: Title.optional(),
    ...OPTIONAL_FIELDS,
    status: GoalStatus.optional().meta({ description: "A completed or abandoned goal can only become active again." }),
  }),
).meta({ id: "GoalUpdate" });
export type GoalUpdate = z.output<typeof GoalUpdate>;

export const GoalAudiencePreview = z
  .object({
    goal_id: Uuid.nullish().meta({ description: "One of your goals, to preview an update; without it, a new goal." }),
    ...SHARING_FIELDS,
  })
  .meta({ id: "GoalAudiencePreview" });

const Notes = text({ ...LENGTHS.goal_check_in_contents.notes, min: 0 }).nullish();

/** How many check-ins come with a goal. */
export const MAX_WITH_GOAL = 500;
/** How many days late a check-in may be. */
export const MAX_DAYS_LATE = 7;

export const NewCheckIn = z
  .object({
    id: ChosenId,
    status: CheckInStatus,
    notes: Notes,
    check_in_date: CalendarDate.nullish().meta({
      description: `By the calendar of your time zone: today, which is the default, or up to ${MAX_DAYS_LATE} days ago.`,
    }),
  })
  .meta({ id: "NewGoalCheckIn" });
export type NewCheckIn = z.output<typeof NewCheckIn>;

export const CheckInUpdate = atLeastOneField(z.object({ status: CheckInStatus.optional(), notes: Notes })).meta({
  id: "GoalCheckInUpdate",
});
export type CheckInUpdate = z.output<typeof CheckInUpdate>;

export const GoalQuery = z.object({
  ...pageFields(),
  scope: Scope.unwrap().default("own").meta({ description: Scope.description }),
  status: GoalStatus.optional().meta({ description: "Only goals with this status." }),
});
export type GoalQuery = z.output<typeof GoalQuery>;

export const GoalsResponse = z.object({ goals: z.array(Goal), next_cursor: NextCursor });
export const GoalResponse = z.object({ goal: Goal });
export const GoalWithCheckInsResponse = z.object({
  goal: Goal.extend({
    check_ins: z.array(CheckIn).meta({
      description: `The newest ${MAX_WITH_GOAL}, newest first. GET /api/goals/{id}/check-ins returns all of them.`,
    }),
  }),
});
export const CheckInResponse = z.object({ check_in: CheckIn });
export const CheckInsResponse = z.object({ check_ins: z.array(CheckIn), next_cursor: NextCursor });
