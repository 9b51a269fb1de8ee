import { type Cards, LEFT } from "./card.ts";

const REPORTS = {
  what: "Blocks, reports, decisions about them, appeals",
  seenBy:
    "blocks and reports: who made them; admins see reports with an excerpt; decisions and appeals: the people they are about, and admins",
};

/** Blocks, reports, decisions, appeals, and the audit log. */
export const SAFETY_TABLES = {
  "nectar.blocks": {
    about: REPORTS,
    users: { select: "owner", insert: "signed in", delete: "owner" },
    exported: { blocks: { as: { blocked_id: "user_id" } } },
    left: { [LEFT.derived]: ["user_id"], [LEFT.internal]: ["is_named"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.reports": {
    about: REPORTS,
    person: "reporter_id",
    users: { select: "owner" },
    exported: { reports: "all" },
    left: { [LEFT.derived]: ["reporter_id", "decision_id"], [LEFT.others]: ["owner_id", "excerpt"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.moderation_decisions": {
    about: REPORTS,
    person: "owner_id",
    users: { select: "owner" },
    exported: { moderation_decisions: "all" },
    left: {
      [LEFT.derived]: ["owner_id"],
      [LEFT.others]: ["decided_by"],
      "Admins' own: what they looked at, and whether they corrected it.": ["excerpt", "reversed_at"],
      [LEFT.internal]: ["photo_key"],
    },
    erased: "by cascade",
    stays: "Prices that they set, and decisions that they made, as an admin, without a name",
    grows: "with time",
  },
  "nectar.moderation_appeals": {
    about: REPORTS,
    person: "owner_id",
    users: { select: "owner" },
    exported: { "moderation_decisions.appeal": "all" },
    left: { [LEFT.derived]: ["id", "decision_id", "owner_id", "created_at"], [LEFT.others]: ["decided_by"] },
    erased: "by cascade",
    grows: "with time",
  },
  "private.kept_suspensions": {
    about: { what: "Until when an erased account was suspended, with its address as a hash", seenBy: "no one" },
    left: LEFT.internal,
    erased: "kept",
    stays: "The hash of their address until their suspension ends, so that signing up again does not end it",
    kept: [{ what: "Suspensions of erased accounts", until: "expires_at", key: ["address_hash"] }],
    grows: "with time, for jobs",
  },
  "nectar.audit_events": {
    about: { what: "What admins changed: who, when, names of fields, never values", seenBy: "super admins" },
    users: { select: "super admins", insert: "super admins" },
    left: "It is the log of what admins did, kept for the people they did it to.",
    erased: "kept",
    stays: "That an account with this id was erased, and what they changed as an admin: ids and names of fields",
    grows: "with time",
  },
} as const satisfies Cards;
