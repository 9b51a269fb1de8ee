import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";

const api = useApi({ environment: { DATABASE_POOL_SIZE: "20" } });
const ada = beforeTests(() => api.person({ fullName: "Ada" }));
const ben = beforeTests(() => api.person({ fullName: "Ben" }));
const cleo = beforeTests(() => api.person({ fullName: "Cleo" }));
const stranger = beforeTests(() => api.person());
const superAdmin = beforeTests(() => api.person({ role: "super_admin" }));
/** Ada's, with Ben and Cleo. */
const scene = beforeEachTest(() => foundTeam(api, ada, [ben, cleo]));

const path = () => `/api/teams/${scene.teamId}/messages` as const;
const send = (as: Person, content = "Hello") => api.post(path(), as, { content });
async function sent(as: Person, content = "Hello"): Promise<string> {
  return (await send(as, content).created()).team_message.id;
}
const list = async (as: Person) => (await api.get(path(), as).ok()).team_messages;
const contents = async (as: Person) => (await list(as)).map(({ content }) => content);
const remove = (as: Person, id: string) => api.delete(`${path()}/${id}`, as);
const leave = (person: Person) => api.delete(`/api/teams/${scene.teamId}/members/${person.id}`, person).ok();

describe("a message to a team", () => {
  it("is sent by a member and listed for all of them, newest first", async () => {
    const { team_message } = await send(ben, "  Who brings the cake?\n").created();
    expect(team_message).toEqual({
      ...{ id: expect.any(String), team_id: scene.teamId, squad_id: null, created_at: expect.any(String) },
      sender: { id: ben.id, full_name: "Ben", avatar_url: null, is_ai: false },
      content: "Who brings the cake?",
    });
    await send(cleo, "I do.").created();
    for (const member of [ada, ben, cleo]) {
      expect((await list(member)).at(1)).toEqual(team_message);
      expect(await contents(member)).toEqual(["I do.", "Who brings the cake?"]);
    }
  });

  it("has 1 to 2,000 characters after trimming", async () => {
    await send(ada, "é".repeat(2000)).created();
    await send(ada, "é".repeat(2001)).invalid("content");
  });

  it("is read by members and super admins, and written by members only", async () => {
    const orgMate = await api.person();
    await api.post(`/api/organizations/${scene.orgId}/members`, ada, { user_id: orgMate.id }).created();
    await send(ada).created();
    for (const other of [orgMate, stranger]) {
      const code = other === orgMate ? "team.not_a_member" : "team.not_a_reader";
      await api.get(path(), other).refused(403, code);
      await send(other).refused(403, code);
    }
    await sent(ada, "Hello again");
    expect(await contents(superAdmin)).toEqual(["Hello again", "Hello"]);
    // The log is about entries.
    expect((await api.get("/api/user/access-log", ada).ok()).reads).toEqual([]);
    await send(superAdmin).refused(403, "team.not_a_member");
  });

  it("stays when its sender leaves, who reads nothing from then on", async () => {
    await sent(ben, "I will miss you.");
    await leave(ben);
    expect(await contents(ada)).toEqual(["I will miss you."]);
    await api.get(path(), ben).refused(403, "team.not_a_member");
    await send(ben).refused(403, "team.not_a_member");
  });

  it("is left out in both directions if there is a block between two members, and comes back without it", async () => {
    await sent(ben, "from Ben");
    await sent(cleo, "from Cleo");
    await api.post("/api/blocks", ben, { user_id: cleo.id }).created();
    expect([await contents(ben), await contents(cleo)]).toEqual([["from Ben"], ["from Cleo"]]);
    for (const other of [ada, superAdmin]) expect(await contents(other)).toHaveLength(2);
    await api.delete(`/api/blocks/${cleo.id}`, ben).ok();
    const both = ["from Cleo", "from Ben"];
    expect([await contents(ben), await contents(cleo)]).toEqual([both, both]);
  });

  it("that is hidden is seen by its sender and super admins only", async () => {
    const id = await sent(ben);
    await api.query`update nectar.team_messages set hidden_at = now() where id = ${id}`;
    for (const [reader, count] of [
      [ada, 0],
      [ben, 1],
      [cleo, 0],
      [superAdmin, 1],
    ] as const) {
      expect(await list(reader)).toHaveLength(count);
    }
  });

  it("cannot be sent by a synthetic user", async () => {
    const robot = await api.person();
    await api.query`insert into nectar.organization_members (org_id, user_id) values (${scene.orgId}, ${robot.id})`;
    await api.query`insert into nectar.team_members (team_id, org_id, user_id)
      values (${scene.teamId}, ${scene.orgId}, ${robot.id})`;
    await api.query`update nectar.profiles set is_ai = true where id = ${robot.id}`;
    await send(robot).refused(403, "auth.forbidden");
    expect(await list(ada)).toEqual([]);
  });
});

