import { beforeAll, describe, expect, it } from "vitest";
import { readEntryPage } from "#journal/entry-list";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import type { Person } from "#tests/people";
import { beforeTests } from "#tests/prepare";

const api = useApi();
const BEE = "\u{1F41D}";
const LONG = BEE.repeat(300);
type List = `/api/journal?${string}` | `/api/notebooks/${string}/entries?${string}`;
let lists: readonly List[];

const ada = beforeTests(() => api.person());
const ben = beforeTests(() => api.person());
beforeAll(async () => {
  const { body } = await api.post("/api/notebooks", ada, { name: "N", metadata_visibility: "public" });
  const notebook_id: string = body.notebook.id;
  lists = [`/api/journal?notebook_id=${notebook_id}&`, `/api/notebooks/${notebook_id}/entries?`];
  await write(api, ada, { title: "hidden", content: "for my eyes", notebook_id });
  await write(api, ada, { title: "long", content: LONG, notebook_id, content_visibility: "public" });
  await write(api, ada, { title: "short", content: "A word", notebook_id, content_visibility: "public" });
});

/** The entries of a list by their titles. */
async function entriesOf(path: `${List}${string}`, as: Person): Promise<Record<string, object>> {
  const body = await api.get(path, as).ok();
  return Object.fromEntries(body.entries.map((entry) => [entry.title, entry]));
}

describe("a list of entries", () => {
  it("has the whole content by default", async () => {
    for (const list of lists) {
      const whole = await entriesOf(list, ben);
      expect(whole).toEqual(await entriesOf(`${list}fields=all`, ben));
      expect(whole.long).toMatchObject({ content: LONG, content_hidden: false });
      expect(whole.long).not.toHaveProperty("content_excerpt");
      expect(whole.hidden).toMatchObject({ content: null, content_hidden: true });
    }
  });

  it("has no content with fields=metadata, but still says whether the caller may see it", async () => {
    for (const list of lists) {
      const [whole, metadata] = [await entriesOf(list, ben), await entriesOf(`${list}fields=metadata`, ben)];
      expect(Object.keys(metadata)).toEqual(Object.keys(whole));
      for (const [title, entry] of Object.entries(metadata)) expect(entry).toEqual({ ...whole[title], content: null });
      expect(metadata.short).toMatchObject({ content_hidden: false });
    }
  });

  it("has the first 280 characters of visible content with fields=excerpt", async () => {
    for (const list of lists) {
      const excerpts = await entriesOf(`${list}fields=excerpt`, ben);
      expect(excerpts.long).toMatchObject({ content: null, content_excerpt: BEE.repeat(280), content_hidden: false });
      expect(excerpts.short).toMatchObject({ content: null, content_excerpt: "A word", content_hidden: false });
      expect(excerpts.hidden).toMatchObject({ content: null, content_excerpt: null, content_hidden: true });
      expect((await entriesOf(`${list}fields=excerpt`, ada)).hidden).toMatchObject({ content_excerpt: "for my eyes" });
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

  it("refuses other fields", async () => {
    for (const list of lists) expect((await api.get(`${list}fields=title`, ada)).status).toBe(400);
  });
});
