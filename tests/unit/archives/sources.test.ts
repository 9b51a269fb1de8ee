import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { openArchive } from "#archives/archive";
import { openDayOne } from "#archives/day-one";
import type { Found, OpenSource, SourceArchive } from "#archives/drafts";
import { openMarkdown } from "#archives/markdown";
import { openNectar } from "#archives/nectar";
import { archiveFile } from "#tests/archive-file";
import { ntfsTime, unixTime, type ZipFileSpec, zipOf } from "#tests/zip";

const CLOCK = { timeZone: "America/New_York", firstDay: "1900-01-01", lastDay: "2026-11-22" };

async function opened(open: OpenSource, files: readonly ZipFileSpec[]): Promise<SourceArchive> {
  return open(await openArchive(archiveFile(zipOf(files))), CLOCK);
}

async function foundIn(open: OpenSource, files: readonly ZipFileSpec[]): Promise<Found[]> {
  const source = await opened(open, files);
  const found: Found[] = [];
  for (const file of source.files) for await (const item of source.entriesOf(file)) found.push(item);
  return found;
}

const entryIn = async (open: OpenSource, file: ZipFileSpec) => {
  const [found] = await foundIn(open, [file]);
  if (found === undefined || !("entry" in found)) throw new Error(JSON.stringify(found));
  return found.entry;
};
const codesIn = async (open: OpenSource, files: readonly ZipFileSpec[]) =>
  (await foundIn(open, files)).map((found) => ("problem" in found ? found.problem.code : null));

