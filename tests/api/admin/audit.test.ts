import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const root = beforeTests(() => api.person({ role: "super_admin" }));

const LIST = "/api/admin/audit";
const rowsOf = (as: Person) => api.query`
  select actor_id, actor_role::text, action, target_type, target_id, changed, request_id
  from nectar.audit_events where actor_id = ${as.id} order by created_at`;

it("a request id that is no UUID, or an unknown field, is not in the audit log, because it could be any text", async () => {
  const admin = await api.person({ role: "super_admin" });
  const body = { rate: 1, secret: "secret" };
  await api.send("POST", "/api/admin/conversion/rates", { as: admin, body, headers: { "x-request-id": "secret" } });
  expect(await rowsOf(admin)).toMatchObject([{ action: "createConversionRate", changed: ["rate"], request_id: null }]);
});

it("a super admin who gives up their own role is recorded with it", async () => {
  const admin = await api.person({ role: "super_admin" });
  await api.put(`/api/admin/users/${admin.id}/role`, admin, { role: "user" }).ok();
  expect(await rowsOf(admin)).toMatchObject([{ actor_role: "super_admin", target_id: admin.id }]);
});

describe("GET /api/admin/audit", () => {
  let admin: Person;
  beforeEach(async () => {
    admin = await api.person({ role: "super_admin" });
  });
  const setRole = (id: string, role: string) => api.put(`/api/admin/users/${id}/role`, admin, { role }).ok();
  const read = async (search: string) => (await api.get(`${LIST}?${search}`, root).ok()).events;

  it("lists what admins changed, newest first, by actor, action and target", async () => {
    const [ben, cleo] = [await api.person(), await api.person()];
    await setRole(ben.id, "admin");
    await api.post("/api/admin/drops/adjust", admin, { user_id: ben.id, amount: 1, description: "Thanks" }).ok();
    await setRole(cleo.id, "admin");
    const all = await read(`actor_id=${admin.id}`);
    expect(all.map(({ action, target_id }) => [action, target_id])).toEqual([
      ["updateUserRole", cleo.id],
      ["adjustDrops", ben.id],
      ["updateUserRole", ben.id],
    ]);
    const [newest] = all;
    expect(newest).toMatchObject({ actor: { id: admin.id }, actor_role: "super_admin", target_type: "user" });
    expect(newest).toMatchObject({ changed: ["role"], request_id: expect.any(String) });
    expect(await read(`actor_id=${admin.id}&action=adjustDrops`)).toEqual([all[1]]);
    expect(await read(`target_id=${ben.id}`)).toEqual([all[1], all[2]]);
    expect(await read(`target_id=${randomUUID()}`)).toEqual([]);
  });

  it("keeps the rows of an account that is gone, without its name", async () => {
    const { id } = await api.person();
    await setRole(id, "admin");
    await api.query`delete from auth.users where id = ${admin.id}`;
    expect(await read(`actor_id=${admin.id}`)).toMatchObject([{ actor: null, target_id: id }]);
  });

  it("refuses filters that are not ids", async () => {
    await api.get(`${LIST}?actor_id=me&action=a%20b&target_id=1`, root).invalid("actor_id", "action", "target_id");
  });
});
