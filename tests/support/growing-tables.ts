import type pg from "pg";
import { TABLES } from "#core/tables/all";
import { insertManySamples } from "../database/support/samples.ts";

/** Tables that grow and that responses read: their cards say so. */
export async function readGrowingTables(admin: pg.ClientBase): Promise<{ name: string; rows: number }[]> {
  const names = Object.entries(TABLES)
    .filter(([name, { grows }]) => !name.startsWith("auth.") && (grows === "with people" || grows === "with time"))
    .map(([name]) => name);
  const { rows } = await admin.query<{ name: string; rows: number }>(
    "select name, c.reltuples::int as rows from unnest($1::text[]) name join pg_class c on c.oid = name::regclass order by name",
    [names],
  );
  return rows;
}

/**
 * Gives all users rows in the tables that grow, ten dates of the game among them, around today. The users have accounts,
 * teams, organizations, notebooks and entries already. Triggers are off while loading; the caller analyzes the tables.
 */
export async function fillGrowingTables(admin: pg.Client): Promise<void> {
  await admin.query("set session_replication_role = replica");
  await admin.query(
    `create temp table people as
     select id, row_number() over (order by id)::int as n from nectar.profiles where id <> private.system_user_id()`,
  );
  await admin.query("create temp table counted as select max(n) as people from people");
  await admin.query(
    "create temp table dates as select (now() at time zone 'UTC')::date + k - 8 as date from generate_series(0, 9) k",
  );
  await admin.query(
    "create temp table weeks as select distinct private.week_start(date - 7 * k) as week from dates, generate_series(0, 4) k",
  );
  await insertManySamples(admin);
  for (const statement of [...ACCOUNT_ROWS, ...DROP_ROWS, ...TONE_PACK_ROWS, ...GAME_ROWS])
    await admin.query(statement);
  await admin.query("set session_replication_role = origin");
  // One change, so that there is a reason to rebuild.
  await admin.query("select private.count_leaderboard(now())");
  await admin.query("drop table people, counted, dates, weeks");
}

/** When the kth row of a user was created. */
const AT = "now() - (k * 1000 + p.n % 1000) * interval '1 minute'";

