import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { readAsOwner, signUpCast, stage } from "#tests/cast";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const SYSTEM_USER = "00000000-0000-4000-8000-000000000001";
/** A synthetic user who is a member of the organization and of the team, as it was possible once. */
let planted: string;

const cast = beforeTests(() => signUpCast(api));
const scene = beforeEachTest(() => stage(api, cast));
beforeEach(async () => {
  planted = await synthetic();
  await api.query`insert into nectar.organization_members (org_id, user_id, joined_at)
    values (${scene.orgId}, ${planted}, '2020-01-01'), (${scene.orgId}, ${SYSTEM_USER}, '2020-01-01')`;
  await api.query`insert into nectar.team_members (team_id, org_id, user_id)
    values (${scene.teamId}, ${scene.orgId}, ${planted})`;
});

async function synthetic(): Promise<string> {
  const { body } = await api.post("/api/workout-window/admin/ai-users/generate", cast.superAdmin, { count: 1 });
  return body.users[0].id;
}

const remove = (id: string) => api.delete(`/api/workout-window/admin/ai-users/${id}`, cast.superAdmin);

describe("a synthetic user and the system user", () => {
  it("cannot become members, owners, primary admins or recipients of a tone pack: 404", async () => {
    const { owner, primary } = cast;
    const { orgId, teamId } = scene;
    const packBody = { name: "Cranes", theme: "origami" };
    const pack = (await api.post("/api/tone-packs", owner, packBody)).body.tone_pack.id;
    const before = await readAsOwner(api, cast, scene);
    for (const id of [planted, await synthetic(), SYSTEM_USER]) {
      const responses = [
        await api.post(`/api/organizations/${orgId}/members`, owner, { user_id: id }),
        await api.post(`/api/organizations/${orgId}/transfer-ownership`, owner, { new_owner_id: id }),
        await api.post(`/api/teams/${teamId}/members`, primary, { user_id: id }),
        await api.post("/api/teams", owner, { name: "Drones", org_id: orgId, admin_id: id }),
        await api.put(`/api/teams/${teamId}`, owner, { admin_id: id }),
        await api.post(`/api/tone-packs/${pack}/share`, owner, { user_id: id }),
      ];
      expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
        responses.map(() => [404, "user.not_found"]),
      );
    }
    expect(await readAsOwner(api, cast, scene)).toEqual(before);
  });
});

describe("deleting a synthetic user who owns an organization", () => {
  const own = (owner: string) =>
    api.query`update nectar.organizations set owner_id = ${owner} where id = ${scene.orgId}`;

  it("hands it to the human who has been a member for the longest time", async () => {
    await own(planted);
    await api.query`delete from nectar.organization_members
      where org_id = ${scene.orgId} and user_id = ${cast.owner.id}`;
    await api.query`update nectar.organization_members set joined_at = '2021-01-01'
      where org_id = ${scene.orgId} and user_id = ${cast.teammate.id}`;
    await remove(planted).ok();
    const { body } = await api.get(`/api/organizations/${scene.orgId}`, cast.teammate);
    expect(body).toMatchObject({ organization: { owner_id: cast.teammate.id }, user_role: "owner" });
    const members = (await api.get(`/api/organizations/${scene.orgId}/members`, cast.teammate)).body.members;
    expect(members.map(({ user_id }) => user_id)).not.toContain(planted);
  });

  it("deletes it if no other human is a member, and keeps what people shared with it", async () => {
    const { body } = await api.post("/api/journal", cast.member, {
      title: "Title",
      content: "Content",
      metadata_visibility: "org",
      org_id: scene.orgId,
    });
    await own(planted);
    const other = await synthetic();
    await api.query`insert into nectar.organization_members (org_id, user_id) values (${scene.orgId}, ${other})`;
    await api.query`update nectar.teams set admin_id = ${other} where org_id = ${scene.orgId}`;
    await api.query`delete from nectar.organization_members
      where org_id = ${scene.orgId} and not (user_id = any (${[planted, other, SYSTEM_USER]}))`;
    await remove(planted).ok();
    await api.get(`/api/organizations/${scene.orgId}`, cast.superAdmin).refused(404);
    expect((await api.get(`/api/journal/${body.entry.id}`, cast.member)).body.entry).toMatchObject({
      metadata_visibility: "user",
      org_id: null,
    });
    await remove(other).ok();
  });

  it("hands over each of several organizations separately", async () => {
    const second = await stage(api, cast);
    await api.query`insert into nectar.organization_members (org_id, user_id) values (${second.orgId}, ${planted})`;
    await own(planted);
    await api.query`update nectar.organizations set owner_id = ${planted} where id = ${second.orgId}`;
    await api.query(
      `update nectar.organization_members set joined_at = '2021-01-01'
       where (org_id, user_id) in (($1, $2::uuid), ($3, $4::uuid))`,
      [scene.orgId, cast.member.id, second.orgId, cast.admin.id],
    );
    await remove(planted).ok();
    const owners = await api.query`select id, owner_id from nectar.organizations
      where id = any (${[scene.orgId, second.orgId]})`;
    expect(new Map(owners.map(({ id, owner_id }) => [id, owner_id]))).toEqual(
      new Map([
        [scene.orgId, cast.member.id],
        [second.orgId, cast.admin.id],
      ]),
    );
  });
});

