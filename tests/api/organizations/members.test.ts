import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

const members = () => `/api/organizations/${hive.orgId}/members` as const;
const memberPath = (id: string) => `${members()}/${id}` as const;

describe("the members of an organization", () => {
  it("have name, picture, role and joined_at, but the owner no joined_at", async () => {
    const { owner, admin } = cast;
    await api.put("/api/user/profile", admin, { full_name: "Ada", avatar_url: "https://example.test/ada.png" });
    const { body } = await api.get(members(), cast.member);
    const find = (id: string) => body.members.find(({ user_id }: { user_id: string }) => user_id === id);
    expect(body.members).toHaveLength(6);
    expect(find(admin.id)).toEqual({
      user_id: admin.id,
      full_name: "Ada",
      avatar_url: "https://example.test/ada.png",
      role: "admin",
      is_owner: false,
      joined_at: expect.stringMatching(/Z$/),
    });
    expect(find(owner.id)).toMatchObject({ role: "owner", is_owner: true });
    expect(find(owner.id)).not.toHaveProperty("joined_at");
  });

  it("are 400 for an invalid organization id before an invalid query", async () => {
    const body = await api.get("/api/organizations/x/members?limit=0", cast.owner).refused(400);
    expect(body.issues.map(({ path }) => path)).toEqual(["id"]);
  });

  it("include the creator as owner from the start", async () => {
    const created = await api.post("/api/organizations", cast.stranger, { name: "New" });
    const { body } = await api.get(`/api/organizations/${created.body.organization.id}/members`, cast.stranger);
    expect(body.members).toEqual([
      expect.objectContaining({ user_id: cast.stranger.id, role: "owner", is_owner: true }),
    ]);
  });
});

