import type pg from "pg";
import { processEngagement } from "#functions/encouragement-drops/drops/engagement";
import type { Services } from "#http/services/services";
import type { TestDatabase } from "#local/database/test-cluster";
import { asSuperuser } from "#tests/people";
import { fillPeople } from "./data.ts";
import { filledDatabase, servicesOn } from "./databases.ts";
import { alternate, type Figure, figureOf, type Run, sized, timed } from "./figures.ts";

const PEOPLE = sized(20_000);
const OPEN = 5 * PEOPLE;
const CLOSED = 50 * PEOPLE;

/** Compares the engagement job with bare statements, a run that finds nothing new with theirs, and the job with itself beside a long history. */
export async function engagementFigures(run: Run): Promise<Figure[]> {
  run.note(`filling databases with ${OPEN} open drops, one of them with ${CLOSED} closed ones beside`);
  const fresh = await filledDatabase(run, "engagement", (client) => fillDrops(client, 0));
  const old = await filledDatabase(run, "engagement_old", (client) => fillDrops(client, CLOSED));
  run.note("the job, the bare statements, and the job over a long history");
  // Connected before the measurement, as the connection of the bare statements is.
  await using onFresh = servicesOn(fresh);
  await using onOld = servicesOn(old);
  const sides = await alternate(5, [
    () => twoRuns(fresh, () => runJob(onFresh)),
    () => twoRuns(fresh, () => asSuperuser(fresh.adminUrl, runBare)),
    () => twoRuns(old, () => runJob(onOld)),
  ]);
  const timesOf = (side: number, index: number) => (sides[side] ?? []).map((times) => times[index] ?? Number.NaN);
  const [JOB, BARE, OVER_HISTORY] = [0, 1, 2] as const;
  const what = "engagement of 100,000 open drops";
  return [
    figureOf(`${what}: the job / the bare join and updates`, { atMost: 1.4 }, timesOf(JOB, 0), timesOf(BARE, 0)),
    figureOf(`${what}: the second run / the bare one again`, { atMost: 1.4 }, timesOf(JOB, 1), timesOf(BARE, 1)),
    figureOf(
      `${what}: beside 1,000,000 closed ones / without`,
      { atMost: 1.3 },
      timesOf(OVER_HISTORY, 0),
      timesOf(JOB, 0),
    ),
  ];
}

/** Milliseconds of a run that finds the engagements, and of the next one, which finds none. */
async function twoRuns({ adminUrl }: TestDatabase, work: () => Promise<number>): Promise<number[]> {
  await asSuperuser(adminUrl, restore);
  const times: number[] = [];
  for (const expected of [OPEN / 2, 0]) {
    const ms = await timed(async () => {
      const engaged = await work();
      if (engaged !== expected) throw new Error(`${expected} drops had success, but ${engaged} were found.`);
    });
    times.push(ms);
  }
  return times;
}

/** Restores the state before the first run. */
async function restore(client: pg.ClientBase): Promise<void> {
  await client.query(
    `set session_replication_role = replica;
     truncate nectar.encouragement_allowances, nectar.notifications cascade;
     delete from nectar.encouragement_drops where id in (select id from public.open_drops);
     insert into nectar.encouragement_drops
       (id, sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
     select id, sender_id, recipient_id, 'Well done', true, (created_at at time zone 'UTC')::date, created_at,
       created_at + interval '24 hours' from public.open_drops;
     truncate nectar.badge_milestones, nectar.user_badges;
     insert into nectar.user_badges (user_id, total_drops_sent, run_days, last_sent_on)
     select sender_id, count(*), 1, (now() at time zone 'UTC')::date from public.open_drops group by 1`,
  );
  await client.query("vacuum analyze");
  await client.query("checkpoint");
}

async function runJob(services: Services): Promise<number> {
  const { results } = await processEngagement.run(services);
  return Number(results?.engaged);
}

/** The job without batches, levels, milestones, carried bonus and checkpoints. */
async function runBare(client: pg.ClientBase): Promise<number> {
  const wrote = (table: string) => `exists (
    select from nectar.${table} e
    where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until)`;
  await client.query(
    `begin;
     create temp table successes on commit drop as
     with engaged as (
       update nectar.encouragement_drops d
       set engagement = 'engaged', engaged_at = now(), bonus_drops_awarded = 2
       where d.engagement = 'open' and (${wrote("journal_entries")} or ${wrote("wellness_entries")})
       returning d.sender_id
     )
     select sender_id, count(*)::int as n from engaged group by sender_id;
     insert into nectar.encouragement_allowances as a (user_id, date, daily_allowance, bonus_earned)
     select sender_id, (now() at time zone 'UTC')::date, 5, 2 * n from successes
     on conflict (user_id, date) do update set bonus_earned = a.bonus_earned + excluded.bonus_earned;
     update nectar.user_badges b
     set engagement_increases = b.engagement_increases + s.n, bonus_drops_earned = b.bonus_drops_earned + 2 * s.n
     from successes s where b.user_id = s.sender_id`,
  );
  const { rows } = await client.query("select coalesce(sum(n), 0)::int as engaged from successes");
  await client.query("commit");
  return rows[0].engaged;
}

/** Every user sends five drops to one neighbor, and half of the neighbors wrote something afterwards. */
async function fillDrops(client: pg.ClientBase, closed: number): Promise<void> {
  await fillPeople(client, PEOPLE);
  const drops = (count: number) => `
    generate_series(0, ${count} - 1) i (n)
    join people s on s.n = 1 + i.n % ${PEOPLE}
    join people r on r.n = 1 + (i.n + 1 + i.n / ${PEOPLE}) % ${PEOPLE}`;
  await client.query(
    `create table public.open_drops as
     select gen_random_uuid() as id, s.id as sender_id, r.id as recipient_id,
       (now() - make_interval(secs => 7200 + i.n % 3600))::timestamptz(3) as created_at
     from ${drops(OPEN)};
     insert into nectar.encouragement_drops
       (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until, engagement)
     select s.id, r.id, 'Well done', true, (at at time zone 'UTC')::date, at, at + interval '24 hours',
       (case when i.n % 2 = 0 then 'engaged' else 'expired' end)::nectar.engagement_state
     from ${drops(closed)}
     cross join lateral (select (now() - interval '3 days' - make_interval(secs => i.n))::timestamptz(3) as at) t`,
  );
  // Writers have entries of several days; every second one wrote after the drops, half of those a wellness entry.
  await client.query(
    `insert into nectar.journal_entries (user_id, title, created_at, metadata_audience_id, content_audience_id)
     select p.id, 'Bench', now() - make_interval(days => 1 + d), p.id, p.id
     from people p cross join generate_series(1, 5) d
     union all
     select p.id, 'Bench', now() - interval '1 hour', p.id, p.id from people p where p.n % 4 = 0;
     insert into nectar.wellness_entries (user_id, type, rating, created_at)
     select p.id, 'satisfaction', 5, now() - interval '1 hour' from people p where p.n % 4 = 2`,
  );
}
