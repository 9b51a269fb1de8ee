import { describe, expect, it } from "vitest";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { formSquad } from "#tests/squads";
import { matchingScene } from "../matching/matching-scene.ts";

const { api, game } = matchingScene();
/** A Wednesday. */
const DATE = "2031-05-14";
const ada = beforeEachTest(() => api.person({ fullName: "Ada" }));
const ben = beforeEachTest(() => api.person());
const cleo = beforeEachTest(() => api.person());
const stranger = beforeTests(() => api.person());
const squad = beforeEachTest(async () => ({ id: await formSquad(api, DATE, [ada, ben, cleo]) }));

const path = (date: string = DATE) => `/api/workout-window/squad/${date}/messages` as const;
const send = (as: Person, content = "Hello", date: string = DATE) => api.post(path(date), as, { content });
const list = async (as: Person) => (await api.get(path(), as).ok()).teamMessages;
const remove = (as: Person, id: string, date: string = DATE) => api.delete(`${path(date)}/${id}`, as);

describe("a message to a squad", () => {
  it("is listed for all of its members, newest first, a page at a time", async () => {
    const { teamMessage } = await send(ada, " On my way ").created();
    const sender = { id: ada.id, full_name: "Ada", avatar_url: null, is_ai: false };
    expect(teamMessage).toMatchObject({ team_id: null, squad_id: squad.id, sender, content: "On my way" });
    await send(ben, "Me too").created();
    for (const member of [ada, ben, cleo]) expect((await list(member))[1]).toEqual(teamMessage);
    const first = await api.get(`${path()}?limit=1`, cleo).ok();
    expect(first.teamMessages).toMatchObject([{ content: "Me too" }]);
    const second = await api.get(`${path()}?limit=1&cursor=${first.nextCursor}`, cleo).ok();
    expect(second).toEqual({ teamMessages: [teamMessage], nextCursor: null });
  });

  it("is only for those who are in the squad of that date", async () => {
    await send(ada).created();
    await api.get(path(), stranger).refused(404, "game.no_squad");
    await send(stranger).refused(404, "game.no_squad");
    await api.get(path("2031-05-15"), ada).refused(404, "game.no_squad");
    await send(ada, "Hello", "2031-05-15").refused(404, "game.no_squad");
    const others = await formSquad(api, DATE, [await api.person(), await api.person()]);
    expect(await api.query`select from nectar.team_messages where squad_id = ${others}`).toEqual([]);
  });

  it("shares the limit per minute with messages to teams", async () => {
    await leaveQuota(api.adminUrl, ada, "team_message", 1);
    await send(ada).created();
    await send(ada).refused(429, "quota.exhausted");
  });

  it("is left out if there is a block, and if it is hidden", async () => {
    await send(ada, "from Ada").created();
    const { teamMessage } = await send(ben, "from Ben").created();
    await api.post("/api/blocks", cleo, { user_id: ada.id }).created();
    expect(await list(cleo)).toMatchObject([{ content: "from Ben" }]);
    await api.query`update nectar.team_messages set hidden_at = now() where id = ${teamMessage.id}`;
    expect(await list(cleo)).toEqual([]);
    expect(await list(ben)).toHaveLength(2);
  });
});

describe("deleting a message to a squad", () => {
  it("is for its sender and for admins, who leave a row in the audit log", async () => {
    const admin = await api.person({ role: "admin" });
    const first = (await send(ada).created()).teamMessage.id;
    await remove(ben, first).refused(403, "message.not_yours");
    await remove(stranger, first).refused(404, "game.no_squad");
    await remove(ada, first, "2031-05-15").refused(404, "game.no_squad");
    await remove(ada, first).ok();
    await remove(ada, first).refused(404, "message.not_found");
    const second = (await send(ada).created()).teamMessage.id;
    await remove(admin, second).ok();
    expect(await list(ada)).toEqual([]);
    const row = await api.one`select actor_id, action, target_id from nectar.audit_events
      where target_type = 'message'`;
    expect(row).toEqual({ actor_id: admin.id, action: "deleteSquadMessage", target_id: second });
  });
});

describe("when matching forms squads again,", () => {
  it("messages of a squad that goes on stay, for its new member as well, and those who left read nothing", async () => {
    api.at(`${DATE}T03:00:00Z`);
    const [first, second, third] = await game.players("Essen", [4, 8, 10]);
    await send(first, "Good morning").created();
    // The window of the first one has opened, so that their squad goes on.
    api.at(`${DATE}T04:30:00Z`);
    await api.put("/api/workout-window/update-location", third, { city: "Bonn" }).ok();
    const newcomer = await game.player("Essen", 12);
    for (const member of [newcomer, second]) expect(await list(member)).toMatchObject([{ content: "Good morning" }]);
    await api.get(path(), third).refused(404, "game.no_squad");
  });

  it("messages of a squad that has not begun and is dissolved are deleted with it", async () => {
    api.at(`${DATE}T03:00:00Z`);
    const people = await game.players("Trier", [8, 10, 12]);
    const [first, second, third] = people;
    await send(first, "Good morning").created();
    await api.put("/api/workout-window/update-location", third, { city: "Bonn" }).ok();
    const squads = (await game.rows(DATE)).filter(({ user_id }) => people.some(({ id }) => id === user_id));
    expect(squads.map(({ squad_id }) => squad_id)).toEqual([null, null, null]);
    await api.get(path(), second).refused(404, "game.no_squad");
    expect(await api.query`select from nectar.team_messages where sender_id = ${first.id}`).toEqual([]);
  });
});
