import { readConfig } from "@nectar/config/config";
import { createLogger } from "@nectar/http/logging";
import { servicesFor } from "@nectar/http/services-for";
import { cloneDatabase, type TestCluster, type TestDatabase } from "@nectar/local/test-cluster";
import type pg from "pg";
import * as z from "zod";
import { processEngagement } from "../../functions/encouragement-drops/drops/engagement.ts";
import { asSuperuser, tokenFor } from "../support/people.ts";
import type { Figure } from "./figures.ts";
import { compareLatencies } from "./load-figures.ts";
import { alternate, type BenchServer, load, median, medianRatio, startServer } from "./processes.ts";
import { environmentOf } from "./requests.ts";

type Note = (what: string) => void;
const ROOM = "/api/encouragement-drops";
/** Changes of the leaderboard since its checkpoints were stored. */
const CHANGES = 50_000;

/** How much slower badges are read with a thousand times as many users. */
export async function badgeFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const databases: TestDatabase[] = [];
  for (const people of [1_000, 1_000_000]) {
    note(`filling a database with the badges of ${people.toLocaleString("en")} people`);
    const database = await cloneDatabase(cluster, `bench_badges_${people}`);
    await asSuperuser(database.adminUrl, (client) => fillBadges(client, people));
    databases.push(database);
  }
  const [small, large] = databases;
  if (small === undefined || large === undefined) throw new Error("Two databases are compared.");
  const onSmall = await startServer("api", environmentOf(small));
  const onLarge = await startServer("api", environmentOf(large));
  try {
    const figures: Figure[] = [];
    for (const [what, path] of [
      ["leaderboard with my_rank", `${ROOM}/leaderboard`],
      ["badge", `${ROOM}/badge`],
    ] as const) {
      const name = `${what}: 1,000,000 / 1,000 badges, ${CHANGES.toLocaleString("en")} changes since the rebuild`;
      note(name);
      figures.push(
        await compareLatencies({
          name,
          bar: { atMost: 1.3 },
          rounds: 7,
          ours: await reader(onLarge, large, path),
          theirs: await reader(onSmall, small, path),
        }),
      );
    }
    return figures;
  } finally {
    await Promise.all([onSmall.stop(), onLarge.stop()]);
  }
}

/** Loads a page as the user in the middle of the leaderboard, whose rank takes the most work. */
async function reader(server: BenchServer, database: TestDatabase, path: string) {
  const { rows } = await asSuperuser(database.adminUrl, (client) =>
    client.query(
      `select user_id as sub from nectar.user_badges where is_listed order by leaderboard_key, user_id
       offset (select count(*) / 2 from nectar.user_badges where is_listed) limit 1`,
    ),
  );
  const token = await tokenFor(z.object({ sub: z.string() }).parse(rows[0]));
  return () => load(server.url + path, { connections: 1, until: { seconds: 2 }, token });
}

async function fillBadges(client: pg.Client, people: number): Promise<void> {
  await signUpMany(client, people);
  // One of twenty users has sent nothing; the success rates of the others are between 0 and 1.
  await client.query(
    `insert into nectar.user_badges (user_id, level, total_drops_sent, engagement_increases)
     select id, 1, sent, sent * (n * 31 % 101) / 100
     from people cross join lateral (select (n::bigint * 7919 % 300)::int * (case when n % 20 = 0 then 0 else 1 end) as sent) counts`,
  );
  await client.query("insert into private.leaderboard_changes (user_id) values (gen_random_uuid())");
  await client.query("select private.rebuild_leaderboard_checkpoints()");
  await client.query("set session_replication_role = origin");
  await client.query("vacuum analyze");
  await client.query(
    "create temp table listed as select user_id, row_number() over () as n from nectar.user_badges where is_listed",
  );
  await client.query(
    `do $$
     declare
       one uuid;
     begin
       for one in
         select l.user_id
         from generate_series(1, ${CHANGES}) i (n) join listed l on l.n = 1 + i.n::bigint * 7919 % (select count(*) from listed)
       loop
         update nectar.user_badges set total_drops_sent = total_drops_sent + 1 where user_id = one;
       end loop;
     end
     $$`,
  );
  await client.query("vacuum analyze");
}

/** Inserts users without running triggers, which stay off in this session. */
async function signUpMany(client: pg.Client, people: number): Promise<void> {
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

const OPEN = 100_000;
const CLOSED = 1_000_000;
const PEOPLE = 20_000;

/** Compares the engagement job with bare statements, and with itself beside a long history. */
export async function engagementFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const fresh = await cloneDatabase(cluster, "bench_engagement");
  const old = await cloneDatabase(cluster, "bench_engagement_history");
  note(`filling databases with ${OPEN} open drops, one of them with ${CLOSED} closed ones beside`);
  await asSuperuser(fresh.adminUrl, (client) => fillDrops(client, 0));
  await asSuperuser(old.adminUrl, (client) => fillDrops(client, CLOSED));
  note("engagement: the job, the bare statements, and the job over a long history");
  const [job, bare, overHistory] = await alternate(5, [
    () => timed(fresh, () => runJob(fresh)),
    () => timed(fresh, () => asSuperuser(fresh.adminUrl, runBare)),
    () => timed(old, () => runJob(old)),
  ]);
  const ms = (times: number[] | undefined) => median(times ?? []).toFixed(0);
  return [
    {
      name: "engagement of 100,000 open drops: the job / the bare join and updates",
      ratio: medianRatio(job ?? [], bare ?? []),
      bar: { atMost: 1.5 },
      measured: `${ms(job)} / ${ms(bare)} ms`,
    },
    {
      name: "engagement of 100,000 open drops: beside 1,000,000 closed ones / without",
      ratio: medianRatio(overHistory ?? [], job ?? []),
      bar: { atMost: 1.2 },
      measured: `${ms(overHistory)} / ${ms(job)} ms`,
    },
  ];
}

