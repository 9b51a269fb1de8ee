import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";

const api = useApi({ environment: { DATABASE_POOL_SIZE: "20" } });
const ada = beforeTests(() => api.person({ fullName: "Ada" }));
const ben = beforeTests(() => api.person({ fullName: "Ben" }));
const cleo = beforeTests(() => api.person({ fullName: "Cleo" }));
/** In the organization, not in the team. */
const orgMate = beforeTests(() => api.person());
const stranger = beforeTests(() => api.person());
const admin = beforeTests(() => api.person({ role: "admin" }));
const root = beforeTests(() => api.person({ role: "super_admin" }));
const scene = beforeTests(async () => {
  const founded = await foundTeam(api, ada, [ben, cleo]);
  await api.post(`/api/organizations/${founded.orgId}/members`, ada, { user_id: orgMate.id }).created();
  return founded;
});

// The tests together send more than a person may in a minute.
beforeEach(() => api.query`delete from private.quota_uses`);

const METADATA = () => ({ metadata_visibility: "team", team_id: scene.teamId });
const TEAM = () => ({ ...METADATA(), content_visibility: "team" });
const PUBLIC = { metadata_visibility: "public", content_visibility: "public" };

type Make = (fields: object, as?: Person) => Promise<string>;
const makeEntry: Make = async (fields, as = ada) => (await write(api, as, { ...fields })).id;
const makeGoal: Make = async (fields, as = ada) =>
  (await api.post("/api/goals", as, { title: "Run", ...fields }).created()).goal.id;

interface Thing {
  readonly comment_count: number;
  readonly comments_enabled: boolean;
  readonly updated_at: string;
}

