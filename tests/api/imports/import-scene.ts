import { expect } from "vitest";
import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";
import { type ZipFileSpec, zipOf } from "#tests/zip";

type Source = "nectar" | "day_one" | "markdown";

export function importsOf(api: TestApi) {
  /** Creates an import and uploads its archive. @returns its id */
  async function uploaded(person: Person, source: Source, archive: Uint8Array<ArrayBuffer>): Promise<string> {
    const body = { source, size: archive.length };
    const { import: created } = await api.post("/api/journal/imports", person, body).created();
    const headers = { "content-type": "application/zip" };
    const { status } = await fetch(created.upload_url, { method: "PUT", body: archive, headers });
    expect(status).toBe(200);
    return created.id;
  }

  const start = (person: Person, id: string, dryRun = false) =>
    api.post(`/api/journal/imports/${id}/start`, person, { dry_run: dryRun });

  async function read(person: Person, id: string) {
    return (await api.get(`/api/journal/imports/${id}`, person).ok()).import;
  }

  /** Starts an import and waits until it has ended. */
  async function run(person: Person, id: string, dryRun = false) {
    await start(person, id, dryRun).ok();
    await api.idle();
    return read(person, id);
  }

  return {
    uploaded,
    start,
    read,
    run,
    async imported(person: Person, source: Source, files: readonly ZipFileSpec[]) {
      return run(person, await uploaded(person, source, zipOf(files)));
    },
    /** All entries of a person, oldest first. */
    async entriesOf(person: Person) {
      const { entries } = await api.get("/api/journal?scope=own&limit=100&sort=created_at", person).ok();
      return entries;
    },
  };
}
