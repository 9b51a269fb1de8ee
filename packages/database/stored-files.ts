import { one } from "./query.ts";
import type { Tx } from "./transaction.ts";

/**
 * Private files of a person: each kind is a folder with one folder per person in it. Their paths are built in the database
 * (`private.expect_new_file`), because what is announced and not kept is removed.
 */
export type PersonFileKind = "backgrounds" | "checkins" | "checkin-uploads";

/**
 * Announces a new private file of the caller, under an id that nothing else has. Unless the row that owns the file is written
 * within the hour, housekeeping removes the file.
 */
export async function expectNewFile(tx: Tx, kind: PersonFileKind): Promise<{ id: string; path: string }> {
  return one<{
    id: string;
    path: string;
  }>(tx)`select id, path from private.expect_new_file(${kind})`;
}

/**
 * Announces an image of a tone pack of the caller, as `expectNewFile` does.
 * @param path begins with the id of the caller
 * @returns false if the image was announced already
 */
export async function expectToneImage(tx: Tx, path: string): Promise<boolean> {
  const { is_new } = await one<{ is_new: boolean }>(tx)`select private.expect_tone_image(${path}) as is_new`;
  return is_new;
}

/**
 * Announces a new image of the mosaic of a date, as `expectNewFile` does.
 * @returns its path
 */
export async function expectMosaic(tx: Tx, date: string): Promise<string> {
  const { path } = await one<{ path: string }>(tx)`select private.expect_mosaic(${date}::date) as path`;
  return path;
}
