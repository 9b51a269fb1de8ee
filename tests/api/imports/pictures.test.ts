import { describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { exportOf } from "#tests/exports";
import { useFileStore } from "#tests/file-store";
import { LONG } from "#tests/long";
import type { Person } from "#tests/people";
import { jpegWith, MARK, picture, pngWith } from "#tests/photos";
import { beforeEachTest, beforeTests } from "#tests/prepare";
import { type ZipFileSpec, zipOf } from "#tests/zip";
import { examine } from "../../unit/providers/examine.ts";
import { load } from "../pictures/picture-scene.ts";
import { importsOf } from "./import-scene.ts";

const api = useApi({ environment: { ...(await useFileStore()), PICTURE_BYTES_PER_PERSON: "40000000" } });
const { imported, uploaded, run } = importsOf(api);
const ada = beforeEachTest(() => api.person());
const photo = beforeTests(async () => ({ bytes: await jpegWith({ gps: [47.4, 8.5] }, picture(1)) }));

/** The entries of a person, oldest first, each with its pictures. */
async function seenBy(person: Person) {
  const seen = [];
  for (let cursor = ""; ; ) {
    const page = await api.get(`/api/journal?scope=own&sort=entry_date&limit=100${cursor}`, person).ok();
    for (const { id } of page.entries) seen.push((await api.get(`/api/journal/${id}`, person).ok()).entry);
    if (page.next_cursor === null) return seen;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

const hashOf = async (url: string) => (await examine(await load(url))).perceptualHash;
const distance = (a: string, b: string) => [...a].filter((bit, index) => bit !== b[index]).length;

it("a Day One archive that is imported, exported and imported again has the same entries and pictures", async () => {
  const photos = await Promise.all(
    Array.from({ length: LONG ? 500 : 12 }, async (_, n) => ({
      md5: n.toString(16).padStart(32, "0"),
      id: `A${n}`,
      bytes: await jpegWith({ gps: [47.4, 8.5] }, picture(n)),
    })),
  );
  const entries = photos.map(({ md5, id }, n) => ({
    uuid: id,
    creationDate: new Date(Date.UTC(2019, 0, 1 + n)).toISOString(),
    text: n % 3 === 0 ? `![](dayone-moment://${id})` : `Day ${n}\n\n![](dayone-moment://${id})\n\nThe end`,
    photos: [{ md5, identifier: id, type: n % 2 === 0 ? "jpeg" : "jpg", orderInEntry: 0 }],
  }));
  const files: ZipFileSpec[] = photos.map(({ md5, bytes }) => ({
    path: `photos/${md5.toUpperCase()}.jpeg`,
    content: bytes,
    method: 0,
  }));
  const first = await imported(ada, "day_one", [
    { path: "Diary.json", content: JSON.stringify({ entries }) },
    ...files,
  ]);
  expect(first).toMatchObject({
    status: "done",
    found: photos.length,
    created: photos.length,
    failed: 0,
    problems: [],
  });
  const before = await seenBy(ada);
  expect(before[1]?.content).toBe("Day 1\n\nThe end");
  expect(before[0]?.content).toBe("Entry of 2019-01-01");

  const ben = await api.person();
  const { zip } = await exportOf(api, ada);
  const again = await run(ben, await uploaded(ben, "nectar", new Uint8Array(zip)));
  expect(again).toMatchObject({
    status: "done",
    found: photos.length,
    created: photos.length,
    failed: 0,
    problems: [],
  });
  const after = await seenBy(ben);
  const texts = (all: typeof before) =>
    all.map(({ title, content, entry_date, created_at, picture_count }) => ({
      title,
      content,
      entry_date,
      created_at,
      picture_count,
    }));
  expect(texts(after)).toEqual(texts(before));
  for (const [n, { bytes }] of photos.entries()) {
    const hashes = [
      (await examine(bytes)).perceptualHash,
      await hashOf(before[n]?.pictures[0]?.url ?? ""),
      await hashOf(after[n]?.pictures[0]?.url ?? ""),
    ];
    for (const hash of hashes) expect(distance(hash, hashes[0] ?? "")).toBeLessThanOrEqual(4);
  }
  expect((await load(after[0]?.pictures[0]?.url ?? "")).includes(MARK)).toBe(false);
});

it("an export has the pictures as files and rows, and links them in the entry's Markdown, which can be imported", async () => {
  const files = [
    { path: "2019-06-02 Lake.md", content: 'Cold.\n\n![The \\[old\\] lake](lake.jpg)\n\n![](<img/a b.png> "A title")' },
    { path: "lake.jpg", content: photo.bytes },
    { path: "img/a b.png", content: await pngWith(null, picture(2)) },
  ];
  expect(await imported(ada, "markdown", files)).toMatchObject({ created: 1, problems: [] });
  const [entry] = await seenBy(ada);
  const [lake, other] = entry?.pictures ?? [];
  expect(entry?.content).toBe("Cold.");
  expect([lake?.caption, other?.caption]).toEqual(["The [old] lake", null]);
  const exported = await exportOf(api, ada);
  expect(exported.data("pictures")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: lake?.id, entry_id: entry?.id, position: 0, caption: "The [old] lake" }),
    ]),
  );
  expect(Buffer.from(exported.files[`files/pictures/${lake?.id}.jpg`] ?? [])).toEqual(await load(lake?.url ?? ""));
  const [path = ""] = Object.keys(exported.files).filter((name) => name.endsWith(".md"));
  expect(exported.text(path)).toMatch(
    new RegExp(
      `Cold\\.\n\n!\\[The \\\\\\[old\\\\\\] lake\\]\\(../../../files/pictures/${lake?.id}.jpg\\)\n\n!\\[\\]\\(.*${other?.id}.jpg\\)\n$`,
    ),
  );
  const ben = await api.person();
  expect(await run(ben, await uploaded(ben, "markdown", new Uint8Array(exported.zip)))).toMatchObject({
    created: 1,
    problems: [],
  });
  const [copy] = await seenBy(ben);
  expect(copy).toMatchObject({
    title: entry?.title,
    content: "Cold.",
    pictures: [{ caption: "The [old] lake" }, { caption: null }],
  });
});

