import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();

// A change of a notebook writes only its newest entry at once.
beforeTests(
  () =>
    api.query`
    create or replace function private.max_settled_at_once() returns integer
      language sql immutable security invoker return 1
  `,
);

it.each([
  ["made private", "content_visibility = 'user'"],
  ["hidden by an admin", "hidden_at = now()"],
])("no content is inherited from a notebook that was %s, whatever is not written yet", async (_, change) => {
  const [author, reader] = [await api.person(), await api.person()];
  const diary = { name: "Diary", content_visibility: "public" };
  const { notebook } = await api.post("/api/notebooks", author, diary).created();
  for (const title of ["Monday", "Tuesday"]) {
    await write(api, author, { title, notebook_id: notebook.id, metadata_visibility: "public" });
  }
  const readable = () =>
    api.database.asUser(reader.id, (tx) =>
      tx.selectFrom("journal_entry_contents").select("content").where("user_id", "=", author.id).execute(),
    );
  expect(await readable()).toHaveLength(2);
  // By SQL, so that no task writes the other entry meanwhile.
  await api.query(`update nectar.notebooks set ${change} where id = $1`, [notebook.id]);
  expect(await readable()).toEqual([]);
});

/** A team whose member shares two entries of a notebook and a goal with it; a reader has commented on the older entry and the goal. */
async function shareAndComment() {
  const [lead, author, reader] = [await api.person(), await api.person(), await api.person()];
  const { orgId, teamId } = await foundTeam(api, lead, [author, reader]);
  const shared = { metadata_visibility: "team", content_visibility: "team", team_id: teamId } as const;
  const { notebook } = await api.post("/api/notebooks", author, { name: "Diary", ...shared }).created();
  const entry = await write(api, author, { title: "Monday", notebook_id: notebook.id });
  await write(api, author, { title: "Tuesday", notebook_id: notebook.id });
  const { goal } = await api.post("/api/goals", author, { title: "Run", ...shared }).created();
  const things = { entry: `/api/journal/${entry.id}`, goal: `/api/goals/${goal.id}` } as const;
  const comments = { entry: await comment(things.entry, author), goal: await comment(things.goal, author) };
  for (const thing of Object.values(things)) await comment(thing, reader);
  await api.query`delete from nectar.notifications`;
  return { orgId, teamId, author, reader, notebook, things, comments, ids: { entry: entry.id, goal: goal.id } };
}
type Scene = Awaited<ReturnType<typeof shareAndComment>>;

const comment = async (thing: `/api/journal/${string}` | `/api/goals/${string}`, as: Person) =>
  (await api.post(`${thing}/comments`, as, { content: "Soon" }).created()).comment.id;
const report = (as: Person, target_type: "entry" | "goal" | "message", target_id: string) =>
  api.post("/api/reports", as, { target_type, target_id, reason: "spam" });

/** Whether the reader sees a thing; everything that asks says the same. */
async function isSeen({ author, reader, things, comments, ids }: Scene, kind: "entry" | "goal"): Promise<boolean> {
  const { status } = await api.get(things[kind], reader);
  const found = status === 200;
  expect.soft(status).toBe(found ? 200 : 404);
  expect.soft((await api.get(`${things[kind]}/comments`, reader)).status).toBe(status);
  const { sees } = await api.get(`${things[kind]}/audience/${reader.id}`, author).ok();
  expect.soft(sees).toEqual({ metadata: found, content: found });
  await comment(things[kind], author);
  const notified = await api.query`delete from nectar.notifications where user_id = ${reader.id} returning id`;
  expect.soft(notified).toHaveLength(found ? 1 : 0);
  expect.soft((await report(reader, kind, ids[kind])).status).toBe(found ? 201 : 404);
  expect.soft((await report(reader, "message", comments[kind])).status).toBe(found ? 201 : 404);
  return found;
}

describe("whoever loses access, whatever is not written yet, is not notified of comments, and reports nothing", () => {
  // By SQL, so that no task writes the other entry meanwhile.
  it("if the notebook is made private", async () => {
    const scene = await shareAndComment();
    await api.query`
      update nectar.notebooks set metadata_visibility = 'user', content_visibility = 'user' where id = ${scene.notebook.id}`;
    expect(await isSeen(scene, "entry")).toBe(false);
    expect(await isSeen(scene, "goal")).toBe(true);
  });

  it("if the author leaves the group, until they return: a goal is shared again at once", async () => {
    const scene = await shareAndComment();
    const { author, teamId, orgId } = scene;
    await api.query`delete from nectar.team_members where user_id = ${author.id}`;
    expect(await isSeen(scene, "entry")).toBe(false);
    expect(await isSeen(scene, "goal")).toBe(false);
    await api.query`
      insert into nectar.team_members (team_id, org_id, user_id) values (${teamId}, ${orgId}, ${author.id})`;
    expect(await isSeen(scene, "entry")).toBe(false);
    expect(await isSeen(scene, "goal")).toBe(true);
  });
});

it("an author reads entries as private once their organization is deleted, whatever is not written yet", async () => {
  const [owner, author] = [await api.person(), await api.person()];
  const { orgId, teamId } = await foundTeam(api, owner, [author]);
  const shared = { metadata_visibility: "team", team_id: teamId };
  for (const title of ["Monday", "Tuesday"]) await write(api, author, { title, ...shared });
  // By SQL, so that no task writes the other entry meanwhile.
  await api.query`delete from nectar.organizations where id = ${orgId}`;
  const { entries } = await api.get("/api/journal", author).ok();
  const own = entries.filter((entry) => entry.user_id === author.id);
  expect(own.map((entry) => [entry.title, entry.team_id, entry.effective_metadata_visibility])).toEqual([
    ["Tuesday", null, "user"],
    ["Monday", null, "user"],
  ]);
});
