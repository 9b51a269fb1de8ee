import { aboutNoOne, type Card, LEFT } from "./card.ts";

const MONEY = { what: "Drops as money: movements, purchases, monthly awards", seenBy: "the person" };
const ENCOURAGEMENT = { what: "Encouragement drops", seenBy: "sender and recipient" };
const BADGES = { what: "Badges, the leaderboard", seenBy: "everyone signed in; people can hide from the leaderboard" };

/** Drops as a currency, encouragement drops, and badges. */
export const DROP_TABLES = {
  "nectar.drop_transactions": {
    about: MONEY,
    users: { select: "owner" },
    exported: { drop_transactions: "id type amount balance_after description item_id item_type created_at" },
    left: { [LEFT.derived]: "user_id", [LEFT.internal]: "event_key" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.monthly_drop_awards": {
    about: MONEY,
    users: { select: "owner" },
    left: { [LEFT.derived]: "user_id month amount created_at transaction_id" },
    erased: "by cascade",
    grows: "with time",
  },
  "private.erased_totals": {
    about: { what: "The sum of the drops of erased accounts, without a name", seenBy: "super admins" },
    service: { select: "*" },
    left: { "Sums over everyone whose account is deleted.": "id issued spent refunded adjusted balance" },
    erased: "kept",
    stays: "The sum of their drops, without a name, so that the supply of all drops adds up",
    grows: "few rows",
  },
  "nectar.conversion_rates": {
    about: { what: "What admins changed: who, when, names of fields, never values", seenBy: "super admins" },
    users: { select: "super admins", insert: "super admins" },
    chosen: { insert: "rate" },
    service: { select: "*" },
    left: { [LEFT.noPerson]: "id rate effective_date created_at", [LEFT.internal]: "created_by" },
    erased: "kept",
    stays: "Prices that they set, and decisions that they made, as an admin, without a name",
    cleared: "created_by",
    grows: "few rows",
  },
  "nectar.encouragement_drops": {
    about: ENCOURAGEMENT,
    person: "sender_id",
    users: { select: "sender and recipient", update: "recipient" },
    chosen: { update: "read_at" },
    exported: {
      drops_sent:
        "id sender_id recipient_id drop_type is_custom template_id title content media_type media_url thumbnail_url date_sent created_at entry_id goal_id engagement engaged_at bonus_drops_awarded",
      drops_received:
        "id sender_id recipient_id drop_type is_custom template_id title content media_type media_url thumbnail_url date_sent created_at read_at entry_id goal_id",
    },
    left: { [LEFT.derived]: "engagement_until", [LEFT.internal]: "hidden_at" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.encouragement_allowances": {
    about: ENCOURAGEMENT,
    users: { select: "owner" },
    left: { [LEFT.derived]: "user_id date bonus_carried bonus_earned custom_drops_used daily_allowance drops_used" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.encouragement_config": {
    ...aboutNoOne(
      "id daily_allowance engagement_window_hours max_custom_drops_per_day bonus_drops_per_engagement updated_at",
    ),
    users: { select: "signed in", update: "super admins" },
    chosen: {
      update: "bonus_drops_per_engagement daily_allowance engagement_window_hours max_custom_drops_per_day updated_at",
    },
    grows: "few rows",
  },
  "nectar.drop_templates": {
    ...aboutNoOne(
      "id type title content media_type media_url thumbnail_url is_approved usage_count created_at updated_at",
    ),
    users: { select: "readers", insert: "super admins", update: "super admins", delete: "super admins" },
    chosen: {
      insert: "content is_approved media_type media_url thumbnail_url title type",
      update: "content is_approved media_type media_url thumbnail_url title type updated_at",
    },
    grows: "with time",
  },
  "nectar.user_badges": {
    about: BADGES,
    users: { select: "signed in" },
    exported: {
      badge:
        "user_id level total_drops_sent engagement_increases success_rate bonus_drops_earned run_days>consecutive_days",
    },
    left: { [LEFT.derived]: "is_ai is_hidden is_listed last_sent_on leaderboard_key" },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.badge_milestones": {
    about: BADGES,
    users: { select: "signed in" },
    exported: { badge_milestones: "id user_id level badge_name achieved_at stats" },
    erased: "by cascade",
    grows: "with time",
  },
  "nectar.badge_definitions": {
    ...aboutNoOne("level name color emoji min_consecutive_days min_engagement_increases min_success_rate"),
    users: { select: "signed in" },
    grows: "few rows",
  },
  "private.leaderboard_checkpoints": {
    about: BADGES,
    service: { select: "*" },
    left: { [LEFT.derived]: "user_id leaderboard_key people_ahead counted_at" },
    erased: { by: "the next count of the leaderboard" },
    grows: "few rows",
  },
} as const satisfies Readonly<Record<string, Card>>;
