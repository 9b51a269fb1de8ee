import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { useActing } from "../support/acting.ts";

const acting = useActing();
const CROWD = 20_000;
const [QUIET, BUSY, SLOW] = ["2031-05-05", "2031-05-12", "2031-05-19"] as const;
const ID = "('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid";

/** Verified check-ins of the first people on the Monday of a week. */
const checkIn = (week: string, from: number, to: number) =>
  acting.admin.query(
    `insert into nectar.workout_checkins (user_id, date, activity_type, status, battle_chips_earned, chip_breakdown,
       chain_status, team_color, battle_week_start, verified_at)
     select ${ID}, $1, 'walk', 'verified', 2, '{"earned": 2}', 'continued',
       (array['red', 'blue'])[1 + n % 2]::nectar.team_color, $1, now()
     from generate_series($2::integer, $3::integer) n`,
    [week, from, to],
  );

const Explained = z.tuple([
  z.object({
    "QUERY PLAN": z.tuple([
      z.object({ Plan: z.object({ "Shared Hit Blocks": z.number(), "Shared Read Blocks": z.number() }) }),
    ]),
  }),
]);

/** Pages of tables and indexes that a read of a week's chips looks at, what is under its function included. */
async function pagesRead(week: string): Promise<number> {
  const read = `explain (analyze, buffers, format json) select * from private.battle_days('${week}')`;
  await acting.admin.query(read);
  const [
    {
      "QUERY PLAN": [{ Plan: plan }],
    },
  ] = Explained.parse((await acting.admin.query(read)).rows);
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

const chipsOf = async (week: string) =>
  (await acting.admin.query("select red_chips, blue_chips from private.battle_days($1)", [week])).rows;

beforeAll(async () => {
  await acting.admin.query("set session_replication_role = replica");
  await acting.admin.query(`insert into nectar.profiles (id) select ${ID} from generate_series(1, $1::integer) n`, [
    CROWD,
  ]);
  await acting.admin.query("set session_replication_role = origin");
});

describe("the chips of a running battle", () => {
  it("are read from as little when a crowd has played as when ten people have", async () => {
    await checkIn(QUIET, 1, 10);
    await checkIn(BUSY, 1, CROWD);
    await acting.admin.query("vacuum analyze private.chip_changes");
    expect(await chipsOf(BUSY)).toEqual([{ red_chips: CROWD, blue_chips: CROWD }]);
    expect(await pagesRead(BUSY)).toBeLessThanOrEqual((await pagesRead(QUIET)) + 1);
  });

  it("are in one row for a team and a date once the changes have been shortened, however they came", async () => {
    const rows = async () =>
      (await acting.admin.query("select from private.chip_changes where battle_week_start = $1", [SLOW])).rowCount;
    for (let n = 1; n <= 500; n += 1) await checkIn(SLOW, n, n);
    expect(await rows()).toBe(500);
    await acting.admin.query("select private.shorten_chip_changes()");
    expect(await rows()).toBe(2);
    expect(await chipsOf(SLOW)).toEqual([{ red_chips: 500, blue_chips: 500 }]);
  });
});
