import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFileStore } from "@nectar/local/stand-ins/file-store";
import { afterAll } from "vitest";

const folders = new Map<string, string>();

/** A file store for the calling test file, and what the API needs to know of it. */
export async function useFileStore() {
  const folder = await mkdtemp(join(tmpdir(), "nectar-files-"));
  const store = await startFileStore({ folder });
  folders.set(store.url, join(folder, store.bucket));
  afterAll(async () => {
    await store.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    S3_BUCKET: store.bucket,
    S3_ENDPOINT: store.url,
    S3_ACCESS_KEY_ID: store.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
}

/** Where the store at an address of `useFileStore` keeps its files. */
export function folderOfStore(endpoint: string | null | undefined): string {
  const folder = folders.get(endpoint ?? "");
  if (folder === undefined) throw new Error("There is no file store at this address.");
  return folder;
}
