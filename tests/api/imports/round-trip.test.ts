import { expect, it } from "vitest";
import * as z from "zod";
import { useApi } from "#tests/api";
import { exportOf } from "#tests/exports";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { importsOf } from "./import-scene.ts";

const api = useApi({ environment: await useFileStore() });
const { run, uploaded } = importsOf(api);

const Notebooks = z.array(z.object({ id: z.string(), name: z.string() }));
const Entries = z.array(z.looseObject({ title: z.string(), notebook_id: z.string().nullable() }));

/** Everything of the entries of an export but ids, visibility and whether models may read them, with names of notebooks. */
async function exportedEntries(person: Person) {
  const { data, zip } = await exportOf(api, person);
  const notebooks = new Map(Notebooks.parse(data("notebooks")).map(({ id, name }) => [id, name]));
  const entries = Entries.parse(data("entries")).map((entry) => ({
    ...entry,
    ...{ id: null, user_id: null, team_id: null, org_id: null, inherit_visibility: null, ai_excluded: null },
    ...{ metadata_visibility: null, content_visibility: null },
    ...{ effective_metadata_visibility: null, effective_content_visibility: null },
    notebook_id: notebooks.get(entry.notebook_id ?? "") ?? null,
  }));
  const inOrder = entries.toSorted((one, other) => one.title.localeCompare(other.title));
  return { zip: new Uint8Array(zip), entries: inOrder };
}

it("an export that is imported into another account and exported again has the same entries", async () => {
  const ada = await api.person();
  const { notebook } = await api.post("/api/notebooks", ada, { name: "Summer", description: "Of 2019" }).created();
  const bodies = [
    { title: "Plain", content: "Text" },
    { title: "Of a notebook", content: 'Lines\n\n"and" \\ quotes, 🐝', notebook_id: notebook.id, tags: ["a b", "C"] },
    { title: "With a mood", content: "x".repeat(100_000), mood: "calm", metadata_visibility: "public" },
    { title: "With a found mood", content: "---\ntitle: no front matter\n---\nText", entry_date: "1900-01-01" },
  ] as const;
  for (const body of bodies) await api.post("/api/journal", ada, body).created();
  await api.query`update nectar.journal_entry_contents c set found_mood = 'hopeful'
    from nectar.journal_entries e where e.id = c.entry_id and e.title = 'With a found mood'`;
  await api.query`update nectar.journal_entries set created_at = '2019-06-02T10:00:00.123Z',
    updated_at = '2020-01-01T00:00:00.456Z' where title <> 'Plain'`;
  const before = await exportedEntries(ada);
  const ben = await api.person();
  const id = await uploaded(ben, "nectar", before.zip);
  expect(await run(ben, id)).toMatchObject({ status: "done", found: 4, created: 4, failed: 0, problems: [] });
  expect((await exportedEntries(ben)).entries).toEqual(before.entries);
  expect(before.entries).toHaveLength(4);
});
