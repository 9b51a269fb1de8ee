import { createHash } from "node:crypto";
import type { IHasher } from "hash-wasm";
import * as z from "zod";
import type { ManifestFile } from "./manifest.ts";
import { Sha256State, sha256From, stateOf } from "./sha256.ts";
import {
  crcAfter,
  dataDescriptor,
  deflatePiece,
  directoryRecord,
  END_OF_PIECES,
  endOfArchive,
  localHeader,
  type ZippedFile,
} from "./zip.ts";

/** A file of which some pieces are written. */
const OpenFile = z.object({
  path: z.string(),
  offset: z.int(),
  crc: z.int(),
  packed: z.int(),
  size: z.int(),
  rows: z.int(),
  sha256: Sha256State,
});

/** How far an archive is written, so that another process can continue. */
export const ArchiveState = z.object({
  /** Bytes of the archive so far. */
  size: z.int(),
  files: z.int(),
  /** Where the central directory begins; null before it does. */
  directory: z.int().nullable(),
  sha256: Sha256State,
  open: OpenFile.nullable(),
});
export type ArchiveState = z.infer<typeof ArchiveState>;

/** More than a slice of an export usually has. */
const FIRST_BUFFER_BYTES = 8 * 1024 * 1024;

/** An archive without files. */
export const EMPTY_ARCHIVE: ArchiveState = { size: 0, files: 0, directory: null, sha256: null, open: null };

/** What a slice of an archive has to remember of the files that ended in it. */
export interface SliceFiles {
  readonly files: readonly ManifestFile[];
  /** Their records of the central directory, one after another. */
  readonly records: Uint8Array;
}

/** SHA-256 of an archive, in hexadecimal. */
export async function digestOf({ sha256 }: ArchiveState): Promise<string> {
  return (await sha256From(sha256)).digest();
}

/** Writes a slice of a zip archive into memory: files, or pieces of a file that is too large for a slice. */
export class ArchiveSlice {
  readonly #at: Date;
  /** One buffer that grows: a slice may have tens of thousands of small files. */
  #buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  readonly #records: Uint8Array[] = [];
  readonly #manifest: ManifestFile[] = [];
  readonly #sha256: IHasher;
  /** Of the open file. */
  readonly #openSha256: IHasher;
  #size: number;
  #files: number;
  #directory: number | null;
  #open: Omit<z.infer<typeof OpenFile>, "sha256"> | null;
  #written = 0;

  private constructor(state: ArchiveState, at: Date, hashes: { readonly all: IHasher; readonly open: IHasher }) {
    this.#at = at;
    this.#size = state.size;
    this.#files = state.files;
    this.#directory = state.directory;
    this.#sha256 = hashes.all;
    this.#openSha256 = hashes.open;
    this.#open = state.open;
  }

  /** Continues an archive. @param at the time of all files; at most until the year 2107 */
  static async from(state: ArchiveState, at: Date): Promise<ArchiveSlice> {
    const [all, open] = await Promise.all([sha256From(state.sha256), sha256From(state.open?.sha256 ?? null)]);
    return new ArchiveSlice(state, at, { all, open });
  }

  /** Bytes that this slice has so far. */
  get written(): number {
    return this.#written;
  }

  /** Adds a whole file. @param method `stored` for what is compressed already */
  addFile(path: string, bytes: Uint8Array, method: ZippedFile["method"]): void {
    const packed = method === "stored" ? bytes : Buffer.concat([deflatePiece(bytes), END_OF_PIECES]);
    const known = {
      path,
      method,
      isStreamed: false,
      crc: crcAfter(0, bytes),
      packed: packed.length,
      size: bytes.length,
    };
    const offset = this.#size;
    this.#write(localHeader(known, this.#at));
    this.#write(packed);
    this.#endFile({ ...known, offset }, createHash("sha256").update(bytes).digest("hex"), null);
  }

  /** Adds a piece to a file, which begins with its first piece; no other file may be added before it ends. */
  addPiece(path: string, bytes: Uint8Array, rows: number): void {
    if (this.#open === null) {
      this.#open = { path, offset: this.#size, crc: 0, packed: 0, size: 0, rows: 0 };
      this.#openSha256.init();
      this.#write(localHeader({ ...this.#open, method: "deflated", isStreamed: true }, this.#at));
    }
    const packed = deflatePiece(bytes);
    this.#write(packed);
    this.#open.crc = crcAfter(this.#open.crc, bytes);
    this.#openSha256.update(bytes);
    this.#open.packed += packed.length;
    this.#open.size += bytes.length;
    this.#open.rows += rows;
  }

  /** Ends the file whose pieces were added. @param isList whether it has rows to count */
  endPieces(isList: boolean): void {
    if (this.#open === null) throw new Error("No file is open.");
    const { rows, ...file } = this.#open;
    this.#open = null;
    this.#write(END_OF_PIECES);
    const ended = {
      ...file,
      method: "deflated",
      isStreamed: true,
      packed: file.packed + END_OF_PIECES.length,
    } as const;
    this.#write(dataDescriptor(ended));
    this.#endFile(ended, this.#openSha256.digest(), isList ? rows : null);
  }

  /** Whether a file has begun and not ended. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Adds records of the central directory, in the order of their files. */
  addRecords(records: Uint8Array): void {
    this.#directory ??= this.#size;
    this.#write(records);
  }

  /** Ends the archive. */
  end(): void {
    const offset = this.#directory ?? this.#size;
    this.#write(endOfArchive({ files: this.#files, offset, size: this.#size - offset }));
  }

  /** The slice's bytes. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#written);
  }

  /** What to remember of the files that ended in this slice. */
  ended(): SliceFiles {
    return { files: this.#manifest, records: Buffer.concat(this.#records) };
  }

  /** How far the archive is with this slice. */
  state(): ArchiveState {
    return {
      size: this.#size,
      files: this.#files,
      directory: this.#directory,
      sha256: stateOf(this.#sha256),
      open: this.#open === null ? null : { ...this.#open, sha256: stateOf(this.#openSha256) },
    };
  }

  #write(bytes: Uint8Array): void {
    const needed = this.#written + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#written));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#written);
    this.#sha256.update(bytes);
    this.#size += bytes.length;
    this.#written += bytes.length;
  }

  #endFile(file: ZippedFile, sha256: string, rows: number | null): void {
    this.#files += 1;
    this.#records.push(directoryRecord(file, this.#at));
    this.#manifest.push({ path: file.path, sha256, bytes: file.size, rows });
  }
}
