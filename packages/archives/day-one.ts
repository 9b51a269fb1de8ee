import * as z from "zod";
import { dateIn } from "#core/time/calendar-date";
import { isIanaTimeZone } from "#core/time/time-zone";
import type { ArchiveFile } from "./archive.ts";
import { checked, type Draft, type ImportClock, type OpenSource } from "./drafts.ts";
import { readJsonEntries } from "./json-entries.ts";
import { baseName, isHidden } from "./paths.ts";
import { ArchiveProblem } from "./problems.ts";
import { dayAsTitle, titleOf } from "./titles.ts";

/** An entry in the JSON of Day One. Other fields, such as its place and its photos, are not imported. */
const DayOneEntry = z.object({
  uuid: z.string().min(1),
  creationDate: z.iso.datetime(),
  modifiedDate: z.iso.datetime().optional().catch(undefined),
  timeZone: z.string().optional().catch(undefined),
  text: z.unknown().optional(),
  tags: z.unknown().optional(),
});

/** The archive that Day One exports as JSON: a file for each journal. */
export const openDayOne: OpenSource = async (archive, clock) => {
  const files = archive.files.filter(({ path }) => !isHidden(path) && path.toLowerCase().endsWith(".json"));
  if (files.length === 0) throw new ArchiveProblem("no_entries");
  return {
    files,
    entriesOf: (file) =>
      readJsonEntries(archive, file, DayOneEntry, (path, entry) => checked(path, draftOf(entry, file, clock), clock)),
  };
};

function draftOf(entry: z.output<typeof DayOneEntry>, file: ArchiveFile, clock: ImportClock): Draft {
  const createdAt = new Date(entry.creationDate);
  const timeZone = entry.timeZone !== undefined && isIanaTimeZone(entry.timeZone) ? entry.timeZone : clock.timeZone;
  const entryDate = dateIn(timeZone, createdAt);
  const updatedAt = entry.modifiedDate === undefined ? createdAt : new Date(entry.modifiedDate);
  return {
    externalId: entry.uuid,
    title: titleOf(entry.text) ?? dayAsTitle(entryDate),
    content: entry.text ?? "",
    tags: entry.tags,
    notebook: { name: baseName(file.path) },
    entryDate,
    createdAt,
    updatedAt,
  };
}
