import { fstatSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from "yauzl";
import {
  ArchiveProblem,
  type FileProblemCode,
  FREE_UNPACKED_BYTES,
  MAX_FILES,
  MAX_PATH_LENGTH,
  MAX_RATIO,
  MAX_UNPACKED_BYTES,
} from "./problems.ts";

/** A file in an archive. */
export interface ArchiveFile {
  /** Such as `2026/05/01.md`; unique in its archive, but for a file with a problem. */
  readonly path: string;
  /** Why the file is not read; null for most files. */
  readonly problem: FileProblemCode | null;
  /** In bytes, unpacked. */
  readonly size: number;
  /** When it was last changed; null if the archive does not say. */
  readonly modifiedAt: Date | null;
  /** Whether modifiedAt is what a local clock showed, as if that were UTC. */
  readonly isLocalTime: boolean;
}

/** A zip archive whose directory is free of what could harm. */
export interface Archive {
  /** In the order of the directory, without folders. */
  readonly files: readonly ArchiveFile[];
  /**
   * Unpacks a file, and never more than the archive says that it has.
   * @throws ArchiveProblem if it cannot be unpacked, or has another size or checksum
   */
  read(file: ArchiveFile): AsyncIterable<Uint8Array>;
}

/** Bytes of a file's own header, without its name. */
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** The first bytes of a file's entry in the directory. */
const DIRECTORY_ENTRY = Buffer.from("PK\x01\x02", "latin1");
/** The extra field of Info-ZIP with the name in UTF-8. */
const UNICODE_PATH = 0x7075;
/** The earliest time of the format, which programs write that know none. */
const NO_TIME = Date.UTC(1980, 0, 2);

/**
 * Reads the directory of a zip archive and checks all of it.
 * @param fd the open file of the archive
 * @throws ArchiveProblem for anything that an archive of a person's texts does not need
 */
export async function openArchive(fd: number): Promise<Archive> {
  const zip = await asProblem("unreadable", null, () =>
    // Names are decoded and checked below.
    fromFdPromise(fd, { autoClose: false, decodeStrings: false }),
  );
  const entries = await asProblem("unreadable", null, () => readDirectory(zip, fstatSync(fd).size));
  // Its type says boolean; it is the position behind the last entry.
  requireEnd(fd, Number(zip.readEntryCursor));
  return {
    files: [...entries.keys()],
    async *read(file) {
      const entry = entries.get(file);
      if (entry === undefined) throw new Error("This file is not in the archive.");
      const chunks = unpack(zip, entry, file);
      for (;;) {
        const { done, value } = await asProblem("damaged", file.path, () => chunks.next());
        if (done === true) return;
        yield value;
      }
    },
  };
}

async function readDirectory(zip: ZipFile, archiveBytes: number): Promise<Map<ArchiveFile, Entry>> {
  if (zip.entryCount > MAX_FILES) throw new ArchiveProblem("too_many_files");
  const entries = new Map<ArchiveFile, Entry>();
  const paths = new Set<string>();
  const ranges: { path: string; start: number; end: number }[] = [];
  let unpackedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const path = pathOf(entry);
    checkEntry(path, entry);
    const start = entry.relativeOffsetOfLocalHeader;
    ranges.push({ path, start, end: start + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize });
    unpackedBytes += entry.uncompressedSize;
    if (!path.endsWith("/")) {
      const problem = /\p{Cc}/u.test(path) ? "odd_name" : paths.has(path) ? "duplicate_path" : null;
      paths.add(path);
      const [size, modifiedAt, isLocalTime] = [entry.uncompressedSize, timeOf(entry), !hasUtcTime(entry)];
      entries.set({ path, problem, size, modifiedAt, isLocalTime }, slimEntry(entry));
    }
  }
  checkSize(unpackedBytes, archiveBytes);
  checkRanges(ranges);
  return entries;
}

/**
 * macOS counts files by 16 bits alone: of 65,600 the end of the directory names 64.
 * @param at where the directory ends by the number of its entries
 */
