import { ANOTHER, AT, type Topic } from "./rows.ts";

/** Drops as money and as encouragement, badges and tone packs. */
export const DROPS: Topic = {
  "nectar.drop_transactions": {
    each: 10,
    values: {
      type: "case when k % 2 = 0 then 'purchase' else 'monthly_recurring' end::nectar.drop_transaction_type",
      event_key: "'event:' || k",
    },
  },
  "nectar.monthly_drop_awards": { joined: "where o.event_key = 'event:1'", values: { month: "'2026-01-01'" } },
  "nectar.drop_templates": {
    each: 1,
    values: { type: "'encouragement'", title: "'Template ' || p.n", is_approved: "p.n % 100 > 0" },
  },
  "nectar.encouragement_drops": {
    joined: ANOTHER,
    values: {
      sender_id: "x.id",
      recipient_id: "p.id",
      is_custom: "true",
      date_sent: `((${AT}) at time zone 'UTC')::date`,
      engagement_until: `${AT} + interval '1 day'`,
      engagement: "'expired'",
      read_at: `case when k > 2 then ${AT} end`,
    },
  },
  "nectar.encouragement_allowances": { values: { daily_allowance: "5" } },
  "nectar.user_badges": { values: { total_drops_sent: "1 + p.n * 7919::bigint % 300" } },
  "nectar.badge_milestones": {
    of: "nectar.user_badges",
    each: 2,
    values: { level: "k", stats: "private.badge_stats(o, now())" },
  },
  "nectar.tone_packs": {
    each: 4,
    values: { name: "'Pack ' || k", theme: "'nature'", is_public: "k > 2", price_drops: "k" },
  },
  // Everyone uses a pack of their own.
  "nectar.accounts": {
    of: "nectar.tone_packs",
    joined: "where o.name = 'Pack 2'",
    values: { active_tone_pack_id: "o.id" },
  },
  "nectar.tone_pack_images": {
    joined: "cross join unnest(array['calm', 'happy']) w (tone)",
    values: { tone: "w.tone", file_path: "o.owner_id || '/' || o.id || '/' || w.tone" },
  },
  "nectar.tone_pack_purchases": {
    of: "nectar.tone_packs",
    each: 2,
    joined: `${ANOTHER} where o.name = 'Pack 3'`,
    values: { pack_id: "o.id", user_id: "x.id", price_drops: "3" },
  },
  "nectar.tone_pack_shares": { joined: `${ANOTHER} where o.name = 'Pack 1'`, values: { user_id: "x.id" } },
};
