import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import type { Person } from "#tests/people";
import { SYSTEM_USER } from "../encouragement-drops/sending.ts";

const api = useApi();
let root: Person;
beforeAll(async () => {
  root = await api.person({ role: "super_admin" });
});

const setRole = (as: Person | undefined, id: string, role: unknown) =>
  api.put(`/api/admin/users/${id}/role`, as, { role });

describe("PUT /api/admin/users/:id/role", () => {
  it("changes roles, which count from the next request", async () => {
    const ada = await api.person();
    for (const role of ["admin", "user", "super_admin", "super_admin", "user"]) {
      expect(await setRole(root, ada.id, role).ok()).toEqual({ user: { id: ada.id, role } });
      expect((await api.get("/api/admin/users", ada)).status).toBe(role === "user" ? 403 : 200);
    }
  });

  it("refuses synthetic users and the assistant, who cannot sign in and would count as another admin", async () => {
    const synthetic = randomUUID();
    await api.query`
      insert into auth.users (id, raw_app_meta_data) values (${synthetic}, '{"nectar": "synthetic"}')`;
    for (const id of [synthetic, SYSTEM_USER]) {
      for (const role of ["admin", "super_admin"]) await setRole(root, id, role).refused(404, "user.not_found");
    }
    await setRole(root, root.id, "admin").refused(409, "admin.last_super_admin");
  });

  it("keeps the last super admin, who can be demoted once there is another", async () => {
    await setRole(root, root.id, "user").refused(409, "admin.last_super_admin");
    await setRole(root, root.id, "super_admin").ok();
    const heir = await api.person({ role: "super_admin" });
    await setRole(root, root.id, "admin").ok();
    await setRole(heir, heir.id, "admin").refused(409);
    await setRole(heir, root.id, "super_admin").ok();
    await setRole(root, heir.id, "user").ok();
  });

  it("keeps one of two super admins who are demoted at the same time", async () => {
    for (let round = 0; round < 10; round += 1) {
      const other = await api.person({ role: "super_admin" });
      const ownRole = round % 2 === 0;
      const responses = await Promise.all([
        setRole(root, ownRole ? root.id : other.id, "user"),
        setRole(other, ownRole ? other.id : root.id, "user"),
      ]);
      const statuses = responses.map(({ status }) => status).toSorted();
      expect(statuses).toEqual(ownRole ? [200, 409] : [200, 403]);
      const left = await api.one`select user_id from nectar.user_roles where role = 'super_admin'`;
      root = left.user_id === root.id ? root : other;
    }
  });
});