function requireEnd(fd: number, at: number): void {
  const next = Buffer.alloc(DIRECTORY_ENTRY.length);
  readSync(fd, next, 0, next.length, at);
  if (next.equals(DIRECTORY_ENTRY)) throw new ArchiveProblem("damaged");
}

/** The path of a file, with `/` between its folders, whatever the program wrote: `.\\a//b.md` is `a/b.md`. */
function pathOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const hasUnicodePath = extraFields.some(({ id }) => id === UNICODE_PATH);
  // Many programs write UTF-8 without saying so.
  const name = hasUnicodePath ? null : utf8OrNull(fileNameRaw);
  const path = name ?? getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  return path
    .replaceAll("\\", "/")
    .replaceAll(/\/(?:\.?\/)+/g, "/")
    .replace(/^(?:\.\/)+(?=.)/, "");
}

function utf8OrNull(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function checkEntry(path: string, entry: Entry): void {
  if (isUnsafe(path, entry)) throw new ArchiveProblem("unsafe_path", path);
  if (entry.isEncrypted()) throw new ArchiveProblem("encrypted", path);
  // The type of a file on Unix; 0 from other systems.
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (type !== 0 && type !== 0o100000 && type !== 0o040000) throw new ArchiveProblem("not_a_file", path);
}

function isUnsafe(path: string, { fileNameLength }: Entry): boolean {
  return (
    fileNameLength === 0 ||
    path.length > MAX_PATH_LENGTH ||
    /^(?:[a-zA-Z]:)?\//.test(path) ||
    path.split("/").includes("..")
  );
}

function checkSize(unpackedBytes: number, archiveBytes: number): void {
  if (unpackedBytes > MAX_UNPACKED_BYTES) throw new ArchiveProblem("too_large");
  if (unpackedBytes > FREE_UNPACKED_BYTES && unpackedBytes > MAX_RATIO * archiveBytes) {
    throw new ArchiveProblem("too_compressed");
  }
}

/** Files that share bytes unpack to far more than the archive could have otherwise. */
function checkRanges(ranges: { path: string; start: number; end: number }[]): void {
  ranges.sort((one, other) => one.start - other.start);
  for (const [index, { path, start }] of ranges.entries()) {
    const before = ranges[index - 1];
    if (before !== undefined && before.end > start) throw new ArchiveProblem("overlapping_files", path);
  }
}

/** Whether an entry has its last change in UTC, in an extra field of Info-ZIP or Windows, which yauzl prefers. */
function hasUtcTime({ extraFields }: Entry): boolean {
  return extraFields.some(({ id }) => id === 0x5455 || id === 0x000a);
}

/** The last change by the clock of the computer that made the archive, taken for UTC unless the archive has UTC as well. */
function timeOf(entry: Entry): Date | null {
  const time = entry.getLastModDate({ timezone: "UTC" });
  return Number.isNaN(time.getTime()) || time.getTime() < NO_TIME ? null : time;
}

/** The part of an entry that unpacking needs: there may be 100,000, with long names and extra fields. */
function slimEntry(entry: Entry): Entry {
  const { compressedSize, uncompressedSize, compressionMethod, crc32: checksum, relativeOffsetOfLocalHeader } = entry;
  return Object.assign(new Entry(), {
    compressedSize,
    uncompressedSize,
    compressionMethod,
    crc32: checksum,
    relativeOffsetOfLocalHeader,
  });
}

async function* unpack(zip: ZipFile, entry: Entry, { path, size }: ArchiveFile): AsyncGenerator<Uint8Array, void> {
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new ArchiveProblem("unsupported_compression", path);
  }
  let [unpackedBytes, checksum] = [0, 0];
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    unpackedBytes += chunk.length;
    if (unpackedBytes > size) break;
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (unpackedBytes !== size || checksum !== entry.crc32) throw new ArchiveProblem("damaged", path);
}

/** Turns every error into a problem of the archive. */
async function asProblem<Result>(
  code: "unreadable" | "damaged",
  path: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ArchiveProblem) throw error;
    throw new ArchiveProblem(code, path);
  }
}
