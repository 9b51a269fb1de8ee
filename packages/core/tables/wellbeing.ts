import type { Card } from "./card.ts";

const WELLBEING = { what: "Goals, wellness entries", seenBy: "the person" };

/** Goals and wellness entries. */
export const WELLBEING_TABLES = {
  "nectar.goals": {
    about: WELLBEING,
    users: { select: "owner", insert: "signed in", update: "owner", delete: "owner" },
    chosen: { insert: "description target_date title", update: "description status target_date title" },
    exported: { goals: "id user_id title description target_date status created_at updated_at" },
    erased: "by cascade",
    grows: "with time",
    sample: { title: "Run" },
    list: "/api/goals",
  },
  "nectar.goal_check_ins": {
    about: WELLBEING,
    users: { select: "owner", insert: "owner", update: "owner", delete: "owner" },
    chosen: { insert: "check_in_date goal_id notes status", update: "notes status" },
    exported: { "goals.check_ins": "id goal_id user_id status notes check_in_date created_at" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.wellness_entries": {
    about: WELLBEING,
    users: { select: "owner", insert: "signed in", update: "owner", delete: "owner" },
    chosen: { insert: "content hours notes quality rating type", update: "content hours notes quality rating type" },
    exported: { wellness_entries: "id user_id type rating content hours quality notes created_at" },
    erased: "by cascade",
    grows: "with time",
    sample: { type: "action_note", content: "Stretch" },
    list: "/api/wellness-entries",
  },
} as const satisfies Readonly<Record<string, Card>>;
