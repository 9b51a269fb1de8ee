import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import * as z from "zod";
import { useApi } from "#tests/api";
import { exportOf } from "#tests/exports";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { jpegWith, picture } from "#tests/photos";
import { picturesOf } from "../pictures/picture-scene.ts";
import { importsOf } from "./import-scene.ts";

const api = useApi({ environment: await useFileStore() });
const { run, uploaded } = importsOf(api);
const { add } = picturesOf(api);

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
  await api.query`update nectar.journal_entries set mood = 'hopeful', mood_source = 'ai'
    where title = 'With a found mood'`;
  await api.query`update nectar.journal_entries set created_at = '2019-06-02T10:00:00.123Z',
    updated_at = '2020-01-01T00:00:00.456Z' where title <> 'Plain'`;
  const before = await exportedEntries(ada);
  const ben = await api.person();
  const id = await uploaded(ben, "nectar", before.zip);
  expect(await run(ben, id)).toMatchObject({ status: "done", found: 4, created: 4, failed: 0, problems: [] });
  expect((await exportedEntries(ben)).entries).toEqual(before.entries);
  expect(before.entries).toHaveLength(4);
});

/** The lists of an export that an import brings back, and the columns that it does not. */
const LISTS = [
  {
    list: "entries",
    named: "title",
    left: [
      ...["id", "user_id", "notebook_id", "team_id", "org_id", "ai_excluded", "inherit_visibility"],
      ...["metadata_visibility", "content_visibility", "effective_metadata_visibility", "effective_content_visibility"],
    ],
    unset: ["user_id", "moderation", "comment_count", "comments", "content_hidden"],
  },
  {
    list: "notebooks",
    named: "name",
    left: [
      ...["id", "user_id", "team_id", "org_id", "created_at", "updated_at"],
      ...["metadata_visibility", "content_visibility"],
    ],
    unset: ["user_id", "moderation", "content_hidden", "entry_count"],
  },
  {
    list: "pictures",
    named: "caption",
    left: ["id", "entry_id", "size_bytes", "created_at"],
    unset: ["entry_id", "trashed_entry_id"],
  },
];

it("every exported column of entries, their notebooks and pictures is imported, or named here", async () => {
  const ada = await api.person();
  const { organization } = await api.post("/api/organizations", ada, { name: "Hive" }).created();
  const { team } = await api.post("/api/teams", ada, { name: "Comb", org_id: organization.id }).created();
  const groups = { team_id: team.id, org_id: organization.id };
  const sharing = { metadata_visibility: "team", content_visibility: "org", ...groups } as const;
  const { notebook: plain } = await api.post("/api/notebooks", ada, { name: "Plain" }).created();
  const described = { name: "Own", description: "Of 2019", ai_excluded_default: true, ...sharing };
  const { notebook } = await api.post("/api/notebooks", ada, described).created();
  await api.put(`/api/notebooks/${notebook.id}`, ada, { template: "Three things" }).ok();
  await api.post("/api/journal", ada, { title: "Plain", content: "Text", notebook_id: plain.id }).created();
  const fields = { mood: "calm", tags: ["Lake"], entry_date: "2019-06-02", ai_excluded: true, comments_enabled: false };
  const body = { title: "Own", content: "Words", notebook_id: notebook.id, inherit_visibility: false, ...fields };
  const { entry } = await api.post("/api/journal", ada, { ...body, ...sharing }).created();
  await add(ada, entry.id, await jpegWith(null, picture(2, 40, 30)), { caption: "Plain" }).created();
  await add(ada, entry.id, await jpegWith(null, picture(3, 44, 36)), { caption: "Own" }).created();
  await api.query`update nectar.journal_entries set created_at = '2019-06-02T10:00:00.123Z',
    updated_at = '2020-01-01T00:00:00.456Z' where id = ${entry.id}`;
  await api.query`update nectar.entry_pictures set created_at = '2019-06-02' where caption = 'Own'`;
  await api.query`update nectar.notebooks set created_at = '2019-06-02', updated_at = '2019-06-03'
    where id = ${notebook.id}`;

  const before = await exportOf(api, ada);
  const ben = await api.person();
  const done = await run(ben, await uploaded(ben, "nectar", new Uint8Array(before.zip)));
  expect(done).toMatchObject({ created: 2, problems: [] });
  const after = await exportOf(api, ben);
  const differing = (one: object, other: Readonly<Record<string, unknown>>) =>
    Object.entries(one).flatMap(([column, value]) => (isDeepStrictEqual(value, other[column]) ? [] : [column]));
  for (const { list, named, left, unset } of LISTS) {
    const rowOf = ({ data }: typeof before, name: string) =>
      z
        .array(z.record(z.string(), z.unknown()))
        .parse(data(list))
        .find((row) => row[named] === name) ?? {};
    const own = rowOf(before, "Own");
    const set = differing(own, rowOf(before, "Plain"));
    const same = Object.keys(own).filter((column) => !set.includes(column));
    expect(same.toSorted(), `columns of ${list} that this test gives no value of their own`).toEqual(unset.toSorted());
    const forgotten = differing(own, rowOf(after, "Own")).filter((column) => !left.includes(column));
    expect(forgotten, `columns of ${list} that an import forgets`).toEqual([]);
  }
});
