import type { ArchiveFile } from "./archive.ts";
import { entryProblem, type Found, type ImportedEntry, type SourceArchive } from "./drafts.ts";
import { FILE_PROBLEMS, type Problem, problemOf } from "./problems.ts";

/** A part of an archive that one transaction imports. */
export interface ImportBatch {
  readonly entries: ImportedEntry[];
  readonly problems: Problem[];
}

const MAX_ITEMS = 500;
/** Pictures of a batch take about half a second each, and those of an interrupted one are stored again. */
const MAX_PICTURES = 20;
/** Most text in a batch: contents and templates, in UTF-16 units. */
const MAX_TEXT = 2_000_000;

/** The batches of an archive; only one of them is in memory. */
export async function* batchesOf(source: SourceArchive): AsyncGenerator<ImportBatch, void> {
  let batch: ImportBatch = { entries: [], problems: [] };
  let [textLength, pictures] = [0, 0];
  const ids = new Set<string>();
  for (const file of source.files) {
    for await (const found of foundIn(source, file)) {
      if ("entry" in found && ids.has(found.entry.external_id)) {
        batch.problems.push(problemOf(found.path, "duplicate_id", "The archive has another entry with the same id."));
      } else if ("entry" in found) {
        ids.add(found.entry.external_id);
        batch.entries.push(found.entry);
        textLength += found.entry.content.length + (found.entry.notebook_template?.length ?? 0);
        pictures += found.entry.pictures.length;
      } else {
        batch.problems.push(found.problem);
      }
      const items = batch.entries.length + batch.problems.length;
      if (items < MAX_ITEMS && textLength < MAX_TEXT && pictures < MAX_PICTURES) continue;
      yield batch;
      batch = { entries: [], problems: [] };
      [textLength, pictures] = [0, 0];
    }
  }
  if (batch.entries.length + batch.problems.length > 0) yield batch;
}

async function* foundIn(source: SourceArchive, file: ArchiveFile): AsyncGenerator<Found, void> {
  const { path, problem } = file;
  if (problem === null) yield* source.entriesOf(file);
  else yield entryProblem(path, problem, FILE_PROBLEMS[problem]);
}
