import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { readAsOwner, signUpCast, stage } from "#tests/cast";
import { write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const SYSTEM_USER = "00000000-0000-4000-8000-000000000001";
const cast = beforeTests(() => signUpCast(api));
const scene = beforeEachTest(() => stage(api, cast));
const synthetic = async () => {
  const body = { count: 1 };
  return (await api.post("/api/workout-window/admin/ai-users/generate", cast.superAdmin, body).created()).users[0].id;
};
/** A synthetic user who is a member of the organization and of the team, as it was possible once. */
let planted: string;
beforeEach(async () => {
  planted = await synthetic();
  await api.query`insert into nectar.organization_members (org_id, user_id, joined_at)
    values (${scene.orgId}, ${planted}, '2020-01-01'), (${scene.orgId}, ${SYSTEM_USER}, '2020-01-01')`;
  await api.query`insert into nectar.team_members (team_id, org_id, user_id)
    values (${scene.teamId}, ${scene.orgId}, ${planted})`;
});

const remove = (id: string) => api.delete(`/api/workout-window/admin/ai-users/${id}`, cast.superAdmin);
const own = (owner: string, orgId = scene.orgId) =>
  api.query`update nectar.organizations set owner_id = ${owner} where id = ${orgId}`;
/** Makes someone the human who has been a member for the longest time. */
const makeOldest = ({ id }: Person, orgId = scene.orgId) =>
  api.query`update nectar.organization_members set joined_at = '2021-01-01' where org_id = ${orgId} and user_id = ${id}`;
const readOrganization = (as: Person, orgId = scene.orgId) => api.get(`/api/organizations/${orgId}`, as).ok();
const readTeam = (as: Person) => api.get(`/api/teams/${scene.teamId}`, as).ok();

it("a synthetic user and the system user become no members, owners, primary admins or recipients of a tone pack", async () => {
  const { owner, primary } = cast;
  const { orgId, teamId } = scene;
  const { tone_pack } = await api.post("/api/tone-packs", owner, { name: "Cranes", theme: "origami" }).created();
  const before = await readAsOwner(api, cast, scene);
  for (const id of [planted, await synthetic(), SYSTEM_USER]) {
    for (const response of [
      api.post(`/api/organizations/${orgId}/members`, owner, { user_id: id }),
      api.post(`/api/organizations/${orgId}/transfer-ownership`, owner, { new_owner_id: id }),
      api.post(`/api/teams/${teamId}/members`, primary, { user_id: id }),
      api.post("/api/teams", owner, { name: "Drones", org_id: orgId, admin_id: id }),
      api.put(`/api/teams/${teamId}`, owner, { admin_id: id }),
      api.post(`/api/tone-packs/${tone_pack.id}/share`, owner, { user_id: id }),
    ]) {
      await response.refused(404, "user.not_found");
    }
  }
  expect(await readAsOwner(api, cast, scene)).toEqual(before);
});

describe("deleting a synthetic user who owns an organization", () => {
  it("hands it to the human who has been a member for the longest time", async () => {
    await own(planted);
    await api.query`delete from nectar.organization_members
      where org_id = ${scene.orgId} and user_id = ${cast.owner.id}`;
    await makeOldest(cast.teammate);
    await remove(planted).ok();
    const handedOver = { organization: { owner_id: cast.teammate.id }, user_role: "owner" };
    expect(await readOrganization(cast.teammate)).toMatchObject(handedOver);
    const { members } = await api.get(`/api/organizations/${scene.orgId}/members`, cast.teammate).ok();
    expect(members.map(({ user_id }) => user_id)).not.toContain(planted);
  });

  it("deletes it if no other human is a member, and keeps what people shared with it", async () => {
    const entry = await write(api, cast.member, { metadata_visibility: "org", org_id: scene.orgId });
    await own(planted);
    const other = await synthetic();
    await api.query`insert into nectar.organization_members (org_id, user_id) values (${scene.orgId}, ${other})`;
    await api.query`update nectar.teams set admin_id = ${other} where org_id = ${scene.orgId}`;
    await api.query`delete from nectar.organization_members
      where org_id = ${scene.orgId} and not (user_id = any (${[planted, other, SYSTEM_USER]}))`;
    await remove(planted).ok();
    await api.get(`/api/organizations/${scene.orgId}`, cast.superAdmin).refused(404);
    const { entry: kept } = await api.get(`/api/journal/${entry.id}`, cast.member).ok();
    expect(kept).toMatchObject({ metadata_visibility: "user", org_id: null });
    await remove(other).ok();
  });

  it("hands over each of several organizations separately", async () => {
    const second = await stage(api, cast);
    await api.query`insert into nectar.organization_members (org_id, user_id) values (${second.orgId}, ${planted})`;
    for (const { orgId } of [scene, second]) await own(planted, orgId);
    await makeOldest(cast.member);
    await makeOldest(cast.admin, second.orgId);
    await remove(planted).ok();
    for (const [{ orgId }, { id }] of [
      [scene, cast.member],
      [second, cast.admin],
    ] as const) {
      expect((await readOrganization(cast.superAdmin, orgId)).organization.owner_id).toBe(id);
    }
  });
});

describe("a team whose primary admin is synthetic", () => {
  beforeEach(() => api.query`update nectar.teams set admin_id = ${planted} where id = ${scene.teamId}`);

  it("can be changed by its other admins, and goes to the owner when the synthetic user is deleted", async () => {
    const { team } = await readTeam(cast.coAdmin);
    const renamed = await api.put(`/api/teams/${scene.teamId}`, cast.coAdmin, { ...team, name: "Renamed" }).ok();
    expect(renamed.team.name).toBe("Renamed");
    await remove(planted).ok();
    expect(await readTeam(cast.owner)).toMatchObject({ team: { admin_id: cast.owner.id }, user_role: "admin" });
  });

  it("goes to the new owner of the organization if the synthetic user owned that as well", async () => {
    await own(planted);
    await makeOldest(cast.member);
    await remove(planted).ok();
    expect((await readTeam(cast.member)).team.admin_id).toBe(cast.member.id);
  });

  it("can be given to a human", async () => {
    const { team } = await api.put(`/api/teams/${scene.teamId}`, cast.owner, { admin_id: cast.member.id }).ok();
    expect(team.admin_id).toBe(cast.member.id);
  });
});

it("an organization of the system user can be transferred back by a super admin", async () => {
  await own(SYSTEM_USER);
  const path = `/api/organizations/${scene.orgId}/transfer-ownership` as const;
  const { organization } = await api.post(path, cast.superAdmin, { new_owner_id: cast.member.id }).ok();
  expect(organization.owner_id).toBe(cast.member.id);
});

it("a synthetic co-admin does not replace a primary admin who leaves", async () => {
  const { primary, coAdmin } = cast;
  await api.query`update nectar.team_members set role = 'admin', joined_at = '2020-01-01'
    where team_id = ${scene.teamId} and user_id = ${planted}`;
  const leave = (as: Person) => api.delete(`/api/teams/${scene.teamId}/members/${as.id}`, as);
  await leave(primary).ok();
  expect((await readTeam(cast.owner)).team.admin_id).toBe(coAdmin.id);
  await leave(coAdmin).refused(409, "team.last_admin");
});
