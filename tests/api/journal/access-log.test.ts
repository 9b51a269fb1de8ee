import { describe, expect, it } from "vitest";
import { fill, signedInRoutes } from "#tests/access-suite";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { foundTeam, write as writeEntry } from "#tests/groups";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi({ environment: await useFileStore() });
const root = beforeTests(() => api.person({ role: "super_admin" }));
const ada = beforeEachTest(() => api.person());

const write = (fields: Record<string, unknown> = {}, as = ada) => writeEntry(api, as, fields);
const readsOf = async (as = ada) => (await api.get("/api/user/access-log", as).ok()).reads;
const entriesRead = async (as = ada) => (await readsOf(as)).map(({ entry_id }) => entry_id).toSorted();
const open = (id: string, as = root) => api.get(`/api/journal/${id}`, as).ok();
const list = async (query: string, as = root) => (await api.get(`/api/journal?${query}`, as).ok()).entries;

/** Sharing with a team of Ada's that the super admin is in. */
const withTeam = async () => ({ metadata_visibility: "team", team_id: (await foundTeam(api, ada, [root])).teamId });
const PUBLIC = { metadata_visibility: "public", content_visibility: "public" };

describe("an entry that a super admin reads and that is not shared with them is logged", () => {
  it("by id, once a day", async () => {
    const entry = await write();
    for (let n = 0; n < 2; n += 1) expect((await open(entry.id)).entry.content).toBe("Content");
    const by = { id: root.id, full_name: expect.any(String), avatar_url: null, is_ai: false };
    expect(await readsOf()).toEqual([{ at: expect.any(String), by, entry_id: entry.id, goal_id: null }]);
    await api.query`update private.logged_reads set date = date - 1, created_at = created_at - interval '1 day'
      where user_id = ${ada.id}`;
    await open(entry.id);
    expect(await readsOf()).toHaveLength(2);
  });

  it("in lists: only the entries of the page that is sent", async () => {
    const [older, newer] = [await write(), await write()];
    const first = await api.get("/api/journal?limit=1", root).ok();
    expect(first.entries.map(({ id }) => id)).toEqual([newer.id]);
    expect(await entriesRead()).toEqual([newer.id]);
    await list(`limit=1&cursor=${first.next_cursor}`);
    expect(await entriesRead()).toEqual([older.id, newer.id].toSorted());
  });

  it.each(["fields=metadata", "fields=excerpt", "sort=created_at", "limit=100"])("in a list with %s", async (query) => {
    const entry = await write();
    // Everyone else's entries would fill the first page of the oldest ones.
    await list(`${query}&from=${entry.created_at}`);
    expect(await entriesRead()).toEqual([entry.id]);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["in a search, which finds only it", () => list("q=quokka")],
    [
      "by its background",
      async (id) => {
        await api.query`insert into nectar.entry_backgrounds (user_id, entry_id, quality)
          values (${ada.id}, ${id}, 'standard')`;
        expect((await api.get(`/api/ai/backgrounds?entry_id=${id}`, root).ok()).backgrounds).toHaveLength(1);
      },
    ],
    [
      "by its pictures",
      async (id) => {
        await api.query`
          insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, width, height, size_bytes)
          values (gen_random_uuid(), gen_random_uuid(), ${ada.id}, ${id}, 0, 1, 1, 1)`;
        expect((await api.get(`/api/pictures?entry_id=${id}`, root).ok()).pictures).toHaveLength(1);
      },
    ],
    [
      "by a report of theirs, whose excerpt admins read",
      (target_id) => api.post("/api/reports", root, { target_type: "entry", target_id, reason: "other" }).created(),
    ],
  ])("%s", async (_, read) => {
    const { id } = await write({ content: "A heron by the quokka reserve" });
    await write();
    await read(id);
    expect(await entriesRead()).toEqual([id]);
    await api.query`delete from nectar.journal_entries where user_id = ${ada.id}`;
  });

  it("if only its metadata is shared with them, and what they get comes from its content", async () => {
    const sharing = await withTeam();
    const sent = await write(sharing);
    await list(`fields=metadata&from=${sent.created_at}`);
    expect(await entriesRead()).toEqual([]);
    await list(`scope=shared&from=${sent.created_at}`);
    expect(await entriesRead()).toEqual([sent.id]);
    const found = await write({ ...sharing, content: "A heron by the quagga reserve" });
    await list("fields=metadata&q=quagga");
    expect(await entriesRead()).toEqual([sent.id, found.id].toSorted());
    const { id, created_at } = await write(sharing);
    await api.query`update nectar.journal_entries set mood = 'calm', mood_source = 'ai' where id = ${id}`;
    expect(await list(`fields=metadata&from=${created_at}`)).toMatchObject([{ id, mood: "calm", content: null }]);
    expect(await entriesRead()).toEqual([sent.id, found.id].toSorted());
  });
});

