import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { useActing } from "../support/acting.ts";

const acting = useActing();
const CROWD = 2_000;
const [QUIET, BUSY] = ["2031-05-05", "2031-05-12"] as const;
const ID = "('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid";

/** Verified check-ins of the first people on the Monday of a week, each in a statement of its own, as they come. */
const checkIn = (week: string, people: number) =>
  acting.admin.query(`do $$ begin
    for n in 1..${people} loop
      insert into nectar.workout_checkins (user_id, date, activity_type, status, chain_status, team_color,
         battle_week_start, verified_at)
      values (${ID}, '${week}', 'walk', 'verified', 'continued',
        (array['red', 'blue'])[1 + n % 2]::nectar.team_color, '${week}', now());
    end loop;
  end $$`);

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
  // Battles of long ago, compacted: what a read of one week has to pass by.
  await acting.admin.query(
    `insert into private.battle_changes (battle_week_start, date, team_color, chips)
     select '1990-01-01'::date + 7 * week, '1990-01-01'::date + 7 * week + day, color, 1000
     from generate_series(1, 1000) week, generate_series(0, 6) day, unnest(enum_range(null::nectar.team_color)) color`,
  );
});

describe("the chips of a running battle", () => {
  const changes = async (week: string) =>
    (await acting.admin.query("select from private.battle_changes where battle_week_start = $1", [week])).rowCount;

  it("are read from few pages before the changes are compacted, and from at most ten after", async () => {
    await checkIn(QUIET, 10);
    await checkIn(BUSY, CROWD);
    await acting.admin.query("vacuum analyze private.battle_changes");
    const total = [{ red_chips: CROWD, blue_chips: CROWD }];
    expect([await changes(BUSY), await chipsOf(BUSY)]).toEqual([CROWD, total]);
    // The part of the index that is about the week: more than fifty changes to a page, and what finding it takes.
    expect(await pagesRead(QUIET)).toBeLessThanOrEqual(20);
    expect(await pagesRead(BUSY)).toBeLessThanOrEqual(20 + CROWD / 50);
    await acting.admin.query("select private.compact_battle_changes()");
    await acting.admin.query("vacuum analyze private.battle_changes");
    expect([await changes(BUSY), await chipsOf(BUSY)]).toEqual([2, total]);
    expect(await pagesRead(BUSY)).toBeLessThanOrEqual((await pagesRead(QUIET)) + 1);
    expect(await pagesRead(QUIET)).toBeLessThanOrEqual(20);
  });
});
