import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileStore, startFileStore } from "@nectar/local/stand-ins/file-store";
import { afterAll } from "vitest";

const stores = new Map<string, FileStore>();

/**
 * A file store for the calling test file, and what the API needs to know of it.
 * @param now the clock of the store, if not the real one
 */
export async function useFileStore(now?: () => Date) {
  const folder = await mkdtemp(join(tmpdir(), "nectar-files-"));
  const store = await startFileStore({ folder, ...(now === undefined ? {} : { now }) });
  stores.set(store.url, store);
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

/** A file store in which every call fails: the SDK refuses a region that cannot be part of an address. */
export async function useFailingFileStore() {
  return { ...(await useFileStore()), S3_REGION: "no region" };
}

/** The keys that begin with a prefix in the store at an address of `useFileStore`. */
export function storedKeys(endpoint: string | null | undefined, prefix: string): Promise<string[]> {
  const store = stores.get(endpoint ?? "");
  if (store === undefined) throw new Error("There is no file store at this address.");
  return store.keys(prefix);
}
