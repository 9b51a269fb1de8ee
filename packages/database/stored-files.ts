import { sql } from "kysely";
import type { Tx } from "./transaction.ts";

/** Where files lie: `private` in S3, `tone-packs` in the public bucket of that name. */
export type FileStoreName = "private" | "tone-packs";

/**
 * Announces a file before it is stored: unless `keepFile` follows within the hour, housekeeping removes it.
 * @throws a violation of `stored_files_to_remove_pkey` for a path that is announced already
 */
export async function expectFile(tx: Tx, store: FileStoreName, path: string): Promise<void> {
  await sql`select private.expect_file(${store}, ${path})`.execute(tx);
}

/**
 * Announces a private file under an id that nothing else has, at `folder/id` and the ending.
 * @param ending with its dot, or empty
 */
export async function expectNewFile(tx: Tx, folder: string, ending: string): Promise<{ id: string; path: string }> {
  const { rows } = await sql<{ id: string; path: string }>`
    select f.id, f.path, private.expect_file('private', f.path)
    from (
      select i.id, ${folder} || '/' || i.id || ${ending} as path
      from (select gen_random_uuid() as id offset 0) i
      offset 0
    ) f
  `.execute(tx);
  const [file] = rows;
  if (file === undefined) throw new Error("A select without a condition gave no row.");
  return { id: file.id, path: file.path };
}

/** Keeps an announced file, in the transaction that writes the row which owns it. */
export async function keepFile(tx: Tx, store: FileStoreName, path: string): Promise<void> {
  await sql`select private.keep_file(${store}, ${path})`.execute(tx);
}
