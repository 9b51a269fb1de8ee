import { beforeAll, expect, it } from "vitest";
import { listReceivedReports, listReports } from "../../../functions/safety/reports/reports.ts";
import { ReceivedReportQuery, ReportQuery } from "../../../functions/safety/reports/schema.ts";
import { createCrowd } from "../../support/crowd.ts";
import { signUp } from "../../support/people.ts";
import { useActing } from "../support/acting.ts";
import { explainAs, type Walk } from "./explained.ts";

const acting = useActing();
const LIMIT = 20;
const REPORTS = 20_000;
let admin: string;
let reporter: string;
let cursor: string;

beforeAll(async () => {
  admin = (await signUp(acting.adminUrl, { role: "admin" })).id;
  await signUp(acting.adminUrl, { role: "admin" });
  const people = await createCrowd(acting.admin, 500);
  reporter = people[0] ?? "";
  // One in a hundred is open, and one in seven is about a drop.
  await acting.query`
    with report as (
      select n, ${people}::uuid[] as p, now() - n * interval '1 minute' as at,
        case when n % 7 = 0 then 'drop' else 'entry' end as kind
      from generate_series(1, ${REPORTS}::int) n
    ), decision as (
      insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, decided_at)
      select p[1], 'entry', gen_random_uuid(), 'warn', 'Reported for a test.', now() from report limit 1
      returning id, decided_at
    )
    insert into nectar.reports
      (reporter_id, owner_id, target_type, target_id, reason, status, decision_id, decided_at, created_at)
    select p[1 + n % 250], p[251 + n % 250], kind, gen_random_uuid(), 'spam',
      case when n % 100 = 0 then 'open' else 'actioned' end,
      case when n % 100 > 0 then d.id end, case when n % 100 > 0 then d.decided_at end, at
    from report cross join decision d`;
  await acting.query`vacuum analyze nectar.reports`;
  const middle = new Date(Date.now() - (REPORTS / 2) * 60_000).toISOString();
  cursor = Buffer.from(JSON.stringify([middle, admin])).toString("base64url");
});

/** Reads of the reports in a page; the open ones of each target are counted beside it. */
function ofPage(walks: readonly Walk[]): Walk[] {
  return walks.filter(({ table, index }) => table === "reports" && index !== "reports_open_of_target");
}

it.each([
  ["no filter", () => ({}), "reports_oldest_first"],
  ["a cursor", () => ({ cursor }), "reports_oldest_first"],
  ["a status", () => ({ status: "open" }), "reports_of_status"],
  ["a kind of thing", () => ({ target_type: "drop" }), "reports_of_target_type"],
  ["both and a cursor", () => ({ status: "open", target_type: "drop", cursor }), "reports_of_status_and_target_type"],
])("of 20,000 reports, an admin's page with %s uses an index and reads few rows", async (_, filter, index) => {
  const query = ReceivedReportQuery.parse({ limit: String(LIMIT), ...filter() });
  const at = { now: new Date(), assistantName: "Nectar" };
  const walks = await explainAs(acting.adminUrl, "service", (tx) => listReceivedReports(tx, admin, query, at));
  expect(ofPage(walks)).toMatchObject([{ index }]);
  expect(ofPage(walks)[0]?.rows).toBeLessThanOrEqual(100);
  for (const { table, index: used, rows } of walks) {
    expect.soft(used, table).not.toBeNull();
    expect.soft(rows, table).toBeLessThanOrEqual(100);
  }
});

it.each([{}, { status: "open" }])("of 20,000 reports, a page of one's own reads only those: %j", async (filter) => {
  const query = ReportQuery.parse({ limit: String(LIMIT), ...filter });
  const walks = await explainAs(acting.adminUrl, reporter, (tx) => listReports(tx, reporter, query));
  const [walk, ...others] = walks.filter(({ table }) => table === "reports");
  expect(others).toEqual([]);
  expect(walk?.index).toMatch(/^reports_(own|open_once)$/);
  expect(walk?.rows).toBeLessThanOrEqual(100);
});
