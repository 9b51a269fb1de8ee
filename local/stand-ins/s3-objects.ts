import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { S3Error } from "./s3-error.ts";

/** The headers that S3 stores beside the bytes of an object. The etag is the MD5 of the bytes in quotes. */
const Headers = z.object({ "content-type": z.string(), etag: z.string(), "last-modified": z.string() });

/** The objects of a bucket. */
export type Objects = Awaited<ReturnType<typeof openObjects>>;

/** S3 takes no smaller part but as the last one. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
const SUFFIX = ".object";

/**
 * Opens the objects of a folder, which is created if it is missing. Each is one file: a line with its headers, and its bytes.
 * Uploads in parts are in memory.
 */
export async function openObjects(folder: string) {
  await mkdir(folder, { recursive: true });
  const uploads = new Map<string, { key: string; contentType: string; parts: Map<number, Uint8Array> }>();
  const fileOf = (key: string) => join(folder, `${encodeURIComponent(key)}${SUFFIX}`);

  function find(key: string, id: string) {
    const upload = uploads.get(id);
    if (upload?.key === key) return upload;
    throw new S3Error(404, "NoSuchUpload", "The specified upload does not exist.");
  }

  /** Stores an object in a file that is renamed when it is complete, so that no request reads a part of it. */
  async function put(key: string, contentType: string, bytes: Uint8Array, etag = etagOf(bytes)): Promise<string> {
    const unfinished = join(folder, `${randomUUID()}.unfinished`);
    const headers = { "content-type": contentType, etag, "last-modified": new Date().toUTCString() };
    await writeFile(unfinished, [Buffer.from(`${JSON.stringify(headers)}\n`), bytes]);
    await rename(unfinished, fileOf(key));
    return etag;
  }

  return {
    /** @returns the etag */
    put,
    /** @throws S3Error NoSuchKey */
    async get(key: string): Promise<{ headers: z.infer<typeof Headers>; bytes: Uint8Array<ArrayBuffer> }> {
      const file = await readFile(fileOf(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? new S3Error(404, "NoSuchKey", "The specified key does not exist.") : error;
      });
      const end = file.indexOf("\n");
      return {
        headers: Headers.parse(JSON.parse(file.toString("utf8", 0, end))),
        bytes: new Uint8Array(file.subarray(end + 1)),
      };
    },
    /** Deletes an object; a missing one is no error. */
    delete: (key: string) => rm(fileOf(key), { force: true }),
    /** The keys with a prefix, sorted by their bytes. */
    async keys(prefix = ""): Promise<string[]> {
      const files = (await readdir(folder)).filter((file) => file.endsWith(SUFFIX));
      const keys = files.map((file) => decodeURIComponent(file.slice(0, -SUFFIX.length)));
      return keys
        .filter((key) => key.startsWith(prefix))
        .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    },
    /** @returns the id of the upload */
    beginUpload(key: string, contentType: string): string {
      const id = randomUUID();
      uploads.set(id, { key, contentType, parts: new Map() });
      return id;
    },
    /** @returns the etag of the part */
    putPart(key: string, id: string, number: number, bytes: Uint8Array): string {
      find(key, id).parts.set(number, bytes);
      return etagOf(bytes);
    },
    /** Makes the parts with these numbers and etags one object. @returns its etag */
    async completeUpload(
      key: string,
      id: string,
      listed: readonly (readonly [number: number, etag: string])[],
    ): Promise<string> {
      const { contentType, parts } = find(key, id);
      const stored = listed.flatMap(([number, etag]) => {
        const part = parts.get(number);
        return part !== undefined && etagOf(part) === etag ? [part] : [];
      });
      if (stored.length === 0 || stored.length < listed.length) {
        throw new S3Error(400, "InvalidPart", "One or more of the specified parts could not be found.");
      }
      if (stored.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES)) {
        throw new S3Error(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");
      }
      const hashes = listed.map(([, etag]) => Buffer.from(etag.replaceAll('"', ""), "hex"));
      const etag = etagOf(Buffer.concat(hashes)).replace(/"$/, `-${stored.length}"`);
      await put(key, contentType, Buffer.concat(stored), etag);
      uploads.delete(id);
      return etag;
    },
    abortUpload(key: string, id: string): void {
      find(key, id);
      uploads.delete(id);
    },
    /** The unfinished uploads of keys with a prefix, by their ids. */
    listUploads: (prefix: string) =>
      [...uploads].flatMap(([id, { key }]) => (key.startsWith(prefix) ? [[id, key] as const] : [])),
  };
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}
