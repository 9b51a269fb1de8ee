import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

const sharedWithTeam = () => ({ metadata_visibility: "team", content_visibility: "team", team_id: hive.teamId });
const sharedWithOrg = () => ({ metadata_visibility: "org", content_visibility: "org", org_id: hive.orgId });
const read = async (id: string, as: Person) => (await api.get(`/api/journal/${id}`, as).ok()).entry;
const isHiddenFrom = async (id: string, ...people: Person[]) => {
  for (const person of people) await api.get(`/api/journal/${id}`, person).refused(404);
};
const deleteTeam = () => api.delete(`/api/teams/${hive.teamId}`, cast.primary).ok();
const deleteOrganization = () => api.delete(`/api/organizations/${hive.orgId}`, cast.owner).ok();

/** How the author sees an entry that is no longer shared. */
const PRIVATE = {
  metadata_visibility: "user",
  content_visibility: "user",
  team_id: null,
  org_id: null,
  effective_metadata_visibility: "user",
  effective_content_visibility: "user",
};

describe("deleting a team", () => {
  it("ends it for all users, and keeps the organization", async () => {
    const { primary, teammate, owner } = cast;
    await deleteTeam();
    for (const person of [primary, teammate, owner]) {
      await api.get(`/api/teams/${hive.teamId}`, person).refused(404);
      expect((await api.get(`/api/teams?org_id=${hive.orgId}`, person).ok()).teams).toEqual([]);
    }
    await api.get(`/api/organizations/${hive.orgId}`, teammate).ok();
  });

  it("keeps the entries that were shared with it, private to their authors, and what is shared with others", async () => {
    const { primary, teammate, coAdmin, member, stranger } = cast;
    const withTeam = await write(api, teammate, sharedWithTeam());
    const withOrg = await write(api, teammate, {
      ...sharedWithOrg(),
      content_visibility: "team",
      team_id: hive.teamId,
    });
    const open = await write(api, teammate, { metadata_visibility: "public", content_visibility: "public" });
    expect((await read(withTeam.id, coAdmin)).content).toBe("Content");
    await deleteTeam();
    const kept = { ...PRIVATE, title: "Title", content: "Content", content_hidden: false };
    expect(await read(withTeam.id, teammate)).toMatchObject(kept);
    await isHiddenFrom(withTeam.id, coAdmin, primary);
    const hidden = { content_visibility: "user", team_id: null, content: null, content_hidden: true };
    expect(await read(withOrg.id, member)).toMatchObject({ metadata_visibility: "org", ...hidden });
    await read(open.id, stranger);
  });
});

