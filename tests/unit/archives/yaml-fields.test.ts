import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readYamlFields } from "#archives/yaml-fields";
import { markdownOf } from "#core/export/markdown";

const NAMES = new Set(["title", "tags"]);
const read = (yaml: string) => {
  const fields = readYamlFields(yaml, NAMES);
  return fields && Object.fromEntries(fields);
};

describe("front matter", () => {
  // A text of one line, as titles are: with line breaks, programs write it in more ways than we read.
  const line = fc.string({ unit: "grapheme", maxLength: 120 }).map((text) => text.trim());
  const words = fc.array(fc.constantFrom("a", "of", "walking", "#1", "- b", "it's", '"so"', "x:", "[y]", "\\"), {
    maxLength: 40,
  });
  const text = fc
    .oneof(
      line,
      words.map((some) => some.join(" ").trim()),
    )
    .filter((given) => !/[\n\r]/.test(given));

  it.each([
    ["lists with dashes", {}],
    ["single quotes", { singleQuote: true }],
    ["double quotes", { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" }],
    ["short lines", { lineWidth: 20, minContentWidth: 5 }],
    ["folded texts", { defaultStringType: "BLOCK_FOLDED", defaultKeyType: "PLAIN" }],
  ] as const)("is read as a library writes it, with %s", (_, options) => {
    fc.assert(
      fc.property(text, fc.array(text), (title, tags) => {
        const other = { cover: { image: title, sizes: [1, [2]] }, aliases: [{ name: title }] };
        expect(read(stringify({ ...other, title, tags, last: null }, options))).toEqual({ title, tags });
        const inBrackets = stringify(tags, { ...options, collectionStyle: "flow" });
        expect(read(`tags: ${inBrackets}title: a`)).toEqual({ title: "a", tags });
      }),
    );
  });

  it("is read as we export it", () => {
    const entry = { id: "1", content: "", created_at: "", entry_date: "", mood: null, notebook: null, pictures: [] };
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" })), (title, tags) => {
        const yaml = markdownOf({ ...entry, title, tags }).slice(4, -6);
        expect(read(yaml)).toEqual({ title, tags });
      }),
    );
  });

  it.each([
    [
      "numbers, dates and true as texts",
      "title: 2020-01-01\ntags: [1, 1.50, true]",
      "2020-01-01",
      ["1", "1.50", "true"],
    ],
    ["comments", "# one\ntitle: a#b # c\ntags: # d\n  - x # e\n  # f\n  - y", "a#b", ["x", "y"]],
    ["lists that are not indented", "tags:\n- a\n-\n- b c\n  d\ntitle: t", "t", ["a", "b c d"]],
    ["lists over several lines", 'tags: [\n  a, "b,]",\n]\ntitle: t', "t", ["a", "b,]"]],
    ["nothing", "title:\ntags: ~", null, null],
    ["texts over several lines", "title: a\n  b\n\n  c\ntags: 'it''s'", "a b\nc", "it's"],
    ["block texts", "title: |-\n  a\n   b\n\n  c\ntags: >\n  a\n  b\n", "a\n b\n\nc", "a b"],
    ["quoted names and Windows' line breaks", "\"title\": 'a: b'\r\ntags: a:b\r\n", "a: b", "a:b"],
    ["every escape", 'title: "\\x41\\u00e9\\U0001F41D\\n\\"\\\n  \\ z"\ntags: []', 'Aé🐝\n" z', []],
  ])("may have %s", (_, yaml, title, tags) => {
    expect(read(yaml)).toEqual({ title, tags });
  });

  it.each([
    "Dear diary",
    "title: {a: b}",
    "title: [a",
    "title: [[a]]",
    "title: [a] b",
    "title: a: b",
    "title: *a",
    "title: &a b",
    'title: "a',
    'title: "\\q"',
    'title: "\\U00110000"',
    "title: 'a' b",
    "tags:\n  - - a",
    "tags:\n  - a: b",
    "title:\n  a: b",
    "title: a\ntitle: b",
    "- title",
    "{title: a}",
  ])("is refused, not guessed: %j", (yaml) => {
    expect(read(yaml)).toBeNull();
  });

  it("is read, or refused, whatever it is", () => {
    const parts = [
      "title",
      "tags",
      ": ",
      ":",
      "\n",
      "- ",
      "? ",
      "[",
      "]",
      "{",
      ",",
      '"',
      "'",
      "\\",
      "&a ",
      "*a",
      "|",
      ">",
      "#",
      " ",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 60 }), (some) => {
        for (const value of Object.values(read(some.join("")) ?? {})) {
          expect(value === null || typeof value === "string" || Array.isArray(value)).toBe(true);
        }
      }),
    );
  });
});
