import type pg from "pg";
import { asSuperuser } from "#tests/people";

export interface Size {
  readonly people: number;
  readonly entries: number;
  readonly teams: number;
  /** Entries that the diarist has written, for pages far down. */
  readonly diary: number;
}

/** The users whose requests are measured; they exist in every bench database. */
export const VIEWERS = {
  /** Is in 3 teams. */
  calm: "00000000-0000-4000-9000-000000000001",
  /** Is in 500 teams. */
  busy: "00000000-0000-4000-9000-000000000002",
  /** Has written the most entries. */
  diarist: "00000000-0000-4000-9000-000000000003",
} as const;

/** Words for searches: a walk in every fifth entry, a heron in a few of a million. */
const CONTENT = `'Entry ' || n || ' about ' || (array['rain', 'sun', 'work', 'rest', 'a long walk'])[1 + (n / 20) % 5] ||
  case when n % 50000 = 19 then ' and a heron' else '' end || repeat(' and the day went on as days do', 8)`;

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

/**
 * Fills a database with people, teams, notebooks and entries, a fourth of them in the notebook of their author. Triggers are
 * off while loading, so effective visibility is written as the triggers would have written it.
 */
export async function fill(adminUrl: string, size: Size): Promise<void> {
  await asSuperuser(adminUrl, async (client) => {
    const run = (sql: string, values: unknown[] = []) => client.query(sql, values);
    await run("set session_replication_role = replica");
    // The search indexes are built at the end, which takes a fraction of the time.
    const { rows: searchIndexes } = await client.query<{ drop: string; create: string }>(
      `select 'drop index nectar.' || indexname as drop, indexdef as create from pg_catalog.pg_indexes
       where schemaname = 'nectar' and indexname in ('journal_entries_search', 'journal_entry_contents_search')`,
    );
    for (const index of searchIndexes) await run(index.drop);
    await run(
      `insert into auth.users (id, email, email_confirmed_at)
       select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, n || '@bench.test', now()
       from generate_series(1, $1::int) n`,
      [size.people],
    );
    // The reserved user exists already.
    await run(
      "create temp table people as select id, email, row_number() over (order by id) as n from auth.users where id <> private.system_user_id()",
    );
    await run("insert into nectar.profiles (id, full_name) select id, 'Bench' from people");
    await run("insert into nectar.accounts (user_id, email) select id, email from people");
    await run("insert into nectar.organizations (id, name, owner_id) select gen_random_uuid(), 'Org', $1", [
      VIEWERS.calm,
    ]);
    await run(
      `insert into nectar.organization_members (org_id, user_id, role)
       select o.id, p.id, 'member' from nectar.organizations o cross join people p`,
    );
    await run(
      `insert into nectar.teams (org_id, name, admin_id)
       select o.id, 'Team ' || n, $1 from nectar.organizations o cross join generate_series(1, $2::int) n`,
      [VIEWERS.calm, size.teams],
    );
    await run(
      "create temp table numbered_teams as select id, org_id, row_number() over (order by id) as n from nectar.teams",
    );
    // Every user is in one team, in rotation; one of the viewers is in the first 3 and one in the first 500.
    await run(
      `insert into nectar.team_members (team_id, org_id, user_id, role)
       select t.id, t.org_id, p.id, 'member'::nectar.member_role
       from people p join numbered_teams t on t.n = 1 + p.n % $1::int
       where p.id not in ($2, $3)
       union all
       select t.id, t.org_id, $2, 'admin' from numbered_teams t where t.n <= 3
       union all
       select t.id, t.org_id, $3, 'member' from numbered_teams t where t.n <= 500`,
      [size.teams, VIEWERS.calm, VIEWERS.busy],
    );
    await run(
      `insert into nectar.notebooks (
         id, user_id, name, metadata_visibility, content_visibility, team_id, org_id, metadata_audience_id,
         content_audience_id, created_at)
       select ${notebookOf("p.n")}, p.id, 'Notebook ' || p.n, v.visibility, v.visibility,
              case when v.visibility = 'team' then t.id end, case when v.visibility = 'org' then t.org_id end,
              a.audience, a.audience, now() - make_interval(mins => p.n::int)
       from people p
       join numbered_teams t on t.n = 1 + p.n % $1::int
       cross join lateral (select ${visibilityOf("p.n")}) v
       cross join lateral (
         select case v.visibility when 'user' then p.id when 'team' then t.id when 'org' then t.org_id
           else private.public_audience() end as audience) a`,
      [size.teams],
    );
    await run(
      `insert into nectar.journal_entries (
         user_id, notebook_id, inherit_visibility, title, mood, tags, metadata_visibility, content_visibility, team_id, org_id,
         effective_metadata_visibility, effective_content_visibility, metadata_audience_id, content_audience_id,
         created_at, updated_at, entry_date)
       select author.id, case when i.n % 4 = 0 then ${notebookOf("author.n")} end, false, 'Entry ' || i.n,
              (array['calm', 'glad', 'tired', 'proud', 'restless'])[1 + (i.n / 20) % 5], array['day', 'tag' || (i.n / 20) % 5], v.visibility, v.visibility,
              case when v.visibility = 'team' then t.id end, case when v.visibility = 'org' then t.org_id end,
              v.visibility, v.visibility, a.audience, a.audience, at, at, (at at time zone 'UTC')::date
       from generate_series(1, $1::int) i (n)
       join people author on author.n = case when i.n <= $2::int then 3 else 1 + (i.n * 7919::bigint) % $3::int end
       join numbered_teams t on t.n = 1 + author.n % $4::int
       cross join lateral (
         select ${visibilityOf("i.n")},
                now() - make_interval(secs => ((i.n * 104729::bigint) % ($1::int * 30))::double precision) as at
       ) v
       cross join lateral (
         select case v.visibility when 'user' then author.id when 'team' then t.id when 'org' then t.org_id
                else private.public_audience() end as audience
       ) a`,
      [size.entries, size.diary, size.people, size.teams],
    );
    await run(
      `insert into nectar.journal_entry_contents (entry_id, user_id, content, metadata_audience_id, content_audience_id)
       select e.id, e.user_id, ${CONTENT}, e.metadata_audience_id, e.content_audience_id
       from (select *, substr(title, 7)::int as n from nectar.journal_entries) e`,
    );
    await run("set maintenance_work_mem = '1GB'");
    for (const index of searchIndexes) await run(index.create);
    await run("set session_replication_role = origin");
    await run("vacuum analyze");
  });
}