/** Restores the state before the run, and times the run. */
async function timed(database: TestDatabase, work: () => Promise<number>): Promise<number> {
  await asSuperuser(database.adminUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query("truncate nectar.encouragement_allowances, nectar.notifications cascade");
    await client.query("delete from nectar.encouragement_drops where id in (select id from public.open_drops)");
    await client.query("insert into nectar.encouragement_drops select * from public.open_drops");
    await client.query("truncate nectar.badge_milestones, nectar.user_badges, private.leaderboard_changes");
    await client.query(
      `insert into nectar.user_badges (user_id, total_drops_sent, run_days, last_sent_on)
       select sender_id, count(*), 1, (now() at time zone 'UTC')::date from public.open_drops group by 1`,
    );
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  });
  const before = performance.now();
  const engaged = await work();
  const time = performance.now() - before;
  if (engaged !== OPEN / 2) throw new Error(`Half of the drops had success, but ${engaged} were found.`);
  return time;
}

async function runJob(database: TestDatabase): Promise<number> {
  const logger = createLogger("error", { write: () => {} });
  const services = servicesFor(readConfig(environmentOf(database)), { logger });
  try {
    const { results } = await processEngagement.run(services);
    return Number(results?.engaged);
  } finally {
    await services.database.close();
  }
}

/** The job without slices, levels, milestones, carried bonus and checkpoints. */
async function runBare(client: pg.Client): Promise<number> {
  await client.query("begin");
  await client.query(
    `create temp table successes on commit drop as
     with engaged as (
       update nectar.encouragement_drops d
       set engagement = 'engaged', engaged_at = now(), bonus_drops_awarded = 2
       where d.engagement = 'open' and (
         exists (select from nectar.journal_entries e
           where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until)
         or exists (select from nectar.wellness_entries e
           where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until))
       returning d.sender_id
     )
     select sender_id, count(*)::int as n from engaged group by sender_id`,
  );
  await client.query(
    `insert into nectar.encouragement_allowances as a (user_id, date, daily_allowance, bonus_earned)
     select sender_id, (now() at time zone 'UTC')::date, 5, 2 * n from successes
     on conflict (user_id, date) do update set bonus_earned = a.bonus_earned + excluded.bonus_earned`,
  );
  await client.query(
    `update nectar.user_badges b
     set engagement_increases = b.engagement_increases + s.n, bonus_drops_earned = b.bonus_drops_earned + 2 * s.n
     from successes s where b.user_id = s.sender_id`,
  );
  const { rows } = await client.query("select sum(n)::int as engaged from successes");
  await client.query("commit");
  return rows[0].engaged;
}

/** Every user sends five drops to one neighbor, and half of the neighbors wrote something afterwards. */
async function fillDrops(client: pg.Client, closed: number): Promise<void> {
  await signUpMany(client, PEOPLE);
  await client.query(
    `create table public.open_drops as
     select gen_random_uuid() as id, s.id as sender_id, r.id as recipient_id, 'encouragement'::nectar.encouragement_drop_type
         as drop_type, null::uuid as template_id, null::text as title, 'Well done' as content,
       null::nectar.media_type as media_type, null::text as media_url, null::text as thumbnail_url, null::uuid as entry_id,
       true as is_custom, (at at time zone 'UTC')::date as date_sent, at as created_at, null::timestamptz as read_at,
       at + interval '24 hours' as engagement_until, 'open'::nectar.engagement_state as engagement,
       null::timestamptz as engaged_at, 0 as bonus_drops_awarded
     from generate_series(0, $1::int - 1) i (n)
     join people s on s.n = 1 + i.n % $2::int
     join people r on r.n = 1 + (i.n + 1 + i.n / $2::int) % $2::int
     cross join lateral (select (now() - make_interval(secs => 7200 + i.n % 3600))::timestamptz(3) as at) t`,
    [OPEN, PEOPLE],
  );
  await client.query(
    `insert into nectar.encouragement_drops
       (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until, engagement)
     select s.id, r.id, 'Well done', true, (at at time zone 'UTC')::date, at, at + interval '24 hours',
       (case when i.n % 2 = 0 then 'engaged' else 'expired' end)::nectar.engagement_state
     from generate_series(0, $1::int - 1) i (n)
     join people s on s.n = 1 + i.n % $2::int
     join people r on r.n = 1 + (i.n + 1 + i.n / $2::int) % $2::int
     cross join lateral (select (now() - interval '3 days' - make_interval(secs => i.n))::timestamptz(3) as at) t`,
    [closed, PEOPLE],
  );
  // Writers have entries of several days; every second one wrote after the drops, half of those a wellness entry.
  await client.query(
    `insert into nectar.journal_entries (user_id, title, created_at, metadata_audience_id, content_audience_id)
     select p.id, 'Bench', now() - make_interval(days => 1 + d), p.id, p.id
     from people p cross join generate_series(1, 5) d`,
  );
  await client.query(
    `insert into nectar.journal_entries (user_id, title, created_at, metadata_audience_id, content_audience_id)
     select p.id, 'Bench', now() - interval '1 hour', p.id, p.id from people p where p.n % 4 = 0`,
  );
  await client.query(
    `insert into nectar.wellness_entries (user_id, type, rating, created_at)
     select p.id, 'satisfaction', 5, now() - interval '1 hour' from people p where p.n % 4 = 2`,
  );
}