describe("Markdown", () => {
  const markdown = (content: string, path = "note.md") => entryIn(openMarkdown, { path, content });

  it("says title, date, tags, mood and notebook in its front matter", async () => {
    const frontMatter =
      "title: A walk\ndate: 2019-06-02T21:30:00+02:00\ntags: [Lake, '#lake', sun]\nmood: calm\nnotebook: Summer";
    expect(await markdown(`---\n${frontMatter}\n---\n\nTo the lake.\n`)).toMatchObject({
      title: "A walk",
      content: "To the lake.",
      mood: "calm",
      mood_source: "user",
      tags: ["Lake", "sun"],
      notebook: "Summer",
      entry_date: "2019-06-02",
      created_at: "2019-06-02T19:30:00.000Z",
      updated_at: "2019-06-02T19:30:00.000Z",
    });
  });

  it.each([
    ["its front matter", "---\ntitle: Stated\n---\n# Heading\n\nText", "2020-01-01 Name.md", "Stated"],
    ["its first heading", "Text\n\n## Heading ##\n\n# Another", "2020-01-01 Name.md", "Heading"],
    ["its file name without the date", "Text", "folder/2020-01-01 Name.md", "Name"],
    ["its day", "Text", "2020-01-01.md", "Entry of 2020-01-01"],
    [
      "its first heading outside of code",
      "```\n# no\n```\n## A **bold** day\\. [Link](https://a.test)",
      "a.md",
      "A bold day. Link",
    ],
    ["its file name without the date", "Text", "2024_05_01 Lake.md", "Lake"],
    ["its file name below the folders of its day", "Text", "2024/05/01 Lake.md", "Lake"],
    ["its day, below those folders", "Text", "2024/05/01.md", "Entry of 2024-05-01"],
    ["the name of its bundle", "Text", "Notes/The lake.textbundle/text.markdown", "The lake"],
    ["the beginning of a long heading", `# ${"long ".repeat(100)}`, "a.md", "long ".repeat(51).trim()],
  ])("has its title from %s", async (_, content, path, title) => {
    expect((await markdown(content, path)).title).toBe(title);
  });

  it.each<[string, string, string, string, string]>([
    ["its front matter", "---\ndate: 2019-06-02\n---\nText", "2020-01-01.md", "2019-06-02", "2019-06-02T12:00:00.000Z"],
    ["entry_date there", "---\nentry_date: 2019-06-03\n---\nText", "a.md", "2019-06-03", "2019-06-03T12:00:00.000Z"],
    [
      "a time without a zone",
      "---\ndate: 2019-06-02 23:15\n---\nText",
      "a.md",
      "2019-06-02",
      "2019-06-02T23:15:00.000Z",
    ],
    ["its file name", "Text", "notes/on 2020-01-01.md", "2020-01-01", "2020-01-01T12:00:00.000Z"],
    ...["created: 2024-05-01", "Date: 2024/05/01", "CREATED: 2024-5-1", "created_at: 20240501"].map(
      (field): [string, string, string, string, string] => [
        field,
        `---\n${field}\n---\nText`,
        "a.md",
        "2024-05-01",
        "2024-05-01T12:00:00.000Z",
      ],
    ),
    ...[
      "2024_05_01.md",
      "20240501.md",
      "202405011230 Lake.md",
      "2024/05/01.md",
      "Diary/2024/05/01/note.md",
      "2024.05.01.md",
    ].map((path): [string, string, string, string, string] => [
      path,
      "Text",
      path,
      "2024-05-01",
      "2024-05-01T12:00:00.000Z",
    ]),
    [
      "its name, if its front matter has none to read",
      "---\ndate: someday\n---\nText",
      "2024-05-01.md",
      "2024-05-01",
      "2024-05-01T12:00:00.000Z",
    ],
    ["its last change, not another number", "Text", "20241301 1234567890.md", "2026-05-01", "2026-05-01T08:30:00.000Z"],
    ["its last change", "Text", "note.md", "2026-05-01", "2026-05-01T08:30:00.000Z"],
  ])("has its date from %s", async (_, content, path, date, createdAt) => {
    expect(await markdown(content, path)).toMatchObject({ entry_date: date, created_at: createdAt });
  });

  it.each([
    ["Info-ZIP", unixTime],
    ["Windows", ntfsTime],
  ])(
    "is about the day of its last change in its person's time zone, if the archive has the UTC of %s",
    async (_, field) => {
      const at = new Date("2026-05-02T02:30:00Z");
      // By the clock of a computer in Berlin.
      const modifiedAt = new Date("2026-05-02T04:30:00Z");
      const file = { path: "note.md", content: "Text", modifiedAt, extra: field(at) };
      expect(await entryIn(openMarkdown, file)).toMatchObject({
        entry_date: "2026-05-01",
        created_at: "2026-05-02T02:30:00.000Z",
      });
    },
  );

  it.each([
    ["mood: [calm, glad]", { mood: null }],
    ["tags:\n  - a:\n    - b\nmood: calm", { tags: [], mood: "calm" }],
    ["notebook: {a: b}", { notebook: null }],
  ])("leaves a field of another kind out: %j", async (fields, entry) => {
    expect(await markdown(`---\n${fields}\n---\nText`)).toMatchObject({ content: "Text", ...entry });
  });

  it("takes lines across the page for text", async () => {
    expect((await markdown("---\n\nA line above")).content).toBe("---\n\nA line above");
  });

  it("is the same entry under the same path with the same text, or with the same id", async () => {
    const one = (await markdown("Text", "a.md")).external_id;
    expect((await markdown("Text", "a.md")).external_id).toBe(one);
    expect((await markdown("Text", "b.md")).external_id).not.toBe(one);
    expect((await markdown("Changed", "a.md")).external_id).not.toBe(one);
    const named = (text: string, path: string) => markdown(`---\nid: n1\n---\n${text}`, path);
    expect((await named("Text", "a.md")).external_id).toBe((await named("Changed", "b.md")).external_id);
  });

  it.each<[string, ZipFileSpec | string]>([
    ["invalid_content", " \n"],
    ["invalid_content", "x".repeat(100_001)],
    ["invalid_content", "x".repeat(500_001)],
    ["invalid_content", "a\u0000b"],
    ["invalid_title", `---\ntitle: ${"x".repeat(256)}\n---\nText`],
    ["invalid_mood", `---\nmood: ${"x".repeat(51)}\n---\nText`],
    ["invalid_tags", `---\ntags: [${Array.from({ length: 21 }, (_, index) => `t${index}`)}]\n---\nText`],
    ["invalid_tags", `---\ntags: ["${"x".repeat(51)}"]\n---\nText`],
    ["invalid_notebook", `---\nnotebook: ${"x".repeat(101)}\n---\nText`],
    ["invalid_front_matter", "---\ntitle: [a\n---\nText"],
    ["invalid_front_matter", "---\ntitle: {a: b}\n---\nText"],
    ["invalid_front_matter", `---\ntags: &a [x]\ntitle: *a\n---\nText`],
    ["invalid_front_matter", `---\na: ${"[".repeat(8_000)}\n---\nText`],
    ["invalid_front_matter", `---\n${Array.from({ length: 4_000 }, (_, index) => `k${index}: v\n`).join("")}---\nText`],
    ["invalid_date", "---\ndate: someday\n---\nText"],
    ["invalid_date", "---\ndate: 2019-02-30\n---\nText"],
    ["invalid_date", "---\ndate: 1899-12-31\n---\nText"],
    ["invalid_date", "---\ndate: 2026-11-23\n---\nText"],
    ["invalid_date", "---\ndate: 2019-06-02 25:00\n---\nText"],
    ["invalid_date", "---\nentry_date: 2019-06-02\ndate: 9999-12-31T23:59:59-01:00\n---\nText"],
    ["missing_date", { path: "a.md", content: "Text", modifiedAt: null }],
    ["invalid_encoding", { path: "a.md", content: Buffer.from([0x61, 0xff, 0x62]) }],
  ])("is reported as %s", async (code, file) => {
    expect(await codesIn(openMarkdown, [typeof file === "string" ? { path: "a.md", content: file } : file])).toEqual([
      code,
    ]);
  });

  it("is read from visible files only, and a message never has their text", async () => {
    const secret = "A secret text. ".repeat(10_000);
    const files = ["__MACOSX/a.md", ".obsidian/b.md", ".c.md", "d.txt", "e.md"].map((path) => ({
      path,
      content: secret,
    }));
    const found = await foundIn(openMarkdown, files);
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toContain("secret");
    await expect(foundIn(openMarkdown, files.slice(0, 4))).rejects.toMatchObject({ code: "no_entries" });
  });
});

