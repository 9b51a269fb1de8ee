import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
const ada = beforeEachTest(() => api.person());

const suspendUntil = (moment: string) => api.query`select private.suspend_user(${ada.id}, ${moment}::timestamptz)`;
const write = (headers: Record<string, string> = {}) =>
  api.post("/api/journal", ada, { title: "A walk", content: "To the lake" }, headers);

it("refuses writing with the end of the suspension, which the profile says as well", async () => {
  expect((await api.get("/api/user/profile", ada).ok()).profile.suspended_until).toBeNull();
  await suspendUntil("2999-01-01T00:00Z");
  expect(await write().refused(403, "auth.suspended")).toMatchObject({
    issues: [{ path: "suspended_until", message: "2999-01-01T00:00:00.000Z" }],
  });
  expect((await api.get("/api/user/profile", ada).ok()).profile.suspended_until).toBe("2999-01-01T00:00:00.000Z");
});

it("is known to the person alone", async () => {
  await suspendUntil("2999-01-01T00:00Z");
  const ben = await api.person();
  const seen = await api.database.asUser(ben.id, (tx) =>
    tx.selectFrom("accounts").select("suspended_until").where("user_id", "=", ada.id).execute(),
  );
  expect(seen).toEqual([]);
});

it("ends by itself", async () => {
  await suspendUntil("2026-01-01T00:00Z");
  await write().created();
  expect((await api.get("/api/user/profile", ada).ok()).profile.suspended_until).toBeNull();
});

it("does not replay a response to a request with the same Idempotency-Key", async () => {
  await write({ "idempotency-key": "walk" }).created();
  await suspendUntil("2999-01-01T00:00Z");
  await write({ "idempotency-key": "walk" }).refused(403, "auth.suspended");
});

it("refuses a suspended admin before a run of a job begins, and leaves no row in the audit log", async () => {
  const admin = await api.person({ role: "admin" });
  await api.query`select private.suspend_user(${admin.id}, '2999-01-01T00:00Z')`;
  await api.post("/api/encouragement-drops/admin/process-engagement", admin, undefined).refused(403, "auth.suspended");
  expect(await api.query`select from private.job_runs`).toEqual([]);
  expect(await api.query`select from nectar.audit_events where actor_id = ${admin.id}`).toEqual([]);
  await api.get("/api/admin/users", admin).ok();
});

const newGoal = () => api.post("/api/goals", ada, { title: "Swim" });
const countGoals = () => api.one<{ count: number }>`select count(*)::int from nectar.goals where user_id = ${ada.id}`;
const suspend = () => suspendUntil("2999-01-01T00:00Z");

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
