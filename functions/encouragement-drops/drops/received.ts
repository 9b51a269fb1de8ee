import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { all, maybeOne, value } from "@nectar/database/query";
import { byCreation, pageOf } from "@nectar/http/paging";
import { sql } from "kysely";
import { type DropRow, presentDrop, selectDrops } from "./drops.ts";
import type { EncouragementDrop, ReceivedQuery } from "./schema.ts";

/** Reads a page of the drops that the caller received, newest first. */
export async function listReceived(
  tx: Tx,
  userId: string,
  { unread, cursor, limit }: ReceivedQuery,
  assistantName: string,
) {
  const filter = unread ? sql`d.read_at is null` : sql`true`;
  const where = sql<boolean>`d.recipient_id = ${userId} and ${filter} and ${afterCursor(["d.created_at", "d.id"], cursor)}`;
  const rows = await all<DropRow>(tx)`${selectDrops(where, limit + 1, assistantName)}`;
  const page = pageOf(rows.map(presentDrop), limit, byCreation);
  const unread_count = await value<number>(tx)`
    select count(*) from encouragement_drops d where d.recipient_id = ${userId} and d.read_at is null
  `;
  return { drops: page.rows, unread_count, next_cursor: page.next_cursor };
}

/** Marks a drop that the caller received as read; the first time is kept. @throws AppError 404 */
export async function markRead(
  tx: Tx,
  userId: string,
  id: string,
  { now, assistantName }: { readonly now: Date; readonly assistantName: string },
): Promise<EncouragementDrop> {
  await tx
    .updateTable("encouragement_drops")
    .set({ read_at: now.toISOString() })
    .where("id", "=", id)
    .where("recipient_id", "=", userId)
    .where("read_at", "is", null)
    .execute();
  const where = sql<boolean>`d.id = ${id} and d.recipient_id = ${userId}`;
  const row = await maybeOne<DropRow>(tx)`${selectDrops(where, 1, assistantName)}`;
  if (row === undefined) throw new AppError("encouragement.drop_not_found");
  return presentDrop(row);
}
