import { beforeEach, expect, it } from "vitest";
import { readInWorker } from "#archives/reading";
import { type ImportWorker, storePictures } from "#functions/workers/imports/pictures";
import { runImport } from "#functions/workers/imports/run";
import { servicesWithLanes } from "#functions/workers/lanes";
import { withinBudget } from "#http/jobs/jobs";
import type { Services } from "#http/services/services";
import { useApi } from "#tests/api";
import { archiveFile } from "#tests/archive-file";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { jpegWith, picture } from "#tests/photos";
import { beforeEachTest } from "#tests/prepare";
import { leaveQuota } from "#tests/quota";
import { type ZipFileSpec, zipOf } from "#tests/zip";
import { importsOf } from "./import-scene.ts";

const api = useApi({ environment: await useFileStore() });
const { entriesOf, imported, read, uploaded } = importsOf(api);
const ada = beforeEachTest(() => api.person());
const ben = beforeEachTest(() => api.person());

const BUDGET_MS = 840_000;

// Those of another test would wait for a worker.
beforeEach(() => api.query`delete from nectar.journal_imports`);

/** Archives of these many entries with a picture each: one batch has the pictures of 20. */
async function withPictures(count: number): Promise<ZipFileSpec[]> {
  const photo = { path: "lake.jpg", content: await jpegWith(null, picture(1, 40, 40)) };
  const notes = Array.from({ length: count }, (_, n) => ({ path: `${n}/2019-06-02.md`, content: "![](../lake.jpg)" }));
  return [photo, ...notes];
}

/** An import that runs, but no one works on it. */
async function startedOnly(person: Person, files: readonly ZipFileSpec[]): Promise<string> {
  const id = await uploaded(person, "markdown", zipOf(files));
  const { path } = await api.one<{ path: string }>`select path from nectar.journal_imports where id = ${id}`;
  const archive = await api.services.privateFiles?.describe(path);
  await api.query`update nectar.journal_imports set status = 'running', version = ${archive?.version} where id = ${id}`;
  await api.query`select private.add_work('import', ${id})`;
  return id;
}

/** Services whose clock shows the time of one picture more each time that a picture is stored. */
function slow(secondsPerPicture: number): Services {
  const { privateFiles } = api.services;
  if (privateFiles === null) throw new Error("There is a file store.");
  let seconds = 0;
  const upload: typeof privateFiles.upload = (...file) => {
    seconds += secondsPerPicture / 2;
    return privateFiles.upload(...file);
  };
  return {
    ...api.services,
    clock: { now: () => new Date(seconds * 1_000) },
    privateFiles: { ...privateFiles, upload },
  };
}

it("an import goes behind the others after half a minute, with what it has created by then", async () => {
  const files = await withPictures(50);
  const long = await startedOnly(ada, files);
  const other = await startedOnly(ben, files.slice(0, 2));
  expect(await runImport(slow(2), long, BUDGET_MS)).toEqual({ status: "interrupted" });
  expect(await read(ada, long)).toMatchObject({ status: "running", found: 50, created: 15, problems: [] });
  // It was queued again, and the queue of this test knows of no other.
  await api.idle();
  expect(await read(ada, long)).toMatchObject({ status: "done", created: 50, skipped: 0, failed: 0, problems: [] });
  expect(await read(ben, other)).toMatchObject({ status: "running" });
});

it("an import goes on after half a minute if no other waits, or the others are worked on", async () => {
  const files = await withPictures(50);
  const long = await startedOnly(ada, files);
  const other = await startedOnly(ben, files);
  await api.query`update private.work set claim = gen_random_uuid(), due_at = now() + interval '1 hour'
    where key = ${other}`;
  expect(await runImport(slow(2), long, BUDGET_MS)).toEqual({ status: "done" });
  expect(await read(ada, long)).toMatchObject({ created: 50 });
});

it("an import whose whole turn was used up by reading has a longer one each time", async () => {
  const long = await startedOnly(ada, await withPictures(50));
  await startedOnly(ben, await withPictures(1));
  await api.query`update private.work set attempts = 2 where key = ${long}`;
  const services = { ...slow(2), queue: { send: () => Promise.resolve() } };
  expect(await runImport(services, long, BUDGET_MS)).toEqual({ status: "interrupted" });
  expect(await read(ada, long)).toMatchObject({ created: 45 });
  expect(await api.one`select attempts from private.work where key = ${long}`).toEqual({ attempts: 0 });
});

