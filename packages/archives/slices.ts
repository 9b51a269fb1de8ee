import type { ImportedEntry, SourceArchive } from "./drafts.ts";
import type { Problem } from "./problems.ts";

/** A part of an archive that one transaction imports. */
export interface ImportSlice {
  readonly entries: ImportedEntry[];
  readonly problems: Problem[];
}

const MAX_ITEMS = 500;
/** Most text in a slice: contents, in UTF-16 units. */
const MAX_TEXT = 2_000_000;

/** The slices of an archive; only one of them is in memory. */
export async function* slicesOf(source: SourceArchive): AsyncGenerator<ImportSlice, void> {
  let slice: ImportSlice = { entries: [], problems: [] };
  let textLength = 0;
  for (const file of source.files) {
    for await (const found of source.entriesOf(file)) {
      if ("entry" in found) {
        slice.entries.push(found.entry);
        textLength += found.entry.content.length;
      } else {
        slice.problems.push(found.problem);
      }
      if (slice.entries.length + slice.problems.length < MAX_ITEMS && textLength < MAX_TEXT) continue;
      yield slice;
      slice = { entries: [], problems: [] };
      textLength = 0;
    }
  }
  if (slice.entries.length + slice.problems.length > 0) yield slice;
}
