import type pg from "pg";
import { readConfig } from "#config/config";
import { addDays } from "#core/time/calendar-date";
import { generateChains } from "#functions/workout-window/matching/generate-chains";
import { rematchUsers } from "#functions/workout-window/matching/rematch";
import type { Services } from "#http/services/services";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { asSuperuser } from "#tests/people";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const PLAYERS = 100_000;
const CITIES = 2_000;
/** Players in the town where the change of one player is measured. */
const TOWN = 60;
const FEW = 1_000;
const CHANGES = 15;
/** A Monday. Every round is another week, so that each deals teams. */
const FIRST_DATE = "2027-01-04";

/** Compares matching with inserting its rows, and the change of one player beside many others with one beside few. */
export async function chainFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note(`filling databases with ${PLAYERS.toLocaleString("en")} and with ${FEW.toLocaleString("en")} windows`);
  const large = await filled(cluster, "bench_chains", PLAYERS);
  const small = await filled(cluster, "bench_chains_few", FEW);
  note("chains of all players, and a bare insert of their rows");
  let date = FIRST_DATE;
  const [ours, bare] = await alternate(3, [
    async () => {
      date = addDays(date, 7);
      await empty(large);
      return generateAll(large, date);
    },
    async () => insertBare(large),
  ]);
  note("one person's change of window");
  const [many, few] = await alternate(5, [() => changeWindows(large), () => changeWindows(small)]);
  const ms = (times: number[] | undefined) => median(times ?? []).toFixed(1);
  return [
    {
      name: `chains, teams and squads of ${PLAYERS.toLocaleString("en")} windows in ${CITIES.toLocaleString("en")} cities / a bare insert of their rows`,
      ratio: medianRatio(ours ?? [], bare ?? []),
      bar: { atMost: 3 },
      measured: `${ms(ours)} / ${ms(bare)} ms`,
    },
    {
      name: `one person's rematch beside ${PLAYERS.toLocaleString("en")} players elsewhere / beside ${FEW.toLocaleString("en")}`,
      ratio: medianRatio(many ?? [], few ?? []),
      bar: { atMost: 1.3 },
      measured: `${ms(many)} / ${ms(few)} ms`,
    },
  ];
}

/** A database with players in cities of which a few are large; the town is the same in all of them. */
async function filled(cluster: TestCluster, name: string, players: number): Promise<TestDatabase> {
  const database = await cloneDatabase(cluster, name);
  await asSuperuser(database.adminUrl, async (client) => {
    const run = (text: string, values: unknown[] = []) => client.query(text, values);
    await run("set session_replication_role = replica");
    // The cube of an even spread: of 2,000 cities the first has every thirteenth player, the last ones some seventeen each.
    await run(
      `create temp table players as
       select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid as id, n,
         case when n <= $2 then 'Town' else 'City ' || floor($3 * power(u, 3))::int end as city,
         (array['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'America/Los_Angeles', 'Asia/Kolkata'])[
           1 + case when n <= $2 then 0 else floor($3 * power(u, 3))::int % 6 end
         ] as zone,
         make_time(floor(v * 22)::int, (n % 4) * 15 + case when n % 5 = 0 then n % 15 else 0 end, 0) as starts
       from generate_series(1, $1::int) n
       cross join lateral (select (n::bigint * 7919 % 100003) / 100003.0 as u, (n::bigint * 104729 % 99991) / 99991.0 as v) spread`,
      [players, TOWN, CITIES],
    );
    await run("insert into auth.users (id, email) select id, n || '@bench.test' from players");
    await run(
      "insert into nectar.profiles (id, full_name, is_ai) select id, 'Bench', n % 5 = 1 and n > 60 from players",
    );
    await run("insert into nectar.accounts (user_id, email) select id, n || '@bench.test' from players");
    await run(
      `insert into nectar.workout_windows
         (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
       select id, 'walk', starts, starts + interval '2 hours', zone, '2026-01-01' from players`,
    );
    await run(
      "insert into nectar.user_locations (user_id, city, latitude, longitude) select id, city, 1, 1 from players",
    );
    await run(
      `insert into private.player_areas (user_id, area_key)
       select id, private.area_key(city, null, zone) from players`,
    );
    await run("vacuum analyze");
  });
  return database;
}

/** The services of a database on the morning before a date, when none of its windows has begun. */
async function withServices<Result>(
  database: TestDatabase,
  date: string,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const now = new Date(`${addDays(date, -1)}T06:00:00Z`);
  const services = servicesFor(readConfig(environmentOf(database)), {
    logger: createLogger("warn"),
    clock: { now: () => now },
  });
  try {
    return await work(services);
  } finally {
    await services.database.close();
  }
}

const TABLES = ["squads", "team_colors", "chains", "notifications"];

async function empty(database: TestDatabase): Promise<void> {
  await asSuperuser(database.adminUrl, async (client) => {
    await client.query(`truncate ${TABLES.map((table) => `nectar.${table}`).join()} cascade`);
    await client.query("vacuum analyze");
    await client.query("checkpoint");
  });
}

/** Milliseconds of matching all players of a date. */
function generateAll(database: TestDatabase, date: string): Promise<number> {
  return withServices(database, date, async (services) => {
    await services.database.ping();
    const before = performance.now();
    const { chainsCreated } = await services.database.asService((tx) => generateChains(tx, services.clock, { date }));
    const time = performance.now() - before;
    if (chainsCreated !== PLAYERS) throw new Error(`${chainsCreated} players were matched instead of ${PLAYERS}.`);
    return time;
  });
}

/** Milliseconds of inserting the same rows again, after the tables were emptied. */
async function insertBare(database: TestDatabase): Promise<number> {
  await asSuperuser(database.adminUrl, async (client) => {
    for (const table of TABLES) {
      await client.query(`drop table if exists public.same_${table}`);
      await client.query(`create table public.same_${table} as select * from nectar.${table}`);
    }
  });
  await empty(database);
  return asSuperuser(database.adminUrl, (client) => timed(() => insertAll(client)));
}

async function insertAll(client: pg.Client): Promise<void> {
  await client.query("begin");
  for (const table of TABLES) await client.query(`insert into nectar.${table} select * from public.same_${table}`);
  await client.query("commit");
}

/** Milliseconds of matching the change of one player, today and tomorrow, after all players were matched. */
async function changeWindows(database: TestDatabase): Promise<number> {
  const date = "2028-03-01";
  return withServices(database, date, async (services) => {
    for (const day of [addDays(date, -1), date]) {
      await services.database.asService((tx) => generateChains(tx, services.clock, { date: day }));
    }
    return asSuperuser(database.adminUrl, async (client) => {
      await client.query("vacuum analyze");
      const times: number[] = [];
      for (let change = 0; change < CHANGES; change += 1) {
        const id = `00000000-0000-4000-9000-${String(1 + change).padStart(12, "0")}`;
        await client.query(
          `update nectar.workout_windows
           set window_start_time = window_end_time, window_end_time = window_end_time + interval '2 hours'
           where user_id = $1`,
          [id],
        );
        times.push(await timed(() => rematchUsers(services, [id])));
        const { rowCount } = await client.query(
          `select from nectar.chains c join nectar.workout_windows w using (user_id, window_start_time)
           where c.user_id = $1 and c.date = $2`,
          [id, date],
        );
        if (rowCount !== 1) throw new Error("The change was not matched.");
      }
      return median(times);
    });
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