const ACCOUNT_ROWS = [
  `insert into nectar.member_names (org_id, user_id, word_number, full_name, search_text)
   select m.org_id, m.user_id, 1, 'Person ' || p.n, 'person ' || p.n
   from people p join nectar.organization_members m on m.user_id = p.id on conflict do nothing`,
  `insert into nectar.audit_events (actor_id, actor_role, action, target_type, target_id, created_at)
   select p.id, 'admin', 'adjustDrops', 'user', p.id, ${AT} from people p, generate_series(1, 2) k`,
  `insert into nectar.blocks (user_id, blocked_id, created_at)
   select p.id, o.id, ${AT}
   from people p cross join counted c, generate_series(1, 3) k, people o
   where o.n = (p.n + k * 311) % c.people + 1`,
  `with decision as (
     insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, decided_at)
     select p.id, 'user', p.id, 'warn', 'Reported for a test.', ${AT} from people p, generate_series(1, 2) k
     returning id, owner_id, target_id, decided_at
   )
   insert into nectar.reports
     (reporter_id, owner_id, target_type, target_id, reason, status, decision_id, decided_at, created_at)
   select o.id, p.id, 'user', p.id, 'spam', 'actioned', d.id, d.decided_at, d.decided_at - interval '1 hour'
   from people p cross join counted c join decision d on d.owner_id = p.id
   join people o on o.n = (p.n + 311) % c.people + 1`,
  `insert into nectar.invitations
     (org_id, invited_by, token_hash, email, email_status, role, team_ids, max_uses, expires_at, created_at)
   select o.id, o.owner_id, sha256((o.id || '/' || k)::bytea), p.n || '@example.test', 'sent', 'member', '{}', 1,
     now() + interval '1 week', ${AT}
   from nectar.organizations o join people p on p.id = o.owner_id, generate_series(1, 20) k`,
  `insert into nectar.personal_tokens (user_id, name, scopes, token_hash, hint, expires_at, created_at)
   select p.id, 'Phone', '{journal:write}', sha256((p.id || '/' || k)::bytea), 'aaaa', now() + interval '1 week', ${AT}
   from people p, generate_series(1, 3) k`,
  `insert into nectar.moderation_appeals (decision_id, owner_id, status, reason, answer, created_at, decided_at)
   select d.id, d.owner_id, 'upheld', 'Appealed for a test.', 'Answered for a test.', d.decided_at, d.decided_at
   from nectar.moderation_decisions d`,
  `insert into private.logged_reads (entry_id, user_id, reader_id, date, created_at)
   select e.id, e.user_id, gen_random_uuid(), current_date, now() from nectar.journal_entries e`,
  `insert into nectar.trashed_entries (id, user_id, title, tags, entry_date, ai_excluded, metadata_visibility, content_visibility,
     inherit_visibility, drop_ids, created_at, updated_at, deleted_at)
   select gen_random_uuid(), p.id, 'Trashed', '{}', current_date, false, 'user', 'user', true, '{}', ${AT}, ${AT}, ${AT}
   from people p, generate_series(1, 3) k`,
  `insert into nectar.journal_imports (id, user_id, source, size, path, status, created_at)
   select gen_random_uuid(), p.id, 'markdown', 1, 'imports/' || p.id || '/' || k || '.zip', 'done', ${AT}
   from people p, generate_series(1, 2) k`,
  `insert into private.imported_entries (user_id, source, external_id)
   select p.id, 'markdown', sha256(k::text::bytea) from people p, generate_series(1, 10) k`,
  `insert into nectar.exports (user_id, status, created_at) select p.id, 'failed', ${AT} from people p, generate_series(1, 3) k`,
  `insert into nectar.goals (user_id, title, created_at, metadata_audience_id, content_audience_id)
   select p.id, 'Run', ${AT}, p.id, p.id from people p, generate_series(1, 10) k`,
  `insert into nectar.goal_contents (goal_id, user_id, metadata_audience_id, content_audience_id)
   select id, user_id, user_id, user_id from nectar.goals on conflict do nothing`,
  `insert into nectar.goal_check_ins (goal_id, user_id, status, check_in_date)
   select g.id, g.user_id, 'completed', current_date - k from nectar.goals g, generate_series(1, 2) k`,
  `insert into nectar.goal_pauses (goal_id, user_id, from_date, until_date)
   select id, user_id, current_date - 9, current_date - 7 from nectar.goals`,
  "insert into nectar.goal_check_in_contents (check_in_id, goal_id, user_id) select id, goal_id, user_id from nectar.goal_check_ins",
  `insert into nectar.notifications (user_id, type, data, created_at, read_at)
   select p.id, 'chain_update', jsonb_build_object('number', k), ${AT}, case when k % 10 > 0 then now() end
   from people p, generate_series(1, 20) k`,
  `insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth)
   select id, 'https://push.example.test/' || id, repeat('A', 87), repeat('A', 22) from people`,
  `insert into nectar.notification_settings
     (user_id, quiet_start, quiet_end, reminder_time, reminder_weekdays, reminder_only_if_not_written, reminder_due_at)
   select id, '22:00', '07:00', '20:00', '{1,2,3,4,5,6,7}', true, now() + n * interval '1 minute' from people`,
  `insert into private.push_deliveries (notification_id, subscription_id, outcome, finished_at)
   select n.id, s.id, 'sent', now()
   from nectar.notifications n join nectar.push_subscriptions s on s.user_id = n.user_id where n.data ->> 'number' = '1'`,
  `insert into nectar.entry_backgrounds (user_id, quality, created_at)
   select p.id, 'standard', ${AT} from people p, generate_series(1, 3) k`,
  `insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, width, height, size_bytes, created_at)
   select gen_random_uuid(), gen_random_uuid(), user_id, id, k, 1, 1, 1, created_at
   from nectar.journal_entries, generate_series(0, 1) k`,
  `insert into nectar.note_analyses (user_id, analysis_date, summary, mood_trends, topics, patterns, recommendations,
     insights, entry_count)
   select p.id, current_date - k, 'Calm.', '{}', '[]', '[]', 'Walk.',
     '{"gratitude": [], "challenges": [], "goals": [], "achievements": []}', 1 from people p, generate_series(1, 2) k`,
  `insert into nectar.note_analysis_sources (analysis_id, user_id, entry_id)
   select n.id, n.user_id, e.id from nectar.note_analyses n
   cross join lateral (select id from nectar.journal_entries where user_id = n.user_id limit 3) e`,
  `insert into private.assistant_turns (user_id, job, day, attempts, finished_at)
   select id, 'note_analysis', current_date - 1, 1, now() from people`,
  `insert into private.email_messages (user_id, recipient, subject, state, created_at, updated_at)
   select p.id, 'p' || p.n || '@example.test', 'Hello', 'sent', ${AT}, ${AT} from people p, generate_series(1, 5) k`,
  `insert into private.email_received (event_id, is_verified, sender, recipients, subject, created_at)
   select 'event' || p.n, true, 'p@example.test', '{us@example.test}', 'Hello', ${AT}
   from people p, generate_series(1, 1) k`,
];

