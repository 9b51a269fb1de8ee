import { ABOUT_NO_ONE, type Cards, LEFT } from "./card.ts";

const MONEY = { what: "Drops as money: movements, purchases, monthly awards", seenBy: "the person" };
const ENCOURAGEMENT = { what: "Encouragement drops", seenBy: "sender and recipient" };
const BADGES = { what: "Badges, the leaderboard", seenBy: "everyone signed in; people can hide from the leaderboard" };

/** Drops as a currency, encouragement drops, and badges. */
export const DROP_TABLES = {
  "nectar.drop_transactions": {
    about: MONEY,
    users: { select: "owner" },
    exported: { drop_transactions: "all" },
    left: { [LEFT.derived]: ["user_id"], [LEFT.internal]: ["event_key"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.monthly_drop_awards": {
    about: MONEY,
    users: { select: "owner" },
    left: LEFT.derived,
    erased: "by cascade",
    grows: "with time",
  },
  "private.erased_totals": {
    about: { what: "The sum of the drops of erased accounts, without a name", seenBy: "super admins" },
    left: "Sums over everyone whose account is deleted.",
    erased: "kept",
    stays: "The sum of their drops, without a name, so that the supply of all drops adds up",
    grows: "few rows",
  },
  "nectar.conversion_rates": {
    about: { what: "What admins changed: who, when, names of fields, never values", seenBy: "super admins" },
    users: { select: "super admins", insert: "super admins" },
    left: { [LEFT.internal]: ["created_by"], [LEFT.noPerson]: "the rest" },
    erased: "kept",
    stays: "Prices that they set, and decisions that they made, as an admin, without a name",
    grows: "few rows",
  },
  "nectar.encouragement_drops": {
    about: ENCOURAGEMENT,
    person: "sender_id",
    users: { select: "sender and recipient", update: "recipient" },
    exported: {
      drops_sent: { without: ["read_at"] },
      drops_received: { without: ["engaged_at", "bonus_drops_awarded", "engagement"] },
    },
    left: { [LEFT.derived]: ["engagement_until"], [LEFT.internal]: ["hidden_at"] },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.encouragement_allowances": {
    about: ENCOURAGEMENT,
    users: { select: "owner" },
    left: LEFT.derived,
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.encouragement_config": {
    ...ABOUT_NO_ONE,
    users: { select: "signed in", update: "super admins" },
    grows: "few rows",
  },
  "nectar.drop_templates": {
    ...ABOUT_NO_ONE,
    users: { select: "readers", insert: "super admins", update: "super admins", delete: "super admins" },
    grows: "with time",
  },
  "nectar.user_badges": {
    about: BADGES,
    users: { select: "signed in" },
    exported: { badge: { as: { run_days: "consecutive_days" } } },
    left: { [LEFT.derived]: ["is_ai", "is_hidden", "is_listed", "last_sent_on", "leaderboard_key"] },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.badge_milestones": {
    about: BADGES,
    users: { select: "signed in" },
    exported: { badge_milestones: "all" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.badge_definitions": {
    ...ABOUT_NO_ONE,
    users: { select: "signed in" },
    grows: "few rows",
  },
  "private.leaderboard_checkpoints": {
    about: BADGES,
    left: LEFT.derived,
    erased: { by: "the next count of the leaderboard" },
    grows: "few rows",
  },
} as const satisfies Cards;
