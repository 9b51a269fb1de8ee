import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What S3 keeps of an object beside its bytes. */
export interface ObjectHead {
  readonly contentType: string;
  /** MD5 of the bytes in quotes. */
  readonly etag: string;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** The objects of a bucket. */
export type Objects = Awaited<ReturnType<typeof openObjects>>;

/** Maximum length of the line of JSON with which a file begins, in bytes. */
const MAX_HEAD_BYTES = 2_048;
const SUFFIX = ".object";

/** Opens the objects of a folder, which is created if it is missing. Each is one file: a line with its head, and its bytes. */
export async function openObjects(folder: string) {
  await mkdir(folder, { recursive: true });
  const fileOf = (key: string) => join(folder, `${encodeURIComponent(key)}${SUFFIX}`);

  return {
    async put(key: string, bytes: Uint8Array, contentType: string): Promise<ObjectHead> {
      const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
      const head: ObjectHead = { contentType, etag, size: bytes.length, modifiedAt: Date.now() };
      // Renamed when it is complete, so that no request reads a part of it.
      const unfinished = join(folder, `${randomUUID()}.unfinished`);
      await writeFile(unfinished, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]));
      await rename(unfinished, fileOf(key));
      return head;
    },
    /** An object, or null if there is none. */
    async get(key: string): Promise<{ head: ObjectHead; bytes: Uint8Array<ArrayBuffer> } | null> {
      const file = await readFile(fileOf(key)).catch(nullIfMissing);
      if (file === null) return null;
      return { head: headOf(file), bytes: new Uint8Array(file.subarray(file.indexOf("\n") + 1)) };
    },
    /** The bytes of an object from an index, at most `length`; null if there is no object. */
    async getRange(key: string, from: number, length: number): Promise<Uint8Array<ArrayBuffer> | null> {
      const file = await open(fileOf(key)).catch(nullIfMissing);
      if (file === null) return null;
      try {
        const { buffer: head } = await file.read(Buffer.alloc(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
        const start = head.indexOf("\n") + 1 + from;
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start);
        return buffer.subarray(0, bytesRead);
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
    /** What is kept of an object, or null if there is none. */
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
  };
}

function headOf(file: Buffer): ObjectHead {
  return JSON.parse(file.toString("utf8", 0, file.indexOf("\n")));
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}
