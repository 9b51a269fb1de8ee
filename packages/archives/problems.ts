import { grouped, inMb } from "#core/text/numbers";

export const MAX_ENTRIES = 250_000;
export const MAX_FILES = 100_000;
export const MAX_PATH_LENGTH = 1_024;
export const MAX_UNPACKED_BYTES = 2 * 1024 ** 3;
/** Up to this size an archive may be compressed in any ratio. */
export const FREE_UNPACKED_BYTES = 50 * 1024 ** 2;
export const MAX_RATIO = 100;

/** Why an archive is not imported at all; nothing of it is created then. */
export const ARCHIVE_PROBLEMS = {
  archive_missing: "The archive is not in the store any more. Upload it again as a new import.",
  archive_replaced:
    "The archive was removed or replaced after the import had started. Upload it again as a new import.",
  unreadable: "This is not a zip archive that can be read. It may be damaged, incomplete or encrypted.",
  damaged:
    "This file cannot be unpacked as the archive describes it. Without a path: the archive has more files than it says; split it, or pack it with another program.",
  encrypted: "This file is encrypted.",
  unsupported_compression: "This file is compressed in an unsupported way. Use the method deflate.",
  unsafe_path: `This path leads out of the archive, or is longer than ${grouped(MAX_PATH_LENGTH)} characters.`,
  not_a_file: "This is a link or another special file.",
  overlapping_files: "This file overlaps with another one in the archive.",
  too_many_files: `The archive has more than ${grouped(MAX_FILES)} files.`,
  too_large: `The archive has more than ${MAX_UNPACKED_BYTES / 1024 ** 3} GB when unpacked.`,
  too_compressed: `The archive has more than ${inMb(FREE_UNPACKED_BYTES)} when unpacked, and more than ${MAX_RATIO} times its size.`,
  too_many_entries: `The archive has more than ${grouped(MAX_ENTRIES)} entries.`,
  picture_limit:
    "The entries of this archive have more pictures than you can import on one day. Split it, or import it tomorrow.",
  no_entries: "The archive has no file of this source.",
  invalid_json: "This file is not valid JSON, or has no list of entries.",
  too_complex: "Reading this archive takes too much time or memory. Split it into smaller archives.",
  account_suspended: "Your account was suspended during the import. What was imported before stays.",
  account_closing: "Your account was closed during the import. What was imported before stays.",
  interrupted: "The import was interrupted too often. The archive may be too large to be read in time.",
} as const;

/** The code of a problem with a whole archive. */
export type ArchiveProblemCode = keyof typeof ARCHIVE_PROBLEMS;

/** A problem with the whole archive: the import fails. */
export class ArchiveProblem extends Error {
  readonly code: ArchiveProblemCode;
  /** The path of the file with the problem; null if it is about the archive. */
  readonly path: string | null;

  constructor(code: ArchiveProblemCode, path: string | null = null) {
    super(code);
    this.code = code;
    this.path = path;
  }
}

/** Why a file of an archive is not read; the others are. */
export const FILE_PROBLEMS = {
  odd_name: "The name of this file has a control character. Rename it.",
  duplicate_path: "The archive has several files of this name; the first one is imported.",
} as const;
export type FileProblemCode = keyof typeof FILE_PROBLEMS;

/** Why a single entry is not imported. */
export type EntryProblemCode =
  | FileProblemCode
  | "duplicate_id"
  | "invalid_entry"
  | "invalid_encoding"
  | "invalid_front_matter"
  | "invalid_title"
  | "invalid_content"
  | "invalid_mood"
  | "invalid_tags"
  | "invalid_notebook"
  | "invalid_date"
  | "missing_date";

/** Why something that an entry shows is not imported, as its text and the archive say. */
export const PICTURE_FAULTS = {
  missing_picture: "The archive has no such file, or several that this name could mean.",
  unsupported_media: "Only pictures are imported: the metadata of audio, video and other files cannot be removed.",
  unsupported_link: "This way to show a picture is not understood. Write ![text](path).",
} as const;
export type PictureFault = keyof typeof PICTURE_FAULTS;

/** Why a picture of an entry is not imported. */
export type PictureProblemCode = PictureFault | "unusable_picture" | "too_many_pictures" | "storage_full";

/** A problem as clients see it. */
export interface Problem {
  readonly path: string | null;
  readonly code: ArchiveProblemCode | EntryProblemCode | PictureProblemCode;
  readonly message: string;
}

/** Paths are the person's own, and may be long. */
const MAX_SHOWN_PATH = 300;

/** A problem as it is stored. */
export function problemOf(path: string | null, code: Problem["code"], message: string): Problem {
  return {
    path: path === null ? null : path.slice(0, MAX_SHOWN_PATH).toWellFormed().replaceAll("\u0000", ""),
    code,
    message,
  };
}
