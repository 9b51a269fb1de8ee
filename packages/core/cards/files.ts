import { UNNEEDED_ARCHIVE_SECONDS, UNUSED_ARCHIVE_SECONDS, UNUSED_UPLOAD_SECONDS } from "../limits.ts";
import { KEPT_DAYS } from "../retention.ts";
import { inWords } from "../text/numbers.ts";
import type { FileCard } from "./card.ts";

const FILE_OF_ROW = { by: "housekeeping: deleting the row of the file notes it for removal" } as const;
const NOTED_FILE = { by: "housekeeping: the file is noted for removal before it is stored" } as const;

/** The cards of all kinds of files, by their names in the code that stores them. */
export const FILES: Readonly<Record<string, FileCard>> = {
  checkins: { store: "the private bucket", exported: "files/photos", erased: FILE_OF_ROW },
  backgrounds: { store: "the private bucket", exported: "files/backgrounds", erased: FILE_OF_ROW },
  pictures: { store: "the private bucket", exported: "files/pictures", erased: FILE_OF_ROW },
  "picture-uploads": {
    store: "the private bucket",
    left: `A picture on its way to an entry, for ${inWords(UNUSED_UPLOAD_SECONDS)}; the entry's own picture is exported.`,
    erased: NOTED_FILE,
  },
  "tone-packs": {
    store: "Supabase Storage, or a folder of the private bucket that the server shows to everyone",
    exported: "files/tone-images",
    erased: FILE_OF_ROW,
  },
  "checkin-uploads": {
    store: "the private bucket",
    left: `A photo on its way to a check-in, for ${inWords(UNUSED_UPLOAD_SECONDS)}; the check-in's own photo is exported.`,
    erased: NOTED_FILE,
  },
  imports: {
    store: "the private bucket",
    left: `An archive on its way to becoming entries, for ${inWords(UNUSED_ARCHIVE_SECONDS)} after it was uploaded or last used.`,
    erased: NOTED_FILE,
    kept: {
      what: `Archives to import, since they were last used; one that is not needed any more, for ${inWords(UNNEEDED_ARCHIVE_SECONDS)} after its upload could begin`,
      days: UNUSED_ARCHIVE_SECONDS / (24 * 3600),
      in: "create_import",
    },
  },
  exports: {
    store: "the private bucket",
    left: "An export has no exports in it.",
    erased: FILE_OF_ROW,
    kept: { what: "Files of exports, since they were ready", days: KEPT_DAYS.exportFiles, in: "end_export" },
  },
  mosaics: {
    store: "the private bucket",
    left: "A picture of all players, a dot for each.",
    erased: { kept: "The picture shows a dot without a name." },
  },
};
