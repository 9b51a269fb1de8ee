import { posix } from "node:path";
import * as z from "zod";
import { dateIn } from "#core/time/calendar-date";
import type { Archive, ArchiveFile } from "./archive.ts";
import { checked, type Draft, type ImportClock, type OpenSource } from "./drafts.ts";
import { readJsonEntries } from "./json-entries.ts";
import { baseName, isHidden } from "./paths.ts";
import { type ArchivePicture, picturesIn, takePictures } from "./pictures.ts";
import { ArchiveProblem } from "./problems.ts";
import { dayAsTitle, titleOf } from "./titles.ts";

const Unknown = z.string().optional().catch(undefined);
const DayOnePhoto = z.object({
  identifier: Unknown,
  md5: Unknown,
  type: Unknown,
  orderInEntry: z.number().optional().catch(undefined),
});

const Attachments = z
  .array(z.object({ identifier: Unknown, md5: Unknown }))
  .max(1_000)
  .default([])
  .catch([]);

/** An entry in the JSON of Day One. Other fields, such as its place, are not imported. */
const DayOneEntry = z.object({
  uuid: z.string().min(1),
  creationDate: z.iso.datetime(),
  modifiedDate: z.iso.datetime().optional().catch(undefined),
  timeZone: z.string().optional().catch(undefined),
  text: z.unknown().optional(),
  tags: z.unknown().optional(),
  photos: z.array(DayOnePhoto).max(1_000).default([]).catch([]),
  videos: Attachments,
  audios: Attachments,
  pdfAttachments: Attachments,
});

/** The archive that Day One exports as JSON: a file for each journal. */
export const openDayOne: OpenSource = async (archive, clock) => {
  const files = archive.files.filter(({ path }) => !isHidden(path) && path.toLowerCase().endsWith(".json"));
  if (files.length === 0) throw new ArchiveProblem("no_entries");
  const photoOf = photosIn(archive);
  return {
    files,
    entriesOf: (file) =>
      readJsonEntries(archive, file, DayOneEntry, (path, entry) => {
        const photos = entry.photos
          .toSorted((one, other) => (one.orderInEntry ?? 0) - (other.orderInEntry ?? 0))
          .map((photo) => ({ id: photo.identifier, picture: photoOf(posix.dirname(file.path), photo) }));
        return checked(path, draftOf(entry, photos, file, clock), clock);
      }),
  };
};

/** Finds photos by their hashes: they are in a folder beside the JSON, whose names have different endings for one type. */
function photosIn(archive: Archive) {
  const pictureOf = picturesIn(archive);
  const paths = new Map<string, string>();
  for (const { path } of archive.files) {
    if (posix.basename(posix.dirname(path)) === "photos") paths.set(path.replace(/\.[^./]*$/, "").toLowerCase(), path);
  }
  return (folder: string, { md5, type }: z.output<typeof DayOnePhoto>): ArchivePicture => {
    const path = posix.join(folder, "photos", md5 ?? "");
    return pictureOf([paths.get(path.toLowerCase()) ?? `${path}.${type ?? "jpeg"}`]);
  };
}

interface Photo {
  /** The name by which the text of its entry refers to the photo. */
  readonly id: string | undefined;
  readonly picture: ArchivePicture;
}

function draftOf(
  entry: z.output<typeof DayOneEntry>,
  photos: readonly Photo[],
  file: ArchiveFile,
  clock: ImportClock,
): Draft {
  const shown = takePictures(typeof entry.text === "string" ? entry.text : "", (target) => {
    const [, id] = /^dayone-moment:\/(?:\w*\/)?(\w+)$/.exec(target) ?? [];
    return photos.find((photo) => id !== undefined && photo.id === id)?.picture ?? null;
  });
  const createdAt = new Date(entry.creationDate);
  const entryDate = dateIn(timeZoneOf(entry.timeZone) ?? clock.timeZone, createdAt);
  const updatedAt = entry.modifiedDate === undefined ? createdAt : new Date(entry.modifiedDate);
  const title = titleOf(entry.text) ?? dayAsTitle(entryDate);
  const pictures = [...photos.map(({ picture }) => picture), ...othersOf(entry, file)];
  return {
    externalId: entry.uuid,
    title,
    content:
      typeof (entry.text ?? "") === "string"
        ? isOnlyLinks(shown.text) && pictures.length > 0
          ? title
          : shown.text
        : entry.text,
    tags: entry.tags,
    notebook: { name: baseName(file.path) },
    entry_date: entryDate,
    createdAt,
    updatedAt,
    pictures,
  };
}

/** Whether a text only links to photos, audio and video, by names that mean nothing elsewhere. */
function isOnlyLinks(text: string): boolean {
  return text.replaceAll(/!\[[^\]]{0,1000}\]\(dayone-moment:[^()\s]{0,200}\)/g, "").trim() === "";
}

/** Audio, video and other files of an entry, which are not imported. */
function othersOf(
  { videos, audios, pdfAttachments }: z.output<typeof DayOneEntry>,
  file: ArchiveFile,
): ArchivePicture[] {
  const folders = { videos, audios, pdfs: pdfAttachments };
  return Object.entries(folders).flatMap(([folder, some]) =>
    some.map(({ identifier, md5 }) => ({
      path: posix.join(posix.dirname(file.path), folder, md5 ?? identifier ?? ""),
      fault: "unsupported_media" as const,
      caption: null,
    })),
  );
}

/** The name of a time zone, also of one that is only an offset, such as `GMT+0200`; null if nobody knows it. */
function timeZoneOf(name = ""): string | null {
  const [, sign, hours = "", minutes = "00"] = /^(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?$/.exec(name) ?? [];
  const zone = sign === undefined ? name : `${sign}${hours.padStart(2, "0")}:${minutes}`;
  return isKnownZone(zone) ? zone : null;
}

/** Whether dates can be computed in a time zone. */
function isKnownZone(zone: string): boolean {
  try {
    dateIn(zone, new Date(0));
    return true;
  } catch {
    return false;
  }
}
