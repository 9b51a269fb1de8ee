import { type Card, LEFT } from "./card.ts";

const GOALS = {
  what: "Goals and their descriptions, check-ins and their notes",
  seenBy:
    "the person, and those they share it with; super admins, and what they read of goals that are not shared with them is logged",
};

/** Goals and wellness entries. */
export const WELLBEING_TABLES = {
  "nectar.goals": {
    about: GOALS,
    users: { select: "readers", insert: "signed in", update: "owner", delete: "owner" },
    chosen: {
      insert: "comments_enabled content_visibility metadata_visibility org_id target_date team_id title weekdays",
      update: "comments_enabled content_visibility metadata_visibility org_id target_date team_id title weekdays",
    },
    exported: {
      goals:
        "id user_id title target_date status weekdays streak>streak.current longest_streak>streak.longest comments_enabled metadata_visibility content_visibility team_id org_id hidden_at>moderation created_at updated_at",
    },
    left: { [LEFT.derived]: "metadata_audience_id content_audience_id started_on streak_ends_on" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.goal_pauses": {
    about: GOALS,
    users: { select: "owner" },
    exported: { goal_pauses: "id goal_id from_date until_date created_at" },
    exportedAs: "rows",
    left: { [LEFT.derived]: "user_id" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.goal_contents": {
    about: GOALS,
    users: { select: "readers", update: "owner" },
    chosen: { update: "description" },
    exported: { goals: "goal_id>id user_id description comment_count" },
    left: { [LEFT.derived]: "metadata_audience_id content_audience_id" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.goal_check_ins": {
    about: GOALS,
    users: { select: "readers", insert: "owner", update: "owner", delete: "owner" },
    chosen: { insert: "check_in_date goal_id status", update: "status" },
    exported: { "goals.check_ins": "id goal_id user_id status check_in_date created_at" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.goal_check_in_contents": {
    about: GOALS,
    users: { select: "readers", insert: "owner", update: "owner" },
    chosen: { insert: "check_in_id goal_id notes", update: "notes" },
    exported: { "goals.check_ins": "check_in_id>id goal_id user_id notes" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.wellness_entries": {
    about: { what: "Wellness entries", seenBy: "the person" },
    users: { select: "owner", insert: "signed in", update: "owner", delete: "owner" },
    chosen: { insert: "content hours notes quality rating type", update: "content hours notes quality rating type" },
    exported: { wellness_entries: "id user_id type rating content hours quality notes created_at" },
    erased: "by cascade",
    grows: "with time",
    sample: { type: "action_note", content: "Stretch" },
    list: "/api/wellness-entries",
  },
} as const satisfies Readonly<Record<string, Card>>;
