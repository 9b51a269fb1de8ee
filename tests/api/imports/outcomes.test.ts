import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import { LONG } from "#tests/long";
import { beforeEachTest } from "#tests/prepare";
import { type ZipFileSpec, zipOf } from "#tests/zip";
import { importsOf } from "./import-scene.ts";

const api = useApi({ environment: await useFileStore() });
const { entriesOf, imported, run, uploaded } = importsOf(api);
const ada = beforeEachTest(() => api.person());

const text = fc.constantFrom(
  "A walk.",
  "# Title\n\nText",
  " ",
  "---\nmood: calm\n---\nText",
  "---\ntitle: [\n---\nText",
);
const dated = ["2026-01-01.md", "2019-06-02 The lake.md", "1850-01-01.md"];
const name = fc.constantFrom(...dated, "note.md", "note.txt", "../note.md");
const markdownFile: fc.Arbitrary<ZipFileSpec> = fc.record({
  path: fc
    .tuple(fc.integer({ min: 1, max: 30 }), name)
    .map(([folder, file]) => (file.startsWith("..") && folder > 3 ? `${folder}/a.md` : `${folder}/${file}`)),
  content: text.chain((content) => fc.constantFrom(content, `---\nid: same\n---\n${content}`)),
});
const dayOneEntry = fc.record({
  uuid: fc.constantFrom("A", "B", "C", "D", 5),
  creationDate: fc.constantFrom("2019-06-02T10:00:00Z", "1850-01-01T00:00:00Z", "June"),
  text: fc.constantFrom("Text", "", undefined),
});
const dayOneFile: fc.Arbitrary<ZipFileSpec> = fc.record({
  path: fc.constantFrom("Summer.json", "Winter.json", "photos/a.jpg"),
  content: fc.array(dayOneEntry, { maxLength: 6 }).map((entries) => JSON.stringify({ entries })),
});

describe("a dry run", () => {
  it("says exactly what the import then does", () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.tuple(fc.constant("markdown" as const), fc.array(markdownFile, { maxLength: 12 })),
          fc.tuple(fc.constant("day_one" as const), fc.array(dayOneFile, { maxLength: 3 })),
        ),
        async ([source, files]) => {
          await api.query`delete from private.quota_uses where user_id = ${ada.id}`;
          const before = await countEntries();
          const id = await uploaded(ada, source, zipOf(files));
          const dry = await run(ada, id, true);
          expect(await countEntries()).toBe(before);
          expect(await run(ada, id)).toEqual({ ...dry, dry_run: false });
          expect(await countEntries()).toBe(before + dry.created);
          if (dry.status === "done") expect(dry.created + dry.skipped + dry.failed).toBe(dry.found);
        },
      ),
      { numRuns: LONG ? 1_000 : 4 },
    ));

  it("reports an id that comes twice in an archive", async () => {
    const files = ["a.md", "b.md"].map((path) => ({ path, content: "---\nid: same\n---\nText" }));
    const id = await uploaded(ada, "markdown", zipOf(files));
    const problems = [{ path: "b.md", code: "duplicate_id" }];
    expect(await run(ada, id, true)).toMatchObject({ found: 2, created: 1, failed: 1, problems });
    expect(await run(ada, id)).toMatchObject({ found: 2, created: 1, failed: 1, problems });
  });

  it("names the first 100 problems of any number", async () => {
    const files = Array.from({ length: 700 }, (_, index) => ({
      path: `${index}.md`,
      content: index < 120 ? "" : "Text",
    }));
    const id = await uploaded(ada, "markdown", zipOf(files));
    const dry = await run(ada, id, true);
    expect(dry).toMatchObject({ found: 700, created: 580, failed: 120 });
    expect(dry.problems.map(({ path }) => path)).toEqual(files.slice(0, 100).map(({ path }) => path));
    expect(await run(ada, id)).toEqual({ ...dry, dry_run: false });
  });
});

async function countEntries(): Promise<number> {
  const { count } = await api.one<{ count: number }>`
    select count(*)::int as count from nectar.journal_entries where user_id = ${ada.id}`;
  return count;
}

describe("imported entries", () => {
  it("go into the notebook of their name, private even if it is public, and are excluded from AI", async () => {
    const body = { name: "Summer", metadata_visibility: "public", content_visibility: "public" } as const;
    const { notebook } = await api.post("/api/notebooks", ada, body).created();
    const shared = "---\nnotebook: Summer\nmetadata_visibility: public\nai_excluded: false\n---\nText";
    await imported(ada, "markdown", [
      { path: "a.md", content: shared },
      { path: "b.md", content: "---\nnotebook: Winter\n---\nText" },
    ]);
    const { notebooks } = await api.get("/api/notebooks", ada).ok();
    expect(notebooks.map(({ name }) => name).sort()).toEqual(["Summer", "Winter"]);
    const entries = await entriesOf(ada);
    expect(entries.map(({ notebook_id }) => notebook_id)).toContain(notebook.id);
    const ben = await api.person();
    for (const entry of entries) {
      const hidden = { effective_metadata_visibility: "user", inherit_visibility: false, ai_excluded: true };
      expect(entry).toMatchObject(hidden);
      await api.get(`/api/journal/${entry.id}`, ben).refused(404, "journal.not_found");
    }
  });

  it("are not written in the future, whatever the archive says", async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await imported(ada, "markdown", [{ path: "a.md", content: `---\ndate: ${tomorrow}\n---\nText` }]);
    const [entry] = await entriesOf(ada);
    expect(entry?.entry_date).toBe(tomorrow.slice(0, 10));
    expect(Date.parse(entry?.created_at ?? "")).toBeLessThan(Date.parse(tomorrow));
    expect(entry?.updated_at).toBe(entry?.created_at);
  });

  it("count for no engagement, also after they were restored from the trash", async () => {
    const now = new Date().toISOString();
    await imported(ada, "markdown", [{ path: "a.md", content: `---\ndate: ${now}\n---\nText` }]);
    const [entry] = await entriesOf(ada);
    const counted = () => api.query`select from private.entry_times where user_id = ${ada.id}`;
    expect(await counted()).toEqual([]);
    await api.delete(`/api/journal/${entry?.id}`, ada).ok();
    await api.post(`/api/journal/${entry?.id}/restore`, ada).ok();
    expect(await counted()).toEqual([]);
    await api.post("/api/journal", ada, { title: "Here", content: "Written here." }).created();
    expect(await counted()).toHaveLength(1);
  });
});

it("an export of one's own brings back what is not in the journal any more, and nothing that is there or in the trash", async () => {
  const entries = [];
  for (const title of ["There", "In the trash", "Gone"]) {
    const body = { title, content: `Text: ${title}`, mood: "calm", tags: ["a"], entry_date: "2019-06-02" };
    entries.push((await api.post("/api/journal", ada, body).created()).entry);
  }
  const archive = zipOf([{ path: "data/entries.json", content: JSON.stringify(entries) }]);
  for (const entry of entries.slice(1)) await api.delete(`/api/journal/${entry.id}`, ada).ok();
  await api.delete(`/api/journal/trash/${entries[2]?.id}`, ada).ok();
  expect(await run(ada, await uploaded(ada, "nectar", archive))).toMatchObject({ found: 3, created: 1, skipped: 2 });
  const [, gone] = await entriesOf(ada);
  const { id, user_id, ...kept } = entries[2] ?? {};
  expect(gone).toEqual({ ...gone, ...kept, ai_excluded: true, inherit_visibility: false });
  expect(gone?.id).not.toBe(id);
});
