import { describe, expect, it } from "vitest";
import { openArchive } from "#archives/archive";
import { linkedPaths, linkedPicture, picturesIn, takePictures } from "#archives/pictures";
import { archiveFile } from "#tests/archive-file";
import { zipOf } from "#tests/zip";

const shown = (text: string) =>
  takePictures(text, (target, alt) =>
    target.startsWith("http")
      ? null
      : { path: target, fault: target === "gone.jpg" ? "missing_picture" : null, caption: alt },
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
    ["![a](a.jpg)", ""],
    ["```\n![a](a.jpg)\n```\n~~~~\n~~~\n![a](a.jpg)", "```\n![a](a.jpg)\n```\n~~~~\n~~~\n![a](a.jpg)"],
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
    for (const unit of [`![](${" ".repeat(990)}`, `![](a${"(b".repeat(490)}`, "![](a ", "<img ", "![[a", "![a]["]) {
      expect(shown(unit.repeat(100_000 / unit.length)).text.length).toBeGreaterThan(0);
    }
  });
});

it.each([
  ["notes/2020/a.md", "b.jpg", "notes/2020/b.jpg"],
  ["notes/2020/a.md", "../img/b%20c.jpg", "notes/img/b c.jpg"],
  ["a.md", "%E0%A4%A", "%E0%A4%A"],
  ["a.md", "../b.jpg", "../b.jpg"],
  ["a.md", "https://example.test/b.jpg", undefined],
  ["a.md", "/b.jpg", undefined],
  ["a.md", "data:image/png;base64,AAAA", undefined],
])("a link in %s to %s is the file %s", (from, target, path) => {
  expect(linkedPaths(from, target)?.[0]).toBe(path);
});

describe("a picture of a Markdown file", () => {
  const files = [
    "img/Caf\u00e9.JPG",
    "img/a (1).jpg",
    "img/b c.jpg",
    "img/d_e.jpg",
    "x.jpg",
    "TWO.jpg",
    "two.JPG",
    "100%.jpg",
  ];
  const found = async (text: string) => {
    const archive = await openArchive(archiveFile(zipOf(files.map((path) => ({ path, content: "x" })))));
    const find = picturesIn(archive);
    return takePictures(text, (target, alt) => linkedPicture("note.md", target, alt, find)).pictures;
  };

  it.each([
    ["![](img/Cafe\u0301.jpg)", "img/Caf\u00e9.JPG", null],
    ["![](IMG/Caf%C3%A9.jpg)", "img/Caf\u00e9.JPG", null],
    [String.raw`![](img\b c.jpg)`, "img/b c.jpg", null],
    [String.raw`![](img/d\_e.jpg)`, "img/d_e.jpg", null],
    ["![one](img/a (1).jpg)", "img/a (1).jpg", "one"],
    [String.raw`![one](img/a \(1\).jpg "A title")`, "img/a (1).jpg", "one"],
    ["![](img/b c.jpg)", "img/b c.jpg", null],
    ["![](100%.jpg)", "100%.jpg", null],
    ["![[x.jpg]]", "x.jpg", null],
    ["![[img/b c.jpg|A lake]]", "img/b c.jpg", "A lake"],
    ["![[x.jpg|300x200]]", "x.jpg", null],
    ['<img src="img/b%20c.jpg" alt="A lake" width="3">', "img/b c.jpg", "A lake"],
    ["<IMG alt='' SRC='x.jpg'/>", "x.jpg", null],
  ])("is found by %s", async (text, path, caption) => {
    expect(await found(text)).toEqual([{ path, fault: null, caption }]);
  });

  it.each([
    ["![](tWo.jpg)", "tWo.jpg", "missing_picture"],
    ["![[gone.png]]", "gone.png", "missing_picture"],
    ["![](talk.m4a)", "talk.m4a", "unsupported_media"],
    ["![[film.mp4]]", "film.mp4", "unsupported_media"],
    ["![A lake][lake]", "lake", "unsupported_link"],
  ])("is a problem in %s", async (text, path, fault) => {
    expect(await found(text)).toEqual([{ path, fault, caption: null }]);
  });

  it("is neither a note that is embedded, nor a picture elsewhere", async () => {
    expect(
      await found("![[Another note]] <img src='https://example.test/a.jpg'> ![](https://example.test/b.jpg)"),
    ).toEqual([]);
  });
});
