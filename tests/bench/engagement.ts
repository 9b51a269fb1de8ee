import type pg from "pg";
import { readConfig } from "#config/config";
import { processEngagement } from "#functions/encouragement-drops/drops/engagement";
import type { Services } from "#http/services/services";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { asSuperuser } from "#tests/people";
import { fillPeople } from "./data.ts";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const OPEN = 100_000;
const CLOSED = 1_000_000;
const PEOPLE = 20_000;

/** Compares the engagement job with bare statements, a run that finds nothing new with theirs, and the job with itself beside a long history. */
export async function engagementFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const fresh = await cloneDatabase(cluster, "bench_engagement");
  const old = await cloneDatabase(cluster, "bench_engagement_history");
  note(`filling databases with ${OPEN} open drops, one of them with ${CLOSED} closed ones beside`);
  await asSuperuser(fresh.adminUrl, (client) => fillDrops(client, 0));
  await asSuperuser(old.adminUrl, (client) => fillDrops(client, CLOSED));
  note("engagement: the job, the bare statements, and the job over a long history");
  // Connected before the measurement, as the connection of the bare statements is.
  const [ofFresh, ofOld] = [servicesOf(fresh), servicesOf(old)];
  const [job = [], bare = [], overHistory = []] = await alternate(5, [
    () => twoRuns(fresh, () => runJob(ofFresh)),
    () => twoRuns(fresh, () => asSuperuser(fresh.adminUrl, runBare)),
    () => twoRuns(old, () => runJob(ofOld)),
  ]);
  await Promise.all([ofFresh.database.close(), ofOld.database.close()]);
  return [
    compare("the job / the bare join and updates", { atMost: 1.3 }, firstOf(job), firstOf(bare)),
    compare("the second run / the bare statements again", { atMost: 1.3 }, secondOf(job), secondOf(bare)),
    compare("beside 1,000,000 closed ones / without", { atMost: 1.2 }, firstOf(overHistory), firstOf(job)),
  ];
}

/** Milliseconds of a run that finds the engagements, and of the next one, which finds none. */
interface TwoRuns {
  readonly first: number;
  readonly second: number;
}

const firstOf = (runs: readonly TwoRuns[]) => runs.map(({ first }) => first);
const secondOf = (runs: readonly TwoRuns[]) => runs.map(({ second }) => second);

function compare(name: string, bar: { atMost: number }, ours: readonly number[], theirs: readonly number[]): Figure {
  return {
    name: `engagement of 100,000 open drops: ${name}`,
    ratio: medianRatio(ours, theirs),
    bar,
    measured: `${median(ours).toFixed(0)} / ${median(theirs).toFixed(0)} ms`,
  };
}

/** Restores the state before the first run, and times two runs. */
async function twoRuns(database: TestDatabase, run: () => Promise<number>): Promise<TwoRuns> {
  await restore(database);
  return { first: await timed(run, OPEN / 2), second: await timed(run, 0) };
}

/** Milliseconds of a run. @throws Error if it finds another number of engagements than expected */
async function timed(run: () => Promise<number>, expected: number): Promise<number> {
  const before = performance.now();
  const engaged = await run();
  const time = performance.now() - before;
  if (engaged !== expected) throw new Error(`${expected} drops had success, but ${engaged} were found.`);
  return time;
}

async function restore(database: TestDatabase): Promise<void> {
  await asSuperuser(database.adminUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query("truncate nectar.encouragement_allowances, nectar.notifications cascade");
    await client.query("delete from nectar.encouragement_drops where id in (select id from public.open_drops)");
    await client.query(
      `insert into nectar.encouragement_drops
         (id, sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
       select id, sender_id, recipient_id, 'Well done', true, (created_at at time zone 'UTC')::date, created_at,
         created_at + interval '24 hours' from public.open_drops`,
    );
    await client.query("truncate nectar.badge_milestones, nectar.user_badges");
    await client.query(
      `insert into nectar.user_badges (user_id, total_drops_sent, run_days, last_sent_on)
       select sender_id, count(*), 1, (now() at time zone 'UTC')::date from public.open_drops group by 1`,
    );
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  });
}

function servicesOf(database: TestDatabase): Services {
  const logger = createLogger("error", { write: () => {} });
  return servicesFor(readConfig(environmentOf(database)), { logger });
}

async function runJob(services: Services): Promise<number> {
  const { results } = await processEngagement.run(services);
  return Number(results?.engaged);
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
  const { rows } = await client.query("select coalesce(sum(n), 0)::int as engaged from successes");
  await client.query("commit");
  return rows[0].engaged;
}

/** Every user sends five drops to one neighbor, and half of the neighbors wrote something afterwards. */
async function fillDrops(client: pg.Client, closed: number): Promise<void> {
  await fillPeople(client, PEOPLE);
  await client.query(
    `create table public.open_drops as
     select gen_random_uuid() as id, s.id as sender_id, r.id as recipient_id, at as created_at
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
