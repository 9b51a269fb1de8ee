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

it("an id that comes twice in an archive, and a file that cannot be read, are problems", async () => {
  const entry = { uuid: "A", creationDate: "2019-06-02T02:30:00Z", text: "Text" };
  const [batch] = await readAll("day_one", [
    { path: "Summer.json", content: JSON.stringify([entry, entry]) },
    { path: "Winter.json", content: JSON.stringify([entry, { ...entry, uuid: "B" }]) },
    { path: "Winter.json", content: JSON.stringify([entry]) },
  ]);
  expect(batch?.entries).toHaveLength(2);
  expect(batch?.problems.map(({ path, code }) => [path, code])).toEqual([
    ["Summer.json[1]", "duplicate_id"],
    ["Winter.json[0]", "duplicate_id"],
    ["Winter.json", "duplicate_path"],
  ]);
});

// Normalizing one of them would take minutes.
describe("a megabyte of combining marks is a problem, or left out", () => {
  const short = MARKS.slice(0, 500);

  async function problemsOf(source: ImportSource, files: readonly ZipFileSpec[]): Promise<string[]> {
    const [batch] = await readAll(source, files);
    return batch?.problems.map(({ code }) => code) ?? [];
  }

  it("in each field of our own export", async () => {
    const idOf = (n: number) => `5b6a3a2e-1f0c-4d7e-9b8a-0c1d2e3f4a5${n}`;
    const times = { created_at: "2019-06-02T02:30:00Z", updated_at: "2019-06-02T02:30:00Z" };
    const fields = { title: "t", content: "c", tags: [], mood: "calm", notebook_id: idOf(0), entry_date: "2019-06-02" };
    const given = [
      { title: MARKS },
      { content: MARKS },
      { tags: [MARKS] },
      { mood: MARKS },
      { entry_date: MARKS },
      { notebook_id: idOf(1) },
      { notebook_id: idOf(2) },
      { [MARKS]: MARKS },
    ];
    const notebooks = [
      { id: idOf(0), name: "n" },
      { id: idOf(1), name: MARKS },
      { id: idOf(2), name: "n", description: MARKS },
    ];
    const entries = given.map((one, n) => ({ id: idOf(n), ...fields, ...times, ...one }));
    const codes = await problemsOf("nectar", [
      { path: "data/notebooks.json", content: JSON.stringify(notebooks) },
      { path: "data/entries.json", content: JSON.stringify(entries) },
    ]);
    const ofFields = ["invalid_title", "invalid_content", "invalid_tags", "invalid_mood", "invalid_date"];
    expect(codes).toEqual([...ofFields, "invalid_notebook", "invalid_notebook"]);
  });

  it("in each field of Day One's", async () => {
    const entry = { uuid: "A", creationDate: "2019-06-02T02:30:00Z", text: "Text" };
    const given = [{ text: MARKS }, { tags: [MARKS] }, { uuid: MARKS, timeZone: MARKS }, { [MARKS]: 1 }];
    const codes = await problemsOf("day_one", [
      { path: "a.json", content: JSON.stringify(given.map((one, n) => ({ ...entry, uuid: `A${n}`, ...one }))) },
      { path: `${short}.json`, content: JSON.stringify([entry]) },
    ]);
    expect(codes).toEqual(["invalid_title", "invalid_tags", "invalid_notebook"]);
  });

  it("in each part of a Markdown file", async () => {
    const codes = await problemsOf("markdown", [
      { path: "a.md", content: MARKS.slice(0, 249_000) },
      { path: "b.md", content: `# a${MARKS.slice(0, 240_000)}` },
      { path: `c${short}.md`, content: "Text" },
      { path: "d.md", content: `---\ntitle: ${short.repeat(9)}\n---\n` },
      { path: "e.md", content: `---\ntitle: ${short}\n---\nText` },
    ]);
    expect(codes).toEqual([
      "invalid_content",
      "invalid_title",
      "invalid_title",
      "invalid_front_matter",
      "invalid_title",
    ]);
  });
});
