import { expect, test } from "vitest";
import { ReceivedAppealsResponse, ReceivedDecisionsResponse } from "#functions/safety/appeals/schema";
import { useDemoData } from "./use-demo-data.ts";

const demo = useDemoData();

test("the first demo account has appealed a warning, which the admin finds", async () => {
  const { decisions } = await demo.get("/api/moderation-decisions", await demo.demoToken(), ReceivedDecisionsResponse);
  expect(decisions).toMatchObject([{ target_type: "entry", decision: "warn", appeal: { status: "open" } }]);
  const admin = await demo.tokenOf("admin@nectar.local");
  const { appeals } = await demo.get("/api/admin/appeals?status=open", admin, ReceivedAppealsResponse);
  expect(appeals).toMatchObject([{ decision: { id: decisions[0]?.id }, owner: { full_name: "Robin Vale" } }]);
  expect(appeals[0]?.excerpt).not.toBeNull();
});
