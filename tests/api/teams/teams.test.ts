import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

const path = () => `/api/teams/${hive.teamId}` as const;
const read = async (as = cast.owner) => api.get(path(), as).ok();
const change = (as: Person, fields: object) => api.put(path(), as, fields);
const give = async ({ id }: { id: string }) => (await change(cast.owner, { admin_id: id }).ok()).team;
const members = async () => (await api.get(`${path()}/members`, cast.owner).ok()).members;
const memberOf = async ({ id }: Person) => (await members()).find(({ user_id }) => user_id === id);
const create = (as: Person, fields: object = {}) =>
  api.post("/api/teams", as, { name: "X", org_id: hive.orgId, ...fields });
const teamsOf = async (as: Person, query = `?org_id=${hive.orgId}`) =>
  (await api.get(`/api/teams${query}` as const, as).ok()).teams;

describe("POST /api/teams", () => {
  it("makes the creator the primary admin and first member, and returns the organization with the team", async () => {
    const { member } = cast;
    const { team } = await create(member, { name: "Drones" }).created();
    const organizations = { id: hive.orgId, name: "Hive" };
    expect(team).toMatchObject({ name: "Drones", org_id: hive.orgId, admin_id: member.id, organizations });
    const body = await api.get(`/api/teams/${team.id}/members`, member).ok();
    const card = { user_id: member.id, full_name: expect.any(String), avatar_url: null };
    expect(body.members).toEqual([{ ...card, role: "admin", is_admin: true }]);
  });

  it("can make another organization member the primary admin, without the creator in the team", async () => {
    const { team } = await create(cast.owner, { admin_id: cast.teammate.id }).created();
    expect(team.admin_id).toBe(cast.teammate.id);
    expect((await api.get(`/api/teams/${team.id}`, cast.owner).ok()).user_role).toBeNull();
    expect((await api.get(`/api/teams/${team.id}`, cast.teammate).ok()).user_role).toBe("admin");
  });

  it("is 400 if the primary admin is not a member of the organization, and creates nothing", async () => {
    const { owner, superAdmin, stranger, exMember } = cast;
    const before = await teamsOf(owner);
    for (const admin_id of [stranger.id, exMember.id, superAdmin.id, randomUUID()]) {
      await create(owner, { admin_id }).refused(400);
    }
    expect(await teamsOf(owner)).toEqual(before);
  });

  it("needs an admin_id from a super admin who is not a member", async () => {
    const { superAdmin, member } = cast;
    const before = await teamsOf(superAdmin);
    const { issues } = await create(superAdmin, { admin_id: null }).refused(400, "team.admin_required");
    expect(issues).toEqual([{ path: "admin_id", message: expect.any(String) }]);
    expect(await teamsOf(superAdmin)).toEqual(before);
    expect((await create(superAdmin, { admin_id: member.id }).created()).team.admin_id).toBe(member.id);
    const { organization } = await api.post("/api/organizations", superAdmin, { name: "Own" }).created();
    expect((await create(superAdmin, { org_id: organization.id }).created()).team.admin_id).toBe(superAdmin.id);
  });

  it("is 404 in an unknown organization", async () => {
    await create(cast.owner, { org_id: randomUUID() }).refused(404);
  });
});

describe("GET /api/teams", () => {
  it("lists all teams of the caller's organizations, also those the caller is not in", async () => {
    const { member, stranger } = cast;
    const { id: elsewhere } = (await api.post("/api/organizations", stranger, { name: "Else" }).created()).organization;
    await create(stranger, { name: "Foreign", org_id: elsewhere }).created();
    const mine = await teamsOf(member, "");
    const organizations = { id: hive.orgId, name: "Hive" };
    expect(mine).toContainEqual(expect.objectContaining({ id: hive.teamId, organizations }));
    expect(mine.map(({ org_id }) => org_id)).not.toContain(elsewhere);
    await api.post(`/api/organizations/${elsewhere}/members`, stranger, { user_id: member.id }).created();
    expect((await teamsOf(member, "")).map(({ org_id }) => org_id)).toContain(elsewhere);
    expect((await teamsOf(member, `?org_id=${elsewhere}`)).map(({ org_id }) => org_id)).toEqual([elsewhere]);
    expect((await teamsOf(cast.superAdmin, "?limit=500")).map(({ id }) => id)).toContain(hive.teamId);
  });

  it("is 404 for an unknown organization, 403 for one of others, 400 without a UUID", async () => {
    await api.get(`/api/teams?org_id=${randomUUID()}`, cast.owner).refused(404);
    await api.get(`/api/teams?org_id=${hive.orgId}`, cast.stranger).refused(403);
    for (const id of ["x", ""]) await api.get(`/api/teams?org_id=${id}`, cast.owner).refused(400);
  });
});

