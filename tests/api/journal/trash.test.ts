import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeEachTest, beforeTests } from "#tests/prepare";

const api = useApi({ environment: await useFileStore() });
const ben = beforeTests(() => api.person());
const root = beforeTests(() => api.person({ role: "super_admin" }));
const ada = beforeEachTest(() => api.person());

const PUBLIC = { metadata_visibility: "public", content_visibility: "public" };
const trash = (id: string, as: Person = ada) => api.delete(`/api/journal/${id}`, as);
const restore = (id: string, as: Person = ada, headers = {}) =>
  api.post(`/api/journal/${id}/restore`, as, undefined, headers);
const forGood = (id: string, as: Person = ada) => api.delete(`/api/journal/trash/${id}`, as);
const trashOf = async (as: Person = ada) => (await api.get("/api/journal/trash", as).ok()).entries;
const addBackground = (entryId: string) =>
  api.one<{ id: string; file_key: string }>`
    insert into nectar.entry_backgrounds (user_id, entry_id, quality, created_at)
    values (${ada.id}, ${entryId}, 'hd', now() - interval '1 day') returning id, file_key`;
const filesToRemove = async (path: string) =>
  (await api.query`select from private.stored_files_to_remove where path = ${path}`).length;
const NOT_FOUND = [404, "journal.not_found"] as const;

describe("an entry in the trash", () => {
  it("is gone everywhere at once, also for super admins", async () => {
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Birds", ...PUBLIC }).created();
    const entry_date = "2025-03-04";
    const fields = { content: "A quokka", tags: ["rare"], mood: "calm", entry_date, notebook_id: notebook.id };
    const entry = await write(api, ada, { ...PUBLIC, ...fields });
    await addBackground(entry.id);
    const countsOf = async () => ({
      backgrounds: (await api.get("/api/ai/backgrounds", ada).ok()).backgrounds.length,
      tags: (await api.get("/api/journal/tags", ada).ok()).tags.length,
      onThisDay: (await api.get("/api/journal/on-this-day?date=2026-03-04", ada).ok()).entries.length,
      written: (await api.get(`/api/journal/stats?from=${entry_date}&to=${entry_date}`, ada).ok()).stats.entries,
      inNotebook: (await api.get(`/api/notebooks/${notebook.id}`, ben).ok()).notebook.entry_count,
    });
    expect(await countsOf()).toEqual({ backgrounds: 1, tags: 1, onThisDay: 1, written: 1, inNotebook: 1 });
    expect(await trash(entry.id).ok()).toEqual({ message: "The entry was moved to the trash." });
    for (const as of [ada, ben, root]) {
      await api.get(`/api/journal/${entry.id}`, as).refused(...NOT_FOUND);
      const inNotebook = `notebook_id=${notebook.id}`;
      for (const query of ["", "scope=public", "q=quokka", "tag=rare", inNotebook, "sort=entry_date"]) {
        const { entries } = await api.get(`/api/journal?${query}`, as).ok();
        expect(entries.map(({ id }) => id)).not.toContain(entry.id);
      }
      expect((await api.get(`/api/notebooks/${notebook.id}/entries`, as).ok()).entries).toEqual([]);
      await api.get(`/api/ai/backgrounds?entry_id=${entry.id}`, as).refused(...NOT_FOUND);
    }
    expect(await countsOf()).toEqual({ backgrounds: 0, tags: 0, onThisDay: 0, written: 0, inNotebook: 0 });
    await api.put(`/api/journal/${entry.id}`, ada, { title: "T" }).refused(...NOT_FOUND);
    await trash(entry.id).refused(...NOT_FOUND);
    const report = { target_type: "entry", target_id: entry.id, reason: "spam" };
    await api.post("/api/reports", ben, report).refused(404, "report.target_not_found");
    const drop = { recipient_id: ben.id, content: "Go on.", entry_id: entry.id };
    await api.post("/api/encouragement-drops/send", ada, drop).refused(...NOT_FOUND);
  });

  it("is listed for its author only, the last deleted one first, with the time when it is deleted for good", async () => {
    const [first, second, kept] = [await write(api, ada), await write(api, ada), await write(api, ada)];
    for (const { id } of [first, second]) await trash(id).ok();
    await api.query`update nectar.trashed_entries set deleted_at = '2026-02-10T08:00Z' where id = ${first.id}`;
    const page = await api.get("/api/journal/trash?limit=1", ada).ok();
    expect(page.entries.map(({ id }) => id)).toEqual([second.id]);
    const rest = await api.get(`/api/journal/trash?limit=1&cursor=${page.next_cursor}`, ada).ok();
    const times = { deleted_at: "2026-02-10T08:00:00.000Z", expires_at: "2026-03-12T08:00:00.000Z" };
    expect(rest).toEqual({ entries: [{ id: first.id, title: first.title, ...times }], next_cursor: null });
    for (const other of [ben, root]) expect(await trashOf(other)).toEqual([]);
    expect((await api.get("/api/journal", ada).ok()).entries.map(({ id }) => id)).toEqual([kept.id]);
  });

  it("is restored, or deleted for good, once and by its author only", async () => {
    const [entry, other] = [await write(api, ada), await write(api, ada)];
    const isMissing = async (id: string, as = ada) => {
      await restore(id, as).refused(...NOT_FOUND);
      await forGood(id, as).refused(...NOT_FOUND);
    };
    for (const { id } of [entry, other]) {
      await isMissing(id);
      await trash(id).ok();
    }
    for (const stranger of [ben, root]) await isMissing(entry.id, stranger);
    expect(await restore(entry.id).ok()).toEqual({ entry });
    await forGood(other.id).ok();
    for (const { id } of [entry, other]) await isMissing(id);
    expect(await trashOf()).toEqual([]);
    expect(await api.query`select from nectar.trashed_entries where id in (${entry.id}, ${other.id})`).toEqual([]);
  });

  it("is deleted with the account of its author, and so is the file of its background", async () => {
    const entry = await write(api, ada);
    const { file_key } = await addBackground(entry.id);
    await trash(entry.id).ok();
    await api.query`delete from auth.users where id = ${ada.id}`;
    expect(await api.query`select from nectar.trashed_entries where id = ${entry.id}`).toEqual([]);
    expect(await filesToRemove(file_key)).toBe(1);
  });
});