describe("nothing is logged", () => {
  it("if the entry is shared with the super admin, or is their own", async () => {
    const shared = await write({ ...(await withTeam()), content_visibility: "team" });
    const [published, own] = [await write(PUBLIC), await write({}, root)];
    for (const { id } of [shared, published, own]) await open(id);
    await list(`from=${shared.created_at}`);
    await list("scope=own");
    expect([await readsOf(), await readsOf(root)]).toEqual([[], []]);
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
    const entry = await write(PUBLIC);
    for (const reader of [await api.person(), await api.person({ role: "admin" })]) {
      await open(entry.id, reader);
      await list("", reader);
    }
    expect(await entriesRead()).toEqual([]);
  });
});

describe("GET /api/user/access-log", () => {
  it("shows an author the reads of their own entries only, newest first", async () => {
    const ben = await api.person();
    const [first, ofBen, last] = [await write(), await write({}, ben), await write()];
    for (const { id } of [first, ofBen, last]) await open(id);
    expect((await readsOf()).map(({ entry_id }) => entry_id)).toEqual([last.id, first.id]);
    expect([await entriesRead(ben), await entriesRead(root)]).toEqual([[ofBen.id], []]);
  });

  it("keeps the reads of a super admin whose account is gone, without the name", async () => {
    const reader = await api.person({ role: "super_admin" });
    const { id: entry_id } = await write();
    await open(entry_id, reader);
    await api.query`delete from auth.users where id = ${reader.id}`;
    const by = { id: reader.id, full_name: null, avatar_url: null, is_ai: false };
    expect(await readsOf()).toMatchObject([{ by, entry_id }]);
  });

  it("keeps the reads of an entry that is deleted, and forgets those of an author whose account is deleted", async () => {
    const [kept, deleted] = [await write(), await write()];
    for (const { id } of [kept, deleted]) await open(id);
    await api.delete(`/api/journal/${deleted.id}`, ada).ok();
    expect(await entriesRead()).toEqual([kept.id, deleted.id].toSorted());
    await api.query`delete from auth.users where id = ${ada.id}`;
    expect(await api.query`select from private.logged_reads where user_id = ${ada.id}`).toEqual([]);
  });
});

it.each(signedInRoutes().filter(({ method }) => method === "GET"))(
  "GET $path responds to a super admin, and logs the entry if it is in the response",
  async ({ path }) => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Lakes" }).created();
    const entry = await write({ notebook_id: notebook.id, title: "title-canary", content: "content-canary" });
    await api.query`insert into nectar.team_messages (entry_id, sender_id, content)
      values (${entry.id}, ${ada.id}, 'comment-canary')`;
    const id = path.startsWith("/api/notebooks") ? notebook.id : entry.id;
    const { status, text } = await api.send("GET", fill(path, path.includes("{id}") ? { id } : {}), { as: root });
    expect(status).not.toBe(500);
    expect(await entriesRead()).toEqual(text.includes("canary") ? [entry.id] : []);
  },
);

it("a transaction that only reads refuses a super admin an entry that is not shared with them", async () => {
  const { id } = await write();
  for (const purpose of ["read", "read once"] as const) {
    for (const table of ["journal_entries", "readable_entries"] as const) {
      const reading = api.database.asUser(
        root.id,
        (tx) => tx.selectFrom(table).select("id").where("id", "=", id).execute(),
        purpose,
      );
      await expect(reading).rejects.toMatchObject({ code: "25006" });
    }
  }
  expect(await entriesRead()).toEqual([]);
});