it("a file of an archive is unpacked and decoded once, however many entries show it", async () => {
  const broken = { path: "broken.jpg", content: "These are only notes." };
  const files = [...(await withPictures(1)).slice(0, 1), broken];
  const fd = archiveFile(zipOf(files));
  const clock = { timeZone: "UTC", firstDay: "1900-01-01", lastDay: "2026-11-22" };
  const archive = await readInWorker({ source: "markdown", fd, clock });
  const unpacked: string[] = [];
  const counting: typeof archive = {
    ...archive,
    file(request) {
      unpacked.push(request.path);
      return archive.file(request);
    },
  };
  const worker: ImportWorker = {
    ...withinBudget(api.services, BUDGET_MS),
    turnIsOver: () => Promise.resolve(false),
  };
  const source = { userId: ada.id, archive: counting, stored: new Map() };
  const pictures = files.map(({ path }) => ({ path: String(path), fault: null, caption: null }));
  const entry = {
    ...{
      exported_id: null,
      title: "Lake",
      content: "Lake",
      mood: null,
      mood_source: null,
      tags: [],
      comments_enabled: true,
    },
    ...{ notebook: null, notebook_description: null, notebook_template: null, notebook_ai_excluded_default: false },
    ...{ entry_date: "2019-06-02" },
    ...{ created_at: "2019-06-02T12:00:00.000Z", updated_at: "2019-06-02T12:00:00.000Z", pictures },
  };
  const entries = ["a", "b", "c"].map((external_id) => ({ ...entry, external_id }));
  const first = await storePictures(worker, source, entries, new Set());
  const second = await storePictures(worker, source, entries, new Set());
  await archive.close();
  expect(unpacked).toEqual(["lake.jpg", "broken.jpg"]);
  const stored = [first, second].flatMap((batch) => batch?.entries.flatMap((one) => one.pictures) ?? []);
  expect(stored).toHaveLength(6);
  expect(new Set(stored.map(({ id }) => id)).size).toBe(6);
  expect(new Set(stored.map(({ size_bytes }) => size_bytes)).size).toBe(1);
  expect(first?.problems.map(({ code, path }) => [code, path])).toEqual(
    Array.from({ length: 3 }, () => ["unusable_picture", "broken.jpg"]),
  );
});

it("an archive with more pictures than a person can import on a day fails before an entry is created", async () => {
  const files = await withPictures(3);
  await leaveQuota(api.adminUrl, ada, "import_picture", 2);
  expect(await imported(ada, "markdown", files)).toMatchObject({
    ...{ status: "failed", created: 0 },
    problems: [{ path: null, code: "picture_limit" }],
  });
  expect(await imported(ada, "markdown", files.slice(0, 3))).toMatchObject({ status: "done", created: 2 });
  // What is skipped does not count, and entries without pictures are imported all the same.
  expect(await imported(ada, "markdown", files.slice(0, 3))).toMatchObject({ status: "done", skipped: 2 });
  const note = { path: "2019-06-05.md", content: "Text" };
  expect(await imported(ada, "markdown", [note])).toMatchObject({ status: "done", created: 1 });
  expect(await entriesOf(ada)).toHaveLength(3);
});

it("an import goes on when the claim of a process that died has expired, and so does one that had waited in it", async () => {
  const died = await startedOnly(ada, await withPictures(1));
  const waiting = await startedOnly(ben, await withPictures(1));
  await api.query`update private.work set claim = gen_random_uuid(), due_at = now() + interval '8 seconds'
    where key = ${died}`;
  const { close } = servicesWithLanes(api.services.config);
  try {
    const statuses = async () => [(await read(ada, died)).status, (await read(ben, waiting)).status];
    await expect.poll(statuses, { timeout: 40_000, interval: 200 }).toEqual(["done", "done"]);
  } finally {
    await close();
  }
}, 60_000);
