import { describe, expect, it } from "vitest";
import type { ImportBatch } from "#archives/batches";
import type { ImportSource } from "#archives/drafts";
import { readInWorker } from "#archives/reading";
import { archiveFile } from "#tests/archive-file";
import { type ZipFileSpec, zipOf } from "#tests/zip";

const CLOCK = { timeZone: "UTC", firstDay: "1900-01-01", lastDay: "2026-11-22" };
const MARKS = "\u0301".repeat(500_000);

/** Results of the worker with an archive. */
async function readAll(source: ImportSource, files: readonly ZipFileSpec[], batchMs?: number): Promise<ImportBatch[]> {
  const batches: ImportBatch[] = [];
  const fd = archiveFile(zipOf(files));
  const archive = await readInWorker({ source, fd, clock: CLOCK }, batchMs);
  try {
    for await (const batch of archive.batches()) batches.push(batch);
    return batches;
  } finally {
    await archive.close();
  }
}

describe("a worker", () => {
  it("gives an archive up that has no batch at the deadline", async () => {
    const files = Array.from({ length: 400 }, (_, index) => ({ path: `${index}.md`, content: "x".repeat(100_000) }));
    await expect(readAll("markdown", files, 1)).rejects.toMatchObject({ code: "too_complex", path: null });
  });

  it("gives an archive up that needs too much memory, and leaves the process alone", async () => {
    const entry = { uuid: "A", creationDate: "2019-06-02T02:30:00Z", text: "x".repeat(1_000_000) };
    const content = JSON.stringify([{ ...entry, more: Array.from({ length: 6_000_000 }, () => ({})) }]);
    const files = [{ path: "a.json", content, method: 0 as const }];
    await expect(readAll("day_one", files)).rejects.toMatchObject({ code: "too_complex", path: null });
  });

  it("hands on what the file throws", async () => {
    const archive = await readInWorker({ source: "markdown", fd: 1_000_000, clock: CLOCK });
    await expect(archive.batches().next()).rejects.toMatchObject({ code: "unreadable" });
    await archive.close();
  });
});

describe("a megabyte of combining marks", () => {
  const times = { created_at: "2019-06-02T02:30:00Z", updated_at: "2019-06-02T02:30:00Z" };
  const id = "5b6a3a2e-1f0c-4d7e-9b8a-0c1d2e3f4a5b";
  const fields = { title: "t", content: "c", tags: [], mood: "calm", notebook_id: id, entry_date: "2019-06-02" };
  const entry = { id, ...fields, ...times };
  const ours = (given: object, notebook: object = {}) => [
    { path: "data/notebooks.json", content: JSON.stringify([{ id, name: "n", ...notebook }]) },
    { path: "data/entries.json", content: JSON.stringify([{ ...entry, ...given }]) },
  ];
  const dayOne = (given: object, path = "a.json") => [
    { path, content: JSON.stringify([{ uuid: "A", creationDate: times.created_at, text: "Text", ...given }]) },
  ];
  const short = MARKS.slice(0, 500);

  // Normalizing it would take minutes.
  it.each<[string, string, ImportSource, readonly ZipFileSpec[]]>([
    ["a title", "invalid_title", "nectar", ours({ title: MARKS })],
    ["a content", "invalid_content", "nectar", ours({ content: MARKS })],
    ["a tag", "invalid_tags", "nectar", ours({ tags: [MARKS] })],
    ["a mood", "invalid_mood", "nectar", ours({ mood: MARKS })],
    ["a date", "invalid_date", "nectar", ours({ entry_date: MARKS })],
    ["a notebook", "invalid_notebook", "nectar", ours({}, { name: MARKS })],
    ["its description", "invalid_notebook", "nectar", ours({}, { description: MARKS })],
    ["a name of a field", "none", "nectar", ours({ [MARKS]: MARKS })],
    ["a text of Day One", "invalid_title", "day_one", dayOne({ text: MARKS })],
    ["a tag of Day One", "invalid_tags", "day_one", dayOne({ tags: [MARKS] })],
    ["an id of Day One", "none", "day_one", dayOne({ uuid: MARKS, timeZone: MARKS })],
    ["a field of Day One", "none", "day_one", dayOne({ [MARKS]: 1 })],
    ["a journal's name", "invalid_notebook", "day_one", dayOne({}, `${short}.json`)],
    ["a Markdown text", "invalid_content", "markdown", [{ path: "a.md", content: MARKS.slice(0, 249_000) }]],
    ["a Markdown heading", "invalid_title", "markdown", [{ path: "a.md", content: `# a${MARKS.slice(0, 240_000)}` }]],
    ["a Markdown name", "invalid_title", "markdown", [{ path: `a${short}.md`, content: "Text" }]],
    [
      "front matter",
      "invalid_front_matter",
      "markdown",
      [{ path: "a.md", content: `---\ntitle: ${short.repeat(9)}\n---\n` }],
    ],
    [
      "a title in front matter",
      "invalid_title",
      "markdown",
      [{ path: "a.md", content: `---\ntitle: ${short}\n---\nText` }],
    ],
  ])("is a problem in %s, or left out", async (_, code, source, files) => {
    const [batch] = await readAll(source, files);
    expect(batch?.problems.map((problem) => problem.code) ?? []).toEqual(code === "none" ? [] : [code]);
  });
});