it("an entry with very many tags is refused before they are looked at", async () => {
  const times = { created_at: "2019-06-02T02:30:00Z", updated_at: "2019-06-02T02:30:00Z" };
  const id = "5b6a3a2e-1f0c-4d7e-9b8a-0c1d2e3f4a5b";
  const tags = Array.from({ length: 100_000 }, () => 0);
  const found = [
    ...(await foundIn(openDayOne, [
      { path: "a.json", content: JSON.stringify([{ uuid: "A", creationDate: times.created_at, text: "Text", tags }]) },
    ])),
    ...(await foundIn(openNectar, [
      {
        path: "data/entries.json",
        content: JSON.stringify([
          { id, title: "Title", content: "Text", notebook_id: null, entry_date: "2019-06-02", ...times, tags },
        ]),
      },
    ])),
  ];
  const message = "A tag or their number must have at most 20 tags.";
  expect(found).toMatchObject([
    { problem: { code: "invalid_tags", message } },
    { problem: { code: "invalid_tags", message } },
  ]);
});

describe("Day One", () => {
  const entry = {
    uuid: "A1",
    creationDate: "2019-06-02T02:30:00Z",
    timeZone: "Asia/Tokyo",
    text: "# The lake\n\nCold.",
  };
  const journal = (...entries: unknown[]) => ({
    path: "Summer.json",
    content: JSON.stringify({ metadata: { version: "1.0" }, entries }),
  });

  it("has a file for each journal, and entries about the day in their own time zone", async () => {
    const tagged = { ...entry, tags: ["Swimming"], modifiedDate: "2019-06-03T00:00:00Z", starred: true, photos: [{}] };
    expect(await entryIn(openDayOne, journal(tagged))).toMatchObject({
      title: "The lake",
      content: "# The lake\n\nCold.",
      tags: ["Swimming"],
      notebook: "Summer",
      entry_date: "2019-06-02",
      created_at: "2019-06-02T02:30:00.000Z",
      updated_at: "2019-06-03T00:00:00.000Z",
    });
    const early = { ...entry, modifiedDate: "0000-01-01T00:00:00Z" };
    expect(await entryIn(openDayOne, journal(early))).toMatchObject({ updated_at: "2019-06-02T02:30:00.000Z" });
    const elsewhere = { ...entry, timeZone: "no zone" };
    expect(await entryIn(openDayOne, journal(elsewhere))).toMatchObject({ entry_date: "2019-06-01" });
  });

  it.each([
    ["the first line", "  \n\nFirst\nSecond", "First"],
    ["the line after a picture", "![](dayone-moment://1)\nSecond", "Second"],
    ["the day, if there are only pictures", "![](dayone-moment://1)", "Entry of 2019-06-02"],
    ["the beginning of a long line", `${"x".repeat(300)}\nSecond`, "x".repeat(255)],
  ])("has titles from %s", async (_, text, title) => {
    expect((await entryIn(openDayOne, journal({ ...entry, text }))).title).toBe(title);
  });

  it("may be a list alone, after a byte order mark, with an entry across many chunks", async () => {
    const long = { ...entry, richText: { entries: ["x".repeat(300_000)] } };
    const content = `\ufeff ${JSON.stringify([long, entry])}\n`;
    expect(await codesIn(openDayOne, [{ path: "Summer.json", content, method: 0 }])).toEqual([null, null]);
    expect(await codesIn(openDayOne, [journal()])).toEqual([]);
  });

  it("reports entries that cannot be imported, and finds the others", async () => {
    const files = [journal({ ...entry, text: undefined }, { ...entry, creationDate: "June" }, 5, entry)];
    expect(await codesIn(openDayOne, files)).toEqual(["invalid_content", "invalid_entry", "invalid_entry", null]);
  });

  it.each(["GMT+0200", "+02:00", "Europe/Zurich", "UTC+2", "Etc/GMT-2"])("is about the day in %s", async (timeZone) => {
    const late = { ...entry, creationDate: "2019-06-02T22:30:00Z", timeZone };
    expect(await entryIn(openDayOne, journal(late))).toMatchObject({ entry_date: "2019-06-03" });
  });

  it.each([
    ["no text", undefined],
    ["only links", "![](dayone-moment://P)\n\n![](dayone-moment:/video/V)"],
  ])("has an entry for photos with %s, and problems for what is not imported", async (_, text) => {
    const media = {
      photos: [{ identifier: "P", md5: "p", type: "jpeg" }],
      videos: [{ md5: "v" }],
      audios: [{ md5: "a" }],
    };
    const files = [journal({ ...entry, text, ...media }), { path: "photos/p.jpeg", content: "x" }];
    expect(await foundIn(openDayOne, files)).toMatchObject([
      {
        entry: {
          title: "Entry of 2019-06-02",
          content: "Entry of 2019-06-02",
          pictures: [
            { path: "photos/p.jpeg", fault: null },
            { path: "videos/v", fault: "unsupported_media" },
            { path: "audios/a", fault: "unsupported_media" },
          ],
        },
      },
    ]);
  });

  it("has titles that are no Markdown", async () => {
    const text = "## 1\\. **Cold** \\- but [clear](https://a.test)\n\nText";
    expect((await entryIn(openDayOne, journal({ ...entry, text }))).title).toBe("1. Cold - but clear");
  });

  it.each([
    ["not JSON", "Dear diary"],
    ["not UTF-8", Buffer.from([0x5b, 0xff, 0x5d])],
    ["empty", ""],
    ["without a list", '{"metadata": {"entries": []}}'],
    ["with another thing than a list", '{"entries": {"uuid": "A1"}}'],
    ["followed by something else", '{"entries": []} {}'],
    ["cut off", '{"entries": [{"uuid": "A1"'],
    ["wrong inside of an entry", '{"entries": [{"uuid": A1}]}'],
  ])("fails as a whole if a file is %s", async (_, content) => {
    const files = [{ path: "Summer.json", content }];
    await expect(foundIn(openDayOne, files)).rejects.toMatchObject({ code: "invalid_json", path: "Summer.json" });
  });
});

