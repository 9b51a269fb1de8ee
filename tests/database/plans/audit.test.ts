import { beforeAll, expect, it } from "vitest";
import { listAuditEvents } from "#functions/admin/audit";
import { AuditQuery } from "#functions/admin/schema";
import { signUp } from "#tests/people";
import { useActing } from "../support/acting.ts";
import { explainAs } from "./explained.ts";

const acting = useActing();
const ACTOR = "00000000-0000-4000-8000-0000000000aa";
const TARGET = "00000000-0000-4000-8000-0000000000bb";
const LIMIT = 20;
let superAdmin: string;
let cursor: string;

beforeAll(async () => {
  superAdmin = (await signUp(acting.adminUrl, { role: "super_admin" })).id;
  await acting.query`
    insert into nectar.audit_events (actor_id, actor_role, action, target_type, target_id, created_at)
    select case when n % 200 = 0 then ${ACTOR}::uuid else gen_random_uuid() end, 'admin',
      case when n % 200 = 0 then 'updateDropConfig' else 'adjustDrops' end, 'user',
      case when n % 200 = 0 then ${TARGET}::uuid else gen_random_uuid() end, now() - n * interval '1 minute'
    from generate_series(1, 20000) n`;
  await acting.query`vacuum analyze nectar.audit_events`;
  const middle = new Date(Date.now() - 10_000 * 60_000).toISOString();
  cursor = Buffer.from(JSON.stringify([middle, ACTOR])).toString("base64url");
});

it.each([
  ["no filter", () => ({}), "audit_events_newest_first"],
  ["a cursor", () => ({ cursor }), "audit_events_newest_first"],
  ["an actor", () => ({ actor_id: ACTOR }), "audit_events_actor"],
  ["an action", () => ({ action: "updateDropConfig" }), "audit_events_action"],
  ["a target", () => ({ target_id: TARGET }), "audit_events_target"],
  ["an actor and a cursor", () => ({ actor_id: ACTOR, cursor }), "audit_events_actor"],
])("with 20,000 rows of the audit log, a page with %s uses an index and reads few rows", async (_, filter, index) => {
  const query = AuditQuery.parse({ limit: String(LIMIT), ...filter() });
  const walks = await explainAs(acting.adminUrl, superAdmin, (tx) => listAuditEvents(tx, query));
  const ofLog = walks.filter(({ table }) => table === "audit_events");
  expect(ofLog).toMatchObject([{ index }]);
  expect(ofLog[0]?.rows).toBeLessThanOrEqual(100);
});