/** The person with a number, as `fill` and `fillWallets` name them: 1 and up. */
export function personWithNumber(n: number): string {
  return `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`;
}

/**
 * Fills a database with people who have nothing but an account and the movement that its balance came from, as signing up
 * leaves them; every tenth is premium.
 * @param balance drops of each
 */
export async function fillWallets(adminUrl: string, people: number, balance: number): Promise<void> {
  await asSuperuser(adminUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into auth.users (id, email, email_confirmed_at)
       select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, n || '@bench.test', now()
       from generate_series(1, $1::int) n`,
      [people],
    );
    // The reserved user exists already.
    await client.query(
      "insert into nectar.profiles (id, full_name) select id, 'Bench' from auth.users where id <> private.system_user_id()",
    );
    await client.query(
      `insert into nectar.accounts (user_id, email, drops_balance, is_premium)
       select id, email, $1, right(id::text, 1) = '0' from auth.users where id <> private.system_user_id()`,
      [balance],
    );
    await client.query(
      `insert into nectar.drop_transactions (user_id, type, amount, balance_after, description, event_key)
       select user_id, 'signup_bonus', drops_balance, drops_balance, 'Welcome to Nectar', 'signup_bonus'
       from nectar.accounts where user_id <> private.system_user_id()`,
    );
    await client.query("set session_replication_role = origin");
    await client.query("vacuum analyze");
  });
}

/** Inserts users without running triggers, which stay off in this session, and numbers them in a temporary table `people`. */
export async function fillPeople(client: pg.Client, people: number): Promise<void> {
  await client.query("set session_replication_role = replica");
  await client.query(
    `create temp table people as
     select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid as id, n from generate_series(1, $1::int) n`,
    [people],
  );
  await client.query("insert into auth.users (id, email) select id, n || '@bench.test' from people");
  await client.query("insert into nectar.profiles (id, full_name) select id, 'Bench' from people");
  await client.query("insert into nectar.accounts (user_id, email) select id, n || '@bench.test' from people");
}
