import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "../../support/api.ts";
import { signUpCast, stage } from "../../support/cast.ts";
import { beforeEachTest, beforeTests } from "../../support/prepare.ts";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

const members = async () => (await api.get(`/api/teams/${hive.teamId}/members`, cast.owner)).body.members;
const memberOf = async (id: string) => (await members()).find(({ user_id }: { user_id: string }) => user_id === id);

describe("POST /api/teams", () => {
  it("makes the creator the primary admin and first member, and returns the organization with the team", async () => {
    const { member } = cast;
    const body = await api.post("/api/teams", member, { name: "Drones", org_id: hive.orgId }).created();
    expect(body.team).toMatchObject({
      name: "Drones",
      org_id: hive.orgId,
      admin_id: member.id,
      organizations: { id: hive.orgId, name: "Hive" },
    });
    const response = await api.get(`/api/teams/${body.team.id}/members`, member);
    expect(response.body.members).toEqual([
      { user_id: member.id, full_name: expect.any(String), avatar_url: null, role: "admin", is_admin: true },
    ]);
  });

  it("can make another organization member the primary admin, without the creator in the team", async () => {
    const body = { name: "Drones", org_id: hive.orgId, admin_id: cast.teammate.id };
    const created = await api.post("/api/teams", cast.owner, body);
    expect(created.body.team.admin_id).toBe(cast.teammate.id);
    expect((await api.get(`/api/teams/${created.body.team.id}`, cast.owner)).body.user_role).toBeNull();
    expect((await api.get(`/api/teams/${created.body.team.id}`, cast.teammate)).body.user_role).toBe("admin");
  });

  it("is 400 if the primary admin is not a member of the organization, and creates nothing", async () => {
    const { owner, superAdmin, stranger, exMember } = cast;
    const before = (await api.get(`/api/teams?org_id=${hive.orgId}`, owner)).body;
    for (const admin of [stranger.id, exMember.id, superAdmin.id, randomUUID()]) {
      await api.post("/api/teams", owner, { name: "X", org_id: hive.orgId, admin_id: admin }).refused(400);
    }
    expect((await api.get(`/api/teams?org_id=${hive.orgId}`, owner)).body).toEqual(before);
  });

  it("needs an admin_id from a super admin who is not a member", async () => {
    const { superAdmin, member } = cast;
    const before = (await api.get(`/api/teams?org_id=${hive.orgId}`, superAdmin)).body;
    const body = await api
      .post("/api/teams", superAdmin, { name: "X", org_id: hive.orgId, admin_id: null })
      .refused(400);
    expect(body).toMatchObject({
      code: "team.admin_required",
      issues: [{ path: "admin_id", message: expect.any(String) }],
    });
    expect((await api.get(`/api/teams?org_id=${hive.orgId}`, superAdmin)).body).toEqual(before);

    const named = await api
      .post("/api/teams", superAdmin, { name: "X", org_id: hive.orgId, admin_id: member.id })
      .created();
    expect(named.team.admin_id).toBe(member.id);
  });

  it("makes a super admin who is a member the primary admin", async () => {
    const { superAdmin } = cast;
    const ownOrg = (await api.post("/api/organizations", superAdmin, { name: "Own" })).body.organization.id;
    const created = await api.post("/api/teams", superAdmin, { name: "X", org_id: ownOrg }).created();
    expect(created.team.admin_id).toBe(superAdmin.id);
  });

  it("is 404 in an unknown organization, 400 without one", async () => {
    await api.post("/api/teams", cast.owner, { name: "X", org_id: randomUUID() }).refused(404);
    await api.post("/api/teams", cast.owner, { name: "X" }).refused(400);
    expect(
      (await api.post("/api/teams", cast.owner, { name: "X", org_id: "x", admin_id: 1 })).body.issues,
    ).toHaveLength(2);
  });
});

describe("GET /api/teams", () => {
  it("lists all teams of the caller's organizations, also those the caller is not in", async () => {
    const { member, stranger } = cast;
    const elsewhere = (await api.post("/api/organizations", stranger, { name: "Else" })).body.organization.id;
    await api.post("/api/teams", stranger, { name: "Foreign", org_id: elsewhere });
    const mine = (await api.get("/api/teams", member)).body.teams;
    expect(mine).toContainEqual(
      expect.objectContaining({ id: hive.teamId, organizations: { id: hive.orgId, name: "Hive" } }),
    );
    expect(mine).not.toContainEqual(expect.objectContaining({ org_id: elsewhere }));

    await api.post(`/api/organizations/${elsewhere}/members`, stranger, { user_id: member.id });
    const both = (await api.get("/api/teams", member)).body.teams;
    expect(both).toContainEqual(expect.objectContaining({ org_id: elsewhere }));
    const filtered = (await api.get(`/api/teams?org_id=${elsewhere}`, member)).body.teams;
    expect(filtered.map(({ org_id }) => org_id)).toEqual([elsewhere]);
  });

  it("is 404 for an unknown organization, 403 for one of others, 400 without a UUID", async () => {
    await api.get(`/api/teams?org_id=${randomUUID()}`, cast.owner).refused(404);
    await api.get(`/api/teams?org_id=${hive.orgId}`, cast.stranger).refused(403);
    await api.get("/api/teams?org_id=x", cast.owner).refused(400);
    await api.get("/api/teams?org_id=", cast.owner).refused(400);
  });

  it("shows every team to a super admin", async () => {
    const { teams } = (await api.get("/api/teams?limit=500", cast.superAdmin)).body;
    expect(teams).toContainEqual(expect.objectContaining({ id: hive.teamId }));
  });
});

