import { sql } from "kysely";
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
  const { rows } = await sql<{
    id: string;
    path: string;
  }>`select id, path from private.expect_new_file(${kind})`.execute(tx);
  return oneOf(rows);
}

/**
 * Announces an image of a tone pack of the caller, as `expectNewFile` does.
 * @param path begins with the id of the caller
 * @returns false if the image was announced already
 */
export async function expectToneImage(tx: Tx, path: string): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`select private.expect_tone_image(${path}) as is_new`.execute(tx);
  return oneOf(rows).is_new;
}

/**
 * Announces a new image of the mosaic of a date, as `expectNewFile` does.
 * @returns its path
 */
export async function expectMosaic(tx: Tx, date: string): Promise<string> {
  const { rows } = await sql<{ path: string }>`select private.expect_mosaic(${date}::date) as path`.execute(tx);
  return oneOf(rows).path;
}

function oneOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("A function that returns one row returned none.");
  return row;
}
