import type pg from "pg";
import { sized } from "./figures.ts";

interface Size {
  readonly people: number;
  readonly entries: number;
  readonly teams: number;
  /** Entries that the diarist has written, for pages far down. */
  readonly diary: number;
}

/** The id of the person with a number, 1 and up. */
export function personWithNumber(n: number): string {
  return `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`;
}

/** The id of the team with a number, 1 and up. */
export function teamWithNumber(n: number): string {
  return `00000000-0000-4000-c000-${String(n).padStart(12, "0")}`;
}

/** The id of the notebook of the person with a number. */
export function notebookWithNumber(n: number): string {
  return `00000000-0000-4000-a000-${String(n).padStart(12, "0")}`;
}

/** The users whose requests are measured. */
export const VIEWERS = {
  /** Is in 3 teams. */
  calm: personWithNumber(1),
  /** Is in 500 teams. */
  busy: personWithNumber(2),
  /** Has written the most entries. */
  diarist: personWithNumber(3),
} as const;

/** The date on which everyone plays in the large database, and the entry that is read there. */
export const PLAYED: GameDays = { date: "2026-11-18", start: "06:00" };
export const READ_ENTRY = "00000000-0000-4000-b000-000000000001";

/**
 * Inserts people who have nothing but an account, every tenth of them premium, and numbers them in a temporary table
 * `people`.
 * @param balance drops of each, and the movement that they came from
 */
export async function fillPeople(client: pg.ClientBase, people: number, balance = 0): Promise<void> {
  await client.query(
    `create temp table people as
     select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid as id, n from generate_series(1, ${people}) n;
     create index on people (n);
     analyze people;
     insert into auth.users (id, email, email_confirmed_at) select id, n || '@bench.test', now() from people;
     insert into nectar.profiles (id, full_name) select id, 'Bench' from people;
     insert into nectar.accounts (user_id, email, drops_balance, is_premium)
       select id, n || '@bench.test', ${balance}, n % 10 = 0 from people;
     insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key)
       select id, 'signup_bonus', ${balance}, ${balance}, 'Welcome to Nectar', 'signup_bonus' from people
       where ${balance} > 0`,
  );
}

/** The column `visibility` of a row by its number: of 20 rows, 13 are private, 3 for a team, 2 for all members, 2 public. */
function visibilityOf(number: string): string {
  return `
    case when ${number} % 20 < 13 then 'user' when ${number} % 20 < 16 then 'team' when ${number} % 20 < 18 then 'org'
      else 'public' end::nectar.visibility as visibility`;
}

/** The id of the notebook of the person with a number. */
function notebookOf(number: string): string {
  return `('00000000-0000-4000-a000-' || lpad((${number})::text, 12, '0'))::uuid`;
}

/** The sharing of a row `v` of a person `p` in a team `t`: the columns of `SHARING`. */
const SHARED = `v.visibility, v.visibility, case when v.visibility = 'team' then t.id end,
  case when v.visibility = 'org' then t.org_id end, a.audience, a.audience`;
const SHARING = "metadata_visibility, content_visibility, team_id, org_id, metadata_audience_id, content_audience_id";
const AUDIENCE = `cross join lateral (
  select case v.visibility when 'user' then p.id when 'team' then t.id when 'org' then t.org_id
    else private.public_audience() end as audience) a`;

/** Words for searches: a walk in every fifth entry, a heron in a few of a million. */
const CONTENT = `'Entry ' || n || ' about ' || (array['rain', 'sun', 'work', 'rest', 'a long walk'])[1 + (n / 20) % 5] ||
  case when n % 50000 = 19 then ' and a heron' else '' end || repeat(' and the day went on as days do', 8)`;