describe("changing a team's admin_id", () => {
  it("makes an organization member the primary admin and keeps the old one as member", async () => {
    const { owner, member, primary } = cast;
    const body = await api.put(`/api/teams/${hive.teamId}`, owner, { admin_id: member.id }).ok();
    expect(body.team.admin_id).toBe(member.id);
    expect(await memberOf(member.id)).toEqual({
      user_id: member.id,
      full_name: expect.any(String),
      avatar_url: null,
      role: "admin",
      is_admin: true,
    });
    expect(await memberOf(primary.id)).toMatchObject({
      role: "member",
      is_admin: false,
      joined_at: expect.any(String),
    });
    await api.put(`/api/teams/${hive.teamId}`, primary, { name: "Still mine" }).refused(403);
    await api.put(`/api/teams/${hive.teamId}`, member, { name: "Now mine" }).ok();
  });

  it("can promote a team member or a co-admin", async () => {
    const { owner, teammate, coAdmin } = cast;
    await api.put(`/api/teams/${hive.teamId}`, owner, { admin_id: teammate.id });
    expect(await memberOf(teammate.id)).toMatchObject({ role: "admin" });
    await api.put(`/api/teams/${hive.teamId}`, owner, { admin_id: coAdmin.id });
    expect(await memberOf(coAdmin.id)).toMatchObject({ role: "admin" });
    expect(await memberOf(teammate.id)).toMatchObject({ role: "member" });
    expect(await members()).toHaveLength(3);
  });

  it("to its current value changes nothing", async () => {
    const before = await members();
    const { status } = await api.put(`/api/teams/${hive.teamId}`, cast.owner, { admin_id: cast.primary.id });
    expect(status).toBe(200);
    expect(await members()).toEqual(before);
  });

  it("is not a change if a co-admin sends the whole team with its current admin_id", async () => {
    const { coAdmin, primary } = cast;
    const { team } = (await api.get(`/api/teams/${hive.teamId}`, coAdmin)).body;
    const before = await members();
    const body = await api.put(`/api/teams/${hive.teamId}`, coAdmin, { ...team, name: "Renamed" }).ok();
    expect(body.team).toMatchObject({ name: "Renamed", admin_id: primary.id });
    expect(await members()).toEqual(before);
  });

  it("to its current value still needs a team admin or the organization's owner", async () => {
    const { owner, coAdmin, teammate, member, primary } = cast;
    const statuses = [];
    for (const person of [owner, coAdmin, teammate, member]) {
      statuses.push((await api.put(`/api/teams/${hive.teamId}`, person, { admin_id: primary.id })).status);
    }
    expect(statuses).toEqual([200, 200, 403, 403]);
  });

  it("is refused with the same code to everyone but the owner", async () => {
    const { coAdmin, teammate, member } = cast;
    for (const person of [coAdmin, teammate, member]) {
      await api
        .put(`/api/teams/${hive.teamId}`, person, { admin_id: member.id })
        .refused(403, "organization.not_the_owner");
    }
  });

  it("is 400 for a user outside the organization, and for null", async () => {
    for (const admin of [cast.stranger.id, cast.exMember.id, randomUUID(), null]) {
      await api.put(`/api/teams/${hive.teamId}`, cast.owner, { admin_id: admin }).refused(400);
    }
    expect((await api.get(`/api/teams/${hive.teamId}`, cast.owner)).body.team.admin_id).toBe(cast.primary.id);
  });

  it("changes nothing if the caller may not change another field of the request", async () => {
    const { owner, primary, member } = cast;
    const before = (await api.get(`/api/teams/${hive.teamId}`, owner)).body;
    const mixed = { name: "Renamed", description: "New", settings: { a: 1 }, admin_id: member.id };
    for (const person of [owner, primary]) {
      await api.put(`/api/teams/${hive.teamId}`, person, mixed).refused(403);
      expect((await api.get(`/api/teams/${hive.teamId}`, owner)).body).toEqual(before);
    }
  });

  it("works together with other fields for an organization owner who administers the team", async () => {
    const { owner, primary, member } = cast;
    await api.post(`/api/teams/${hive.teamId}/members`, primary, { user_id: owner.id, role: "admin" });
    const { body } = await api.put(`/api/teams/${hive.teamId}`, owner, { name: "Renamed", admin_id: member.id });
    expect(body.team).toMatchObject({ name: "Renamed", admin_id: member.id });
  });

  it("to two members at the same time ends with one primary admin, who is a team admin", async () => {
    const { owner, member, admin } = cast;
    const responses = await Promise.all(
      [member, admin].map(({ id }) => api.put(`/api/teams/${hive.teamId}`, owner, { admin_id: id })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const adminId = (await api.get(`/api/teams/${hive.teamId}`, owner)).body.team.admin_id;
    expect([member.id, admin.id]).toContain(adminId);
    const admins = (await members()).filter(({ is_admin }: { is_admin: boolean }) => is_admin);
    expect(admins.map(({ user_id }) => user_id).sort()).toEqual([adminId, cast.coAdmin.id].sort());
  });
});
