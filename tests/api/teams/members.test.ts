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
const adminId = async () => (await api.get(`/api/teams/${hive.teamId}`, cast.owner).ok()).team.admin_id;
const roleOf = async (person: Person) => (await api.get(`/api/teams/${hive.teamId}`, person).ok()).user_role;
const listed = async (as = cast.owner) => (await api.get(members(), as).ok()).members;
const change = (person: Person, role: string, as = cast.primary) => api.put(path(person.id), as, { role });
const leave = (person: Person, as = person) => api.delete(path(person.id), as);

/** Says when people joined, for tests in which the order matters. */
async function joinedAt(moments: readonly [Person, string][]): Promise<void> {
  for (const [{ id }, moment] of moments) {
    await api.query`update nectar.team_members set joined_at = ${moment}
      where team_id = ${hive.teamId} and user_id = ${id}`;
  }
}

describe("the members of a team", () => {
  it("have name, picture, role and joined_at, but the primary admin no joined_at", async () => {
    const all = await listed(cast.member);
    const find = (id: string) => all.find(({ user_id }) => user_id === id);
    expect(all).toHaveLength(3);
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
    const asAdmin = await api.post(members(), coAdmin, { user_id: admin.id, role: "admin" }).created();
    expect(asAdmin.member).toMatchObject({ user_id: admin.id, role: "admin", is_admin: true });
    await api.put(`/api/teams/${hive.teamId}`, admin, { name: "Ours" }).ok();
  });

  it("is 404 for an unknown user, 400 for a user outside the organization, 409 for a member", async () => {
    const { primary, stranger, exMember, teammate } = cast;
    for (const [user_id, status] of [
      [randomUUID(), 404],
      [stranger.id, 400],
      [exMember.id, 400],
      [teammate.id, 409],
      [primary.id, 409],
    ] as const) {
      await api.post(members(), primary, { user_id, role: "admin" }).refused(status);
    }
    expect(await roleOf(teammate)).toBe("member");
  });

  it("has no role owner", async () => {
    await add(cast.member, "owner").refused(400);
    await change(cast.teammate, "owner").refused(400);
  });

  it("who is removed from the organization at the same time leaves no outsider in the team", async () => {
    const { owner, member } = cast;
    const [added, removed] = await Promise.all([
      add(member, "member"),
      api.delete(`/api/organizations/${hive.orgId}/members/${member.id}`, owner),
    ]);
    expect(removed.status).toBe(200);
    expect([201, 400]).toContain(added.status);
    expect((await listed()).map(({ user_id }) => user_id)).not.toContain(member.id);
  });
});

describe("changing a team member's role", () => {
  it("makes a member a co-admin, and a member again", async () => {
    const { teammate, coAdmin } = cast;
    expect((await change(teammate, "admin").ok()).member).toMatchObject({ is_admin: true });
    expect(await roleOf(teammate)).toBe("admin");
    expect((await change(teammate, "member").ok()).member).toMatchObject({ role: "member" });
    await leave(coAdmin, teammate).refused(403);
    await change(coAdmin, "member", coAdmin).ok();
    expect(await roleOf(coAdmin)).toBe("member");
  });

  it("never changes the primary admin, for any caller and role", async () => {
    for (const person of [cast.primary, cast.coAdmin, cast.superAdmin]) {
      for (const role of ["admin", "member"]) {
        await change(cast.primary, role, person).refused(400, "team.primary_admin_protected");
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
    await leave(cast.coAdmin).ok();
    expect(await roleOf(cast.coAdmin)).toBeNull();
    await api.put(`/api/teams/${hive.teamId}`, cast.coAdmin, { name: "Mine" }).refused(403);
  });

  it("as primary admin hands over to the co-admin who joined first", async () => {
    const { primary, coAdmin, member, admin, teammate } = cast;
    for (const person of [member, admin]) await add(person, "admin").created();
    await joinedAt([
      [teammate, "2026-01-01"],
      [member, "2026-01-02"],
      [admin, "2026-01-03"],
      [coAdmin, "2026-01-04"],
    ]);
    await leave(primary).ok();
    expect(await adminId()).toBe(member.id);
    expect(await roleOf(primary)).toBeNull();
    await leave(member).ok();
    expect(await adminId()).toBe(admin.id);
    expect(await roleOf(coAdmin)).toBe("admin");
  });

  it("as the last admin is 409, and changes nothing", async () => {
    const { primary, coAdmin, teammate } = cast;
    await leave(coAdmin).ok();
    await leave(primary).refused(409, "team.last_admin");
    expect([await adminId(), await roleOf(primary)]).toEqual([primary.id, "admin"]);
    await change(teammate, "admin").ok();
    await leave(primary).ok();
    expect(await adminId()).toBe(teammate.id);
  });

  it("is 404 for a user who is not in the team", async () => {
    for (const person of [cast.member, cast.superAdmin]) await leave(person).refused(404);
    await leave(cast.teammate, cast.primary).ok();
    await leave(cast.teammate, cast.primary).refused(404);
  });

  it.each([1, 2, 3, 4])("by all admins at the same time keeps exactly one of them (%i)", async () => {
    const { primary, coAdmin, member } = cast;
    await add(member, "admin").created();
    const responses = await Promise.all([primary, coAdmin, member].map((person) => leave(person)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
    const admins = (await listed()).filter(({ is_admin }) => is_admin);
    expect(admins.map(({ user_id }) => user_id)).toEqual([await adminId()]);
  });
});
