import type { ArchiveSlice } from "@nectar/core/export/archive";
import type { ManifestFile } from "@nectar/core/export/manifest";
import type { Tx } from "@nectar/database/database";
import type { Services } from "@nectar/http/services";

/** The files that ended in a part of an export. */
export interface PartFiles {
  readonly number: number;
  readonly files: readonly ManifestFile[];
  readonly records: Uint8Array;
}

/** Where the steps of an export read what they write. */
export interface Source {
  readonly userId: string;
  readonly services: Services;
  /** When the export was asked for; the time of all its files. */
  readonly generatedAt: string;
  /** The number of the part that is being written. */
  readonly part: number;
  /** Reads as the person whose export it is, under row-level security. */
  readonly read: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
  /** A few of the parts before the current one, after a number. */
  readonly partsAfter: (number: number) => Promise<readonly PartFiles[]>;
}

/** One step of an export. */
export interface Step {
  /**
   * Writes what comes next, at most a few megabytes.
   * @param cursor what the call before returned, null for the first
   * @returns the cursor of the next call; null if the step is done
   */
  write(archive: ArchiveSlice, source: Source, cursor: string | null): Promise<string | null>;
}

/** A page of rows, and the cursor of the next one. */
export interface RowPage<Row extends object = object> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Reads a page as the person. @param cursor undefined for the first page */
export type ReadRows<Row extends object = object> = (
  tx: Tx,
  source: Source,
  cursor: string | undefined,
) => Promise<RowPage<Row>>;

/** Writes one object as data/<name>.json. */
export function document(name: string, read: (tx: Tx, source: Source) => Promise<object | null>): Step {
  return {
    async write(archive, source) {
      const object = await source.read((tx) => read(tx, source));
      archive.addFile(`data/${name}.json`, Buffer.from(`${JSON.stringify(object, null, 2)}\n`), "deflated");
      return null;
    },
  };
}

/** Writes rows as data/<name>.json: an array with a row on each line. */
export function list(name: string, readRows: ReadRows): Step {
  return {
    async write(archive, source, cursor) {
      const { rows, next } = await source.read((tx) => readRows(tx, source, cursor ?? undefined));
      const lines = rows.map((row) => JSON.stringify(row)).join(",\n");
      // Rows that were there when the page before was read may be deleted by now.
      const separator = rows.length === 0 ? "" : ",\n";
      const before = cursor === null ? "[\n" : separator;
      const after = next === null ? "\n]\n" : "";
      archive.addPiece(`data/${name}.json`, Buffer.from(before + lines + after), rows.length);
      if (next === null) archive.endPieces(true);
      return next;
    },
  };
}

/** Writes a file for each row. @param fileOf null if the row has no file */
export function files<Row extends object>(
  readRows: ReadRows<Row>,
  method: "stored" | "deflated",
  fileOf: (row: Row, services: Services) => Promise<{ path: string; bytes: Uint8Array } | null>,
): Step {
  return {
    async write(archive, source, cursor) {
      const { rows, next } = await source.read((tx) => readRows(tx, source, cursor ?? undefined));
      for (const row of rows) {
        const file = await fileOf(row, source.services);
        if (file !== null) archive.addFile(file.path, file.bytes, method);
      }
      return next;
    },
  };
}

/** Writes manifest.json, after all other files. */
export const manifest: Step = {
  async write(archive, source, cursor) {
    const after = Number(cursor ?? 0);
    const { parts, next } = await partsToWrite(archive, source, after);
    const head = { format: "nectar-export", version: 1, generated_at: source.generatedAt, user_id: source.userId };
    const before = cursor === null ? `${JSON.stringify(head).slice(0, -1)},"files":[\n` : "";
    const lines = parts.flatMap((part) => part.files).map((file) => JSON.stringify(file));
    const separator = cursor === null || lines.length === 0 ? "" : ",\n";
    archive.addPiece(
      "manifest.json",
      Buffer.from(before + separator + lines.join(",\n") + (next === null ? "\n]}\n" : "")),
      0,
    );
    if (next === null) archive.endPieces(false);
    return next;
  },
};

/** Writes the central directory and the end of the archive. */
export const directory: Step = {
  async write(archive, source, cursor) {
    const { parts, next } = await partsToWrite(archive, source, Number(cursor ?? 0));
    for (const { records } of parts) archive.addRecords(records);
    if (next === null) archive.end();
    return next;
  },
};

/** The next parts whose files are to be named. The last one is being written, so its files are not stored yet. */
async function partsToWrite(archive: ArchiveSlice, source: Source, after: number) {
  const stored = after + 1 < source.part ? await source.partsAfter(after) : [];
  const last = stored.at(-1)?.number ?? after;
  if (last + 1 < source.part) return { parts: stored, next: String(last) };
  return { parts: [...stored, { number: source.part, ...archive.ended() }], next: null };
}
