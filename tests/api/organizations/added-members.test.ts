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
const notificationsOf = async (person: Person) => (await api.get("/api/notifications", person)).body.notifications;

describe("a user who is added", () => {
  it("to an organization is notified, with ids and without texts of other users", async () => {
    const person = await api.person();
    await addToOrganization(person).created();
    const notifications = await notificationsOf(person);
    expect(notifications).toEqual([
      expect.objectContaining({
        type: "member_added",
        title: "You were added to an organization",
        data: { org_id: hive.orgId, added_by: cast.owner.id },
      }),
    ]);
    expect(JSON.stringify(notifications)).not.toContain("Hive");
    await addToOrganization(person).refused(409);
    expect(await notificationsOf(person)).toHaveLength(1);
  });

  it("to a team is notified, as a member or as the primary admin", async () => {
    const person = await api.person();
    await addToOrganization(person);
    await addToTeam(person).created();
    const body = { name: "Drones", org_id: hive.orgId, admin_id: person.id };
    const created = (await api.post("/api/teams", cast.owner, body)).body.team;
    expect((await notificationsOf(person)).slice(0, 2)).toEqual([
      expect.objectContaining({
        type: "member_added",
        title: "You were added to a team",
        data: { org_id: hive.orgId, team_id: created.id, added_by: cast.owner.id },
      }),
      expect.objectContaining({ data: { org_id: hive.orgId, team_id: hive.teamId, added_by: cast.primary.id } }),
    ]);
  });

  it("is not notified of what they create themselves", async () => {
    const person = await api.person();
    const own = (await api.post("/api/organizations", person, { name: "Own" })).body.organization.id;
    await api.post("/api/teams", person, { name: "Own", org_id: own });
    expect(await notificationsOf(person)).toEqual([]);
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
    const own = (await api.post("/api/organizations", owner, { name: "Own" })).body.organization.id;
    await useUp(owner, 199);
    const add = () => api.post(`/api/organizations/${own}/members`, owner, { user_id: person.id });
    await api.post(`/api/organizations/${own}/members`, owner, { user_id: owner.id }).refused(409);
    expect([(await add()).status, (await add()).status]).toEqual([201, 429]);
  });
});

describe("POST /api/organizations/:id/accept", () => {
  it("returns the membership, also if repeated", async () => {
    const path = `/api/organizations/${hive.orgId}/accept` as const;
    for (let round = 0; round < 2; round += 1) {
      const body = await api.post(path, cast.member).ok();
      expect(body.member).toMatchObject({ user_id: cast.member.id, role: "member", is_owner: false });
    }
  });

  it("is for members only", async () => {
    const path = `/api/organizations/${hive.orgId}/accept` as const;
    await api.post(path, cast.stranger).refused(403);
    await api.post(path, cast.exMember).refused(403);
    await api.post(path, cast.superAdmin).refused(404);
    await api.post(path, undefined).refused(401);
    await api.post(`/api/organizations/${crypto.randomUUID()}/accept`, cast.member).refused(404);
    await api.post("/api/organizations/x/accept", cast.member).refused(400);
  });
});
