import type { Tx } from "@nectar/database/database";
import { PageQuery } from "@nectar/http/paging";
import { beforeAll, describe, expect, it } from "vitest";
import { listCheckIns, readGoalWithCheckIns } from "../../../functions/goals/check-ins.ts";
import { listGoals } from "../../../functions/goals/goals.ts";
import { GoalQuery } from "../../../functions/goals/schema.ts";
import { WellnessQuery } from "../../../functions/wellness-entries/schema.ts";
import { listWellnessEntries } from "../../../functions/wellness-entries/wellness-entries.ts";
import { createCrowd } from "../../support/crowd.ts";
import { useActing } from "../support/acting.ts";
import { explainAs, type Walk } from "./explained.ts";

const acting = useActing();
let reader: string;
let goal: string;

/** Number of goals, and of wellness entries, of the reader. */
const OWN = 400;
/** Check-ins of one goal. The planner expects few of a goal, so it may sort them all instead of walking on. */
const CHECK_INS = 1_000;

beforeAll(async () => {
  const { admin } = acting;
  await createCrowd(admin, 1_000);
  await admin.query("set session_replication_role = replica");
  await admin.query(
    "create temp table people as select id, row_number() over (order by id)::int as n from nectar.profiles where not is_ai",
  );
  // Every hundredth of the reader's is of a rare kind.
  await admin.query(
    `insert into nectar.goals (user_id, title, status, created_at)
     select p.id, 'Goal ' || k, case when k % 100 = 0 then 'abandoned' else 'active' end::nectar.goal_status,
       now() - (k * 1000 + p.n) * interval '1 minute'
     from people p cross join lateral generate_series(1, case when p.n = 1 then ${OWN} else 20 end) k`,
  );
  await admin.query(
    `insert into nectar.goal_check_ins (goal_id, user_id, status, check_in_date, created_at)
     select g.id, g.user_id, 'completed', '2026-11-01', now() - k * interval '1 hour'
     from nectar.goals g join people p on p.id = g.user_id
     cross join lateral generate_series(1, case when p.n = 1 and g.title = 'Goal 7' then ${CHECK_INS} else 3 end) k`,
  );
  await admin.query(
    `insert into nectar.wellness_entries (user_id, type, rating, content, created_at)
     select p.id, case when k % 100 = 0 then 'action_note' else 'satisfaction' end::nectar.wellness_type,
       case when k % 100 > 0 then 5 end, case when k % 100 = 0 then 'Walked.' end,
       now() - (k * 1000 + p.n) * interval '1 minute'
     from people p cross join lateral generate_series(1, case when p.n = 1 then ${OWN} else 20 end) k`,
  );
  await admin.query("set session_replication_role = origin");
  await admin.query("vacuum analyze");
  const { rows } = await admin.query(
    "select p.id as reader, g.id as goal from people p join nectar.goals g on g.user_id = p.id where p.n = 1 and g.title = 'Goal 7'",
  );
  ({ reader, goal } = rows[0]);
});

const goals = (tx: Tx, query: Record<string, string>) =>
  listGoals(tx, reader, GoalQuery.parse({ limit: "20", ...query }));
const checkIns = (tx: Tx) => listCheckIns(tx, reader, goal, PageQuery.parse({ limit: "20" }));
const entries = (tx: Tx, query: Record<string, string>) =>
  listWellnessEntries(tx, reader, WellnessQuery.parse({ limit: "20", ...query }));

/** The page of goals after the first hundred. */
async function furtherGoals(tx: Tx) {
  const { next_cursor } = await goals(tx, { limit: "100" });
  return goals(tx, { cursor: next_cursor ?? "none" });
}

/** Rows of a table that were looked at, and the indexes that led to them. */
function looksAt(walks: readonly Walk[], table: string) {
  const there = walks.filter((walk) => walk.table === table);
  return {
    indexes: [...new Set(there.map(({ index }) => index))],
    rows: there.reduce((sum, { rows }) => sum + rows, 0),
  };
}

describe("with 20,000 goals, 60,000 check-ins and 20,000 wellness entries of 1,000 people", () => {
  it.each([
    ["goals", (tx: Tx) => goals(tx, {}), "goals", "goals_newest_first", 21],
    ["goals far down", furtherGoals, "goals", "goals_newest_first", 122],
    ["goals of a usual status", (tx: Tx) => goals(tx, { status: "active" }), "goals", "goals_newest_first", 25],
    ["a goal's check-ins", checkIns, "goal_check_ins", "goal_check_ins_newest_first", CHECK_INS],
    [
      "a goal with its check-ins",
      (tx: Tx) => readGoalWithCheckIns(tx, reader, goal),
      "goal_check_ins",
      "goal_check_ins_newest_first",
      CHECK_INS,
    ],
    ["wellness entries", (tx: Tx) => entries(tx, {}), "wellness_entries", "wellness_entries_newest_first", 21],
    [
      "wellness entries of a usual type",
      (tx: Tx) => entries(tx, { type: "satisfaction" }),
      "wellness_entries",
      "wellness_entries_newest_first",
      25,
    ],
  ])("%s uses an index and reads few rows, all of the reader", async (_, work, table, index, most) => {
    const { indexes, rows } = looksAt(await explainAs(acting.adminUrl, reader, work), table);
    expect(indexes).toEqual([index]);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThanOrEqual(most);
  });

  // Under row-level security a comparison of an enum is no condition of an index, because it is not leakproof.
  it.each([
    ["goals of a rare status", (tx: Tx) => goals(tx, { status: "abandoned" }), "goals", "goals_newest_first"],
    [
      "wellness entries of a rare type",
      (tx: Tx) => entries(tx, { type: "action_note" }),
      "wellness_entries",
      "wellness_entries_newest_first",
    ],
  ])("%s: reads only the caller's own rows", async (_, work, table, index) => {
    const walks = await explainAs(acting.adminUrl, reader, work);
    expect(looksAt(walks, table)).toEqual({ indexes: [index], rows: OWN });
  });

  it("a goal is found by its id, also by a check-in to it", async () => {
    const walks = await explainAs(acting.adminUrl, reader, (tx) => readGoalWithCheckIns(tx, reader, goal));
    expect(looksAt(walks, "goals")).toEqual({
      indexes: [expect.stringMatching(/^goals_(pkey|id_user_id_key)$/)],
      rows: 1,
    });
  });
});
