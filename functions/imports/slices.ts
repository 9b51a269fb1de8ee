import type { ImportedEntry, SourceArchive } from "./drafts.ts";
import type { Problem } from "./problems.ts";

/** A position in an archive: the entries of the files before, and so many of the file, are done. */
export interface Position {
  readonly file: number;
  readonly item: number;
}

/** A part of an archive that one transaction imports. */
export interface ImportSlice {
  readonly from: Position;
  readonly next: Position;
  readonly entries: ImportedEntry[];
  readonly problems: Problem[];
}

const MAX_ITEMS = 500;
/** Most text in a batch: titles and contents, in UTF-16 units. */
const MAX_TEXT = 2_000_000;

export const START: Position = { file: 0, item: 0 };

/** The slices of an archive from a position on; only one of them is in memory. */
export async function* slicesOf(source: SourceArchive, from: Position): AsyncGenerator<ImportSlice, void> {
  let slice = emptySlice(from);
  let textLength = 0;
  for (const [file, archiveFile] of source.files.entries()) {
    if (file < from.file) continue;
    let item = 0;
    for await (const found of source.entriesOf(archiveFile)) {
      item += 1;
      if (file === from.file && item <= from.item) continue;
      if ("entry" in found) {
        slice.entries.push(found.entry);
        textLength += found.entry.content.length;
      } else {
        slice.problems.push(found.problem);
      }
      if (slice.entries.length + slice.problems.length < MAX_ITEMS && textLength < MAX_TEXT) continue;
      const next = { file, item };
      yield { ...slice, next };
      slice = emptySlice(next);
      textLength = 0;
    }
  }
  if (slice.entries.length + slice.problems.length > 0)
    yield { ...slice, next: { file: source.files.length, item: 0 } };
}

function emptySlice(from: Position): ImportSlice {
  return { from, next: from, entries: [], problems: [] };
}
