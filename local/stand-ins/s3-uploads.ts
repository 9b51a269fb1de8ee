import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { S3Error } from "./s3-error.ts";
import { nullIfMissing, type ObjectHead, type Objects } from "./s3-objects.ts";

/** What a client says of a part when it completes an upload. */
export interface ListedPart {
  readonly number: number;
  readonly etag: string;
}

/** An upload in parts that is neither completed nor aborted. */
interface UnfinishedUpload {
  readonly id: string;
  readonly key: string;
  readonly contentType: string;
  /** In milliseconds since 1970. */
  readonly begunAt: number;
}

/** The unfinished uploads of a bucket. */
export type Uploads = ReturnType<typeof openUploads>;

/** S3 takes no smaller part but as the last one. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_PART_NUMBER = 10_000;
const HEAD = "upload.json";

/** Opens the uploads in parts of a folder: each is a folder with what it will be, and a file for each part. */
export function openUploads(folder: string, objects: Pick<Objects, "putFiles">) {
  const folderOf = (id: string) => join(folder, encodeURIComponent(id));
  const partOf = (id: string, number: number) => join(folderOf(id), `${number}.part`);

  async function find(key: string, id: string): Promise<UnfinishedUpload> {
    const head = await readFile(join(folderOf(id), HEAD), "utf8").catch(nullIfMissing);
    const upload: UnfinishedUpload | null = head === null ? null : JSON.parse(head);
    if (upload?.key === key) return upload;
    throw new S3Error(
      404,
      "NoSuchUpload",
      "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.",
    );
  }

  /** A part as it was stored. @throws S3Error if it was not, or has another etag */
  async function check(id: string, { number, etag }: ListedPart) {
    const bytes = await readFile(partOf(id, number)).catch(nullIfMissing);
    if (bytes !== null && etagOf(bytes) === etag)
      return { path: partOf(id, number), size: bytes.length, md5: md5(bytes) };
    throw new S3Error(400, "InvalidPart", "One or more of the specified parts could not be found.");
  }

  return {
    async create(key: string, contentType: string): Promise<string> {
      const id = randomUUID();
      await mkdir(folderOf(id), { recursive: true });
      const upload: UnfinishedUpload = { id, key, contentType, begunAt: Date.now() };
      await writeFile(join(folderOf(id), HEAD), JSON.stringify(upload));
      return id;
    },
    /** Stores a part and returns its etag. */
    async put(key: string, id: string, number: number, bytes: Uint8Array): Promise<string> {
      await find(key, id);
      if (!Number.isInteger(number) || number < 1 || number > MAX_PART_NUMBER) {
        throw new S3Error(400, "InvalidArgument", "Part number must be an integer between 1 and 10000, inclusive");
      }
      await writeFile(partOf(id, number), bytes);
      return etagOf(bytes);
    },
    /** Makes the parts one object. */
    async complete(key: string, id: string, parts: readonly ListedPart[]): Promise<ObjectHead> {
      const { contentType } = await find(key, id);
      if (parts.length === 0) {
        throw new S3Error(400, "MalformedXML", "The XML you provided was not well-formed or did not validate.");
      }
      if (parts.some(({ number }, index) => number <= (parts[index - 1]?.number ?? 0))) {
        throw new S3Error(400, "InvalidPartOrder", "The list of parts was not in ascending order.");
      }
      const stored = [];
      for (const part of parts) stored.push(await check(id, part));
      if (stored.slice(0, -1).some(({ size }) => size < MIN_PART_BYTES)) {
        throw new S3Error(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");
      }
      const etag = `"${md5(Buffer.concat(stored.map((part) => part.md5))).toString("hex")}-${parts.length}"`;
      const head = await objects.putFiles(key, { contentType, etag }, stored);
      await rm(folderOf(id), { recursive: true, force: true });
      return head;
    },
    async abort(key: string, id: string): Promise<void> {
      await find(key, id);
      await rm(folderOf(id), { recursive: true, force: true });
    },
    /** The unfinished uploads of keys with a prefix, by key and begin. */
    async list(prefix: string): Promise<UnfinishedUpload[]> {
      const ids = (await readdir(folder).catch(nullIfMissing)) ?? [];
      const heads = await Promise.all(ids.map((id) => readFile(join(folder, id, HEAD), "utf8").catch(nullIfMissing)));
      return heads
        .flatMap((head): UnfinishedUpload[] => (head === null ? [] : [JSON.parse(head)]))
        .filter(({ key }) => key.startsWith(prefix))
        .sort(
          (left, right) =>
            Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)) || left.begunAt - right.begunAt,
        );
    },
  };
}

function md5(bytes: Uint8Array): Buffer {
  return createHash("md5").update(bytes).digest();
}

function etagOf(bytes: Uint8Array): string {
  return `"${md5(bytes).toString("hex")}"`;
}
