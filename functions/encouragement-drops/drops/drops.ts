import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { nameAssistant } from "#core/assistant/assistant";
import { AppError } from "#core/errors";
import { called } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { all } from "#database/query";
import type { ReceivedDrop } from "#database/types.generated";
import { byCreation, type PageQuery, pageOf } from "#http/response/paging";
import type { EncouragementDrop, ReceivedQuery, SentDrop } from "./schema.ts";

function received(tx: Tx, userId: string) {
  return tx
    .selectFrom("drop_objects")
    .select(sql<ReceivedDrop>`to_json(drop)`.as("drop"))
    .where("recipient_id", "=", userId);
}

/** Reads a page of the drops that the caller received, newest first. */
export async function listReceived(
  tx: Tx,
  userId: string,
  { unread, cursor, limit }: ReceivedQuery,
  assistantName: string,
) {
  let newest = received(tx, userId)
    .where(afterCursor(["created_at", "id"], cursor))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1);
  if (unread) newest = newest.where("read_at", "is", null);
  const { drops, unread_count } = await tx
    .selectNoFrom([jsonArrayFrom(newest).as("drops"), called("count_unread_drops", { userId }).as("unread_count")])
    .executeTakeFirstOrThrow();
  const named = drops.map(({ drop }) => ({ ...drop, sender: nameAssistant(drop.sender, assistantName) }));
  const page = pageOf(named, limit, byCreation);
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
  const { drop } = await received(tx, userId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow(() => new AppError("encouragement.drop_not_found"));
  return { ...drop, sender: nameAssistant(drop.sender, assistantName) };
}

/** Reads a page of the drops that the caller sent, newest first. */
export async function listSent(tx: Tx, userId: string, { cursor, limit }: PageQuery) {
  const rows = await all<SentDrop & Pick<EncouragementDrop, "read_at">>(tx)`
    select * from readable_drops
    where sender_id = ${userId} and ${afterCursor(["created_at", "id"], cursor)}
    order by created_at desc, id desc
    limit ${limit + 1}
  `;
  // Not whether a drop was read.
  const drops = rows.map(({ read_at, ...drop }): SentDrop => drop);
  const page = pageOf(drops, limit, byCreation);
  return { drops: page.rows, next_cursor: page.next_cursor };
}
