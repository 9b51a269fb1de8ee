import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { countPlayers } from "#functions/workout-window/player-counts";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
const ID = "('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid";
const READER = "00000000-0000-4000-9000-000000000001";
const DATE = "2031-01-20";

beforeAll(async () => {
  const { admin } = acting;
  await admin.query("set session_replication_role = replica");
  await admin.query(`insert into nectar.profiles (id) select ${ID} from generate_series(1, 5000) n`);
  await admin.query(
    `insert into nectar.team_colors (user_id, week_start_date, color)
     select ${ID}, private.week_start('${DATE}') - 7 * k, 'red' from generate_series(1, 5000) n, generate_series(0, 9) k`,
  );
  await admin.query(
    `insert into nectar.chains (date, user_id, team_color, area_key, activity_type, timezone, window_start_time,
       window_end_time, window_starts_at, window_ends_at, day_ends_at)
     select '${DATE}'::date - k, ${ID}, 'red', 'city:x', 'walk', 'UTC', '06:00', '08:00', at, at + interval '2 hours',
       at + interval '1 day'
     from generate_series(0, 4) k, generate_series(1, 5000) n, lateral (select '${DATE}'::timestamptz - k * interval '1 day' as at) t`,
  );
  await admin.query(
    `insert into nectar.workout_checkins (user_id, date, activity_type, status, chain_status, team_color,
       battle_week_start, verified_at)
     select user_id, date, 'walk', 'verified', 'continued', 'red', private.week_start(date), now()
     from nectar.chains where ('x' || right(user_id::text, 1))::bit(4)::integer > 3`,
  );
  await admin.query("set session_replication_role = origin");
  await admin.query("vacuum analyze");
});

it("the players of a date are counted from two indexes that begin with the date", async () => {
  const { rows } = await acting.admin.query("select count(*)::int from nectar.workout_checkins where date = $1", [
    DATE,
  ]);
  const walks = await explainAs(acting.adminUrl, READER, async (tx) => {
    // The first calls plan, and from the sixth on a plan is kept for any date.
    for (let n = 0; n < 7; n += 1) {
      const counts = await countPlayers(tx, DATE, { now: new Date(`${DATE}T12:00Z`), graceMinutes: 15 });
      expect(counts).toMatchObject([{ color: "red", total: 5_000, completed: rows[0].count }]);
    }
  });
  const read = walks.filter(({ table }) => table === "chains" || table === "workout_checkins");
  expect(new Set(read.map(({ index }) => index))).toEqual(new Set(["chains_one_a_day", "workout_checkins_players"]));
  expect(Math.max(...read.map((walk) => walk.rows))).toBe(5_000);
});

it("a running battle is summed from the index of its week and the members of its teams", async () => {
  const walks = await explainAs(acting.adminUrl, READER, (tx) =>
    sql`select private.battle_days(private.week_start(${DATE})), private.battle_members(private.week_start(${DATE}))`.execute(
      tx,
    ),
  );
  const read = walks.filter(({ table }) => table === "team_colors" || table === "workout_checkins");
  expect(new Set(read.map(({ index }) => index))).toEqual(new Set(["team_colors_pkey", "workout_checkins_of_week"]));
});
