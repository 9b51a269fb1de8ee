import * as z from "zod";
import { LENGTHS } from "#core/lengths.generated";
import type { Archive, ArchiveFile } from "./archive.ts";
import { checked, type Draft, type OpenSource } from "./drafts.ts";
import { jsonValues, readJsonEntries } from "./json-entries.ts";
import { isHidden } from "./paths.ts";
import { type ArchivePicture, picturesIn } from "./pictures.ts";
import { ArchiveProblem } from "./problems.ts";

/** An entry in `data/entries.json`; other fields, such as who saw it, are not imported. */
const ExportedEntry = z.looseObject({
  id: z.guid(),
  notebook_id: z.guid().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

const ExportedNotebook = z.object({
  id: z.guid(),
  name: shortened(LENGTHS.notebooks.name.max),
  description: shortened(LENGTHS.notebooks.description.max).nullish(),
  template: shortened(LENGTHS.notebook_contents.template.max).nullish(),
  ai_excluded_default: z.boolean().optional().catch(undefined),
});
type ExportedNotebook = z.infer<typeof ExportedNotebook>;

const ExportedPicture = z.object({
  id: z.guid(),
  entry_id: z.guid().nullable(),
  position: z.int(),
  caption: z.string().nullish(),
});

const MAX_NOTEBOOKS = 10_000;
/** The list of entries, also within one folder: an export that was unpacked and packed again may have one. */
const ENTRIES = /^(?:[^/]+\/)?data\/entries\.json$/;

/** The archive that this service exports. */
export const openNectar: OpenSource = async (archive, clock) => {
  const files = archive.files.filter(({ path }) => !isHidden(path) && ENTRIES.test(path));
  const [first] = files;
  if (first === undefined) throw new ArchiveProblem("no_entries");
  const folder = first.path.slice(0, -"data/entries.json".length);
  const notebooks = await readNotebooks(archive, folder);
  const pictures = await readPictures(archive, folder);
  return {
    files,
    entriesOf: (file) =>
      readJsonEntries(archive, file, ExportedEntry, (path, entry) =>
        checked(path, draftOf(entry, notebooks, pictures), clock),
      ),
  };
};

async function readNotebooks(archive: Archive, folder: string): Promise<ReadonlyMap<string, ExportedNotebook>> {
  const notebooks = new Map<string, ExportedNotebook>();
  const file: ArchiveFile | undefined = archive.files.find(({ path }) => path === `${folder}data/notebooks.json`);
  if (file === undefined) return notebooks;
  for await (const value of jsonValues(archive, file)) {
    const notebook = ExportedNotebook.safeParse(value).data;
    if (notebook === undefined || notebooks.size === MAX_NOTEBOOKS) throw new ArchiveProblem("invalid_json", file.path);
    notebooks.set(notebook.id, notebook);
  }
  return notebooks;
}

/** The pictures of entries, by the entries' ids. Those of entries in the trash are left out, as the entries are. */
async function readPictures(archive: Archive, folder: string): Promise<ReadonlyMap<string, readonly ArchivePicture[]>> {
  const found = new Map<string, (ArchivePicture & { position: number })[]>();
  const file: ArchiveFile | undefined = archive.files.find(({ path }) => path === `${folder}data/pictures.json`);
  const pictureOf = picturesIn(archive);
  if (file === undefined) return found;
  for await (const value of jsonValues(archive, file)) {
    const picture = ExportedPicture.safeParse(value).data;
    if (picture === undefined) throw new ArchiveProblem("invalid_json", file.path);
    const { id, entry_id: entryId, position, caption } = picture;
    if (entryId === null) continue;
    const pictures = found.get(entryId) ?? [];
    found.set(entryId, pictures);
    pictures.push({ ...pictureOf([`${folder}files/pictures/${id}.jpg`], caption), position });
  }
  for (const pictures of found.values()) pictures.sort((one, other) => one.position - other.position);
  return found;
}

/**
 * A text, replaced if it has far more than `max` characters: all notebooks are in memory. What replaces it is too long as
 * well, so that the entries of its notebook are refused.
 */
function shortened(max: number) {
  const tooLong = "x".repeat(max + 1);
  // A character takes up to two UTF-16 units.
  return z.string().transform((text) => (text.length > 2 * max ? tooLong : text));
}

function draftOf(
  entry: z.output<typeof ExportedEntry>,
  notebooks: ReadonlyMap<string, ExportedNotebook>,
  pictures: ReadonlyMap<string, readonly ArchivePicture[]>,
): Draft {
  return {
    ...entry,
    externalId: entry.id,
    exportedId: entry.id,
    // An entry whose notebook is missing is imported without it.
    notebook: notebooks.get(entry.notebook_id ?? "") ?? null,
    createdAt: new Date(entry.created_at),
    updatedAt: new Date(entry.updated_at),
    pictures: pictures.get(entry.id) ?? [],
  };
}
