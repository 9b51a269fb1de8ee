import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { signUpCast, stage } from "#tests/cast";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi();
const cast = beforeTests(() => signUpCast(api));
const hive = beforeEachTest(() => stage(api, cast));

const addToOrganization = (person: Person) =>
  api.post(`/api/organizations/${hive.orgId}/members`, cast.owner, { user_id: person.id });
const addToTeam = (person: Person) =>
  api.post(`/api/teams/${hive.teamId}/members`, cast.primary, { user_id: person.id });
const notificationsOf = async (person: Person) => (await api.get("/api/notifications", person).ok()).notifications;

describe("a user who is added", () => {
  it("to an organization is notified, with ids and without texts of other users", async () => {
    const person = await api.person();
    await addToOrganization(person).created();
    const notifications = await notificationsOf(person);
    const data = { org_id: hive.orgId, added_by: cast.owner.id };
    expect(notifications).toMatchObject([{ type: "member_added", title: "You were added to an organization", data }]);
    expect(JSON.stringify(notifications)).not.toContain("Hive");
    await addToOrganization(person).refused(409);
    expect(await notificationsOf(person)).toHaveLength(1);
  });

  it("to a team is notified, as a member or as the primary admin, but not of what they create themselves", async () => {
    const person = await api.person();
    const { organization } = await api.post("/api/organizations", person, { name: "Own" }).created();
    await api.post("/api/teams", person, { name: "Own", org_id: organization.id }).created();
    expect(await notificationsOf(person)).toEqual([]);
    await addToOrganization(person).created();
    await addToTeam(person).created();
    const body = { name: "Drones", org_id: hive.orgId, admin_id: person.id };
    const { team } = await api.post("/api/teams", cast.owner, body).created();
    const added = (team_id: string, added_by: string) => ({
      type: "member_added",
      title: "You were added to a team",
      data: { org_id: hive.orgId, team_id, added_by },
    });
    expect((await notificationsOf(person)).slice(0, 2)).toMatchObject([
      added(team.id, cast.owner.id),
      added(hive.teamId, cast.primary.id),
    ]);
  });
});

describe("adding members has a quota of 200 a day", () => {
  const useUp = (person: Person, used: number) =>
    // The period is tomorrow's, so that midnight does not begin a new one during the test.
    api.query`insert into private.quota_uses (user_id, name, period_start, used)
      values (${person.id}, 'member_add', date_trunc('day', now(), 'UTC') + interval '1 day', ${used})
      on conflict (user_id, name) do update set used = excluded.used, period_start = excluded.period_start`;

  it("for organizations and teams together, and for primary admins", async () => {
    const { member, superAdmin } = cast;
    const person = await api.person();
    const attempts = () => [
      api.post(`/api/organizations/${hive.orgId}/members`, superAdmin, { user_id: person.id }),
      api.post(`/api/teams/${hive.teamId}/members`, superAdmin, { user_id: member.id }),
      api.post("/api/teams", superAdmin, { name: "Drones", org_id: hive.orgId, admin_id: member.id }),
      api.put(`/api/teams/${hive.teamId}`, superAdmin, { admin_id: cast.teammate.id }),
    ];
    await useUp(superAdmin, 200);
    for (const attempt of attempts()) {
      const { status, body, headers } = await attempt;
      expect([status, body.code]).toEqual([429, "quota.exhausted"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    await useUp(superAdmin, 196);
    for (const attempt of attempts()) expect((await attempt).status).toBeLessThan(300);
    await api.put(`/api/teams/${hive.teamId}`, superAdmin, { admin_id: member.id }).refused(429);
  });

  it("that counts only people who were really added", async () => {
    const [owner, person] = [await api.person(), await api.person()];
    const { organization } = await api.post("/api/organizations", owner, { name: "Own" }).created();
    await useUp(owner, 199);
    const add = ({ id }: Person) => api.post(`/api/organizations/${organization.id}/members`, owner, { user_id: id });
    await add(owner).refused(409);
    await add(person).created();
    await add(person).refused(429);
  });
});

it("accepting an organization returns the membership, also if repeated, and is for members only", async () => {
  const accept = (as: Person) => api.post(`/api/organizations/${hive.orgId}/accept`, as);
  for (let round = 0; round < 2; round += 1) {
    const { member } = await accept(cast.member).ok();
    expect(member).toMatchObject({ user_id: cast.member.id, role: "member", is_owner: false });
  }
  for (const person of [cast.stranger, cast.exMember]) await accept(person).refused(403);
  await accept(cast.superAdmin).refused(404);
});