/** Fills a database with people, teams, notebooks and entries, a fourth of them in the notebook of their author. */
export async function fillEntries(client: pg.ClientBase, { people, entries, teams, diary }: Size): Promise<void> {
  // The search indexes are built at the end, which takes a fraction of the time.
  const { rows: indexes } = await client.query<{ name: string; create: string }>(
    `select format('nectar.%I', indexname) as name, indexdef as create from pg_catalog.pg_indexes
     where schemaname = 'nectar' and indexname in ('journal_entries_search', 'journal_entry_contents_search')`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await fillPeople(client, people);
  // Every user is in one team, in rotation; one of the viewers is in the first 3 and one in the first 500.
  await client.query(
    `insert into nectar.organizations (id, name, owner_id) values (gen_random_uuid(), 'Org', '${VIEWERS.calm}');
     insert into nectar.organization_members (org_id, user_id, role)
       select o.id, p.id, 'member' from nectar.organizations o cross join people p;
     insert into nectar.teams (id, org_id, name, admin_id)
       select ('00000000-0000-4000-c000-' || lpad(n::text, 12, '0'))::uuid, o.id, 'Team ' || n, o.owner_id
       from nectar.organizations o cross join generate_series(1, ${teams}) n;
     create temp table numbered_teams as select id, org_id, row_number() over (order by id) as n from nectar.teams;
     insert into nectar.team_members (team_id, org_id, user_id, role)
       select t.id, t.org_id, p.id, case when p.n = 1 then 'admin' else 'member' end::nectar.member_role
       from people p
       join numbered_teams t on t.n = 1 + p.n % ${teams} and p.n > 2 or p.n = 1 and t.n <= 3 or p.n = 2 and t.n <= 500;
     insert into nectar.notebooks (id, user_id, name, ${SHARING}, created_at)
       select ${notebookOf("p.n")}, p.id, 'Notebook ' || p.n, ${SHARED}, now() - make_interval(mins => p.n::int)
       from people p
       join numbered_teams t on t.n = 1 + p.n % ${teams}
       cross join lateral (select ${visibilityOf("p.n")}) v ${AUDIENCE};
     insert into nectar.journal_entries (
       user_id, notebook_id, inherit_visibility, title, mood, mood_source, tags, ${SHARING}, effective_metadata_visibility,
       effective_content_visibility, created_at, updated_at, entry_date)
     select p.id, case when i.n % 4 = 0 then ${notebookOf("p.n")} end, false, 'Entry ' || i.n,
       (array['calm', 'glad', 'tired', 'proud', 'restless'])[1 + (i.n / 20) % 5], 'user',
       array['day', 'tag' || (i.n / 20) % 5], ${SHARED}, v.visibility, v.visibility, at, at,
       (at at time zone 'UTC')::date
     from generate_series(1, ${entries}) i (n)
     join people p on p.n = case when i.n <= ${diary} then 3 else 1 + (i.n * 7919::bigint) % ${people} end
     join numbered_teams t on t.n = 1 + p.n % ${teams}
     cross join lateral (
       select ${visibilityOf("i.n")},
         now() - make_interval(secs => ((i.n * 104729::bigint) % (${entries} * 30))::double precision) as at
     ) v ${AUDIENCE};
     insert into nectar.journal_entry_contents (entry_id, user_id, content, metadata_audience_id, content_audience_id)
       select e.id, e.user_id, ${CONTENT}, e.metadata_audience_id, e.content_audience_id
       from (select *, substr(title, 7)::int as n from nectar.journal_entries) e`,
  );
  for (const { create } of indexes) await client.query(create);
}

/** Fills a database with entries of 20,000 people, and with what the hot reads and the mixed requests read. */
export async function fillMixed(client: pg.ClientBase, entries = sized(100_000), diary = 100): Promise<void> {
  await fillEntries(client, { people: sized(20_000, 2_000), entries, teams: sized(2_000, 500), diary });
  await fillReads(client);
}

/** Goals, notifications and drops of everyone together, and of the reader alone, who is the viewer in 3 teams. */
const OF_EVERYONE = sized(200_000);
const OF_READER = 60;

async function fillReads(client: pg.ClientBase): Promise<void> {
  // An owner for each row, another user, and a time.
  await client.query(
    `create temp table rows as
       select i.n, case when i.n <= ${OF_READER} then '${VIEWERS.calm}'::uuid else owner.id end as owner_id,
         other.id as other_id, now() - make_interval(mins => i.n::int) as at
       from generate_series(1, ${OF_EVERYONE}::bigint) i (n)
       cross join (select count(*) as all from people) count
       join people owner on owner.n = 2 + i.n % (count.all - 2)
       join people other on other.n = 3 + i.n * 7919 % (count.all - 3)
       where owner.id <> other.id;
     with goal as (
       insert into nectar.goals (user_id, title, metadata_audience_id, content_audience_id, created_at, updated_at)
       select owner_id, 'Goal ' || n, owner_id, owner_id, at, at from rows
       returning id, user_id
     )
     insert into nectar.goal_contents (goal_id, user_id, description, metadata_audience_id, content_audience_id)
       select id, user_id, repeat('A little every day. ', 5), user_id, user_id from goal;
     insert into nectar.notifications (user_id, type, data, created_at, read_at)
       select owner_id, 'drop_received',
         jsonb_build_object('drop_id', gen_random_uuid(), 'full_name', 'Bench'), at, case when n % 2 = 0 then now() end
       from rows;
     insert into nectar.encouragement_drops
         (sender_id, recipient_id, content, is_custom, date_sent, created_at, read_at, engagement_until, engagement)
       select other_id, owner_id, 'Well done, and on it goes', true, (at at time zone 'UTC')::date, at,
         case when n % 2 = 0 then now() end, at + interval '1 day', 'expired'
       from rows;
     insert into nectar.user_badges (user_id, total_drops_sent, engagement_increases, run_days, last_sent_on)
       select id, 1 + n % 100, n % 100, 3, current_date from people;
     select private.count_leaderboard(now());
     with entry as (
       insert into nectar.journal_entries
         (id, user_id, title, tags, metadata_visibility, content_visibility, inherit_visibility, team_id,
          effective_metadata_visibility, effective_content_visibility, metadata_audience_id, content_audience_id,
          created_at)
       select '${READ_ENTRY}', other.id, 'A walk', array['day'], 'team', 'team', false, t.team_id, 'team', 'team',
         t.team_id, t.team_id, now() - interval '1 year'
       from (select team_id from nectar.team_members where user_id = '${VIEWERS.calm}' limit 1) t
       cross join (select id from people where n = 4) other
       returning id, user_id, metadata_audience_id, content_audience_id
     )
     insert into nectar.journal_entry_contents (entry_id, user_id, content, metadata_audience_id, content_audience_id)
       select id, user_id, repeat('Along the lake and back. ', 12), metadata_audience_id, content_audience_id from entry`,
  );
  await fillGame(client, PLAYED);
}

/** Dates of the game on which everyone plays. */
export interface GameDays {
  /** The last date, which is the open one. */
  readonly date: string;
  /** When all windows start where the players live. */
  readonly start: string;
  /** The time zone that all players live in; default: UTC. */
  readonly timezone?: string;
  /** Dates before it, whose days have ended. */
  readonly daysBefore?: number;
  /** The last date of check-ins; default: the last date. */
  readonly checkedInUntil?: string;
}

/**
 * Lets everyone in the table `people` play: in one circle, on the last date in squads of three. On 70 % of the dates they
 * checked in, on 5 % each the check-in waits for review or was rejected, on the others there is none.
 */
export async function fillGame(
  client: pg.ClientBase,
  { date, start, timezone = "UTC", daysBefore = 0, checkedInUntil = date }: GameDays,
): Promise<void> {
  const window = `'${start}'::time, '${start}'::time + interval '2 hours'`;
  await client.query(
    `insert into nectar.workout_windows
       (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
     select id, 'walk', ${window}, '${timezone}', '2026-01-01' from people;
     insert into nectar.user_locations (user_id, city, country, latitude, longitude)
     select id, 'Zurich', 'CH', 47.4, 8.5 from people;
     create temp table players as
     select p.id, p.n, (p.n - 1) / 3 as squad,
       coalesce(lag(id) over numbers, last_value(id) over everyone) as before_id,
       coalesce(lead(id) over numbers, first_value(id) over everyone) as after_id,
       case when (p.n - 1) / 3 % 2 = 0 then 'red' else 'blue' end::nectar.team_color as color
     from people p
     window numbers as (order by n), everyone as (order by n rows between unbounded preceding and unbounded following);
     create temp table squads as
     select squad, gen_random_uuid() as id, array_agg(id order by n) as members, min(color) as color
     from players group by squad having count(*) = 3;
     insert into nectar.squads (id, date, user_1_id, user_2_id, user_3_id, team_color)
     select id, '${date}', members[1], members[2], members[3], color from squads;
     insert into nectar.chains
       (date, user_id, before_user_id, after_user_id, team_color, squad_id, area_key, activity_type, timezone,
        window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select d.date, p.id, p.before_id, p.after_id, p.color, case when d.ago = 0 then s.id end, 'bench', 'walk',
       '${timezone}', ${window}, d.starts_at, d.starts_at + interval '2 hours',
       date_trunc('day', d.starts_at + interval '2 hours', '${timezone}') + interval '1 day'
     from players p
     left join squads s on s.squad = p.squad
     cross join (
       select ago, '${date}'::date - ago as date,
         ('${date}'::date - ago + '${start}'::time) at time zone '${timezone}' as starts_at
       from generate_series(0, ${daysBefore}) ago
     ) d;
     insert into private.open_days (day_ends_at, user_id, chain_id)
     select day_ends_at, user_id, id from nectar.chains where date = '${date}';
     with written as (
       insert into nectar.workout_checkins
         (user_id, chain_id, date, activity_type, photo_timestamp, status, chain_status, team_color, battle_week_start,
          created_at, verified_at)
       select c.user_id, c.id, c.date, 'walk', c.window_starts_at,
         case when l.luck < 70 then 'verified' when l.luck < 75 then 'pending' else 'rejected' end::nectar.checkin_status,
         'continued', c.team_color, private.week_start(c.date), c.window_starts_at + make_interval(secs => p.n % 7200),
         case when l.luck < 70 then c.window_ends_at end
       from nectar.chains c
       join players p on p.id = c.user_id
       cross join lateral (select (p.n * 7919::bigint + (c.date - '2026-01-01') * 31) % 100 as luck) l
       where c.date <= '${checkedInUntil}' and l.luck < 80
       returning id, user_id
     )
     insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng)
     select id, user_id, gen_random_uuid(), ('x' || substr(md5(id::text), 1, 16))::bit(64), 47.4, 8.5
     from written`,
  );
}
