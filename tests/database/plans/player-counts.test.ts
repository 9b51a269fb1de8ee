import { expect, it } from "vitest";
import { countPlayers } from "../../../functions/workout-window/player-counts.ts";
import { useActing } from "../support/acting.ts";
import { countPages } from "./explained.ts";

const acting = useActing();
const ID = "('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid";
const READER = "00000000-0000-4000-9000-000000000001";
const MOMENT = { now: new Date("2031-01-20T12:00Z"), graceMinutes: 15 };

it("the players of a date are counted from as few pages for 20,000 as for 200", async () => {
  const { admin } = acting;
  await admin.query("set session_replication_role = replica");
  await admin.query(`insert into nectar.profiles (id) select ${ID} from generate_series(1, 20000) n`);
  for (const [date, players] of [
    ["2031-01-19", 200],
    ["2031-01-20", 20_000],
  ]) {
    await admin.query(
      `insert into nectar.chains (date, user_id, team_color, area_key, activity_type, timezone, window_start_time,
         window_end_time, window_starts_at, window_ends_at, day_ends_at)
       select d, ${ID}, 'red', 'city:x', 'walk', 'UTC', '06:00', '08:00', d, d + (2 + n % 20) * interval '1 hour', d + 1
       from (select $1::date as d) day, generate_series(1, $2::integer) n`,
      [date, players],
    );
    await admin.query(
      `insert into nectar.workout_checkins (user_id, date, activity_type, status, chain_status, battle_week_start,
         verified_at)
       select user_id, date, 'walk', 'verified', 'continued', private.week_start(date), now()
       from nectar.chains where date = $1 and ('x' || right(user_id::text, 1))::bit(4)::integer > 3`,
      [date],
    );
  }
  await admin.query("set session_replication_role = origin");
  await admin.query("select private.recount_players()");
  await admin.query("vacuum analyze");
  const pagesOf = (date: string) =>
    countPages(acting.adminUrl, READER, async (tx) => {
      // The first calls plan, and from the sixth on a plan is kept for any date.
      for (let n = 0; n < 7; n += 1) await countPlayers(tx, date, MOMENT);
    });
  expect(await pagesOf("2031-01-20")).toBeLessThanOrEqual((await pagesOf("2031-01-19")) + 5);
});
