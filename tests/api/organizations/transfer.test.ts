import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

const path = () => `/api/organizations/${hive.orgId}` as const;
const transfer = (as: Person, to: string) => api.post(`${path()}/transfer-ownership`, as, { new_owner_id: to });
const read = (as: Person) => api.get(path(), as).ok();

async function rolesSeenBy(person: Person): Promise<Map<string, { role: string; is_owner: boolean }>> {
  const { members } = await api.get(`${path()}/members`, person).ok();
  return new Map(members.map(({ user_id, role, is_owner }) => [user_id, { role, is_owner }]));
}
const OWNER = { role: "owner", is_owner: true };
const ADMIN = { role: "admin", is_owner: false };

describe("POST /api/organizations/:id/transfer-ownership", () => {
  it("makes a member the owner and the old owner an admin, and returns the organization", async () => {
    const { owner, member } = cast;
    const { organization } = await transfer(owner, member.id).ok();
    expect(organization).toMatchObject({ id: hive.orgId, owner_id: member.id });
    expect([(await read(member)).user_role, (await read(owner)).user_role]).toEqual(["owner", "admin"]);
    const roles = await rolesSeenBy(owner);
    expect([roles.get(member.id), roles.get(owner.id)]).toEqual([OWNER, ADMIN]);
  });

  it("moves the rights of the owner immediately, and can be undone by transferring back", async () => {
    const { owner, member } = cast;
    await transfer(owner, member.id).ok();
    await transfer(owner, owner.id).refused(403);
    await api.put(path(), owner, { name: "Mine" }).refused(403);
    await api.put(path(), member, { name: "Ours" }).ok();
    expect((await transfer(member, owner.id).ok()).organization.owner_id).toBe(owner.id);
    expect((await rolesSeenBy(owner)).get(member.id)).toEqual(ADMIN);
    await api.delete(`${path()}/members/${member.id}`, member).ok();
  });

  it("is 400 to the owner, a stranger, a former member or no user, and changes nothing", async () => {
    const { owner, exMember, stranger, superAdmin } = cast;
    for (const target of [owner.id, stranger.id, exMember.id, superAdmin.id, randomUUID()]) {
      await transfer(owner, target).refused(400);
    }
    await transfer(superAdmin, owner.id).refused(400);
    expect(await read(owner)).toMatchObject({ organization: { owner_id: owner.id }, user_role: "owner" });
  });

  it("by a super admin leaves the former owner as admin and adds nobody", async () => {
    const { owner, member, superAdmin } = cast;
    expect((await transfer(superAdmin, member.id).ok()).organization.owner_id).toBe(member.id);
    const roles = await rolesSeenBy(member);
    expect([roles.get(owner.id), roles.has(superAdmin.id)]).toEqual([ADMIN, false]);
  });

  it("to two members at once ends with exactly one owner, who is a member", async () => {
    const { owner, member, admin } = cast;
    const responses = await Promise.all([transfer(owner, member.id), transfer(owner, admin.id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
    const roles = await rolesSeenBy(owner);
    const winner = responses[0]?.status === 200 ? member.id : admin.id;
    expect([...roles].flatMap(([id, { is_owner }]) => (is_owner ? [id] : []))).toEqual([winner]);
    expect(roles.get(owner.id)?.role).toBe("admin");
  });

  it("to a member who leaves at the same time never ends with an owner who is not a member", async () => {
    const { owner, member } = cast;
    const leaving = () => api.delete(`${path()}/members/${member.id}`, member);
    const [transferred, left] = await Promise.all([transfer(owner, member.id), leaving()]);
    expect(["200 409", "400 200"]).toContain(`${transferred.status} ${left.status}`);
    const roles = await rolesSeenBy(owner);
    expect(roles.get((await read(owner)).organization.owner_id)).toEqual(OWNER);
    expect(roles.has(member.id)).toBe(transferred.status === 200);
  });
});