describe.each([
  ["an entry", "entry", "journal", makeEntry],
  ["a goal", "goal", "goals", makeGoal],
] as const)("a comment on %s", (_, noun, group, make) => {
  const thing = (id: string) => `/api/${group}/${id}` as const;
  const path = (id: string) => `${thing(id)}/comments` as const;
  const unseen = noun === "entry" ? "journal.not_found" : "goal.not_found";
  const send = (id: string, as: Person, content = "Well done") => api.post(path(id), as, { content });
  const sent = async (id: string, as: Person, content?: string) => (await send(id, as, content).created()).comment.id;
  const list = async (id: string, as: Person) => (await api.get(path(id), as).ok()).comments;
  const contents = async (id: string, as: Person) => (await list(id, as)).map(({ content }) => content);
  const remove = (id: string, comment: string, as: Person) => api.delete(`${path(id)}/${comment}`, as);
  const read = async (id: string, as: Person): Promise<Thing> =>
    JSON.parse((await api.send("GET", thing(id), { as })).text)[noun];

  it("is listed for everyone who sees the content, newest first, and counted", async () => {
    const id = await make(TEAM());
    expect(await read(id, ada)).toMatchObject({ comment_count: 0, comments_enabled: true });
    const { comment } = await send(id, ben, "  Well done\n").created();
    expect(comment).toEqual({
      id: expect.any(String),
      entry_id: noun === "entry" ? id : null,
      goal_id: noun === "goal" ? id : null,
      author: { id: ben.id, full_name: "Ben", avatar_url: null, is_ai: false },
      content: "Well done",
      created_at: expect.any(String),
    });
    await sent(id, ada, "Thanks");
    for (const reader of [ada, ben, cleo, root]) {
      expect((await list(id, reader)).at(1)).toEqual(comment);
      expect(await contents(id, reader)).toEqual(["Thanks", "Well done"]);
      expect(await read(id, reader)).toMatchObject({ comment_count: 2 });
    }
    for (const other of [orgMate, stranger]) {
      await api.get(path(id), other).refused(404, unseen);
      await send(id, other).refused(404, unseen);
      await remove(id, comment.id, other).refused(404, unseen);
    }
    const { comments, next_cursor } = await api.get(`${path(id)}?limit=1`, cleo).ok();
    expect(comments).toMatchObject([{ content: "Thanks" }]);
    const rest = await api.get(`${path(id)}?limit=1&cursor=${next_cursor}`, cleo).ok();
    expect(rest).toMatchObject({ comments: [{ content: "Well done" }], next_cursor: null });
  });

  it("has 1 to 2,000 characters after trimming", async () => {
    const id = await make({});
    await send(id, ada, "é".repeat(2000)).created();
    await send(id, ada, "é".repeat(2001)).invalid("content");
  });

  it("follows the content: who sees only the metadata neither reads nor writes it, nor sees how many there are", async () => {
    const id = await make(TEAM());
    const comment = await sent(id, ben);
    await api.put(thing(id), ada, { content_visibility: "user" }).ok();
    await api.get(path(id), ben).refused(403, "comment.hidden");
    await send(id, ben).refused(403, "comment.hidden");
    await remove(id, comment, cleo).refused(403, "comment.not_yours");
    await remove(id, randomUUID(), cleo).refused(404, "comment.not_found");
    expect(await read(id, ben)).toMatchObject({ comment_count: 0 });
    expect(await read(id, ada)).toMatchObject({ comment_count: 1 });
    await api.put(thing(id), ada, { metadata_visibility: "user" }).ok();
    await api.get(path(id), ben).refused(404, unseen);
    expect(await contents(id, ada)).toEqual(["Well done"]);
    await api.put(thing(id), ada, TEAM()).ok();
    expect(await contents(id, cleo)).toEqual(["Well done"]);
    expect(await read(id, cleo)).toMatchObject({ comment_count: 1 });
  });

  it("on public content is for people of an organization of the author, and read by everyone", async () => {
    const id = await make(PUBLIC);
    await send(id, orgMate).created();
    expect(await contents(id, stranger)).toEqual(["Well done"]);
    for (const other of [stranger, admin, root]) await send(id, other).refused(403, "comment.not_allowed");
    await api.put(thing(id), ada, { metadata_visibility: "org", org_id: scene.orgId }).ok();
    await send(id, orgMate).created();
    await send(id, root).refused(403, "comment.not_allowed");
  });

  it("by a super admin is as by anyone else", async () => {
    const id = await make(TEAM());
    await send(id, root).refused(403, "comment.not_allowed");
    await api.post(`/api/organizations/${scene.orgId}/members`, ada, { user_id: root.id }).created();
    await send(id, root).refused(403, "comment.not_allowed");
    await api.post(`/api/teams/${scene.teamId}/members`, ada, { user_id: root.id }).created();
    await send(id, root).created();
    await api.delete(`/api/organizations/${scene.orgId}/members/${root.id}`, root).ok();
  });

  it("is refused for everyone while its author takes none", async () => {
    const id = await make({ ...TEAM(), comments_enabled: false });
    expect(await read(id, ben)).toMatchObject({ comments_enabled: false });
    for (const person of [ada, ben]) await send(id, person).refused(409, "comment.closed");
    await send(id, root).refused(403, "comment.not_allowed");
    await api.put(thing(id), ada, { comments_enabled: true }).ok();
    const comment = await sent(id, ben);
    const before = await read(id, ada);
    await api.put(thing(id), ada, { comments_enabled: false }).ok();
    expect(before.updated_at).not.toBe((await read(id, ada)).updated_at);
    expect(await contents(id, ben)).toEqual(["Well done"]);
    await remove(id, comment, ben).ok();
    await api.put(thing(id), ada, { comments_enabled: null }).invalid("comments_enabled");
  });

  it("is deleted by its author, the author of the thing, and admins, who leave a row in the audit log", async () => {
    const id = await make(TEAM());
    for (const remover of [ben, ada]) {
      const comment = await sent(id, ben);
      await remove(id, comment, cleo).refused(403, "comment.not_yours");
      await remove(id, comment, remover).ok();
      await remove(id, comment, remover).refused(404, "comment.not_found");
      expect(await list(id, cleo)).toEqual([]);
      expect(await read(id, cleo)).toMatchObject({ comment_count: 0 });
    }
    const comment = await sent(id, ben);
    await remove(id, comment, admin).ok();
    const events = await api.query`select actor_id, action from nectar.audit_events where target_id = ${comment}`;
    const action = noun === "entry" ? "deleteJournalComment" : "deleteGoalComment";
    expect(events).toEqual([{ actor_id: admin.id, action }]);
    const unseenByAuthor = await sent(id, ben);
    await api.put(thing(id), ada, { metadata_visibility: "user" }).ok();
    await remove(id, unseenByAuthor, ben).ok();
    expect(await list(id, ada)).toEqual([]);
  });

  it("is found below its own thing only", async () => {
    const [id, other] = [await make(TEAM()), await make(TEAM())];
    const comment = await sent(id, ben);
    const elsewhere = `/api/${noun === "entry" ? "goals" : "journal"}/${id}/comments` as const;
    const missing = noun === "entry" ? "goal.not_found" : "journal.not_found";
    await api.get(elsewhere, ada).refused(404, missing);
    await api.post(elsewhere, ada, { content: "Hello" }).refused(404, missing);
    await api.delete(`${elsewhere}/${comment}`, ada).refused(404, missing);
    await remove(other, comment, ben).refused(404, "comment.not_found");
    await api.delete(`/api/teams/${scene.teamId}/messages/${comment}`, ben).refused(404, "message.not_found");
    expect((await api.get(`/api/teams/${scene.teamId}/messages`, ben).ok()).team_messages).toEqual([]);
  });

  it("is left out across a block, also on what is shared with a team of both", async () => {
    const id = await make(TEAM());
    await sent(id, ben, "from Ben");
    await sent(id, cleo, "from Cleo");
    await api.post("/api/blocks", ben, { user_id: cleo.id }).created();
    expect([await contents(id, ben), await contents(id, cleo)]).toEqual([["from Ben"], ["from Cleo"]]);
    for (const other of [ada, ben, cleo]) expect(await read(id, other)).toMatchObject({ comment_count: 2 });
    await api.delete(`/api/blocks/${cleo.id}`, ben).ok();
    await api.post("/api/blocks", ada, { user_id: ben.id }).created();
    await send(id, ben, "still here").created();
    expect([await contents(id, ben), await contents(id, ada)]).toEqual([
      ["still here", "from Cleo", "from Ben"],
      ["from Cleo"],
    ]);
    await api.put(thing(id), ada, PUBLIC).ok();
    await send(id, ben).refused(404, unseen);
    await api.delete(`/api/blocks/${ben.id}`, ada).ok();
  });

  it("that is hidden is seen by its sender and super admins only, and is still counted", async () => {
    const id = await make(TEAM());
    const comment = await sent(id, ben);
    const report = (as: Person, target = comment) =>
      api.post("/api/reports", as, { target_type: "message", target_id: target, reason: "spam" });
    await report(ben).refused(400, "report.own_thing");
    await report(orgMate).refused(404, "report.target_not_found");
    const { report: made } = await report(cleo).created();
    const decision = { decision: "hide", reason: "This is an advertisement." };
    await api.put(`/api/admin/reports/${made.id}`, admin, decision).ok();
    for (const [reader, count] of [
      [ada, 0],
      [ben, 1],
      [cleo, 0],
      [root, 1],
    ] as const) {
      expect(await list(id, reader)).toHaveLength(count);
      expect(await read(id, reader)).toMatchObject({ comment_count: 1 });
    }
    const other = await sent(id, ben);
    await api.put(thing(id), ada, { content_visibility: "user" }).ok();
    await report(cleo, other).refused(404, "report.target_not_found");
    await api.post("/api/blocks", cleo, { user_id: ben.id }).created();
    await api.put(thing(id), ada, { content_visibility: "team" }).ok();
    await report(cleo, other).created();
    await api.delete(`/api/blocks/${ben.id}`, cleo).ok();
  });

  it("that a super admin reads by nothing else is logged as a read of the thing", async () => {
    const id = await make({});
    await sent(id, ada);
    const reads = async () =>
      (await api.get("/api/user/access-log", ada).ok()).reads.filter((row) => id === (row.entry_id ?? row.goal_id));
    expect(await reads()).toEqual([]);
    await list(id, root);
    expect(await reads()).toMatchObject([{ by: { id: root.id } }]);
    const shared = await make(PUBLIC);
    await list(shared, root);
    expect(await api.query`select from private.logged_reads where ${shared} in (entry_id, goal_id)`).toEqual([]);
  });

  it("counts against the limit of messages, 60 a minute", async () => {
    const id = await make({});
    await leaveQuota(api.adminUrl, ada, "team_message", 1);
    await send(id, ada).created();
    await send(id, ada).refused(429, "quota.exhausted");
  });

  it("goes with the account of its author, which is counted, and of the author of the thing", async () => {
    const guest = await api.person();
    await api.post(`/api/organizations/${scene.orgId}/members`, ada, { user_id: guest.id }).created();
    const id = await make(PUBLIC);
    await sent(id, guest);
    await sent(id, ben);
    await api.query`delete from auth.users where id = ${guest.id}`;
    expect(await read(id, ada)).toMatchObject({ comment_count: 1 });
    const host = await api.person();
    await api.post(`/api/organizations/${scene.orgId}/members`, ada, { user_id: host.id }).created();
    const hosted = await make(PUBLIC, host);
    await sent(hosted, ben);
    await api.query`delete from auth.users where id = ${host.id}`;
    expect(await api.query`select from nectar.team_messages where room_id = ${hosted}`).toEqual([]);
  });

  it("racing with what hides the thing is there before, or 404", async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await make(TEAM());
      const hide = () =>
        round % 2 === 0 ? api.delete(thing(id), ada) : api.put(thing(id), ada, { metadata_visibility: "user" });
      const [, comment] = await Promise.all([hide(), send(id, ben)]);
      expect([201, 404]).toContain(comment.status);
      await send(id, ben).refused(404, unseen);
      const deletesForGood = noun === "goal" && round % 2 === 0;
      const left = await api.query`select from nectar.team_messages where room_id = ${id}`;
      expect(left).toHaveLength(comment.status === 201 && !deletesForGood ? 1 : 0);
    }
  });

  it("by 20 people at once is counted exactly", async () => {
    const id = await make(TEAM());
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(id, n % 2 === 0 ? ben : cleo).created()));
    expect(await read(id, ada)).toMatchObject({ comment_count: 20 });
  });
});

describe("comments and the trash", () => {
  it("are kept with the entry and come back with it, or are deleted with it", async () => {
    const entry = await write(api, ada, TEAM());
    const path = `/api/journal/${entry.id}/comments` as const;
    const { comment } = await api.post(path, ben, { content: "Well done" }).created();
    await api.post(path, cleo, { content: "Indeed" }).created();
    await api.delete(`/api/journal/${entry.id}`, ada).ok();
    for (const person of [ada, ben, root]) await api.get(path, person).refused(404, "journal.not_found");
    await api.delete(`${path}/${comment.id}`, ben).ok();
    const { entry: restored } = await api.post(`/api/journal/${entry.id}/restore`, ada).ok();
    expect(restored).toMatchObject({ comment_count: 1, comments_enabled: true });
    expect((await api.get(path, ben).ok()).comments).toMatchObject([{ content: "Indeed" }]);
    await api.delete(`/api/journal/${entry.id}`, ada).ok();
    await api.delete(`/api/journal/trash/${entry.id}`, ada).ok();
    expect(await api.query`select from nectar.team_messages where room_id = ${entry.id}`).toEqual([]);
  });
});
