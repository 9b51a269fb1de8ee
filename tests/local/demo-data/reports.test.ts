import { expect, test } from "vitest";
import { ReceivedReportsResponse, ReportsResponse } from "#functions/safety/reports/schema";
import { useDemoData } from "./use-demo-data.ts";

const demo = useDemoData();

test("the first demo account has reported an entry, which the admin has to decide about", async () => {
  const { reports } = await demo.get("/api/reports", await demo.demoToken(), ReportsResponse);
  expect(reports).toMatchObject([{ target_type: "entry", reason: "spam", status: "open" }]);
  const admin = await demo.tokenOf("admin@nectar.local");
  const received = await demo.get("/api/admin/reports?status=open", admin, ReceivedReportsResponse);
  expect(received.reports).toMatchObject([
    { id: reports[0]?.id, reporter: { full_name: "Robin Vale" }, open_reports_of_target: 2 },
    { target_id: reports[0]?.target_id, reason: "illegal" },
  ]);
  expect(received.reports[0]?.excerpt).not.toBeNull();
});
