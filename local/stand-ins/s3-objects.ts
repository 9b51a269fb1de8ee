import { createHash, randomUUID } from "node:crypto";
import { appendFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { S3Error } from "./s3-error.ts";

/** The headers that S3 stores beside the bytes of an object. */
export interface ObjectHead {
  readonly contentType: string;
  /** MD5 of the bytes in quotes. */
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** A part of an upload as it was stored. */
interface Part {
  readonly path: string;
  readonly etag: string;
  readonly size: number;
}

/** An upload in parts that is neither completed nor aborted. */
interface Upload {
  readonly key: string;
  readonly contentType: string;
  readonly parts: Map<number, Part>;
}

/** The objects of a bucket. */
export type Objects = Awaited<ReturnType<typeof openObjects>>;

/** Maximum length of the line of JSON with which a file begins, in bytes. */
const MAX_HEAD_BYTES = 2_048;
/** S3 takes no smaller part but as the last one. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
const SUFFIX = ".object";

/**
 * Opens the objects of a folder, which is created if it is missing. Each is one file: a line with its head, and its bytes.
 * Uploads in parts are known until the store stops.
 */
export async function openObjects(folder: string) {
  await mkdir(folder, { recursive: true });
  const uploads = new Map<string, Upload>();
  const fileOf = (key: string) => join(folder, `${encodeURIComponent(key)}${SUFFIX}`);
  const newFile = () => join(folder, `${randomUUID()}.unfinished`);

  /**
   * The file of an object is renamed when it is complete, so that no request reads a part of it.
   * @param pieces bytes, or the paths of files with them
   */
  async function store(
    key: string,
    head: Omit<ObjectHead, "modifiedAt">,
    pieces: readonly (Uint8Array | string)[],
  ): Promise<void> {
    const unfinished = newFile();
    await writeFile(unfinished, `${JSON.stringify({ ...head, modifiedAt: Date.now() })}\n`);
    for (const piece of pieces) await appendFile(unfinished, typeof piece === "string" ? await readFile(piece) : piece);
    await rename(unfinished, fileOf(key));
  }

  function find(key: string, id: string): Upload {
    const upload = uploads.get(id);
    if (upload?.key === key) return upload;
    throw new S3Error(404, "NoSuchUpload", "The specified upload does not exist.");
  }

  async function forget(id: string): Promise<void> {
    const parts = uploads.get(id)?.parts.values() ?? [];
    uploads.delete(id);
    for (const { path } of parts) await rm(path, { force: true });
  }

  return {
    /** @returns the etag */
    async put(key: string, bytes: Uint8Array, contentType: string): Promise<string> {
      const etag = etagOf(bytes);
      await store(key, { contentType, etag, size: bytes.length }, [bytes]);
      return etag;
    },
    /** An object, or null if there is none. */
    async get(key: string): Promise<{ head: ObjectHead; bytes: Uint8Array<ArrayBuffer> } | null> {
      const file = await readFile(fileOf(key)).catch(nullIfMissing);
      if (file === null) return null;
      return { head: headOf(file), bytes: new Uint8Array(file.subarray(file.indexOf("\n") + 1)) };
    },
    /** Reads the headers of an object; null if there is none. */
    async head(key: string): Promise<ObjectHead | null> {
      const file = await open(fileOf(key)).catch(nullIfMissing);
      if (file === null) return null;
      try {
        const { buffer } = await file.read(Buffer.alloc(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
        return headOf(buffer);
      } finally {
        await file.close();
      }
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
    async putPart(key: string, id: string, number: number, bytes: Uint8Array): Promise<string> {
      const { parts } = find(key, id);
      const part = { path: parts.get(number)?.path ?? newFile(), etag: etagOf(bytes), size: bytes.length };
      await writeFile(part.path, bytes);
      parts.set(number, part);
      return part.etag;
    },
    /** Makes the parts one object. @returns its etag */
    async completeUpload(
      key: string,
      id: string,
      listed: readonly { number: number; etag: string }[],
    ): Promise<string> {
      const { contentType, parts } = find(key, id);
      const stored = listed.flatMap(({ number, etag }) => {
        const part = parts.get(number);
        return part?.etag === etag ? [part] : [];
      });
      if (stored.length === 0 || stored.length < listed.length) {
        throw new S3Error(400, "InvalidPart", "One or more of the specified parts could not be found.");
      }
      if (stored.slice(0, -1).some(({ size }) => size < MIN_PART_BYTES)) {
        throw new S3Error(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");
      }
      const hashes = stored.map(({ etag }) => Buffer.from(etag.replaceAll('"', ""), "hex"));
      const etag = etagOf(Buffer.concat(hashes)).replace(/"$/, `-${stored.length}"`);
      const size = stored.reduce((sum, part) => sum + part.size, 0);
      await store(
        key,
        { contentType, etag, size },
        stored.map(({ path }) => path),
      );
      await forget(id);
      return etag;
    },
    async abortUpload(key: string, id: string): Promise<void> {
      find(key, id);
      await forget(id);
    },
    /** The unfinished uploads of keys with a prefix. */
    listUploads: (prefix: string) =>
      [...uploads].flatMap(([id, { key }]) => (key.startsWith(prefix) ? [{ id, key }] : [])),
  };
}

function headOf(file: Buffer): ObjectHead {
  return JSON.parse(file.toString("utf8", 0, file.indexOf("\n")));
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

/** For a file that may be missing. */
function nullIfMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}
