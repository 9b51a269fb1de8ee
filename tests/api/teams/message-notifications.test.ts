import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { formSquad } from "#tests/squads";

const api = useApi({ environment: { DATABASE_POOL_SIZE: "20" } });
const ada = beforeEachTest(() => api.person());
const ben = beforeEachTest(() => api.person());
const cleo = beforeEachTest(() => api.person());
const scene = beforeEachTest(() => foundTeam(api, ada, [ben, cleo]));
const readAll = (person: Person) => api.post("/api/notifications/read-all", person).ok();
beforeEach(async () => {
  for (const person of [ben, cleo]) await readAll(person);
});

const send = (as: Person, content = "Hello") =>
  api.post(`/api/teams/${scene.teamId}/messages`, as, { content }).created();
const block = (as: Person, { id }: Person) => api.post("/api/blocks", as, { user_id: id }).created();
const unread = async (person: Person) => (await api.get("/api/notifications?unread=true", person).ok()).notifications;

describe("the notification of messages", () => {
  it("is one per person and room, which counts the unread messages of others", async () => {
    await send(ada);
    await send(ben);
    await send(ada, "What nobody else may read");
    const texts = { title: "New messages in your team", body: "You have 3 unread messages." };
    const data = { team_id: scene.teamId, count: 3 };
    expect(await unread(cleo)).toMatchObject([{ type: "team_message", ...texts, data }]);
    expect(await unread(ben)).toMatchObject([{ data: { team_id: scene.teamId, count: 2 } }]);
    expect(await unread(ada)).toMatchObject([{ data: { count: 1 }, body: "You have 1 unread message." }]);
    expect(JSON.stringify(await unread(cleo))).not.toContain("nobody else");
  });

  it("starts again at one after it was read, and is another one for another room", async () => {
    await send(ada);
    await send(ada);
    await readAll(cleo);
    await send(ada);
    const squad = await formSquad(api, "2031-05-14", [ada, cleo]);
    await api.post("/api/workout-window/squad/2031-05-14/messages", ada, { content: "Hello" }).created();
    expect(await unread(cleo)).toMatchObject([
      { title: "New messages in your squad", data: { squad_id: squad, date: "2031-05-14", count: 1 } },
      { title: "New messages in your team", data: { team_id: scene.teamId, count: 1 } },
    ]);
    const { notifications } = await api.get("/api/notifications", cleo).ok();
    expect(notifications.filter(({ type }) => type === "team_message")).toHaveLength(3);
  });

  it("is not sent across a block in either direction", async () => {
    await block(ben, cleo);
    await send(ben);
    await send(cleo);
    expect([await unread(ben), await unread(cleo)]).toEqual([[], []]);
    expect(await unread(ada)).toMatchObject([{ data: { count: 2 } }]);
  });

  it.each(["blocks", "is blocked by"])("no longer counts messages of a person that the reader %s", async (which) => {
    const squad = await formSquad(api, "2031-05-15", [ada, ben, cleo]);
    const toSquad = () => api.post("/api/workout-window/squad/2031-05-15/messages", cleo, { content: "Hello" });
    for (const sender of [cleo, ada, cleo, ada]) await send(sender);
    await toSquad().created();
    expect(await unread(ben)).toMatchObject([{ data: { count: 1 } }, { data: { count: 4 } }]);
    await (which === "blocks" ? block(ben, cleo) : block(cleo, ben));
    expect(await unread(ben)).toMatchObject([{ body: "You have 2 unread messages.", data: { count: 2 } }]);
    expect(await unread(ada)).toMatchObject([{ data: { squad_id: squad, count: 1 } }, { data: { count: 2 } }]);
    await send(cleo);
    await send(ada);
    await block(cleo, ada);
    await send(ben);
    expect(await unread(ben)).toMatchObject([{ data: { count: 3 } }]);
    expect(await unread(cleo)).toEqual([]);
  });

  it("is not sent to people who have left, or to synthetic users", async () => {
    await api.delete(`/api/teams/${scene.teamId}/members/${ben.id}`, ben).ok();
    await api.query`update nectar.profiles set is_ai = true where id = ${cleo.id}`;
    await send(ada);
    const sent = await api.query`select from nectar.notifications
      where type = 'team_message' and user_id in (${ben.id}, ${cleo.id})`;
    expect(sent).toEqual([]);
  });

  it("counts 50 messages that are sent at once, by several people", async () => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => send(n % 2 === 0 ? ada : ben)));
    expect(await unread(cleo)).toMatchObject([{ data: { count: 50 } }]);
    expect(await unread(ada)).toMatchObject([{ data: { count: 25 } }]);
    expect(await unread(ben)).toMatchObject([{ data: { count: 25 } }]);
  });

  it("counts every message once while its recipient marks it as read again and again", async () => {
    let reading = true;
    const reader = (async () => {
      while (reading) await readAll(cleo);
    })();
    await Promise.all(Array.from({ length: 30 }, () => send(ada)));
    reading = false;
    await reader;
    const { total } = await api.one<{ total: number }>`select sum((data ->> 'count')::int)::int as total
      from nectar.notifications where user_id = ${cleo.id} and type = 'team_message'`;
    expect(total).toBe(30);
  });

  it("is not lost for others if the account of a member is deleted at the same time", async () => {
    const [, ...messages] = await Promise.all([
      api.query`delete from auth.users where id = ${ben.id}`,
      ...Array.from({ length: 20 }, () => send(ada)),
    ]);
    expect(messages).toHaveLength(20);
    expect(await unread(cleo)).toMatchObject([{ data: { count: 20 } }]);
    expect(await api.query`select from nectar.profiles where id = ${ben.id}`).toEqual([]);
  });
});
