import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { markdownOf, markdownPath } from "#core/export/markdown";

const entry = {
  id: "5b8a4f6e-0000-4000-8000-000000000001",
  title: "A walk",
  content: "To the lake.\n\n---\nAnd back.",
  created_at: "2026-11-22T08:00:00.000Z",
  entry_date: "2024-02-29",
  mood: "calm",
  tags: ["lake", "a: b"],
  notebook: null,
  pictures: [],
};
/** Texts as entries have them: no NUL, no lone surrogates. */
const anyText = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"));

describe("the Markdown file of an entry", () => {
  it("has front matter that a YAML parser reads back, and the text as it was written", () => {
    fc.assert(
      fc.property(anyText, fc.option(anyText), fc.array(anyText), anyText, (title, mood, tags, content) => {
        const file = markdownOf({ ...entry, title, mood, tags, content });
        const [, matter = "", text] = /^---\n(.*?)\n---\n\n(.*)\n$/s.exec(file) ?? [];
        expect(text).toBe(content);
        expect(parse(matter)).toEqual({
          id: entry.id,
          title,
          date: entry.created_at,
          entry_date: entry.entry_date,
          mood,
          tags,
          notebook: null,
        });
      }),
    );
  });

  it("links its pictures after the text", () => {
    const pictures = [
      { id: "p1", caption: "The [old] \\ lake,\nat seven" },
      { id: "p2", caption: null },
    ];
    expect(markdownOf({ ...entry, pictures })).toMatch(
      /\nAnd back\.\n\n!\[The \\\[old\\\] \\\\ lake, at seven\]\(\.\.\/\.\.\/\.\.\/files\/pictures\/p1\.jpg\)\n\n!\[\]\(.*p2\.jpg\)\n$/,
    );
  });

  it.each(["\u0085", "\u2028", "\u2029", "\ufeff", "\u007f", "\u0001", "'", '"', "#: -", "null", "yes", "{a}", "😀"])(
    "keeps %j in a title",
    (part) => {
      const title = `a ${part} b`;
      expect(parse(markdownOf({ ...entry, title }).split("---\n")[1] ?? "").title).toBe(title);
      expect(parse(markdownOf({ ...entry, title: part }).split("---\n")[1] ?? "").title).toBe(part);
    },
  );

  it.each([
    ["A walk to the lake", "29-A-walk-to-the-lake-"],
    ["../../etc/passwd", "29-etc-passwd-"],
    ["CON: <a|b>?*\\\u0000\u202e", "29-CON-a-b-"],
    ["", "29-"],
    ["...", "29-"],
    ["日本語 ésprit", "29-日本語-ésprit-"],
    ["😀😀", "29-"],
    ["x".repeat(300), `29-${"x".repeat(40)}-`],
  ])("is named after its title %j in a way that every file system takes", (title, name) => {
    expect(markdownPath({ ...entry, title })).toBe(`journal/2024/02/${name}${entry.id}.md`);
  });

  it("has a name of at most 255 bytes, whatever its title is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 30, maxLength: 60 }), (title) => {
        const name =
          markdownPath({ ...entry, title })
            .split("/")
            .at(-1) ?? "";
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).not.toMatch(/[/\\:*?"<>|\p{C}]/u);
      }),
    );
  });
});
