import { call, only } from "./call.ts";
import type { Tx } from "./transaction.ts";

/** The kinds of private files of a user. Each is a folder in the private store, with a folder for each user. */
export type PersonFileKind =
  | "backgrounds"
  | "checkins"
  | "checkin-uploads"
  | "imports"
  | "picture-uploads"
  | "pictures";

/** A private file that was announced, and may be stored now. */
export interface NewFile {
  readonly id: string;
  readonly path: string;
}

/**
 * Announces a new private file of the caller, before it is stored. Housekeeping removes the file unless the row that owns
 * it is written within the hour; an archive to import is kept for a day instead. The database builds the path, so that no
 * file of another user can be removed this way.
 */
export async function expectNewFile(tx: Tx, kind: PersonFileKind): Promise<NewFile> {
  return only(await call(tx, "expect_new_file", { kind }));
}

/**
 * Announces an image of a tone pack of the caller, as `expectNewFile` does.
 * @param path begins with the id of the caller
 * @returns false if the image was announced already
 */
export async function expectToneImage(tx: Tx, path: string): Promise<boolean> {
  return call(tx, "expect_tone_image", { path });
}

/**
 * Announces a new image of the mosaic of a date, as `expectNewFile` does.
 * @returns its path
 */
export async function expectMosaic(tx: Tx, date: string): Promise<string> {
  return call(tx, "expect_mosaic", { date });
}
