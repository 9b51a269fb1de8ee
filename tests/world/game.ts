import type { Topic } from "./rows.ts";

/** Dates and weeks of the game, about which there is one row each. */
const ONCE = "where p.n = 1";

const TEAM_COLOR = "case when p.n % 2 = 0 then 'red' else 'blue' end::nectar.team_color";

/** Five dates of the game around today, with all people as players in 50 places. */
export const GAME: Topic = {
  "nectar.workout_windows": { values: { effective_from: "'2026-01-01'" } },
  "nectar.user_locations": { values: { city: "'City ' || p.n % 50", country: "'DE'" } },
  "private.player_areas": { values: { area_key: "'city:utc:city ' || p.n % 50" } },
  "nectar.synthetic_users": { values: { window_end: "'08:00'", seed: "'seed'" } },
  // As on ten dates, so that one of them is a small part.
  "nectar.squads": {
    each: 10,
    joined:
      "left join people second on second.n = p.n + 1 left join people third on third.n = p.n + 2 where p.n % 3 = 1",
    values: { user_1_id: "p.id", user_2_id: "second.id", user_3_id: "third.id" },
  },
  "nectar.chains": {
    joined: `left join people earlier on earlier.n = p.n - 50 left join people later on later.n = p.n + 50
      cross join lateral (select (now() at time zone 'UTC')::date + 2 - k as date) d
      join people first on first.n = p.n - (p.n - 1) % 3
      left join nectar.squads q on q.date = d.date and q.user_1_id = first.id`,
    values: {
      before_user_id: "earlier.id",
      after_user_id: "later.id",
      team_color: TEAM_COLOR,
      squad_id: "q.id",
      area_key: "'city:utc:city ' || p.n % 50",
      window_starts_at: "d.date + time '06:00'",
      window_ends_at: "d.date + time '08:00'",
      day_ends_at: "d.date + 1",
    },
  },
  "private.open_days": { of: "nectar.chains", values: { day_ends_at: "o.day_ends_at", chain_id: "o.id" } },
  "nectar.team_messages": [
    { of: "nectar.chains", joined: "where o.squad_id is not null", values: { squad_id: "o.squad_id" } },
    { of: "nectar.team_members", each: 3, values: { team_id: "o.team_id" } },
    {
      of: "nectar.journal_entries",
      each: 3,
      joined: "where p.n <= 100 and o.title = 'Day 1'",
      values: { entry_id: "o.id" },
    },
  ],
  "nectar.team_colors": { values: { color: TEAM_COLOR } },
  "nectar.workout_checkins": {
    of: "nectar.chains",
    joined: "where o.date < (now() at time zone 'UTC')::date",
    values: {
      chain_id: "o.id",
      date: "o.date",
      status: "'verified'",
      chain_status: "'continued'",
      team_color: "o.team_color",
      battle_week_start: "private.week_start(o.date)",
      verified_at: "o.window_starts_at",
      created_at: "o.window_starts_at",
    },
  },
  "nectar.mosaics": { each: 5, joined: ONCE, values: { completed_count: "1", seen_at: "now()" } },
  "nectar.mosaic_sections": { values: { position: "p.n", status: "'completed'" } },
  "nectar.battles": { each: 6, joined: ONCE },
  "nectar.weekly_workout_stats": {
    values: { days_planned: "7", completed_count: "7", failed_count: "0", pending_count: "0" },
  },
};
