import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";

const api = useApi();
const ada = beforeEachTest(() => api.person());

const suspendUntil = (moment: string) => api.query`select private.suspend_user(${ada.id}, ${moment}::timestamptz)`;
const write = () => api.post("/api/journal", ada, { title: "A walk", content: "To the lake" });

it("refuses writing with the end of the suspension, which the profile says as well", async () => {
  expect((await api.get("/api/user/profile", ada).ok()).profile.suspended_until).toBeNull();
  await suspendUntil("2999-01-01T00:00Z");
  const { body } = await write();
  expect(body).toMatchObject({
    code: "auth.suspended",
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
  const send = () =>
    api.send("POST", "/api/journal", {
      as: ada,
      body: { title: "A walk", content: "To the lake" },
      headers: { "idempotency-key": "walk" },
    });
  expect((await send()).status).toBe(201);
  await suspendUntil("2999-01-01T00:00Z");
  await send().refused(403, "auth.suspended");
});

it("refuses a suspended admin before a run of a job begins, and leaves no row in the audit log", async () => {
  const admin = await api.person({ role: "admin" });
  await api.query`select private.suspend_user(${admin.id}, '2999-01-01T00:00Z')`;
  await api.post("/api/encouragement-drops/admin/process-engagement", admin, undefined).refused(403, "auth.suspended");
  expect(await api.query`select from private.job_runs`).toEqual([]);
  expect(await api.query`select from nectar.audit_events where actor_id = ${admin.id}`).toEqual([]);
  await api.get("/api/admin/users", admin).ok();
});
