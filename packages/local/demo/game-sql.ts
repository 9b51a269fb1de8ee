import { drawnCheckIn, drawSyntheticPeople, SYNTHETIC_DEFAULTS } from "@nectar/core/game/synthetic";
import { isEarly } from "@nectar/core/game/time";
import pg from "pg";
import { type DemoPlayer, players, syntheticCount, syntheticRegions, syntheticSeed } from "./game.ts";
import { stableId } from "./stable.ts";

/** Share of days on which the people of the demo data check in. */
const HUMAN_PROBABILITY = 0.8;
const GRACE_MINUTES = 15;

/** Gives some people windows and places, and makes the synthetic users. Needs the temporary table demo_people. */
export async function writeGame(client: pg.Client): Promise<void> {
  const rows = Object.entries<DemoPlayer>(players).map(([person, { timeZone, ...player }]) => ({
    person,
    ...player,
    time_zone: timeZone,
  }));
  await client.query(
    `create temporary table demo_players on commit drop as
     select g.*, p.id
     from jsonb_to_recordset($1::jsonb) as g (
       person text, activity nectar.activity_type, start time, "end" time, time_zone text, city text, region text,
       country text, latitude numeric, longitude numeric
     )
     join demo_people p on p.person = g.person`,
    [JSON.stringify(rows)],
  );
  await client.query(
    `insert into nectar.user_locations (user_id, latitude, longitude, city, region, country, timezone)
     select g.id, g.latitude, g.longitude, g.city, g.region, g.country, g.time_zone from demo_players g`,
  );
  await client.query(
    `insert into nectar.workout_windows (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
     select g.id, g.activity, g.start, g."end", g.time_zone, '2026-01-01' from demo_players g`,
  );
  const people = drawSyntheticPeople(
    syntheticCount,
    { ...SYNTHETIC_DEFAULTS, regions: syntheticRegions },
    syntheticSeed,
  );
  await client.query("select count(*) from private.insert_synthetic_users($1::uuid[], $2::jsonb, $3)", [
    people.map(({ full_name }) => stableId(`synthetic ${full_name}`)),
    // They have played for a while.
    JSON.stringify(people.map((person) => ({ ...person, effective_from: "2026-01-01" }))),
    syntheticSeed,
  ]);
  // Whoever plays the days that are past matches everybody on each of them, and on no day before.
  await client.query("delete from private.players_to_match");
}

interface PlayedDay {
  id: string;
  user_id: string;
  full_name: string;
  window_starts_at: Date;
  window_ends_at: Date;
}

/**
 * Checks people of the demo data in on a date on which chains are there: on most days, at a moment that their name and the
 * date decide. A check-in that is there already is left alone.
 * @param date `YYYY-MM-DD`
 * @param now moments after it have not come
 */
export async function writeHumanCheckIns(adminUrl: string, date: string, now: Date): Promise<void> {
  await connected(adminUrl, async (client) => {
    const { rows } = await client.query<PlayedDay>(
      `select c.id, c.user_id, p.full_name, c.window_starts_at, c.window_ends_at
       from nectar.chains c
       join nectar.profiles p on p.id = c.user_id and not p.is_ai
       where c.date = $1
       order by c.window_starts_at`,
      [date],
    );
    for (const { id, full_name, window_starts_at, window_ends_at } of rows) {
      const window = { startsAt: window_starts_at, endsAt: window_ends_at };
      const moment = drawnCheckIn({ userId: full_name, date, probability: HUMAN_PROBABILITY, ...window });
      if (moment === null || moment > now) continue;
      await client.query(
        `insert into nectar.workout_checkins (
           user_id, chain_id, date, activity_type, photo_timestamp, status, chain_status, is_early, has_streak,
           team_color, battle_week_start, verified_at
         )
         select c.user_id, c.id, c.date, c.activity_type, $2, 'verified', j.chain_status, $3, j.has_streak, c.team_color,
           private.join_battle(c.date), $2
         from nectar.chains c
         cross join private.judge_check_ins(array[c.user_id], array[c.date], array[$2::timestamptz], $4) j
         where c.id = $1
         on conflict (user_id, date) do nothing`,
        [id, moment, isEarly(window, moment, GRACE_MINUTES), GRACE_MINUTES],
      );
    }
  });
}

/** Gives what was played its place in the past: check-ins came at their moments, and nobody is told of old games. */
export async function settleGame(adminUrl: string): Promise<void> {
  await connected(adminUrl, async (client) => {
    await client.query("update nectar.workout_checkins set created_at = verified_at where verified_at < now()");
    await client.query("update nectar.battles set created_at = week_start_date where week_start_date < now()");
    await client.query(
      `delete from nectar.notifications
       where type in ('baton_pass', 'chain_broken', 'chain_restored', 'chain_update', 'battle_update', 'battle_progress',
         'battle_results', 'weekly_stats')`,
    );
  });
}

async function connected(adminUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
