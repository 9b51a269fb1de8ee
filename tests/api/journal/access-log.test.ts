import { beforeEach, describe, expect, it } from "vitest";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi({ environment: await useFileStore() });
const LOG = "/api/user/access-log";
const root = beforeTests(() => api.person({ role: "super_admin" }));
let ada: Person;
beforeEach(async () => {
  ada = await api.person();
});

const write = async (fields: object = {}, as = ada) =>
  (await api.post("/api/journal", as, { title: "A walk", content: "To the lake", ...fields }).created()).entry;
const readsOf = async (as: Person, search = "") => (await api.get(`${LOG}${search}`, as).ok()).reads;
const entriesRead = async (as = ada) => (await readsOf(as)).map(({ entry_id }) => entry_id).toSorted();

/** An organization of Ada with a team that the super admin is in. */
async function sharedTeam() {
  const { organization } = await api.post("/api/organizations", ada, { name: "Hive" }).created();
  await api.post(`/api/organizations/${organization.id}/members`, ada, { user_id: root.id }).created();
  const { team } = await api.post("/api/teams", ada, { name: "Comb", org_id: organization.id }).created();
  await api.post(`/api/teams/${team.id}/members`, ada, { user_id: root.id }).created();
  return team.id;
}

describe("an entry that a super admin reads and that is not shared with them is logged", () => {
  it("by id, once a day", async () => {
    const entry = await write();
    for (let n = 0; n < 2; n += 1) {
      expect(await api.get(`/api/journal/${entry.id}`, root).ok()).toMatchObject({ entry: { content: "To the lake" } });
    }
    expect(await readsOf(ada)).toEqual([
      {
        at: expect.any(String),
        by: { id: root.id, full_name: expect.any(String), avatar_url: null, is_ai: false },
        entry_id: entry.id,
      },
    ]);
    await api.query`update private.entry_reads set date = date - 1, created_at = created_at - interval '1 day'
      where user_id = ${ada.id}`;
    await api.get(`/api/journal/${entry.id}`, root).ok();
    expect(await readsOf(ada)).toHaveLength(2);
  });

  it("in lists: only the entries of the page that is sent", async () => {
    const [older, newer] = [await write(), await write()];
    const first = await api.get("/api/journal?limit=1", root).ok();
    expect(first.entries.map(({ id }) => id)).toEqual([newer.id]);
    expect(await entriesRead()).toEqual([newer.id]);
    await api.get(`/api/journal?limit=1&cursor=${first.next_cursor}`, root).ok();
    expect(await entriesRead()).toEqual([older.id, newer.id].toSorted());
  });

  it.each(["fields=metadata", "fields=excerpt", "sort=created_at", "limit=100"])("in a list with %s", async (query) => {
    const entry = await write();
    // Everyone else's entries would fill the first page of the oldest ones.
    await api.get(`/api/journal?${query}&from=${entry.created_at}`, root).ok();
    expect(await entriesRead()).toEqual([entry.id]);
  });

  it("in a search: only what was found", async () => {
    const found = await write({ content: "A heron by the quokka reserve" });
    await write();
    await api.get("/api/journal?q=quokka", root).ok();
    expect(await entriesRead()).toEqual([found.id]);
  });

  it("in a list of a notebook", async () => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Lakes" }).created();
    const entry = await write({ notebook_id: notebook.id });
    await api.get(`/api/notebooks/${notebook.id}/entries`, root).ok();
    expect(await entriesRead()).toEqual([entry.id]);
  });

  it("by its background", async () => {
    const entry = await write();
    await api.query`insert into nectar.entry_backgrounds (user_id, entry_id, quality)
      values (${ada.id}, ${entry.id}, 'standard')`;
    expect((await api.get(`/api/ai/backgrounds?entry_id=${entry.id}`, root).ok()).backgrounds).toHaveLength(1);
    expect(await entriesRead()).toEqual([entry.id]);
  });

  it("by a report of theirs, whose excerpt admins read", async () => {
    const entry = await write();
    const report = { target_type: "entry", target_id: entry.id, reason: "other" };
    await api.post("/api/reports", root, report).created();
    expect(await entriesRead()).toEqual([entry.id]);
  });

  it("if its content is not shared with them, and its content was sent", async () => {
    const team_id = await sharedTeam();
    const entry = await write({ metadata_visibility: "team", content_visibility: "user", team_id });
    await api.get(`/api/journal?fields=metadata&from=${entry.created_at}`, root).ok();
    expect(await entriesRead()).toEqual([]);
    await api.get(`/api/journal?scope=shared&from=${entry.created_at}`, root).ok();
    expect(await entriesRead()).toEqual([entry.id]);
  });

  it("if its content is not shared with them, and it was found by its content or has a mood that was found in it", async () => {
    const team_id = await sharedTeam();
    const sharing = { metadata_visibility: "team", content_visibility: "user", team_id };
    const found = await write({ ...sharing, content: "A heron by the quagga reserve" });
    await api.get("/api/journal?fields=metadata&q=quagga", root).ok();
    expect(await entriesRead()).toEqual([found.id]);
    const withMood = await write(sharing);
    await api.query`update nectar.journal_entry_contents set found_mood = 'calm' where entry_id = ${withMood.id}`;
    const { entries } = await api.get(`/api/journal?fields=metadata&from=${withMood.created_at}`, root).ok();
    expect(entries).toMatchObject([{ id: withMood.id, mood: "calm", content: null }]);
    expect(await entriesRead()).toEqual([found.id, withMood.id].toSorted());
  });
});