describe("deleting an organization", () => {
  it("deletes its teams and memberships", async () => {
    const { owner, teammate, superAdmin } = cast;
    await deleteOrganization();
    for (const person of [owner, teammate, superAdmin]) {
      await api.get(`/api/organizations/${hive.orgId}`, person).refused(404);
      await api.get(`/api/organizations/${hive.orgId}/members`, person).refused(404);
      await api.get(`/api/teams/${hive.teamId}`, person).refused(404);
      await api.get(`/api/teams/${hive.teamId}/members`, person).refused(404);
      await api.get(`/api/teams?org_id=${hive.orgId}`, person).refused(404);
    }
    await api.delete(`/api/organizations/${hive.orgId}`, owner).refused(404);
  });

  it("keeps every entry and notebook that was shared with it or its teams, private to the author", async () => {
    const { owner, teammate, coAdmin } = cast;
    const { notebook } = await api.post("/api/notebooks", teammate, { name: "N", ...sharedWithOrg() }).created();
    const entries = [
      await write(api, teammate, sharedWithOrg()),
      await write(api, teammate, sharedWithTeam()),
      await write(api, teammate, { notebook_id: notebook.id }),
    ];
    for (const { id } of entries) await read(id, coAdmin);
    await deleteOrganization();
    for (const { id } of entries) {
      expect(await read(id, teammate)).toMatchObject({ ...PRIVATE, content: "Content" });
      await isHiddenFrom(id, coAdmin, owner);
    }
    const kept = await api.get(`/api/notebooks/${notebook.id}`, teammate).ok();
    expect(kept.notebook).toMatchObject({ metadata_visibility: "user", content_visibility: "user", org_id: null });
    await api.get(`/api/notebooks/${notebook.id}`, coAdmin).refused(404);
  });

  it("leaves no entry without its organization if one is shared at the same time", async () => {
    const { teammate } = cast;
    const [written] = await Promise.all([
      api.post("/api/journal", teammate, { title: "Late", content: "Content", ...sharedWithOrg() }),
      deleteOrganization(),
    ]);
    expect([201, 403, 404]).toContain(written.status);
    if (written.status === 201) expect(await read(written.body.entry.id, teammate)).toMatchObject(PRIVATE);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    "never fails with others who join, leave, create teams and share at the same time (%i)",
    async () => {
      const { owner, stranger, member, primary, teammate, coAdmin } = cast;
      const entry = await write(api, coAdmin, sharedWithTeam());
      const responses = await Promise.all([
        api.post(`/api/organizations/${hive.orgId}/members`, owner, { user_id: stranger.id }),
        api.post("/api/teams", member, { name: "Late", org_id: hive.orgId }),
        api.post(`/api/teams/${hive.teamId}/members`, primary, { user_id: member.id }),
        api.post("/api/journal", teammate, { title: "Late", content: "Content", ...sharedWithTeam() }),
        api.put(`/api/journal/${entry.id}`, coAdmin, { metadata_visibility: "org", org_id: hive.orgId }),
        api.delete(`/api/organizations/${hive.orgId}/members/${teammate.id}`, teammate),
        api.post(`/api/organizations/${hive.orgId}/transfer-ownership`, owner, { new_owner_id: member.id }),
        api.delete(`/api/organizations/${hive.orgId}`, owner),
      ]);
      for (const { status } of responses) expect(status).toBeLessThan(500);
      // Gone already if it was deleted before it was handed over.
      expect([200, 404]).toContain((await api.delete(`/api/organizations/${hive.orgId}`, cast.superAdmin)).status);
      await api.get(`/api/organizations/${hive.orgId}`, cast.superAdmin).refused(404);
    },
  );
});

describe("deleting the account of an owner", () => {
  const deleteAccount = async (id: string) =>
    (await api.query`delete from auth.users where id = ${id} returning id`).length;

  it("hands the organization to the human who has been a member for the longest time", async () => {
    const [owner, first, second] = [await api.person(), await api.person(), await api.person()];
    const scene = await foundTeam(api, owner, [first, second]);
    await api.query`update nectar.organization_members set joined_at = '2020-01-01' where user_id = ${second.id}`;
    const entry = await write(api, first, { metadata_visibility: "org", org_id: scene.orgId });
    expect(await deleteAccount(owner.id)).toBe(1);
    const handedOver = { organization: { owner_id: second.id }, user_role: "owner" };
    expect(await api.get(`/api/organizations/${scene.orgId}`, second).ok()).toMatchObject(handedOver);
    expect((await api.get(`/api/teams/${scene.teamId}`, second).ok()).team.admin_id).toBe(second.id);
    await read(entry.id, second);
  });

  it("deletes the organization when there is no other member", async () => {
    const owner = await api.person();
    const { orgId: own } = await foundTeam(api, owner);
    expect(await deleteAccount(owner.id)).toBe(1);
    await api.get(`/api/organizations/${own}`, cast.superAdmin).refused(404);
  });

  it.each([1, 2, 3, 4, 5])("while it is transferred, joined and left always succeeds (%i)", async () => {
    const [owner, member, newcomer] = [await api.person(), await api.person(), await api.person()];
    const { orgId: own } = await foundTeam(api, owner, [member]);
    const path = `/api/organizations/${own}`;
    const [deleted, ...responses] = await Promise.all([
      deleteAccount(owner.id),
      api.post(`${path}/transfer-ownership`, cast.superAdmin, { new_owner_id: member.id }),
      api.post(`${path}/members`, cast.superAdmin, { user_id: newcomer.id }),
      api.delete(`${path}/members/${member.id}`, member),
    ]);
    expect(deleted).toBe(1);
    for (const { status } of responses) expect(status).toBeLessThan(500);
  });
});
