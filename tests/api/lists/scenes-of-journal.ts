import { commentsOf } from "./scenes-of-goals.ts";
import { type BuildScenes, EARLIER, longest, type Stage } from "./stage.ts";

const entryFields = ["all", "excerpt", "metadata"] as const;

/** The paged lists of entries and notebooks. */
export const JOURNAL: Readonly<Record<string, BuildScenes>> = {
  "/api/journal": async (stage) => {
    const { author, notebook } = await longEntries(stage);
    return entryFields.flatMap((fields) =>
      ["-created_at", "entry_date"].map((sort) => ({
        ...author,
        path: `/api/journal?fields=${fields}&sort=${sort}&notebook_id=${notebook}`,
      })),
    );
  },
  "/api/journal/{id}/comments": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/journal", "entry", as, { title: "E", content: "E" });
    return [await commentsOf(stage, as, `/api/journal/${id}`)];
  },
  "/api/notebooks/{id}/entries": async (stage) => {
    const { author, notebook } = await longEntries(stage);
    return entryFields.map((fields) => ({ ...author, path: `/api/notebooks/${notebook}/entries?fields=${fields}` }));
  },
  "/api/journal/trash": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/journal", "entry", as, { title: longest(255), content: "Old" });
    await stage.api.delete(`/api/journal/${id}`, as).ok();
    const changes = { ...EARLIER, deleted_at: "r.deleted_at - (n / 2) * interval '1 second'" };
    return [await stage.copied({ path: "/api/journal/trash", as }, "nectar.trashed_entries", id, changes)];
  },
  "/api/notebooks": async (stage) => {
    const as = await stage.api.person();
    const { id } = await stage.make("/api/notebooks", "notebook", as, {
      name: longest(100),
      description: longest(1_000),
      template: longest(10_000),
    });
    const list = await stage.copied({ path: "/api/notebooks", as }, "nectar.notebooks", id);
    await stage.quietly(
      `insert into nectar.notebook_contents (notebook_id, user_id, template, metadata_audience_id, content_audience_id)
       select n.id, n.user_id, c.template, n.user_id, n.user_id
       from nectar.notebooks n cross join (select template from nectar.notebook_contents where notebook_id = $2) c
       where n.id = any ($1::uuid[]) and n.id <> $2`,
      [list.keys, id],
    );
    return [list];
  },
};

/** Entries of an author in one notebook, each with the longest content, title and tags. */
export async function longEntries(stage: Stage) {
  const as = await stage.api.person();
  const notebook = await stage.make("/api/notebooks", "notebook", as, { name: "N" });
  const { id } = await stage.make("/api/journal", "entry", as, {
    title: longest(255),
    content: longest(100_000),
    mood: longest(50),
    tags: Array.from({ length: 20 }, (_, n) => longest(48) + String(n + 10)),
    notebook_id: notebook.id,
  });
  const copies = await stage.copy("nectar.journal_entries", { id }, 505, EARLIER);
  // The first ones are longer than a page together; the rest makes more pages by its number.
  await stage.quietly(
    `insert into nectar.journal_entry_contents (entry_id, user_id, content, metadata_audience_id, content_audience_id)
     select e.id, e.user_id, case when e.n <= 12 then c.content else 'short' end, e.user_id, e.user_id
     from (select *, row_number() over (order by created_at desc) as n from nectar.journal_entries where id = any ($1::uuid[])) e
     cross join (select content from nectar.journal_entry_contents where entry_id = $2) c`,
    [copies, id],
  );
  return { author: { as, keys: [id, ...copies] }, notebook: notebook.id };
}
