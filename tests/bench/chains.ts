import type pg from "pg";
import { addDays } from "#core/time/calendar-date";
import { generateChains } from "#functions/workout-window/matching/generate-chains";
import { rematchUsers } from "#functions/workout-window/matching/rematch";
import type { Services } from "#http/services/services";
import type { TestDatabase } from "#local/database/test-cluster";
import { asSuperuser } from "#tests/people";
import { fillPeople, personWithNumber } from "./data.ts";
import { filledDatabase, servicesOn } from "./databases.ts";
import { compare, type Figure, median, type Run, sized, timed } from "./figures.ts";

const PLAYERS = sized(100_000);
const CITIES = sized(2_000);
/** Players in the town where the change of one player is measured. */
const TOWN = 60;
const FEW = 1_000;
const CHANGES = 15;
/** A Monday. Every round is another week, so that each deals teams. */
const FIRST_DATE = "2027-01-04";
const TABLES = ["nectar.squads", "nectar.team_colors", "nectar.chains", "nectar.notifications"];

/** Compares matching with inserting its rows, and the change of one player beside many others with one beside few. */
export async function chainFigures(run: Run): Promise<Figure[]> {
  run.note(`filling databases with ${PLAYERS} and with ${FEW} windows`);
  const large = await filledDatabase(run, "chains", (client) => fillWindows(client, PLAYERS));
  const small = await filledDatabase(run, "chains_few", (client) => fillWindows(client, FEW));
  run.note("chains of all players, and a bare insert of their rows");
  let date = FIRST_DATE;
  return [
    await compare({
      name: "chains, teams and squads of 100,000 windows in 2,000 cities / a bare insert of their rows",
      bar: { atMost: 3 },
      rounds: 3,
      ours: () => {
        date = addDays(date, 7);
        return generateAll(large, date);
      },
      theirs: () => asSuperuser(large.adminUrl, insertBare),
    }),
    await compare({
      name: "one person's rematch beside 100,000 players elsewhere / beside 1,000",
      bar: { atMost: 1.5 },
      rounds: 5,
      ours: () => changeWindows(large),
      theirs: () => changeWindows(small),
    }),
  ];
}

/** Lets players live in cities of which a few are large; the town is the same in all databases. */
async function fillWindows(client: pg.ClientBase, players: number): Promise<void> {
  await fillPeople(client, players);
  // The cube of an even spread: of 2,000 cities the first has every thirteenth player, the last ones some seventeen each.
  await client.query(
    `create temp table players as
     select id, n, case when n <= ${TOWN} then 'Town' else 'City ' || place end as city,
       (array['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'America/Los_Angeles', 'Asia/Kolkata'])[
         1 + case when n <= ${TOWN} then 0 else place % 6 end
       ] as zone,
       make_time(floor(v * 22)::int, (n % 4) * 15 + case when n % 5 = 0 then n % 15 else 0 end, 0) as starts
     from people
     cross join lateral (
       select floor(${CITIES} * power((n::bigint * 7919 % 100003) / 100003.0, 3))::int as place,
         (n::bigint * 104729 % 99991) / 99991.0 as v
     ) spread;
     update nectar.profiles p set is_ai = true from people where p.id = people.id and n % 5 = 1 and n > ${TOWN};
     insert into nectar.workout_windows
       (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
     select id, 'walk', starts, starts + interval '2 hours', zone, '2026-01-01' from players;
     insert into nectar.user_locations (user_id, city, latitude, longitude) select id, city, 1, 1 from players;
     insert into private.player_areas (user_id, area_key) select id, private.area_key(city, null, zone) from players`,
  );
}

/** The services on the morning before a date, when none of its windows has begun. */
function servicesBefore(database: TestDatabase, date: string): Services & AsyncDisposable {
  const now = new Date(`${addDays(date, -1)}T06:00:00Z`);
  return servicesOn(database, {}, () => now);
}

async function empty(client: pg.ClientBase): Promise<void> {
  await client.query(`truncate private.open_days, ${TABLES.join()} cascade`);
  await client.query("vacuum analyze");
  await client.query("checkpoint");
}

/** Milliseconds of matching all players of a date. */
async function generateAll(database: TestDatabase, date: string): Promise<number> {
  await asSuperuser(database.adminUrl, empty);
  await using services = servicesBefore(database, date);
  await services.database.ping();
  return await timed(async () => {
    const { chainsCreated } = await services.database.asService((tx) => generateChains(tx, services.clock, { date }));
    if (chainsCreated !== PLAYERS) throw new Error(`${chainsCreated} players were matched instead of ${PLAYERS}.`);
  });
}

/** Milliseconds of inserting the same rows again, after the tables were emptied. */
async function insertBare(client: pg.ClientBase): Promise<number> {
  const same = (table: string) => table.replace("nectar.", "public.same_");
  for (const table of TABLES) {
    await client.query(`drop table if exists ${same(table)}; create table ${same(table)} as table ${table}`);
  }
  await empty(client);
  const inserts = TABLES.map((table) => `insert into ${table} table ${same(table)}`);
  return timed(() => client.query(`begin; ${inserts.join("; ")}; commit`));
}

/** Milliseconds of matching the change of one player, today and tomorrow, after all players were matched. */
async function changeWindows(database: TestDatabase): Promise<number> {
  const date = "2028-03-01";
  await using services = servicesBefore(database, date);
  for (const day of [addDays(date, -1), date]) {
    await services.database.asService((tx) => generateChains(tx, services.clock, { date: day }));
  }
  return await asSuperuser(database.adminUrl, async (client) => {
    await client.query("vacuum analyze");
    const times: number[] = [];
    for (let change = 1; change <= CHANGES; change += 1) {
      const id = personWithNumber(change);
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
}
