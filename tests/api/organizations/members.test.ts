import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

const members = () => `/api/organizations/${hive.orgId}/members` as const;
const memberPath = (id: string) => `${members()}/${id}` as const;
const add = (body: object, as = cast.owner) => api.post(members(), as, body);
const changeRole = (id: string, body: object) => api.put(memberPath(id), cast.owner, body);
const remove = (id: string, as = cast.owner) => api.delete(memberPath(id), as);
const readTeam = (id: string, as: Person) => api.get(`/api/teams/${id}`, as).ok();
const roleOf = async (as: Person) => (await api.get(`/api/organizations/${hive.orgId}`, as).ok()).user_role;

describe("the members of an organization", () => {
  it("have name, picture, role and joined_at, but the owner no joined_at", async () => {
    const { owner, admin } = cast;
    const profile = { full_name: "Ada", avatar_url: "https://example.test/ada.png" };
    await api.put("/api/user/profile", admin, profile).ok();
    const { members: listed } = await api.get(members(), cast.member).ok();
    const find = (id: string) => listed.find(({ user_id }) => user_id === id);
    expect(listed).toHaveLength(6);
    const membership = { role: "admin", is_owner: false, joined_at: expect.stringMatching(/Z$/) };
    expect(find(admin.id)).toEqual({ user_id: admin.id, ...profile, ...membership });
    expect(find(owner.id)).toMatchObject({ role: "owner", is_owner: true });
    expect(find(owner.id)).not.toHaveProperty("joined_at");
  });

  it("are 400 for an invalid organization id before an invalid query", async () => {
    await api.get("/api/organizations/x/members?limit=0", cast.owner).invalid("id");
  });

  it("include the creator as owner from the start", async () => {
    const { organization } = await api.post("/api/organizations", cast.stranger, { name: "New" }).created();
    const body = await api.get(`/api/organizations/${organization.id}/members`, cast.stranger).ok();
    expect(body.members).toMatchObject([{ user_id: cast.stranger.id, role: "owner", is_owner: true }]);
  });
});

describe("adding an organization member", () => {
  it("returns 201 with the member, whose role is member by default", async () => {
    const { stranger, exMember } = cast;
    const plain = await add({ user_id: stranger.id }).created();
    expect(plain.member).toMatchObject({ user_id: stranger.id, role: "member", is_owner: false });
    const again = await add({ user_id: exMember.id.toUpperCase(), role: "admin" }).created();
    expect(again.member).toMatchObject({ user_id: exMember.id, role: "admin" });
    expect(await roleOf(exMember)).toBe("admin");
  });

  it("is 404 for an unknown user, 409 for a member and for the owner, and changes nothing", async () => {
    const { owner, member } = cast;
    await add({ user_id: randomUUID() }).refused(404);
    await add({ user_id: member.id, role: "admin" }).refused(409);
    await add({ user_id: owner.id }).refused(409);
    expect(await roleOf(member)).toBe("member");
  });

  it("points to transfer-ownership for the role owner", async () => {
    const user_id = cast.stranger.id;
    const { issues } = await add({ user_id, role: "owner" }).refused(400, "organization.use_transfer");
    expect(issues).toEqual([{ path: "role", message: "use transfer-ownership" }]);
  });

  it("twice at once adds one row", async () => {
    const responses = await Promise.all([1, 2, 3].map(() => add({ user_id: cast.stranger.id })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe("changing an organization member's role", () => {
  it("returns the member", async () => {
    const { id } = cast.member;
    const { member } = await changeRole(id, { role: "admin" }).ok();
    expect(member).toMatchObject({ user_id: id, role: "admin", is_owner: false });
    expect((await changeRole(id, { role: "member" }).ok()).member.role).toBe("member");
  });

  it("is 404 for a user who is not a member", async () => {
    for (const id of [cast.stranger.id, randomUUID()]) await changeRole(id, { role: "admin" }).refused(404);
  });
});

describe("removing an organization member", () => {
  it("ends their access immediately, and is 404 for someone who is not a member, or no longer", async () => {
    const { member, stranger, superAdmin } = cast;
    await remove(stranger.id).refused(404);
    await remove(superAdmin.id, superAdmin).refused(404);
    await remove(member.id).ok();
    await remove(member.id).refused(404);
    await api.get(`/api/organizations/${hive.orgId}`, member).refused(403);
    await api.get(`/api/teams/${hive.teamId}`, member).refused(403);
    const { organizations } = await api.get("/api/organizations", member).ok();
    expect(organizations.map(({ id }) => id)).not.toContain(hive.orgId);
  });

  it("removes them from its teams in the same step, but not from teams of other organizations", async () => {
    const { owner, teammate, stranger } = cast;
    const { organization } = await api.post("/api/organizations", stranger, { name: "Else" }).created();
    const elsewhere = `/api/organizations/${organization.id}/members` as const;
    await api.post(elsewhere, stranger, { user_id: teammate.id }).created();
    const { team } = await api.post("/api/teams", teammate, { name: "Other", org_id: organization.id }).created();
    await remove(teammate.id).ok();
    const left = (await api.get(`/api/teams/${hive.teamId}/members`, owner).ok()).members;
    expect(left.map(({ user_id }) => user_id)).not.toContain(teammate.id);
    expect((await readTeam(team.id, teammate)).user_role).toBe("admin");
  });

  it.each(["owner", "primary"] as const)(
    "by the %s: the owner is the primary admin of teams that lose theirs, with or without co-admins",
    async (remover) => {
      const { owner, primary, coAdmin } = cast;
      const { team } = await api.post("/api/teams", primary, { name: "Alone", org_id: hive.orgId }).created();
      await remove(primary.id, cast[remover]).ok();
      for (const id of [hive.teamId, team.id]) {
        expect(await readTeam(id, owner)).toMatchObject({ team: { admin_id: owner.id }, user_role: "admin" });
      }
      expect((await readTeam(hive.teamId, coAdmin)).user_role).toBe("admin");
      await api.get(`/api/teams/${hive.teamId}`, primary).refused(403);
    },
  );

  it("makes an owner who was an ordinary team member its primary admin", async () => {
    const { owner, primary } = cast;
    await api.post(`/api/teams/${hive.teamId}/members`, primary, { user_id: owner.id }).created();
    await remove(primary.id).ok();
    expect(await readTeam(hive.teamId, owner)).toMatchObject({ team: { admin_id: owner.id }, user_role: "admin" });
  });

  it("is 409 for the owner, who must transfer first", async () => {
    await remove(cast.owner.id).refused(409, "organization.owner_cannot_leave");
    expect(await roleOf(cast.owner)).toBe("owner");
  });
});
