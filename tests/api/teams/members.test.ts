import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

const members = () => `/api/teams/${hive.teamId}/members` as const;
const path = (id: string) => `${members()}/${id}` as const;
const add = (person: Person, role: string) => api.post(members(), cast.primary, { user_id: person.id, role });
const adminId = async () => (await api.get(`/api/teams/${hive.teamId}`, cast.owner)).body.team.admin_id;
const roleOf = async (person: Person) => (await api.get(`/api/teams/${hive.teamId}`, person)).body.user_role;

/** Says when people joined, for tests in which the order matters. */
async function joinedAt(moments: readonly [Person, string][]): Promise<void> {
  for (const [{ id }, moment] of moments) {
    await api.query`update nectar.team_members set joined_at = ${moment}
      where team_id = ${hive.teamId} and user_id = ${id}`;
  }
}

describe("the members of a team", () => {
  it("have name, picture, role and joined_at, but the primary admin no joined_at", async () => {
    const { body } = await api.get(members(), cast.member);
    const find = (id: string) => body.members.find(({ user_id }: { user_id: string }) => user_id === id);
    expect(body.members).toHaveLength(3);
    expect(find(cast.primary.id)).toMatchObject({ role: "admin", is_admin: true });
    expect(find(cast.primary.id)).not.toHaveProperty("joined_at");
    expect(find(cast.coAdmin.id)).toMatchObject({ role: "admin", is_admin: true, joined_at: expect.any(String) });
    expect(find(cast.teammate.id)).toMatchObject({ role: "member", is_admin: false, joined_at: expect.any(String) });
  });
});

describe("adding a team member", () => {
  it("returns 201 with the member, whose role is member by default", async () => {
    const { primary, coAdmin, member, admin } = cast;
    const plain = await api.post(members(), primary, { user_id: member.id }).created();
    expect(plain.member).toMatchObject({ user_id: member.id, role: "member", is_admin: false });
    const asAdmin = await api.post(members(), coAdmin, { user_id: admin.id, role: "admin" });
    expect(asAdmin.body.member).toMatchObject({ user_id: admin.id, role: "admin", is_admin: true });
    await api.put(`/api/teams/${hive.teamId}`, admin, { name: "Ours" }).ok();
  });

  it("is 404 for an unknown user, 400 for a user outside the organization, 409 for a member", async () => {
    const { primary, stranger, exMember, teammate } = cast;
    await api.post(members(), primary, { user_id: randomUUID() }).refused(404);
    await api.post(members(), primary, { user_id: stranger.id }).refused(400);
    await api.post(members(), primary, { user_id: exMember.id }).refused(400);
    await api.post(members(), primary, { user_id: teammate.id, role: "admin" }).refused(409);
    await api.post(members(), primary, { user_id: primary.id }).refused(409);
    expect(await roleOf(teammate)).toBe("member");
  });

  it("has no role owner", async () => {
    await add(cast.member, "owner").refused(400);
    await api.put(path(cast.teammate.id), cast.primary, { role: "owner" }).refused(400);
  });

  it("who is removed from the organization at the same time leaves no outsider in the team", async () => {
    const { owner, member } = cast;
    const [added, removed] = await Promise.all([
      add(member, "member"),
      api.delete(`/api/organizations/${hive.orgId}/members/${member.id}`, owner),
    ]);
    expect(removed.status).toBe(200);
    expect([201, 400]).toContain(added.status);
    const { body } = await api.get(members(), owner);
    expect(body.members.map(({ user_id }) => user_id)).not.toContain(member.id);
  });
});

describe("changing a team member's role", () => {
  it("makes a member a co-admin, and a member again", async () => {
    const { primary, teammate } = cast;
    expect((await api.put(path(teammate.id), primary, { role: "admin" })).body.member).toMatchObject({
      is_admin: true,
    });
    expect(await roleOf(teammate)).toBe("admin");
    expect((await api.put(path(teammate.id), primary, { role: "member" })).body.member).toMatchObject({
      role: "member",
    });
    await api.delete(path(cast.coAdmin.id), teammate).refused(403);
  });

  it("lets co-admins demote themselves", async () => {
    await api.put(path(cast.coAdmin.id), cast.coAdmin, { role: "member" }).ok();
    expect(await roleOf(cast.coAdmin)).toBe("member");
  });

  it("never changes the primary admin, for any caller and role", async () => {
    for (const person of [cast.primary, cast.coAdmin, cast.superAdmin]) {
      for (const role of ["admin", "member"]) {
        await api.put(path(cast.primary.id), person, { role }).refused(400, "team.primary_admin_protected");
      }
    }
    expect(await roleOf(cast.primary)).toBe("admin");
  });

  it("is 404 for a user who is not in the team", async () => {
    for (const id of [cast.member.id, cast.stranger.id, randomUUID()]) {
      await api.put(path(id), cast.primary, { role: "admin" }).refused(404);
    }
  });
});

describe("leaving a team", () => {
  it("ends the rights of a co-admin immediately", async () => {
    await api.delete(path(cast.coAdmin.id), cast.coAdmin).ok();
    expect(await roleOf(cast.coAdmin)).toBeNull();
    await api.put(`/api/teams/${hive.teamId}`, cast.coAdmin, { name: "Mine" }).refused(403);
  });

  it("as primary admin hands over to the co-admin who joined first", async () => {
    const { primary, coAdmin, member, admin, teammate } = cast;
    await add(member, "admin");
    await add(admin, "admin");
    await joinedAt([
      [teammate, "2026-01-01"],
      [member, "2026-01-02"],
      [admin, "2026-01-03"],
      [coAdmin, "2026-01-04"],
    ]);
    await api.delete(path(primary.id), primary).ok();
    expect(await adminId()).toBe(member.id);
    expect(await roleOf(primary)).toBeNull();

    await api.delete(path(member.id), member).ok();
    expect(await adminId()).toBe(admin.id);
    expect(await roleOf(coAdmin)).toBe("admin");
  });

  it("as the last admin is 409, and changes nothing", async () => {
    const { primary, coAdmin, teammate } = cast;
    await api.delete(path(coAdmin.id), coAdmin);
    await api.delete(path(primary.id), primary).refused(409, "team.last_admin");
    expect(await adminId()).toBe(primary.id);
    expect(await roleOf(primary)).toBe("admin");
    await api.put(path(teammate.id), primary, { role: "admin" });
    await api.delete(path(primary.id), primary).ok();
    expect(await adminId()).toBe(teammate.id);
  });

  it("is 404 for a user who is not in the team", async () => {
    await api.delete(path(cast.member.id), cast.member).refused(404);
    await api.delete(path(cast.superAdmin.id), cast.superAdmin).refused(404);
    await api.delete(path(cast.teammate.id), cast.primary).ok();
    await api.delete(path(cast.teammate.id), cast.primary).refused(404);
  });

  it.each([1, 2, 3, 4])("by all admins at the same time keeps exactly one of them (%i)", async () => {
    const { primary, coAdmin, member } = cast;
    await add(member, "admin");
    const leaving = [primary, coAdmin, member];
    const responses = await Promise.all(leaving.map((person) => api.delete(path(person.id), person)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
    const { body } = await api.get(members(), cast.owner);
    const admins = body.members.filter(({ is_admin }) => is_admin);
    expect(admins.map(({ user_id }) => user_id)).toEqual([await adminId()]);
  });
});
