import { beforeAll, expect, it } from "vitest";
import { readWeeklyStats } from "#functions/workout-window/days/weekly-stats";
import { PageQuery } from "#http/response/paging";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
const READER = "00000000-0000-4000-9000-000000000001";
const LIMIT = 5;

beforeAll(async () => {
  const { admin } = acting;
  await admin.query("set session_replication_role = replica");
  await admin.query(
    `insert into nectar.weekly_workout_stats
       (week_start_date, user_id, days_planned, completed_count, failed_count, pending_count, chips_earned)
     select date '2031-01-06' + 7 * week, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 7, 7, 0, 0, 14
     from generate_series(1, 1000) n cross join generate_series(0, 39) week`,
  );
  await admin.query("set session_replication_role = origin");
  await admin.query("vacuum analyze nectar.weekly_workout_stats");
});

it.each([
  ["first", {}],
  ["next", { cursor: Buffer.from(`["2031-06-02T00:00:00.000Z","${READER}"]`).toString("base64url") }],
])("the %s page of weekly statistics reads only the reader's rows", async (_, place) => {
  const query = PageQuery.parse({ limit: String(LIMIT), ...place });
  const walks = await explainAs(acting.adminUrl, READER, (tx) => readWeeklyStats(tx, READER, query));
  expect(walks).toHaveLength(1);
  expect(walks[0]).toMatchObject({ table: "weekly_workout_stats", index: "weekly_workout_stats_of_user" });
  // Those before the cursor are passed by: a person has some fifty weeks a year.
  expect(walks[0]?.rows).toBeLessThanOrEqual(40);
});