describe("our own export", () => {
  const id = "5b6a3a2e-1f0c-4d7e-9b8a-0c1d2e3f4a5b";
  const notebook = {
    ...{ id: "6b6a3a2e-1f0c-4d7e-9b8a-0c1d2e3f4a5b", name: "Summer", description: "Of 2019" },
    ...{ template: "Three things", ai_excluded_default: true },
  };
  const times = { created_at: "2019-06-02T02:30:00.123Z", updated_at: "2020-01-01T00:00:00.000Z" };
  const entry = {
    ...{ id, title: "The lake", content: "Cold.", tags: ["sun"], entry_date: "2019-06-01", ...times },
    ...{ mood: "calm", mood_source: "ai", notebook_id: notebook.id, metadata_visibility: "public" },
  };
  const files = (entries: unknown) => [
    { path: "data/notebooks.json", content: JSON.stringify([notebook]) },
    { path: "data/entries.json", content: JSON.stringify(entries) },
  ];

  it("keeps dates, moods with their source, tags and notebooks", async () => {
    expect(await foundIn(openNectar, files([entry, { ...entry, mood_source: "user", notebook_id: null }]))).toEqual([
      {
        path: "data/entries.json[0]",
        entry: {
          external_id: expect.stringMatching(/^[0-9a-f]{64}$/),
          exported_id: id,
          ...{ title: "The lake", content: "Cold.", mood: "calm", mood_source: "ai", tags: ["sun"], ...times },
          comments_enabled: true,
          ...{ notebook: "Summer", notebook_description: "Of 2019", entry_date: "2019-06-01", pictures: [] },
          ...{ notebook_template: "Three things", notebook_ai_excluded_default: true },
        },
      },
      {
        path: "data/entries.json[1]",
        entry: expect.objectContaining({ mood: "calm", mood_source: "user", notebook: null }),
      },
    ]);
  });

  it.each([
    ["The name, description or template of the notebook must have at most 100 characters.", { name: "x".repeat(101) }],
    ["The name, description or template of the notebook must have at most 100 characters.", { name: "x".repeat(201) }],
    [
      "The name, description or template of the notebook must have at most 1000 characters.",
      { description: "x".repeat(1_001) },
    ],
    [
      "The name, description or template of the notebook must have at most 1000 characters.",
      { description: "x".repeat(2_001) },
    ],
    [
      "The name, description or template of the notebook must have at most 10000 characters.",
      { template: "x".repeat(20_001) },
    ],
    ["The name, description or template of the notebook must not be blank.", { name: " " }],
  ])("reports an entry by its notebook: %s", async (message, texts) => {
    const notebooks = { path: "data/notebooks.json", content: JSON.stringify([{ ...notebook, ...texts }]) };
    expect(await foundIn(openNectar, [notebooks, ...files([entry]).slice(1)])).toMatchObject([
      { problem: { code: "invalid_notebook", message } },
    ]);
  });

  it("keeps no text of a notebook that cannot be imported", async () => {
    const notebooks = Array.from({ length: 40 }, (_, index) => ({
      id: notebook.id.replace("6b", String(index + 10)),
      name: "x".repeat(500_000),
      description: "x".repeat(500_000),
    }));
    const archive = [
      { path: "data/notebooks.json", content: JSON.stringify(notebooks), method: 0 as const },
      { path: "data/entries.json", content: JSON.stringify([entry]) },
    ];
    const before = heapAfterCollection();
    const source = await opened(openNectar, archive);
    expect(heapAfterCollection() - before).toBeLessThan(10_000_000);
    expect(source.files).toHaveLength(1);
  });

  it("is found within one folder that was packed, beside what macOS adds", async () => {
    const packed = [...files([entry]), { path: "__MACOSX/nectar/data/entries.json", content: "x" }].map((file) =>
      file.path.startsWith("__") ? file : { ...file, path: `./nectar/${file.path}` },
    );
    expect(await foundIn(openNectar, packed)).toMatchObject([{ entry: { title: "The lake", notebook: "Summer" } }]);
    const deeper = packed.map((file) => ({ ...file, path: `a/${file.path}` }));
    await expect(foundIn(openNectar, deeper)).rejects.toMatchObject({ code: "no_entries" });
  });

  it("has no other list, and nothing is imported without it", async () => {
    await expect(foundIn(openNectar, files([entry]).slice(0, 1))).rejects.toMatchObject({ code: "no_entries" });
  });
});

/** Bytes. */
function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