const DROP_ROWS = [
  `insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key, created_at)
   select p.id, 'monthly_recurring', 1, k, 'Movement', 'event:' || k, ${AT} from people p, generate_series(1, 10) k`,
  `insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
   select user_id, '2026-01-01', 1, id from nectar.drop_transactions where event_key = 'event:1'`,
  `insert into nectar.drop_templates (type, title, content, is_approved, created_at)
   select 'encouragement', 'Template ' || p.n, 'Hi', p.n % 100 > 0, ${AT} from people p, generate_series(1, 1) k`,
  `insert into nectar.encouragement_drops (sender_id, recipient_id, content, is_custom, date_sent, created_at,
     engagement_until, engagement, read_at)
   select s.id, p.id, 'Hi', true, (t.at at time zone 'UTC')::date, t.at, t.at + interval '1 day', 'expired',
     case when k > 2 then t.at end
   from people p
   cross join counted c
   cross join generate_series(1, 10) k
   cross join lateral (select ${AT} as at) t
   join people s on s.n = 1 + (p.n + k) % c.people`,
  `insert into nectar.encouragement_allowances (user_id, date, daily_allowance)
   select p.id, d.date, 5 from people p, dates d`,
  `insert into nectar.user_badges (user_id, total_drops_sent) select id, 1 + n * 7919::bigint % 300 from people
   on conflict (user_id) do update set total_drops_sent = excluded.total_drops_sent`,
  `insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
   select b.user_id, k, 'Badge', now(), private.badge_stats(b, now()) from nectar.user_badges b, generate_series(1, 2) k
   on conflict do nothing`,
];

const TONE_PACK_ROWS = [
  `insert into nectar.tone_packs (owner_id, name, theme, is_public, price_drops, created_at)
   select p.id, 'Pack ' || k, 'nature', k > 1, k, ${AT} from people p, generate_series(1, 2) k`,
  `insert into nectar.tone_pack_images (pack_id, owner_id, tone, file_path)
   select t.id, t.owner_id, w.tone, t.owner_id || '/' || t.id || '/' || w.tone
   from nectar.tone_packs t, unnest(array['calm', 'happy']) w (tone)`,
  `insert into nectar.tone_pack_purchases (pack_id, user_id, price_drops, transaction_id)
   select t.id, p.id, 2, gen_random_uuid()
   from people p join people o on o.n = 1 + p.n % 1000 join nectar.tone_packs t on t.owner_id = o.id
   where t.is_public and o.id <> p.id`,
  `insert into nectar.tone_pack_shares (pack_id, user_id, owner_id)
   select t.id, p.id, o.id
   from people o join nectar.tone_packs t on t.owner_id = o.id join people p on p.n = o.n + 1
   where not t.is_public`,
];

