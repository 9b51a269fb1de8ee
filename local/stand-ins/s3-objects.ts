import { createHash, randomUUID } from "node:crypto";
import { appendFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
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

  /** Writes the file of an object, which is renamed when it is complete, so that no request reads a part of it. */
  async function store(key: string, head: ObjectHead, write: (file: string) => Promise<void>): Promise<ObjectHead> {
    const unfinished = join(folder, `${randomUUID()}.unfinished`);
    await writeFile(unfinished, `${JSON.stringify(head)}\n`);
    await write(unfinished);
    await rename(unfinished, fileOf(key));
    return head;
  }

  return {
    put(key: string, bytes: Uint8Array, contentType: string): Promise<ObjectHead> {
      const etag = `"${createHash("md5").update(bytes).digest("hex")}"`;
      const head = { contentType, etag, size: bytes.length, modifiedAt: Date.now() };
      return store(key, head, (file) => appendFile(file, bytes));
    },
    /** Makes files one object, in their order. */
    putFiles(
      key: string,
      { contentType, etag }: Pick<ObjectHead, "contentType" | "etag">,
      parts: readonly { readonly path: string; readonly size: number }[],
    ): Promise<ObjectHead> {
      const size = parts.reduce((sum, part) => sum + part.size, 0);
      return store(key, { contentType, etag, size, modifiedAt: Date.now() }, async (file) => {
        for (const { path } of parts) await appendFile(file, await readFile(path));
      });
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

/** For a file that may be missing. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}
