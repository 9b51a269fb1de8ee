import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { UNREAD_STORE } from "#tests/file-store";
import { foundTeam, write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { Device, horizon, pageAfter } from "./device.ts";

const api = useApi({ environment: UNREAD_STORE });
const ada = beforeEachTest(() => api.person());

const TYPES = ["entry", "goal", "goal_check_in", "notebook", "picture", "profile", "wellness_entry"];

/** One thing of each type, as it was returned. */
async function makeAll(as: Person) {
  const { notebook } = await api.post("/api/notebooks", as, { name: "Walks", template: "Where?" }).created();
  const entry = await write(api, as, { notebook_id: notebook.id, tags: ["Lake"], mood: "calm" });
  const { goal } = await api.post("/api/goals", as, { title: "Run", description: "In spring" }).created();
  const body = { status: "completed", notes: "5 km" };
  const { check_in } = await api.post(`/api/goals/${goal.id}/check-ins`, as, body).created();
  const sleep = { type: "sleep", hours: 7.25 };
  const { wellness_entry } = await api.post("/api/wellness-entries", as, sleep).created();
  const picture = await addPicture(entry.id, as);
  await horizon(api);
  return { notebook, entry, goal, check_in, wellness_entry, picture };
}

/** A picture without files. */
async function addPicture(entryId: string, as: Person) {
  return api.one<{ id: string }>`
    insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, width, height, size_bytes)
    select gen_random_uuid(), gen_random_uuid(), ${as.id}, ${entryId}, count(*), 8, 6, 99
    from nectar.entry_pictures where entry_id = ${entryId} returning id`;
}

const namesOf = (changes: readonly { type: string; removed: boolean }[]) =>
  changes.map(({ type, removed }) => `${type}${removed ? " removed" : ""}`).toSorted();

describe("the first walk", () => {
  it("has everything that is mine, as its GET shows it, and nothing of others", async () => {
    await makeAll(await api.person());
    const made = await makeAll(ada);
    const { changes, has_more } = await pageAfter(api, ada, null);
    expect(has_more).toBe(false);
    expect(namesOf(changes)).toEqual(TYPES);
    const found = Object.fromEntries(changes.map((change) => [change.type, change]));
    const read = async (path: string) => api.send("GET", path, { as: ada });
    for (const [type, path] of [
      ["entry", `/api/journal/${made.entry.id}`],
      ["notebook", `/api/notebooks/${made.notebook.id}`],
      ["goal", `/api/goals/${made.goal.id}`],
      ["wellness_entry", `/api/wellness-entries/${made.wellness_entry.id}`],
      ["profile", "/api/user/profile"],
    ] as const) {
      const { body, headers } = await read(path);
      const { pictures: _, check_ins: __, ...data } = Object(body)[type];
      expect(found[type]).toEqual({ type, id: data.id, removed: false, etag: headers.get("etag"), data });
    }
    expect(found.goal_check_in).toMatchObject({ id: made.check_in.id, data: made.check_in });
    expect(found.picture?.data).toEqual({
      ...{ id: made.picture.id, entry_id: made.entry.id, position: 0, caption: null },
      ...{ width: 8, height: 6, size_bytes: 99, created_at: expect.any(String) },
    });
  });

  it("has nothing that was removed, and comes in pages that have each thing once", async () => {
    const { entry, wellness_entry } = await makeAll(ada);
    await write(api, ada);
    await api.delete(`/api/journal/${entry.id}`, ada).ok();
    await api.delete(`/api/wellness-entries/${wellness_entry.id}`, ada).ok();
    await horizon(api);
    const device = new Device(api, ada);
    const came = await device.pull({ limit: 1 });
    expect(namesOf(came)).toEqual(["entry", "goal", "goal_check_in", "notebook", "profile"]);
    expect(await device.pull()).toEqual([]);
  });

  it("has rows that came from another cluster, whose transactions have greater numbers", async () => {
    const { entry } = await makeAll(ada);
    await api.query`update nectar.journal_entries set version = '1000000000000' where id = ${entry.id}`;
    const device = new Device(api, ada);
    expect(namesOf(await device.pull({ limit: 2 }))).toEqual(TYPES);
    await api.put(`/api/journal/${entry.id}`, ada, { title: "Changed here" }).ok();
    await horizon(api);
    expect(await device.pull()).toMatchObject([{ type: "entry", data: { title: "Changed here" } }]);
  });
});

describe("a later walk", () => {
  it("has what changed since, once and in its newest state", async () => {
    const { entry, goal, notebook } = await makeAll(ada);
    const device = new Device(api, ada);
    await device.pull();
    for (const title of ["One", "Two"]) await api.put(`/api/journal/${entry.id}`, ada, { title }).ok();
    await api.put(`/api/goals/${goal.id}`, ada, { description: "In autumn" }).ok();
    await api.put(`/api/notebooks/${notebook.id}`, ada, { template: "When?" }).ok();
    await api.put("/api/user/profile", ada, { full_name: "Ada" }).ok();
    await horizon(api);
    const came = await device.pull({ limit: 1 });
    expect(namesOf(came)).toEqual(["entry", "goal", "notebook", "profile"]);
    expect(came.find(({ type }) => type === "entry")?.data).toMatchObject({ title: "Two" });
    expect(await device.pull()).toEqual([]);
  });

  it("says what was removed, without its text, and pictures and check-ins by themselves", async () => {
    const { entry, goal, check_in, picture } = await makeAll(ada);
    const device = new Device(api, ada);
    await device.pull();
    await api.delete(`/api/journal/${entry.id}`, ada).ok();
    await api.delete(`/api/goals/${goal.id}`, ada).ok();
    await horizon(api);
    const came = await device.pull();
    expect(came).toHaveLength(4);
    for (const [type, id] of [
      ["entry", entry.id],
      ["goal", goal.id],
      ["goal_check_in", check_in.id],
      ["picture", picture.id],
    ]) {
      expect(came).toContainEqual({ type, id, removed: true, etag: null, data: null });
    }
    await api.post(`/api/journal/${entry.id}/restore`, ada).ok();
    await horizon(api);
    expect(namesOf(await device.pull())).toEqual(["entry", "picture"]);
    expect(device.things.get(`entry ${entry.id}`)?.data).toMatchObject({ title: "Title" });
  });

  it("shows what was removed and restored meanwhile as changed only", async () => {
    const { entry } = await makeAll(ada);
    const device = new Device(api, ada);
    await device.pull();
    await api.delete(`/api/journal/${entry.id}`, ada).ok();
    await api.post(`/api/journal/${entry.id}/restore`, ada).ok();
    await horizon(api);
    expect(namesOf(await device.pull())).toEqual(["entry", "picture"]);
  });

  it("has check-ins whose notes alone change, what an admin hides, and entries of a deleted notebook", async () => {
    const { entry, goal, check_in, notebook } = await makeAll(ada);
    const device = new Device(api, ada);
    await device.pull();
    await api.put(`/api/goals/${goal.id}/check-ins/${check_in.id}`, ada, { notes: "6 km" }).ok();
    await api.query`update nectar.goals set hidden_at = now() where id = ${goal.id}`;
    await api.delete(`/api/notebooks/${notebook.id}`, ada).ok();
    await horizon(api);
    expect(namesOf(await device.pull())).toEqual(["entry", "goal", "goal_check_in", "notebook removed"]);
    expect(device.things.get(`entry ${entry.id}`)?.data).toMatchObject({ notebook_id: null });
    expect(device.things.get(`goal ${goal.id}`)?.data).toMatchObject({ moderation: "hidden" });
    expect(device.things.get(`goal_check_in ${check_in.id}`)?.data).toMatchObject({ notes: "6 km" });
  });

  it("is empty when only counts, streaks, names, balances or audiences changed", async () => {
    const { entry, goal, check_in } = await makeAll(ada);
    const { orgId, teamId } = await foundTeam(api, await api.person(), [ada]);
    const shared = { metadata_visibility: "team", team_id: teamId, org_id: orgId };
    await api.put(`/api/journal/${entry.id}`, ada, shared).ok();
    await horizon(api);
    const device = new Device(api, ada);
    await device.pull();
    await api.post(`/api/journal/${entry.id}/comments`, ada, { content: "Nice" }).created();
    await api.query`update nectar.accounts set drops_balance = drops_balance + 1 where user_id = ${ada.id}`;
    await api.delete(`/api/organizations/${orgId}/members/${ada.id}`, ada).ok();
    await api.put(`/api/goals/${goal.id}/check-ins/${check_in.id}`, ada, { status: "missed" }).ok();
    await horizon(api);
    expect(namesOf(await device.pull())).toEqual(["goal_check_in"]);
  });
});

describe("a change that commits late", () => {
  it("is in a later walk, whatever was pulled meanwhile", async () => {
    const { wellness_entry: old } = await makeAll(ada);
    const device = new Device(api, ada);
    await device.pull();
    const late = await api.inTransaction(async ({ query, one }) => {
      const { id } = await one<{ id: string }>`
        insert into nectar.wellness_entries (user_id, type, content) values (${ada.id}, 'action_note', 'Late') returning id`;
      await query`delete from nectar.wellness_entries where id = ${old.id}`;
      const soon = await write(api, ada);
      const came = await device.pull();
      // It has a later version than what is open, so it waits as well.
      expect(came).toEqual([]);
      await query`commit`;
      return { id, soon: soon.id };
    });
    await horizon(api);
    expect((await device.pull()).map(({ id }) => id).toSorted()).toEqual([late.id, late.soon, old.id].toSorted());
  });
});

describe("a cursor", () => {
  const expired = (cursor: string, as = ada, query = "") =>
    api.get(`/api/changes?cursor=${cursor}${query}` as "/api/changes", as).refused(410, "sync.cursor_expired");
  const cursorOf = async (query = "") =>
    (await api.get(`/api/changes?limit=1${query}` as "/api/changes", ada).ok()).next_cursor;

  it("that is not ours, of another person, or forged is refused", async () => {
    const cursor = await cursorOf();
    await expired(cursor, await api.person());
    for (const text of ["", "x", "null", createHash("sha256").digest("base64url"), `${cursor.slice(0, -4)}AAAA`]) {
      await expired(encodeURIComponent(text));
    }
    await expired(Buffer.from(JSON.stringify({ after: "0", bound: null })).toString("base64url"));
    await api.get(`/api/changes?cursor=${cursor}` as "/api/changes", ada).ok();
  });

  it("belongs to its types and scopes", async () => {
    const cursor = await cursorOf("&types=entry,goal");
    await expired(cursor);
    await expired(cursor, ada, "&types=goal");
    await api.get(`/api/changes?types=goal,entry&cursor=${cursor}` as "/api/changes", ada).ok();
    const body = { name: "Phone", scopes: ["journal:read"] };
    const { token } = await api.post("/api/user/tokens", ada, body).created();
    const program = { ...ada, token: token.secret ?? "" };
    await expired(cursor, program, "&types=entry,goal");
  });

  it.each([
    [89.9, 200],
    [90.1, 410],
  ])("that is %d days old gets %d", async (days, status) => {
    const cursor = await cursorOf();
    api.at(new Date(Date.now() + days * 86_400_000));
    expect((await api.get(`/api/changes?cursor=${cursor}` as "/api/changes", ada)).status).toBe(status);
  });

  it("ends when a dump is loaded into the tables, which are truncated before", async () => {
    const cursor = await cursorOf();
    await api.query("truncate private.removed_things");
    await expired(cursor);
  });

  it("ends with a restore of the database", async () => {
    const cursors = [await cursorOf()];
    const [definition] = await api.query<{ text: string }>`
      select pg_get_functiondef('private.change_horizon'::regproc) as text`;
    const text = definition?.text ?? "";
    const timeline = text.replace("left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)", "'000000FF'");
    const earlier = text.replace("next := pg_snapshot_xmax(pg_current_snapshot())", "next := '4'");
    expect(new Set([text, timeline, earlier]).size).toBe(3);
    try {
      for (const restored of [timeline, earlier]) {
        await api.query(restored);
        for (const cursor of cursors) await expired(cursor);
      }
    } finally {
      await api.query(text);
    }
  });
});

describe("types and scopes", () => {
  const list = (as: Person, query = "") => api.get(`/api/changes${query}` as "/api/changes", as);
  const programOf = async (...scopes: string[]) => {
    const { token } = await api.post("/api/user/tokens", ada, { name: "Phone", scopes }).created();
    return { ...ada, token: token.secret ?? "" };
  };

  it("narrow the feed; what a program may not read is left out, also if it asks for it", async () => {
    await makeAll(ada);
    expect(namesOf((await list(ada, "?types=goal,entry").ok()).changes)).toEqual(["entry", "goal"]);
    const reader = await programOf("journal:write", "wellness:read");
    expect(namesOf((await list(reader).ok()).changes)).toEqual(["entry", "notebook", "picture", "wellness_entry"]);
    expect(namesOf((await list(reader, "?types=goal,notebook").ok()).changes)).toEqual(["notebook"]);
    await list(reader, "?types=goal").refused(403, "auth.scope_missing");
    await list(await programOf("drops:read"), "").refused(403, "auth.scope_missing");
  });

  it.each(["", "entries", "entry,", "entry;goal"])("refuse %j", async (types) => {
    await list(ada, `?types=${types}`).invalid("types");
  });

  it.each(["0", "-1", "1.5", "x"])("refuse the limit %s", async (limit) => {
    await list(ada, `?limit=${limit}`).invalid("limit");
  });
});

it("a person is served 60 times a minute; refused calls do not count", async () => {
  await leaveQuota(api.adminUrl, ada, "changes", 1);
  await api.get("/api/changes?types=none" as "/api/changes", ada).invalid("types");
  await api.get("/api/changes?cursor=none" as "/api/changes", ada).refused(410);
  await api.get("/api/changes", ada).ok();
  await api.get("/api/changes", ada).refused(429, "quota.exhausted");
});

it("a page ends before it is too large, and none of its entries is missing", async () => {
  const content = "\u0001".repeat(99_000);
  for (let n = 0; n < 9; n += 1) await write(api, ada, { title: String(n), content });
  await horizon(api);
  const first = await pageAfter(api, ada, null);
  expect(first.has_more).toBe(true);
  expect(JSON.stringify(first).length).toBeLessThan(6_000_000);
  const device = new Device(api, ada);
  expect(namesOf(await device.pull())).toEqual([...Array<string>(9).fill("entry"), "profile"]);
});

it("nothing is remembered of an account that is erased", async () => {
  const made = await makeAll(ada);
  await api.delete(`/api/wellness-entries/${made.wellness_entry.id}`, ada).ok();
  const removed = () => api.query`select type from private.removed_things where user_id = ${ada.id}`;
  expect(await removed()).toEqual([{ type: "wellness_entry" }]);
  await api.query`delete from auth.users where id = ${ada.id}`;
  expect(await removed()).toEqual([]);
});