const GAME_ROWS = [
  `insert into nectar.workout_windows (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
   select id, 'walk', '06:00', '08:00', 'UTC', '2026-01-01' from people`,
  `insert into nectar.user_locations (user_id, city, country, timezone) select id, 'City ' || n % 50, 'DE', 'UTC' from people`,
  `insert into private.player_areas (user_id, area_key) select id, 'city:utc:city ' || n % 50 from people`,
  `insert into nectar.synthetic_users (user_id, region, city, state, timezone, activity_type, window_start, window_end, seed)
   select id, 'West', 'City', 'WA', 'UTC', 'walk', '06:00', '08:00', 'seed' from people where n % 2 = 0`,
  `insert into nectar.squads (date, user_1_id, user_2_id, user_3_id, team_color)
   select d.date, a.id, b.id, c.id, 'red'
   from dates d, people a join people b on b.n = a.n + 1 join people c on c.n = a.n + 2 where a.n % 3 = 1`,
  `insert into nectar.chains (date, user_id, before_user_id, after_user_id, team_color, squad_id, area_key, activity_type,
     timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
   select d.date, p.id, lag(p.id) over o, lead(p.id) over o,
     case when p.n % 2 = 0 then 'red' else 'blue' end::nectar.team_color,
     null, 'city:utc:city ' || p.n % 50, 'walk', 'UTC', '06:00', '08:00', d.date + time '06:00', d.date + time '08:00',
     d.date + 1
   from dates d, people p window o as (partition by d.date, p.n % 50 order by p.n)`,
  "insert into private.open_days (day_ends_at, user_id, chain_id) select day_ends_at, user_id, id from nectar.chains",
  `update nectar.chains c set squad_id = s.id
   from nectar.squads s cross join unnest(array[s.user_1_id, s.user_2_id, s.user_3_id]) m (user_id)
   where c.date = s.date and c.user_id = m.user_id`,
  `insert into nectar.team_messages (squad_id, sender_id, content, created_at)
   select q.id, q.user_1_id, 'Hello', now() - n * interval '1 second' from nectar.squads q, generate_series(1, 3) n
   where q.user_1_id is not null`,
  `insert into nectar.team_messages (entry_id, sender_id, content, created_at)
   select e.id, p.id, 'Hello', now() - n * interval '1 second'
   from (select id from nectar.journal_entries limit 100) e, (select id from people limit 3) p, generate_series(1, 3) n`,
  `insert into nectar.team_messages (team_id, sender_id, content, created_at)
   select m.team_id, m.user_id, 'Hello', now() - n * interval '1 second'
   from nectar.team_members m, generate_series(1, 3) n`,
  `insert into nectar.team_colors (user_id, week_start_date, color)
   select p.id, w.week, case when p.n % 2 = 0 then 'red' else 'blue' end::nectar.team_color from people p, weeks w`,
  `insert into nectar.workout_checkins (user_id, chain_id, date, activity_type, status, chain_status, team_color,
     battle_week_start, verified_at, created_at)
   select c.user_id, c.id, c.date, 'walk', 'verified', 'continued', c.team_color, private.week_start(c.date),
     c.window_starts_at, c.window_starts_at
   from nectar.chains c where c.date < (now() at time zone 'UTC')::date`,
  `insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash)
   select id, user_id, id, ('x' || substr(md5(id::text), 1, 16))::bit(64) from nectar.workout_checkins`,
  `insert into nectar.mosaics (date, image_key, total_participants, completed_count, digest, seen_at)
   select date, 'mosaics/' || date || '.png', 1, 1, 'digest', now() from dates on conflict do nothing`,
  `insert into nectar.mosaic_sections (date, position, user_id, status, team_color)
   select d.date, p.n, p.id, 'completed', 'red' from dates d, people p`,
  `insert into nectar.battles (week_start_date) select week from weeks on conflict do nothing`,
  `insert into nectar.weekly_workout_stats
     (week_start_date, user_id, days_planned, completed_count, failed_count, pending_count, chips_earned)
   select w.week, p.id, 7, 7, 0, 0, 10 from weeks w, people p`,
];
