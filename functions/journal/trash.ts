import { AppError } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { type PageQuery, pageOf } from "#http/response/paging";
import type { VersionedEntry } from "#journal/entry";
import { readEntry } from "./entries.ts";

/** A page of the entries in the caller's trash, the last deleted ones first. */
export async function listTrash(tx: Tx, userId: string, { cursor, limit }: PageQuery) {
  const entries = await tx
    .selectFrom("trashed_entries")
    .select(["id", "title", "deleted_at", "expires_at"])
    .where("user_id", "=", userId)
    .where(afterCursor(["deleted_at", "id"], cursor))
    .orderBy("deleted_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(entries, limit, ({ deleted_at, id }) => ({ at: deleted_at, id }));
  return { entries: page.rows, next_cursor: page.next_cursor };
}

/** Returns an entry from the caller's trash to the journal. @throws AppError 404 if it is not in the trash */
export async function restoreEntry(tx: Tx, id: string): Promise<VersionedEntry> {
  const isRestored = await call(tx, "restore_entry", { id });
  if (!isRestored) throw new AppError("journal.not_found");
  return readEntry(tx, id);
}

/** Deletes an entry in the caller's trash for good. @throws AppError 404 if it is not in the trash */
export async function deleteTrashedEntry(tx: Tx, id: string): Promise<void> {
  const deleted = await tx.deleteFrom("trashed_entries").where("id", "=", id).returning("id").executeTakeFirst();
  if (deleted === undefined) throw new AppError("journal.not_found");
}