describe("nothing is logged", () => {
  it("if the entry is shared with the super admin", async () => {
    const team_id = await sharedTeam();
    const shared = await write({ metadata_visibility: "team", content_visibility: "team", team_id });
    const published = await write({ metadata_visibility: "public", content_visibility: "public" });
    for (const { id } of [shared, published]) await api.get(`/api/journal/${id}`, root).ok();
    await api.get(`/api/journal?from=${shared.created_at}`, root).ok();
    expect(await entriesRead()).toEqual([]);
  });

  it("about the super admin's own entries", async () => {
    const own = await write({}, root);
    await api.get(`/api/journal/${own.id}`, root).ok();
    await api.get("/api/journal?scope=own", root).ok();
    expect(await readsOf(root)).toEqual([]);
  });

  it("if the entry was counted, or refused to be changed", async () => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Lakes" }).created();
    const entry = await write({ notebook_id: notebook.id });
    expect((await api.get(`/api/notebooks/${notebook.id}`, root).ok()).notebook.entry_count).toBe(1);
    await api.get("/api/notebooks", root).ok();
    await api.put(`/api/journal/${entry.id}`, root, { title: "Theirs" }).refused(403, "journal.not_yours");
    await api.delete(`/api/journal/${entry.id}`, root).refused(403, "journal.not_yours");
    expect(await entriesRead()).toEqual([]);
  });

  it("for readers who are no super admins", async () => {
    const entry = await write({ metadata_visibility: "public", content_visibility: "public" });
    for (const role of ["user", "admin"] as const) {
      const reader = await api.person(role === "user" ? {} : { role });
      await api.get(`/api/journal/${entry.id}`, reader).ok();
      await api.get("/api/journal", reader).ok();
    }
    expect(await entriesRead()).toEqual([]);
  });
});

describe("GET /api/user/access-log", () => {
  it("shows an author the reads of their own entries only", async () => {
    const ben = await api.person();
    const [ofAda, ofBen] = [await write(), await write({}, ben)];
    for (const { id } of [ofAda, ofBen]) await api.get(`/api/journal/${id}`, root).ok();
    expect(await entriesRead(ada)).toEqual([ofAda.id]);
    expect(await entriesRead(ben)).toEqual([ofBen.id]);
    expect(await readsOf(root)).toEqual([]);
  });

  it("lists newest first, in pages", async () => {
    const entries = [await write(), await write(), await write()];
    for (const { id } of entries) await api.get(`/api/journal/${id}`, root).ok();
    const first = await api.get(`${LOG}?limit=2`, ada).ok();
    const second = await api.get(`${LOG}?limit=2&cursor=${first.next_cursor}`, ada).ok();
    const listed = [...first.reads, ...second.reads].map(({ entry_id }) => entry_id);
    expect(listed).toEqual(entries.map(({ id }) => id).toReversed());
    expect(second.next_cursor).toBeNull();
  });

  it("keeps the reads of a super admin whose account is gone, without the name", async () => {
    const reader = await api.person({ role: "super_admin" });
    const entry = await write();
    await api.get(`/api/journal/${entry.id}`, reader).ok();
    await api.query`delete from auth.users where id = ${reader.id}`;
    expect(await readsOf(ada)).toMatchObject([
      { by: { id: reader.id, full_name: null, avatar_url: null, is_ai: false }, entry_id: entry.id },
    ]);
  });

  it("keeps the reads of an entry that is deleted, and forgets those of an author whose account is deleted", async () => {
    const [kept, deleted] = [await write(), await write()];
    for (const { id } of [kept, deleted]) await api.get(`/api/journal/${id}`, root).ok();
    await api.delete(`/api/journal/${deleted.id}`, ada).ok();
    expect(await entriesRead()).toEqual([kept.id, deleted.id].toSorted());
    await api.query`delete from auth.users where id = ${ada.id}`;
    expect(await api.query`select from private.entry_reads where user_id = ${ada.id}`).toEqual([]);
  });
});

it.each(signedInRoutes().filter(({ method }) => method === "GET"))(
  "GET $path responds to a super admin, and logs the entry if it is in the response",
  async ({ path }) => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Lakes" }).created();
    const entry = await write({ notebook_id: notebook.id, title: "title-canary", content: "content-canary" });
    const id = path.startsWith("/api/notebooks") ? notebook.id : entry.id;
    const { status, text } = await api.send("GET", fill(path, path.includes("{id}") ? { id } : {}), { as: root });
    expect(status).not.toBe(500);
    expect(await entriesRead()).toEqual(text.includes("canary") ? [entry.id] : []);
  },
);

it("a transaction that only reads refuses a super admin an entry that is not shared with them", async () => {
  const entry = await write();
  for (const purpose of ["read", "read once"] as const) {
    for (const table of ["journal_entries", "readable_entries"] as const) {
      const read = (id: string) =>
        api.database.asUser(root.id, (tx) => tx.selectFrom(table).select("id").where("id", "=", id).execute(), purpose);
      await expect(read(entry.id)).rejects.toMatchObject({ code: "25006" });
    }
  }
  expect(await entriesRead()).toEqual([]);
});