describe("changing a team's admin_id", () => {
  it("makes an organization member the primary admin and keeps the old one as member", async () => {
    const { member, primary } = cast;
    expect((await give(member)).admin_id).toBe(member.id);
    const card = { user_id: member.id, full_name: expect.any(String), avatar_url: null };
    expect(await memberOf(member)).toEqual({ ...card, role: "admin", is_admin: true });
    const former = { role: "member", is_admin: false, joined_at: expect.any(String) };
    expect(await memberOf(primary)).toMatchObject(former);
    await change(primary, { name: "Still mine" }).refused(403);
    await change(member, { name: "Now mine" }).ok();
  });

  it("can promote a team member or a co-admin", async () => {
    const { teammate, coAdmin } = cast;
    await give(teammate);
    expect(await memberOf(teammate)).toMatchObject({ role: "admin" });
    await give(coAdmin);
    expect(await memberOf(coAdmin)).toMatchObject({ role: "admin" });
    expect(await memberOf(teammate)).toMatchObject({ role: "member" });
    expect(await members()).toHaveLength(3);
  });

  it("to its current value changes nothing, also if a co-admin sends it with the whole team", async () => {
    const { coAdmin, primary } = cast;
    const before = await members();
    await give(primary);
    const { team } = await read(coAdmin);
    const renamed = await change(coAdmin, { ...team, name: "Renamed" }).ok();
    expect(renamed.team).toMatchObject({ name: "Renamed", admin_id: primary.id });
    expect(await members()).toEqual(before);
  });

  it("to its current value still needs a team admin or the organization's owner", async () => {
    const { owner, coAdmin, teammate, member, primary } = cast;
    for (const person of [owner, coAdmin]) await change(person, { admin_id: primary.id }).ok();
    for (const person of [teammate, member]) await change(person, { admin_id: primary.id }).refused(403);
  });

  it("is refused with the same code to everyone but the owner", async () => {
    const { coAdmin, teammate, member } = cast;
    for (const person of [coAdmin, teammate, member]) {
      await change(person, { admin_id: member.id }).refused(403, "organization.not_the_owner");
    }
  });

  it("is 400 for a user outside the organization, and for null", async () => {
    for (const admin_id of [cast.stranger.id, cast.exMember.id, randomUUID(), null]) {
      await change(cast.owner, { admin_id }).refused(400);
    }
    expect((await read()).team.admin_id).toBe(cast.primary.id);
  });

  it("changes nothing if the caller may not change another field of the request", async () => {
    const { owner, primary, member } = cast;
    const before = await read();
    const mixed = { name: "Renamed", description: "New", settings: { a: 1 }, admin_id: member.id };
    for (const person of [owner, primary]) {
      await change(person, mixed).refused(403);
      expect(await read()).toEqual(before);
    }
    await api.post(`${path()}/members`, primary, { user_id: owner.id, role: "admin" }).created();
    expect((await change(owner, mixed).ok()).team).toMatchObject({ name: "Renamed", admin_id: member.id });
  });

  it("to two members at the same time ends with one primary admin, who is a team admin", async () => {
    const { member, admin } = cast;
    await Promise.all([give(member), give(admin)]);
    const { admin_id } = (await read()).team;
    expect([member.id, admin.id]).toContain(admin_id);
    const admins = (await members()).filter(({ is_admin }) => is_admin);
    expect(admins.map(({ user_id }) => user_id).sort()).toEqual([admin_id, cast.coAdmin.id].sort());
  });
});
