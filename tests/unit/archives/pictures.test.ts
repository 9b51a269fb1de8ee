import { describe, expect, it } from "vitest";
import { linkedPath, takePictures } from "#archives/pictures";

const shown = (text: string) =>
  takePictures(text, (target, alt) =>
    target.startsWith("http") ? null : { path: target, isMissing: target === "gone.jpg", caption: alt },
  );

describe("the pictures of a text", () => {
  it.each([
    ["A\n\n![a](a.jpg)\n\nB", "A\n\nB"],
    ["A\n![a](a.jpg) ![b](b.jpg)\nB", "A\nB"],
    ["![a](a.jpg)\n\nA\n\n![b](b.jpg)\n", "A"],
    ["A\n\n\nB\n![a](a.jpg)", "A\n\n\nB"],
    ["See ![a](a.jpg).", "See ![a](a.jpg)."],
    [
      "A\n![far](https://example.test/a.jpg)\n![gone](gone.jpg)",
      "A\n![far](https://example.test/a.jpg)\n![gone](gone.jpg)",
    ],
    ["![a](a.jpg)", "![a](a.jpg)"],
    ["No picture [a](a.jpg) at all", "No picture [a](a.jpg) at all"],
  ])("leave %j as %j", (text, rest) => {
    expect(shown(text).text).toBe(rest);
  });

  it("are in their order, with the alt texts and the targets that Markdown means", () => {
    const text = '![one](a.jpg)\n\nWords ![](<b c.jpg> "title") and ![\\[x\\] \\\\](gone.jpg)';
    expect(shown(text).pictures.map(({ path, caption }) => [path, caption])).toEqual([
      ["a.jpg", "one"],
      ["b c.jpg", ""],
      ["gone.jpg", "[x] \\"],
    ]);
  });

  it("are found in a text that is made to take long", () => {
    expect(shown("![".repeat(50_000)).pictures).toEqual([]);
    expect(shown("![a](".repeat(20_000)).pictures).toEqual([]);
    expect(shown("![a](a.jpg)".repeat(9_000)).pictures).toHaveLength(150);
  });
});

it.each([
  ["notes/2020/a.md", "b.jpg", "notes/2020/b.jpg"],
  ["notes/2020/a.md", "../img/b%20c.jpg", "notes/img/b c.jpg"],
  ["a.md", "%E0%A4%A", "%E0%A4%A"],
  ["a.md", "../b.jpg", "../b.jpg"],
  ["a.md", "https://example.test/b.jpg", null],
  ["a.md", "/b.jpg", null],
  ["a.md", "data:image/png;base64,AAAA", null],
])("a link in %s to %s is the file %s", (from, target, path) => {
  expect(linkedPath(from, target)).toBe(path);
});
