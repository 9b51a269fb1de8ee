import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { createCrowd } from "#tests/crowd";
import { foundTeam, write } from "#tests/groups";
import { asSuperuser } from "#tests/people";
import { beforeTests } from "#tests/prepare";
import type { Queries } from "#tests/sql";

const api = useApi();
const ada = beforeTests(() => api.person());

/** The times of entries with a number: the higher, the older. */
const createdAt = (n: number) => new Date(Date.UTC(2026, 0, 1) - n * 60_000).toISOString();

/** Inserts many rows in a tenth of the time that they would take with triggers. */
const insertWithoutTriggers = (insert: (queries: Queries) => Promise<unknown>) =>
  api.inTransaction(async (other) => {
    await other.query`set local session_replication_role = replica`;
    await insert(other);
    await other.query`commit`;
  });

/** A notebook of Ada's with so many entries; those with a title here, the others with a common one. */
async function notebookWith(count: number, titles: Record<number, string> = {}) {
  const { id } = (await api.post("/api/notebooks", ada, { name: "Diary" }).created()).notebook;
  // Private entries have the audience of their author.
  await insertWithoutTriggers(
    ({ query }) => query`
      insert into nectar.journal_entries (
        user_id, notebook_id, title, metadata_audience_id, content_audience_id, created_at, entry_date
      )
      select ${ada.id}, ${id}, coalesce(${JSON.stringify(titles)}::jsonb ->> n::text, 'A day'), ${ada.id}, ${ada.id},
        ${createdAt(0)}::timestamptz - n * interval '1 minute', date '2020-01-01' + n
      from generate_series(1, ${count}::int) n`,
  );
  return id;
}

describe("GET /api/journal with a text without three letters or digits in a row", () => {
  const notebook = beforeTests(async () => ({
    id: await notebookWith(5_001, { 1: "zq", 5000: "zq in reach", 5001: "zq and zebra" }),
  }));
  const search = async (query: string) =>
    (await api.get(`/api/journal?${query}`, ada).ok()).entries.map(({ title }) => title);
  const FOUND = ["zq", "zq in reach"];

  it.each([
    ["-created_at", FOUND],
    ["created_at", FOUND.toReversed()],
    ["-entry_date", FOUND.toReversed()],
    ["entry_date", FOUND],
  ])("looks at the newest 5,000 entries, in the order %s", async (sort, titles) => {
    expect(await search(`q=zq&sort=${sort}`)).toEqual(titles);
    expect(await search(`q=zq&sort=${sort}&notebook_id=${notebook.id}`)).toEqual(titles);
    const { entries, next_cursor } = await api.get(`/api/journal?q=zq&sort=${sort}&limit=1`, ada).ok();
    expect(entries.map(({ title }) => title)).toEqual(titles.slice(0, 1));
    expect(await search(`q=zq&sort=${sort}&limit=1&cursor=${next_cursor}`)).toEqual(titles.slice(1));
  });

  it("looks further back if it is asked for older ones only, and finds a longer text in all entries", async () => {
    expect(await search(`q=zq&to=${createdAt(2)}`)).toEqual(["zq in reach", "zq and zebra"]);
    expect(await search("q=zebra")).toEqual(["zq and zebra"]);
  });
});

describe("a preview", () => {
  it("looks at the newest 10,000 entries of a notebook, and says so", async () => {
    const id = await notebookWith(10_001);
    const path = `/api/notebooks/${id}/audience-preview` as const;
    const change = { metadata_visibility: "public" };
    const counts = { entries: 10_000, widened: 10_000, narrowed: 0 };
    expect((await api.post(path, ada, change).ok()).preview).toMatchObject({ ...counts, approximate: true });
    await api.query`delete from nectar.journal_entries where notebook_id = ${id} and created_at = ${createdAt(10_001)}`;
    expect((await api.post(path, ada, change).ok()).preview).toMatchObject({ ...counts, approximate: false });
  });

  it("counts 10,000 readers of an entry, and says so", async () => {
    const { orgId } = await foundTeam(api, ada);
    const readers = await asSuperuser(api.adminUrl, (client) => createCrowd(client, 10_001));
    await insertWithoutTriggers(
      ({ query }) => query`
      insert into nectar.organization_members (org_id, user_id, role)
      select ${orgId}, id, 'member' from unnest(${readers}::uuid[]) id`,
    );
    const shared = { metadata_visibility: "org", content_visibility: "public", org_id: orgId };
    const { id } = await write(api, ada, shared);
    const many = { people: 10_000, approximate: true };
    expect((await api.get(`/api/journal/${id}/audience`, ada).ok()).audience.metadata).toMatchObject(many);
    expect((await api.post("/api/journal/audience-preview", ada, shared).ok()).audience.content).toMatchObject(many);
    await api.delete(`/api/organizations/${orgId}/members/${readers[0]}`, ada).ok();
    const { metadata } = (await api.get(`/api/journal/${id}/audience`, ada).ok()).audience;
    expect(metadata).toMatchObject({ people: 10_000, approximate: false });
  });
});
