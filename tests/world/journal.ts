import { AT, type Topic } from "./rows.ts";

/** A team that the person is in. */
const TEAM = `cross join lateral (
  select m.team_id from nectar.team_members m where m.user_id = p.id order by m.team_id limit 1) t`;

/** The audience of what the person shares with the team or everyone. */
const audienceOf = (level: string) =>
  `case ${level} when 'user' then p.id when 'team' then t.team_id else private.public_audience() end`;

const shared = (level: string) => ({
  metadata_visibility: level,
  team_id: "t.team_id",
  metadata_audience_id: audienceOf(level),
});

/** Notebooks, entries and goals: some for everyone, some for a team, most for oneself. */
export const JOURNAL: Topic = {
  "nectar.notebooks": {
    each: 2,
    joined: `${TEAM} cross join lateral (
      select (array['user', 'team', 'team', 'public'])[1 + (p.n + k) % 4]::nectar.visibility as own) v`,
    values: { ...shared("v.own"), name: "'Diary'", created_at: "now() - p.n * interval '1 minute'" },
  },
  "nectar.journal_entries": {
    each: 10,
    joined: `${TEAM}
      cross join lateral (select now() - (k * 2000 + p.n) * interval '1 minute' as at) w
      left join lateral (select b.id, b.metadata_visibility from nectar.notebooks b where b.user_id = p.id limit 1) b on k % 4 = 0
      cross join lateral (
        select (array['user', 'user', 'user', 'team', 'team', 'public'])[1 + (p.n + k) % 6]::nectar.visibility as own) v
      cross join lateral (select greatest(v.own, case v.own when 'user' then b.metadata_visibility end) as effective) s`,
    values: {
      ...shared("v.own"),
      notebook_id: "b.id",
      title: "'Day ' || k",
      tags: "array['day']",
      content_visibility: "v.own",
      effective_metadata_visibility: "s.effective",
      effective_content_visibility: "v.own",
      metadata_audience_id: audienceOf("s.effective"),
      content_audience_id: audienceOf("v.own"),
      created_at: "w.at",
      entry_date: "(w.at at time zone 'UTC')::date",
    },
  },
  "nectar.journal_entry_contents": { values: { content: "'What happened.'" } },
  "nectar.entry_backgrounds": [
    { each: 2, values: { quality: "'hd'" } },
    {
      of: "nectar.journal_entries",
      joined: "where o.title < 'Day 4'",
      values: { quality: "'standard'", entry_id: "o.id" },
    },
  ],
  "nectar.entry_pictures": {
    of: "nectar.journal_entries",
    joined: "where o.title like 'Day 1%'",
    values: { entry_id: "o.id", created_at: "o.created_at" },
  },
  "private.logged_reads": {
    of: "nectar.journal_entries",
    joined: "where o.title like 'Day 1%'",
    values: { entry_id: "o.id", date: "current_date", created_at: "now()" },
  },
  "nectar.trashed_entries": { each: 3, values: { deleted_at: AT } },
  "nectar.journal_imports": {
    each: 2,
    values: { path: "'imports/' || p.id || '/' || k || '.zip'", status: "'done'" },
  },
  "nectar.goals": {
    joined: `${TEAM} cross join lateral (
      select (array['user', 'team', 'team', 'public'])[case when k > 2 then 1 else 1 + (p.n + k) % 4 end]::nectar.visibility as own) v`,
    values: {
      ...shared("v.own"),
      title: "'Run'",
      status: "case when p.n % 100 = k then 'paused' else 'active' end::nectar.goal_status",
    },
  },
  "nectar.goal_check_ins": { each: 2, values: { check_in_date: "current_date - k" } },
  "nectar.goal_pauses": { values: { from_date: "current_date - 9", until_date: "current_date - 7" } },
  "nectar.note_analyses": {
    each: 2,
    values: {
      analysis_date: "current_date - k",
      mood_trends: `'{"overall": "Calm", "direction": "steady", "moods": []}'`,
      topics: "'[]'",
      patterns: "'[]'",
      insights: `'{"gratitude": [], "challenges": [], "goals": [], "achievements": []}'`,
    },
  },
  "nectar.note_analysis_sources": {
    joined: "cross join lateral (select id from nectar.journal_entries where user_id = p.id limit 3) e",
    values: { entry_id: "e.id" },
  },
  "private.assistant_turns": { values: { day: "current_date - k", finished_at: "now()" } },
};
