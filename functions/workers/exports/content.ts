import type { NewFile } from "#archives/zip-archive";
import type { Tx } from "#database/database";
import type { Services } from "#http/services/services";

/** The person whose data an export reads, and the services that it reads with. */
export interface Source {
  readonly userId: string;
  readonly services: Services;
  /** When the export was requested; the time of all its files. */
  readonly generatedAt: string;
  /** Reads as the person whose export it is, under row-level security. */
  readonly read: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
}

/** A file of an export. */
export type ExportFile = Omit<NewFile, "content"> & {
  readonly content: Uint8Array | AsyncGenerator<Uint8Array, number>;
};

/** Files of one kind; each is read when it is asked for. The content of a list ends with the number of its rows. */
export type Content = (source: Source) => AsyncGenerator<ExportFile, void>;

/** Reads a page as the person, and returns the cursor of the next one. @param cursor undefined for the first page */
export type ReadRows<Row extends object = object> = (
  tx: Tx,
  source: Source,
  cursor: string | undefined,
) => Promise<{ readonly rows: readonly Row[]; readonly next: string | null }>;

/** One object, as data/<name>.json. */
export function document(name: string, read: (tx: Tx, source: Source) => Promise<object | null>): Content {
  return async function* (source) {
    const object = await source.read((tx) => read(tx, source));
    const content = Buffer.from(`${JSON.stringify(object, null, 2)}\n`);
    yield { path: `data/${name}.json`, method: "deflated", content };
  };
}

/** Rows, as data/<name>.json: an array with a row on each line. */
export function list(name: string, readRows: ReadRows): Content {
  return async function* (source) {
    yield { path: `data/${name}.json`, method: "deflated", content: linesOf(source, readRows) };
  };
}

/** A file for each row. @param fileOf null if the row has no file */
export function files<Row extends object>(
  readRows: ReadRows<Row>,
  method: NewFile["method"],
  fileOf: (row: Row, services: Services) => Promise<{ path: string; content: Uint8Array } | null>,
): Content {
  return async function* (source) {
    for await (const rows of pagesOf(source, readRows)) {
      for (const file of await Promise.all(rows.map((row) => fileOf(row, source.services)))) {
        if (file !== null) yield { ...file, method };
      }
    }
  };
}

async function* linesOf(source: Source, readRows: ReadRows): AsyncGenerator<Uint8Array, number> {
  let count = 0;
  yield Buffer.from("[\n");
  for await (const rows of pagesOf(source, readRows)) {
    const separator = count === 0 || rows.length === 0 ? "" : ",\n";
    yield Buffer.from(separator + rows.map((row) => JSON.stringify(row)).join(",\n"));
    count += rows.length;
  }
  yield Buffer.from("\n]\n");
  return count;
}

async function* pagesOf<Row extends object>(source: Source, readRows: ReadRows<Row>): AsyncGenerator<readonly Row[]> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const from = cursor;
    const { rows, next } = await source.read((tx) => readRows(tx, source, from));
    yield rows;
    cursor = next;
  }
}
