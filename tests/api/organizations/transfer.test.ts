import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

const transfer = (as: Person, to: string) =>
  api.post(`/api/organizations/${hive.orgId}/transfer-ownership`, as, { new_owner_id: to });

async function rolesSeenBy(person: Person): Promise<Map<string, { role: string; is_owner: boolean }>> {
  const { body } = await api.get(`/api/organizations/${hive.orgId}/members`, person);
  return new Map(body.members.map(({ user_id, role, is_owner }) => [user_id, { role, is_owner }]));
}

describe("POST /api/organizations/:id/transfer-ownership", () => {
  it("makes a member the owner and the old owner an admin, and returns the organization", async () => {
    const { owner, member } = cast;
    const body = await transfer(owner, member.id).ok();
    expect(body.organization).toMatchObject({ id: hive.orgId, owner_id: member.id });
    expect((await api.get(`/api/organizations/${hive.orgId}`, member)).body.user_role).toBe("owner");
    expect((await api.get(`/api/organizations/${hive.orgId}`, owner)).body.user_role).toBe("admin");
    const roles = await rolesSeenBy(owner);
    expect(roles.get(member.id)).toEqual({ role: "owner", is_owner: true });
    expect(roles.get(owner.id)).toEqual({ role: "admin", is_owner: false });
  });

  it("moves the rights of the owner immediately", async () => {
    const { owner, member } = cast;
    await transfer(owner, member.id);
    await transfer(owner, owner.id).refused(403);
    await api.put(`/api/organizations/${hive.orgId}`, owner, { name: "Mine" }).refused(403);
    await api.delete(`/api/organizations/${hive.orgId}/members/${owner.id}`, owner).ok();
    await api.put(`/api/organizations/${hive.orgId}`, member, { name: "Ours" }).ok();
  });

  it("can be undone by transferring back", async () => {
    const { owner, member } = cast;
    await transfer(owner, member.id);
    expect((await transfer(member, owner.id)).body.organization.owner_id).toBe(owner.id);
    expect((await rolesSeenBy(owner)).get(member.id)).toEqual({ role: "admin", is_owner: false });
  });

  it("is 400 to the owner, a stranger, a former member or no user, and changes nothing", async () => {
    const { owner, exMember, stranger, superAdmin } = cast;
    for (const target of [owner.id, stranger.id, exMember.id, superAdmin.id, randomUUID()]) {
      await transfer(owner, target).refused(400);
    }
    await transfer(superAdmin, owner.id).refused(400);
    expect((await api.get(`/api/organizations/${hive.orgId}`, owner)).body).toMatchObject({
      organization: { owner_id: owner.id },
      user_role: "owner",
    });
  });

  it("by a super admin leaves the former owner as admin and adds nobody", async () => {
    const { owner, member, superAdmin } = cast;
    expect((await transfer(superAdmin, member.id)).body.organization.owner_id).toBe(member.id);
    const roles = await rolesSeenBy(member);
    expect(roles.get(owner.id)).toEqual({ role: "admin", is_owner: false });
    expect(roles.has(superAdmin.id)).toBe(false);
  });

  it("to two members at once ends with exactly one owner, who is a member", async () => {
    const { owner, member, admin } = cast;
    const responses = await Promise.all([transfer(owner, member.id), transfer(owner, admin.id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
    const roles = await rolesSeenBy(owner);
    const owners = [...roles].filter(([, { is_owner }]) => is_owner).map(([id]) => id);
    const winner = responses[0]?.status === 200 ? member.id : admin.id;
    expect(owners).toEqual([winner]);
    expect(roles.get(owner.id)?.role).toBe("admin");
  });

  it("to a member who leaves at the same time never ends with an owner who is not a member", async () => {
    const { owner, member } = cast;
    const [transferred, left] = await Promise.all([
      transfer(owner, member.id),
      api.delete(`/api/organizations/${hive.orgId}/members/${member.id}`, member),
    ]);
    expect([
      [200, 409],
      [400, 200],
    ]).toContainEqual([transferred.status, left.status]);
    const roles = await rolesSeenBy(owner);
    const ownerId = (await api.get(`/api/organizations/${hive.orgId}`, owner)).body.organization.owner_id;
    expect(roles.get(ownerId)).toEqual({ role: "owner", is_owner: true });
    expect(roles.has(member.id)).toBe(transferred.status === 200);
  });
});
