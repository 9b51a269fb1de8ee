import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#database/database";
import { generateChains } from "#functions/game/matching/generate-chains";
import { useActing } from "../support/acting.ts";

const acting = useActing();
/** A Wednesday. */
const DATE = "2031-05-14";
const CROWD = 30_000;
/**
 * People of the town, every third of them synthetic, so that squads come and go with the one who comes and goes. They and
 * the village are few: for 40 people, reading a narrow table of 10,000 rows as a whole is the better plan.
 */
const TOWN = 9;
const ID = "('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid";
/** An area of the crowd, with about as many people as the town. */
const AREA = "'city:utc:' || n % 2000";
const WANDERER = "00000000-0000-4000-9000-000000000001";

/** People from one number to another, spread over places, with windows that count on the date. */
async function settle(from: number, to: number, place: string): Promise<void> {
  const run = (statement: string) => acting.admin.query(statement, [from, to]);
  await acting.admin.query("set session_replication_role = replica");
  await run(
    `insert into auth.users (id, email) select ${ID}, n || '@example.test' from generate_series($1::int, $2::int) n`,
  );
  await run(`insert into nectar.profiles (id, is_ai) select ${ID}, n % 3 = 0 from generate_series($1::int, $2::int) n`);
  await run(
    `insert into nectar.workout_windows
       (user_id, activity_type, window_start_time, window_end_time, timezone, effective_from)
     select ${ID}, 'walk', make_time(n % 22, 0, 0), make_time(n % 22 + 2, 0, 0), 'UTC', '2031-01-01'
     from generate_series($1::int, $2::int) n`,
  );
  await run(
    `insert into nectar.user_locations (user_id, latitude, longitude)
     select ${ID}, 1, 1 from generate_series($1::int, $2::int) n`,
  );
  await run(
    `insert into private.player_areas (user_id, area_key)
     select ${ID}, ${place} from generate_series($1::int, $2::int) n`,
  );
  await acting.admin.query("set session_replication_role = origin");
}

/** Players of other places, by their numbers, with chains on the date, the one before and the one after. */
async function settleCrowd(from: number, to: number): Promise<void> {
  await settle(from, to, AREA);
  const run = (statement: string) => acting.admin.query(statement, [from, to]);
  await acting.admin.query("set session_replication_role = replica");
  await run(
    `insert into nectar.team_colors (user_id, week_start_date, color)
     select ${ID}, '2031-05-12', (array['red', 'blue'])[1 + n % 2]::nectar.team_color
     from generate_series($1::int, $2::int) n`,
  );
  for (const days of [-1, 0, 1]) {
    await run(
      `insert into nectar.squads (id, date, user_1_id, team_color)
       select md5(n || ' ${days}')::uuid, date '${DATE}' + ${days}, ${ID}, 'red'
       from generate_series($1::int, $2::int) n where n % 3 = 0`,
    );
    await run(
      `insert into nectar.chains (date, user_id, team_color, squad_id, area_key, activity_type, timezone,
         window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
       select date '${DATE}' + ${days}, ${ID}, 'red', md5(n - n % 3 || ' ${days}')::uuid, ${AREA}, 'walk', 'UTC',
         '06:00', '08:00', date '${DATE}' + ${days} + time '06:00', date '${DATE}' + ${days} + time '08:00',
         date '${DATE}' + ${days} + interval '1 day'
       from generate_series($1::int, $2::int) n`,
    );
  }
  await run(
    `insert into nectar.workout_checkins (user_id, date, activity_type, chain_status, battle_week_start)
     select ${ID}, '${DATE}', 'walk', 'continued', '2031-05-12' from generate_series($1::int, $2::int) n`,
  );
  await acting.admin.query("set session_replication_role = origin");
}

/** One backend of the API, with the plans that it keeps. */
function session() {
  const database = openDatabase({ url: acting.apiUrl, poolSize: 1 });
  /** Matches one person's place on the date, and tells how many rows were looked at, and by walks through whole tables. */
  async function rematch() {
    return database.asService(async (tx) => {
      const looked = async () => {
        const { rows } = await sql<{ relname: string; walked: number; found: number }>`
          select relname, seq_tup_read as walked, idx_tup_fetch as found
          from pg_catalog.pg_stat_xact_user_tables where schemaname in ('nectar', 'private')
        `.execute(tx);
        return new Map(rows.map((row) => [row.relname, { walked: row.walked, found: row.found ?? 0 }]));
      };
      const before = await looked();
      const changes = await generateChains(
        tx,
        { now: () => new Date("2031-05-13T12:00:00Z") },
        { date: DATE, around: [WANDERER] },
      );
      const after = await looked();
      const tables = [...after].map(([table, { walked, found }]) => ({
        table,
        walked: walked - (before.get(table)?.walked ?? 0),
        found: found - (before.get(table)?.found ?? 0),
      }));
      return { changes, tables };
    });
  }
  return { database, rematch };
}

type Session = ReturnType<typeof session>;

/** A player changes the window, moves to a village, and moves back. */
async function wander({ rematch }: Session) {
  const walked: Record<string, number> = {};
  let rows = 0;
  const change = async (statement: string) => {
    await acting.admin.query(statement, [WANDERER]);
    const { changes, tables } = await rematch();
    expect(changes.chainsChanged + changes.chainsCreated).toBeGreaterThan(0);
    for (const { table, walked: more, found } of tables) {
      walked[table] = (walked[table] ?? 0) + more;
      rows += more + found;
    }
  };
  await change(
    `update nectar.workout_windows set window_start_time = window_start_time + interval '2 hours',
       window_end_time = window_end_time + interval '2 hours' where user_id = $1`,
  );
  await change("update nectar.user_locations set city = 'village' where user_id = $1");
  await change("update nectar.user_locations set city = 'town' where user_id = $1");
  return { rows, walked: Object.entries(walked).filter(([, count]) => count >= CROWD / 2) };
}

describe("the change of one player among many in other areas", () => {
  let kept: Session;

  beforeAll(async () => {
    kept = session();
    for (let run = 0; run < 12; run += 1) await kept.rematch();
    await settle(1, TOWN, "'city:utc:town'");
    await settle(101, 103, "'city:utc:village'");
    return async () => kept.database.close();
  });

  it("reads every row of the area, so that reading a whole table would be noticed", async () => {
    expect((await wander(kept)).rows).toBeGreaterThan(3 * TOWN);
  });

  it("reads no more rows with 30,000 people than with 15,000, in an old session and in a new one", async () => {
    // Both crowds are analyzed, and so large that reading a whole table costs more than twice as much as an index.
    const looked = async (backend: Session) => {
      const runs: number[] = [];
      for (let run = 0; run < 8; run += 1) {
        const { rows, walked } = await wander(backend);
        expect(walked).toEqual([]);
        runs.push(rows);
      }
      return Math.max(...runs);
    };
    await settleCrowd(1_002, 1_001 + CROWD / 2);
    await acting.admin.query("vacuum analyze");
    const few = await looked(kept);
    await settleCrowd(1_002 + CROWD / 2, 1_001 + CROWD);
    await acting.admin.query("vacuum analyze");
    const later = session();
    for (const backend of [kept, later]) expect(await looked(backend)).toBeLessThan(few * 1.2);
    await later.database.close();
  });
});
