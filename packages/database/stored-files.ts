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

/** Keeps an announced file, in the transaction that writes the row which owns it. */
export async function keepFile(tx: Tx, store: FileStoreName, path: string): Promise<void> {
  await sql`select private.keep_file(${store}, ${path})`.execute(tx);
}