describe("sending messages", () => {
  it("has a limit of 60 per minute in all rooms, also for messages that are sent at once", async () => {
    const sender = await api.person();
    const { teamId } = await foundTeam(api, sender);
    await leaveQuota(api.adminUrl, sender, "team_message", 5);
    const attempts = await Promise.all(
      Array.from({ length: 12 }, () => api.post(`/api/teams/${teamId}/messages`, sender, { content: "Hello" })),
    );
    expect(attempts.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const { status, headers } of attempts.filter(({ status }) => status !== 201)) {
      expect(status).toBe(429);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await api.query`select from nectar.team_messages where team_id = ${teamId}`).toHaveLength(5);
    const [quota] = await api.query`select max_units, period from private.quotas() where name = 'team_message'`;
    expect(quota).toEqual({ max_units: 60, period: "minute" });
  });
});

describe("deleting a message", () => {
  it("is for its sender, also after leaving, and for admins of the team", async () => {
    for (const remover of [ben, ada]) {
      const id = await sent(ben);
      await remove(cleo, id).refused(403, "message.not_yours");
      await remove(stranger, id).refused(403, "team.not_a_reader");
      await remove(remover, id).ok();
      await remove(remover, id).refused(404, "message.not_found");
      expect(await list(cleo)).toEqual([]);
    }
    const id = await sent(ben);
    await leave(ben);
    await remove(ben, id).ok();
    expect(await list(ada)).toEqual([]);
  });

  it("finds no message of another team, and none that the caller may not see", async () => {
    const id = await sent(ben);
    const other = await foundTeam(api, ada, [ben]);
    await api.delete(`/api/teams/${other.teamId}/messages/${id}`, ben).refused(404, "message.not_found");
    await api.query`update nectar.team_messages set hidden_at = now() where id = ${id}`;
    await remove(cleo, id).refused(404, "message.not_found");
    await remove(ada, randomUUID()).refused(404, "message.not_found");
    await leave(cleo);
    await remove(cleo, id).refused(403, "team.not_a_member");
    await api.delete(`/api/teams/${randomUUID()}/messages/${id}`, ben).refused(404, "team.not_found");
  });

  it("by an admin who is not its sender leaves a row in the audit log; by others it leaves none", async () => {
    const admin = await api.person({ role: "admin" });
    const events = () => api.query`select actor_id, actor_role, action, target_type, target_id, changed
      from nectar.audit_events where target_type = 'message' and actor_id = ${admin.id}`;
    await api.get(path(), admin).refused(403, "team.not_a_reader");
    const id = await sent(ben);
    await remove(admin, id).ok();
    const actor = { actor_id: admin.id, actor_role: "admin" };
    const target = { target_type: "message", target_id: id };
    expect(await events()).toEqual([{ ...actor, action: "deleteTeamMessage", ...target, changed: [] }]);
    await remove(admin, id).refused(403, "team.not_a_reader");
    await remove(ada, await sent(ben)).ok();
    await remove(ben, await sent(ben)).ok();
    expect(await api.query`select from nectar.audit_events where target_type = 'message'`).toHaveLength(1);
    const { events: shown } = await api.get(`/api/admin/audit?target_id=${id}`, superAdmin).ok();
    expect(shown).toMatchObject([{ action: "deleteTeamMessage", target_type: "message" }]);
  });

  it("by two people at once is done by one of them", async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await sent(ben);
      const statuses = (await Promise.all([remove(ben, id), remove(ada, id)])).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 404]);
    }
  });
});

describe("messages are deleted", () => {
  const left = () => api.query`select from nectar.team_messages where team_id = ${scene.teamId}`;

  it.each([
    ["the team", () => `/api/teams/${scene.teamId}`],
    ["the organization", () => `/api/organizations/${scene.orgId}`],
  ])("with %s", async (_, group) => {
    await sent(ben);
    await api.delete(group(), ada).ok();
    expect(await left()).toEqual([]);
  });
});
