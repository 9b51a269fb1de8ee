import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll } from "vitest";
import { LOCAL_FILES_REGION } from "#local/settings/local-defaults";
import { type FileStore, startFileStore } from "#local/stand-ins/file-store";

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

/** A file store that does not exist: signing an address asks no store. */
export const UNREAD_STORE = {
  S3_BUCKET: "none",
  S3_ENDPOINT: "http://127.0.0.1:9",
  S3_ACCESS_KEY_ID: "none",
  S3_SECRET_ACCESS_KEY: "none",
};

/** The keys that begin with a prefix in the store at an address of `useFileStore`. */
export function storedKeys(endpoint: string | null | undefined, prefix: string): Promise<string[]> {
  const store = stores.get(endpoint ?? "");
  if (store === undefined) throw new Error("There is no file store at this address.");
  return store.keys(prefix);
}

type StoreEnvironment = Awaited<ReturnType<typeof useFileStore>>;

function clientOf(store: StoreEnvironment): S3Client {
  return new S3Client({
    region: LOCAL_FILES_REGION,
    endpoint: store.S3_ENDPOINT,
    forcePathStyle: true,
    credentials: { accessKeyId: store.S3_ACCESS_KEY_ID, secretAccessKey: store.S3_SECRET_ACCESS_KEY },
  });
}

/** Begins to store a file in parts. */
export async function beginUpload(store: StoreEnvironment, key: string): Promise<void> {
  await clientOf(store).send(new CreateMultipartUploadCommand({ Bucket: store.S3_BUCKET, Key: key }));
}

/** The keys of files that are stored in parts and not completed. */
export async function unfinishedUploads(store: StoreEnvironment): Promise<(string | undefined)[]> {
  const { Uploads = [] } = await clientOf(store).send(new ListMultipartUploadsCommand({ Bucket: store.S3_BUCKET }));
  return Uploads.map(({ Key }) => Key);
}