describe("an entry that returns from the trash", () => {
  /** Everything about an entry that is stored. */
  const storedEntry = (id: string) =>
    api.one<{ entry: Record<string, unknown>; content: unknown; background: unknown }>`
      select to_jsonb(e) - 'version' as entry, to_jsonb(c) as content, to_jsonb(b) as background
      from nectar.journal_entries e
      join nectar.journal_entry_contents c on c.entry_id = e.id
      left join nectar.entry_backgrounds b on b.entry_id = e.id
      where e.id = ${id}`;

  it("has every column that it had", async () => {
    const { organization } = await api.post("/api/organizations", ada, { name: "Hive" }).created();
    const { team } = await api.post("/api/teams", ada, { name: "Comb", org_id: organization.id }).created();
    const { notebook } = await api.post("/api/notebooks", ada, { name: "Lakes" }).created();
    const entry = await write(api, ada, {
      title: "A walk",
      mood: "calm",
      tags: ["Lake"],
      entry_date: "2026-01-01",
      ai_excluded: true,
      comments_enabled: false,
      notebook_id: notebook.id,
      metadata_visibility: "team",
      content_visibility: "org",
      inherit_visibility: false,
      team_id: team.id,
      org_id: organization.id,
    });
    await api.query`update nectar.journal_entries
      set mood_source = 'ai', created_at = '2026-01-02', updated_at = '2026-01-03', is_imported = true
      where id = ${entry.id}`;
    await addBackground(entry.id);
    const before = await storedEntry(entry.id);
    const plain = await storedEntry((await write(api, ada)).id);
    const same = Object.keys(before.entry).filter(
      (column) => JSON.stringify(before.entry[column]) === JSON.stringify(plain.entry[column]),
    );
    expect(same, "columns that this test gives no value of their own").toEqual(["user_id", "hidden_at"]);
    await trash(entry.id).ok();
    await restore(entry.id).ok();
    expect(await storedEntry(entry.id)).toEqual(before);
  });

  it("has its background, whose file stays until the entry is deleted for good", async () => {
    const entry = await write(api, ada);
    const { id, file_key } = await addBackground(entry.id);
    await trash(entry.id).ok();
    expect(await filesToRemove(file_key)).toBe(0);
    await restore(entry.id).ok();
    expect(await filesToRemove(file_key)).toBe(0);
    const { backgrounds } = await api.get(`/api/ai/backgrounds?entry_id=${entry.id}`, ada).ok();
    expect(backgrounds).toMatchObject([{ id, entry_id: entry.id, quality: "hd" }]);
    await trash(entry.id).ok();
    await forGood(entry.id).ok();
    expect(await filesToRemove(file_key)).toBe(1);
  });

  it("is what drops were about, which are about no entry meanwhile", async () => {
    const entry = await write(api, ada, PUBLIC);
    const drop = { recipient_id: ada.id, content: "Well said.", entry_id: entry.id };
    await api.post("/api/encouragement-drops/send", ben, drop).created();
    const linked = async () =>
      (await api.get("/api/encouragement-drops/received", ada).ok()).drops.map(({ entry_id }) => entry_id);
    await trash(entry.id).ok();
    expect(await linked()).toEqual([null]);
    await restore(entry.id).ok();
    expect(await linked()).toEqual([entry.id]);
  });

  it("stays in the log of who read it all the time, also once it is deleted for good", async () => {
    const entry = await write(api, ada);
    await api.get(`/api/journal/${entry.id}`, root).ok();
    for (const change of [trash, restore, trash, forGood]) {
      await change(entry.id).ok();
      const { reads } = await api.get("/api/user/access-log", ada).ok();
      expect(reads).toMatchObject([{ by: { id: root.id }, entry_id: entry.id }]);
    }
  });

  it("is in no stored response of its restoration when it is trashed again", async () => {
    const entry = await write(api, ada, { content: `canary ${randomUUID()}` });
    const key = { "idempotency-key": randomUUID() };
    await trash(entry.id).ok();
    expect(await restore(entry.id, ada, key).ok()).toEqual({ entry });
    await trash(entry.id).ok();
    expect(await api.query`select from private.idempotency_keys where body like ${`%${entry.content}%`}`).toEqual([]);
  });
});
