import { describe, expect, it } from "vitest";
import { readEntryPage } from "#journal/entry-list";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const BEE = "\u{1F41D}";
const LONG = BEE.repeat(300);
type List = `/api/journal?${string}` | `/api/notebooks/${string}/entries?${string}`;

const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
const notebook = beforeTests(async () => {
  const made = await api.post("/api/notebooks", ada, { name: "N", metadata_visibility: "public" }).created();
  const fields = { notebook_id: made.notebook.id, content_visibility: "public" };
  await write(api, ada, { ...fields, title: "hidden", content: "for my eyes", content_visibility: "user" });
  await write(api, ada, { ...fields, title: "long", content: LONG });
  await write(api, ada, { ...fields, title: "short", content: "A word" });
  return made.notebook;
});
const lists = (): List[] => [`/api/journal?notebook_id=${notebook.id}&`, `/api/notebooks/${notebook.id}/entries?`];

async function entriesByTitle(path: `${List}${string}`, as: Person): Promise<Record<string, object>> {
  const { entries } = await api.get(path, as).ok();
  return Object.fromEntries(entries.map((entry) => [entry.title, entry]));
}

describe("a list of entries", () => {
  it("has the whole content by default, none with fields=metadata, and 280 characters with fields=excerpt", async () => {
    for (const list of lists()) {
      const whole = await entriesByTitle(list, ben);
      expect(whole).toEqual(await entriesByTitle(`${list}fields=all`, ben));
      expect(whole.long).toMatchObject({ content: LONG, content_hidden: false });
      expect(whole.long).not.toHaveProperty("content_excerpt");
      expect(whole.hidden).toMatchObject({ content: null, content_hidden: true });

      const metadata = await entriesByTitle(`${list}fields=metadata`, ben);
      expect(Object.keys(metadata)).toEqual(Object.keys(whole));
      for (const [title, entry] of Object.entries(metadata)) expect(entry).toEqual({ ...whole[title], content: null });

      const excerpts = await entriesByTitle(`${list}fields=excerpt`, ben);
      expect(excerpts.long).toMatchObject({ content: null, content_excerpt: BEE.repeat(280), content_hidden: false });
      expect(excerpts.short).toMatchObject({ content: null, content_excerpt: "A word", content_hidden: false });
      expect(excerpts.hidden).toMatchObject({ content: null, content_excerpt: null, content_hidden: true });
      const own = await entriesByTitle(`${list}fields=excerpt`, ada);
      expect(own.hidden).toMatchObject({ content_excerpt: "for my eyes" });

      await api.get(`${list}fields=title`, ada).invalid("fields");
    }
  });

  it("does not load more contents for a page of more than 50 entries than fit on it", async () => {
    const read = (fields: "all" | "excerpt") =>
      api.database.asUser(ada.id, async (tx) => {
        const page = { readerId: ada.id, scope: "own", order: "newest first", cursor: undefined, limit: 51 } as const;
        const rows = await readEntryPage(tx, { ...page, fields, maxContentBytes: 10 }, {});
        return rows.map(({ title }) => title);
      });
    // The second entry is read as well, because the page is full only with it.
    expect(await read("all")).toEqual(["short", "long"]);
    expect(await read("excerpt")).toEqual(["short", "long", "hidden"]);
  });
});
