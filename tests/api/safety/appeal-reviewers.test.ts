import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { appealing } from "./appealing.ts";

const api = useApi();
const { decide, report, reportedEntry, appeal, answer } = appealing(api);
const ada = beforeTests(() => api.person());

it("an appeal is decided by another admin than the decision, if there is one", async () => {
  const boss = await api.person({ role: "admin" });
  const warn = { decision: "warn" };
  const first = await appeal(ada, (await decide(boss, await reportedEntry(ada), warn)).id);
  await answer(boss, first.id, "uphold").ok();

  const second = await appeal(ada, (await decide(boss, await reportedEntry(ada), warn)).id);
  const root = await api.person({ role: "super_admin" });
  await answer(boss, second.id, "uphold").refused(409, "appeal.same_reviewer");
  expect(await api.query`select from nectar.audit_events where target_id = ${second.id}`).toEqual([]);
  await answer(root, second.id, "uphold").ok();

  // One of two admins decided and the other one appeals: neither may decide the appeal.
  const third = await appeal(boss, (await decide(root, await report("user", boss.id), warn)).id);
  await answer(boss, third.id, "reverse").refused(409, "appeal.same_reviewer");
  await answer(root, third.id, "uphold").ok();
});