describe("adding an organization member", () => {
  it("returns 201 with the member, whose role is member by default", async () => {
    const { owner, stranger, exMember } = cast;
    const plain = await api.post(members(), owner, { user_id: stranger.id }).created();
    expect(plain.member).toMatchObject({ user_id: stranger.id, role: "member", is_owner: false });
    const again = await api.post(members(), owner, { user_id: exMember.id.toUpperCase(), role: "admin" });
    expect(again.body.member).toMatchObject({ user_id: exMember.id, role: "admin" });
    expect((await api.get(`/api/organizations/${hive.orgId}`, exMember)).body.user_role).toBe("admin");
  });

  it("is 404 for an unknown user, 409 for a member and for the owner, and changes nothing", async () => {
    const { owner, member } = cast;
    await api.post(members(), owner, { user_id: randomUUID() }).refused(404);
    await api.post(members(), owner, { user_id: member.id, role: "admin" }).refused(409);
    await api.post(members(), owner, { user_id: owner.id }).refused(409);
    expect((await api.get(`/api/organizations/${hive.orgId}`, member)).body.user_role).toBe("member");
  });

  it.each([{}, { user_id: null }, { user_id: "x" }, { role: "king" }, { role: null }, { role: "Admin" }])(
    "is 400 for %j",
    async (fields) => {
      const body = "role" in fields ? { user_id: cast.stranger.id, ...fields } : fields;
      await api.post(members(), cast.owner, body).refused(400);
    },
  );

  it("refuses the role owner and points to transfer-ownership", async () => {
    const { body } = await api.post(members(), cast.owner, { user_id: cast.stranger.id, role: "owner" });
    expect(body).toMatchObject({
      code: "organization.use_transfer",
      issues: [{ path: "role", message: "use transfer-ownership" }],
    });
  });

  it("twice at once adds one row", async () => {
    const { owner, stranger } = cast;
    const responses = await Promise.all([1, 2, 3].map(() => api.post(members(), owner, { user_id: stranger.id })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe("changing an organization member's role", () => {
  it("returns the member", async () => {
    const body = await api.put(memberPath(cast.member.id), cast.owner, { role: "admin" }).ok();
    expect(body.member).toMatchObject({ user_id: cast.member.id, role: "admin", is_owner: false });
    expect((await api.put(memberPath(cast.member.id), cast.owner, { role: "member" })).body.member.role).toBe("member");
  });

  it("is 404 for a user who is not a member, 400 without a role", async () => {
    await api.put(memberPath(cast.stranger.id), cast.owner, { role: "admin" }).refused(404);
    await api.put(memberPath(randomUUID()), cast.owner, { role: "admin" }).refused(404);
    await api.put(memberPath(cast.member.id), cast.owner, {}).refused(400);
  });
});

describe("removing an organization member", () => {
  it("ends their access immediately", async () => {
    const { owner, member } = cast;
    expect((await api.delete(memberPath(member.id), owner)).body.message).toEqual(expect.any(String));
    await api.get(`/api/organizations/${hive.orgId}`, member).refused(403);
    await api.get(`/api/teams/${hive.teamId}`, member).refused(403);
    expect((await api.get("/api/organizations", member)).body.organizations).not.toContainEqual(
      expect.objectContaining({ id: hive.orgId }),
    );
  });

  it("removes them from its teams in the same step, but not from teams of other organizations", async () => {
    const { owner, teammate, stranger } = cast;
    const elsewhere = (await api.post("/api/organizations", stranger, { name: "Else" })).body.organization.id;
    await api.post(`/api/organizations/${elsewhere}/members`, stranger, { user_id: teammate.id });
    const other = (await api.post("/api/teams", teammate, { name: "Other", org_id: elsewhere })).body.team.id;

    await api.delete(memberPath(teammate.id), owner);
    const { body } = await api.get(`/api/teams/${hive.teamId}/members`, owner);
    expect(body.members.map(({ user_id }) => user_id)).not.toContain(teammate.id);
    expect((await api.get(`/api/teams/${other}`, teammate)).body.user_role).toBe("admin");
  });

  it("makes the organization's owner the primary admin of teams that lose theirs, with or without co-admins", async () => {
    const { owner, primary, coAdmin } = cast;
    const alone = (await api.post("/api/teams", primary, { name: "Alone", org_id: hive.orgId })).body.team.id;
    await api.delete(memberPath(primary.id), owner).ok();
    for (const id of [hive.teamId, alone]) {
      const { body } = await api.get(`/api/teams/${id}`, owner);
      expect(body.team.admin_id).toBe(owner.id);
      expect(body.user_role).toBe("admin");
    }
    expect((await api.get(`/api/teams/${hive.teamId}`, coAdmin)).body.user_role).toBe("admin");
  });

  it("does the same if a primary admin leaves the organization", async () => {
    const { owner, primary } = cast;
    await api.delete(memberPath(primary.id), primary).ok();
    expect((await api.get(`/api/teams/${hive.teamId}`, owner)).body.team.admin_id).toBe(owner.id);
    await api.get(`/api/teams/${hive.teamId}`, primary).refused(403);
  });

  it("makes an owner who was an ordinary team member its primary admin", async () => {
    const { owner, primary } = cast;
    await api.post(`/api/teams/${hive.teamId}/members`, primary, { user_id: owner.id });
    await api.delete(memberPath(primary.id), owner);
    expect((await api.get(`/api/teams/${hive.teamId}`, owner)).body).toMatchObject({
      team: { admin_id: owner.id },
      user_role: "admin",
    });
  });

  it("is 409 for the owner, who must transfer first", async () => {
    await api.delete(memberPath(cast.owner.id), cast.owner).refused(409, "organization.owner_cannot_leave");
    expect((await api.get(`/api/organizations/${hive.orgId}`, cast.owner)).body.user_role).toBe("owner");
  });

  it("is 404 for a user who is not a member, or no longer", async () => {
    await api.delete(memberPath(cast.stranger.id), cast.owner).refused(404);
    await api.delete(memberPath(cast.superAdmin.id), cast.superAdmin).refused(404);
    await api.delete(memberPath(cast.member.id), cast.owner).ok();
    await api.delete(memberPath(cast.member.id), cast.owner).refused(404);
  });
});