describe("a team whose primary admin is synthetic", () => {
  beforeEach(() => api.query`update nectar.teams set admin_id = ${planted} where id = ${scene.teamId}`);

  it("can be changed by its other admins, and goes to the owner when the synthetic user is deleted", async () => {
    const { team } = (await api.get(`/api/teams/${scene.teamId}`, cast.coAdmin)).body;
    const renamed = await api.put(`/api/teams/${scene.teamId}`, cast.coAdmin, { ...team, name: "Renamed" }).ok();
    expect(renamed.team.name).toBe("Renamed");
    await remove(planted).ok();
    expect((await api.get(`/api/teams/${scene.teamId}`, cast.owner)).body).toMatchObject({
      team: { admin_id: cast.owner.id },
      user_role: "admin",
    });
  });

  it("goes to the new owner of the organization if the synthetic user owned that as well", async () => {
    await api.query`update nectar.organizations set owner_id = ${planted} where id = ${scene.orgId}`;
    await api.query`update nectar.organization_members set joined_at = '2021-01-01'
      where org_id = ${scene.orgId} and user_id = ${cast.member.id}`;
    await remove(planted).ok();
    expect((await api.get(`/api/teams/${scene.teamId}`, cast.member)).body.team.admin_id).toBe(cast.member.id);
  });

  it("can be given to a human", async () => {
    const body = await api.put(`/api/teams/${scene.teamId}`, cast.owner, { admin_id: cast.member.id }).ok();
    expect(body.team.admin_id).toBe(cast.member.id);
  });
});

it("an organization of the system user can be transferred back by a super admin", async () => {
  await api.query`update nectar.organizations set owner_id = ${SYSTEM_USER} where id = ${scene.orgId}`;
  const path = `/api/organizations/${scene.orgId}/transfer-ownership` as const;
  const body = await api.post(path, cast.superAdmin, { new_owner_id: cast.member.id }).ok();
  expect(body.organization.owner_id).toBe(cast.member.id);
});

it("a synthetic co-admin does not replace a primary admin who leaves", async () => {
  const { primary, coAdmin } = cast;
  await api.query`update nectar.team_members set role = 'admin', joined_at = '2020-01-01'
    where team_id = ${scene.teamId} and user_id = ${planted}`;
  const leave = (as: typeof primary) => api.delete(`/api/teams/${scene.teamId}/members/${as.id}`, as);
  await leave(primary).ok();
  expect((await api.get(`/api/teams/${scene.teamId}`, cast.owner)).body.team.admin_id).toBe(coAdmin.id);
  await leave(coAdmin).refused(409, "team.last_admin");
});