describe("a picture that cannot be imported", () => {
  it("is one problem, and its entry is imported with the others", async () => {
    const names = Array.from({ length: 22 }, (_, n) => `![${n}](${n}.jpg)`).join("\n");
    const content = [
      "![gone](gone.jpg)",
      "![](notes.txt)",
      "![](broken.jpg)",
      "![](huge.jpg)",
      "![](damaged.jpg)",
      "![far](https://example.test/far.jpg)",
      "See ![here](0.jpg), a lake.",
    ].join("\n");
    const pictures = await Promise.all(
      Array.from({ length: 22 }, async (_, n) => ({
        path: `${n}.jpg`,
        content: await jpegWith(null, picture(n, 220, 220)),
      })),
    );
    const files: ZipFileSpec[] = [
      { path: "2019-06-01 Few.md", content },
      { path: "2019-06-02 Many.md", content: names },
      { path: "notes.txt", content: "These are only notes." },
      { path: "broken.jpg", content: photo.bytes.subarray(0, 2_000) },
      { path: "huge.jpg", content: Buffer.concat([photo.bytes, Buffer.alloc(20 * 1024 * 1024)]) },
      { path: "damaged.jpg", content: photo.bytes, crc: 1 },
      ...pictures,
    ];
    const id = await uploaded(ada, "markdown", zipOf(files));
    const known = [
      { path: "gone.jpg", code: "missing_picture" },
      { path: "20.jpg", code: "too_many_pictures" },
      { path: "21.jpg", code: "too_many_pictures" },
    ];
    const dry = await run(ada, id, true);
    expect(dry).toMatchObject({ status: "done", found: 2, created: 2, failed: 0 });
    expect(dry.problems).toMatchObject(known);
    const done = await run(ada, id);
    expect(done).toMatchObject({ status: "done", found: 2, created: 2, failed: 0 });
    const unusable = ["notes.txt", "broken.jpg", "huge.jpg", "damaged.jpg"].map((path) => ({
      path,
      code: "unusable_picture",
    }));
    expect(done.problems).toMatchObject([known[0], ...unusable, known[1], known[2]]);
    const [few, many] = await seenBy(ada);
    expect(few?.content).toBe("![gone](gone.jpg)\n![far](https://example.test/far.jpg)\nSee ![here](0.jpg), a lake.");
    expect(few?.pictures.map(({ caption }) => caption)).toEqual(["here"]);
    expect(many?.pictures.map(({ caption }) => caption)).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
    // What was imported before is skipped, with its pictures and their problems.
    expect(await imported(ada, "markdown", files)).toMatchObject({ found: 2, created: 0, skipped: 2, problems: [] });
  });

  it("is left out when there is no space for it", async () => {
    const { entry } = await api.post("/api/journal", ada, { title: "Full", content: "Full" }).created();
    await api.query`
      insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, width, height, size_bytes)
      values (gen_random_uuid(), gen_random_uuid(), ${ada.id}, ${entry.id}, 0, 1, 1, 40000000)`;
    const files = [
      { path: "2019-06-01.md", content: "One\n\n![](a.jpg)" },
      { path: "a.jpg", content: photo.bytes },
    ];
    const done = await imported(ada, "markdown", files);
    expect(done).toMatchObject({ status: "done", created: 1, problems: [{ path: "a.jpg", code: "storage_full" }] });
  });
});
