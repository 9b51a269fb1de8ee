import { createHash } from "node:crypto";
import { unzipSync } from "fflate";
import { Manifest } from "#core/export/manifest";
import type { TestApi } from "./api.ts";
import type { Person } from "./people.ts";

export interface DownloadedExport {
  readonly id: string;
  readonly zip: Uint8Array;
  /** The bytes of its files by their paths. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly manifest: Manifest;
  /** A file as text; empty if there is none. */
  readonly text: (path: string) => string;
  /** The rows of data/<noun>.json, or its object. */
  readonly data: (noun: string) => unknown;
}

/** Exports the data of a person, and downloads and checks the file. */
export async function exportOf(api: TestApi, person: Person): Promise<DownloadedExport> {
  const { export: created } = await api.post("/api/user/exports", person).created();
  await api.idle();
  return downloadExport(api, person, created.id);
}

/** Downloads an export and checks that it is what it says. */
export async function downloadExport(api: TestApi, person: Person, id: string): Promise<DownloadedExport> {
  const { export: ready } = await api.get(`/api/user/exports/${id}`, person).ok();
  if (ready.url === null)
    throw new Error(
      `The export is ${ready.status}. ${api
        .logged()
        .split("\n")
        .findLast((line) => line.includes("task failed"))}`,
    );
  const zip = await (await fetch(ready.url)).bytes();
  if (zip.length !== ready.size_bytes || sha256(zip) !== ready.sha256) throw new Error("The file is another one.");
  const files = unzipSync(zip);
  const text = (path: string) => Buffer.from(files[path] ?? []).toString();
  const manifest = Manifest.parse(JSON.parse(text("manifest.json")));
  for (const { path, bytes, sha256: expected } of manifest.files) {
    const file = files[path];
    if (file?.length !== bytes || sha256(file) !== expected) throw new Error(`${path} is not as the manifest says.`);
  }
  if (manifest.files.length + 1 !== Object.keys(files).length)
    throw new Error("The manifest does not name every file.");
  return { id, zip, files, manifest, text, data: (noun) => JSON.parse(text(`data/${noun}.json`)) };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
