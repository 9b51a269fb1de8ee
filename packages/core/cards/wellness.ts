import { type Cards, LEFT } from "./card.ts";

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
    exported: {
      goals: { as: { streak: "streak.current", longest_streak: "streak.longest", hidden_at: "moderation" } },
    },
    left: {
      [LEFT.derived]: ["metadata_audience_id", "content_audience_id", "started_on", "streak_ends_on"],
      [LEFT.internal]: ["version"],
    },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.goal_pauses": {
    about: GOALS,
    users: { select: "owner" },
    exported: { goal_pauses: "all" },
    exportedAs: "rows",
    left: { [LEFT.derived]: ["user_id"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.goal_contents": {
    about: GOALS,
    users: { select: "readers", update: "owner" },
    exported: { goals: { as: { goal_id: "id" } } },
    left: { [LEFT.derived]: ["metadata_audience_id", "content_audience_id"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.goal_check_ins": {
    about: GOALS,
    users: { select: "readers", insert: "owner", update: "owner", delete: "owner" },
    exported: { "goals.check_ins": "all" },
    left: { [LEFT.internal]: ["version"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.goal_check_in_contents": {
    about: GOALS,
    users: { select: "readers", insert: "owner", update: "owner" },
    exported: { "goals.check_ins": { as: { check_in_id: "id" } } },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.wellness_entries": {
    about: { what: "Wellness entries", seenBy: "the person" },
    users: { select: "owner", insert: "signed in", update: "owner", delete: "owner" },
    exported: { wellness_entries: "all" },
    left: { [LEFT.internal]: ["version"] },
    erased: "by cascade",
    grows: "with time",
    sample: { type: "action_note", content: "Stretch" },
    list: "/api/wellness-entries",
  },
} as const satisfies Cards;
