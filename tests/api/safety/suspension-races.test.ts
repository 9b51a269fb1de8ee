import { expect, it } from "vitest";
import { useApi } from "../../support/api.ts";
import { beforeEachTest } from "../../support/prepare.ts";

const api = useApi();
const ada = beforeEachTest(() => api.person());

const newGoal = () => api.post("/api/goals", ada, { title: "Swim" });
const countGoals = () => api.one<{ count: number }>`select count(*)::int from nectar.goals where user_id = ${ada.id}`;
const suspend = () => api.query`select private.suspend_user(${ada.id}, '2999-01-01T00:00Z')`;

it("waits for a write that has begun, which commits", async () => {
  const { goal } = await newGoal().created();
  const writing = await api.inTransaction(async (other) => {
    await other.query`select from nectar.goals where id = ${goal.id} for update`;
    const update = api.put(`/api/goals/${goal.id}`, ada, { title: "Swim a lot" }).ok();
    await api.untilWaiting(1, update);
    const suspending = suspend();
    await api.untilWaiting(2, suspending);
    await other.query`rollback`;
    return Promise.all([update, suspending]);
  });
  expect(writing[0].goal.title).toBe("Swim a lot");
  await newGoal().refused(403, "auth.suspended");
});

it.each([
  ["refuses a write that began while it was being decided", "commit", { status: 403, count: 0 }],
  ["lets a write commit that waited for a suspension which was not decided", "rollback", { status: 201, count: 1 }],
])("%s", async (_, end, expected) => {
  const { status, body } = await api.inTransaction(async (other) => {
    await other.query`select private.suspend_user(${ada.id}, '2999-01-01T00:00Z')`;
    const request = newGoal();
    await api.untilWaiting(1, request);
    await other.query(end);
    return request;
  });
  expect({ status, ...(await countGoals()) }).toEqual(expected);
  if (status === 403) expect(body.code).toBe("auth.suspended");
});

it("lets no write commit after it, in a race with many", async () => {
  const writes = Array.from({ length: 40 }, newGoal);
  await writes[5];
  await suspend();
  const before = await countGoals();
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  expect(await countGoals()).toEqual(before);
  expect(statuses.filter((status) => status === 201)).toHaveLength(before.count);
  expect(statuses.filter((status) => status === 403)).toHaveLength(writes.length - before.count);
});
