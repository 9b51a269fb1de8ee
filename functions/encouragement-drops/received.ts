import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { pageOf } from "@nectar/http/paging";
import { type RawBuilder, sql } from "kysely";
import type { EncouragementDrop, ReceivedQuery } from "./schema.ts";

/** What the setup says of the assistant. */
export interface AssistantCard {
  readonly assistantName: string;
}

interface DropRow extends Omit<EncouragementDrop, "sender"> {
  readonly full_name: string | null;
  readonly avatar_url: string | null;
  readonly is_assistant: boolean;
}

/** A page of the drops that the caller received, newest first. */
export async function pageOfReceived(tx: Tx, userId: string, query: ReceivedQuery, assistant: AssistantCard) {
  const { unread, cursor, limit } = query;
  const asked = unread === undefined ? sql`true` : unread ? sql`d.read_at is null` : sql`d.read_at is not null`;
  const rows = await selectDrops(
    tx,
    sql`d.recipient_id = ${userId} and ${asked} and ${afterCursor(["d.created_at", "d.id"], cursor)}`,
    limit + 1,
  );
  const page = pageOf(rows, limit, (drop) => ({ at: drop.created_at, id: drop.id }));
  const { rows: counted } = await sql<{ unread: number }>`
    select count(*) as unread from encouragement_drops d where d.recipient_id = ${userId} and d.read_at is null
  `.execute(tx);
  return {
    drops: page.rows.map((row) => present(row, assistant)),
    unread_count: counted[0]?.unread ?? 0,
    next_cursor: page.next_cursor,
  };
}

/** Marks a drop that the caller received as read; the first time is kept. @throws AppError 404 */
export async function markRead(
  tx: Tx,
  userId: string,
  id: string,
  { now, config }: { now: Date; config: AssistantCard },
): Promise<EncouragementDrop> {
  await tx
    .updateTable("encouragement_drops")
    .set({ read_at: now.toISOString() })
    .where("id", "=", id)
    .where("recipient_id", "=", userId)
    .where("read_at", "is", null)
    .execute();
  const [drop] = await selectDrops(tx, sql`d.id = ${id} and d.recipient_id = ${userId}`, 1);
  if (drop === undefined) throw new AppError("encouragement.drop_not_found", "There is no such drop.");
  return present(drop, config);
}

/** Reads a drop that the caller has just sent. */
export async function readSentDrop(tx: Tx, id: string, assistant: AssistantCard): Promise<EncouragementDrop> {
  const [drop] = await selectDrops(tx, sql`d.id = ${id}`, 1);
  if (drop === undefined) throw new Error("A drop that was just sent is not there.");
  return present(drop, assistant);
}

async function selectDrops(tx: Tx, where: RawBuilder<unknown>, limit: number): Promise<DropRow[]> {
  // The page is cut first and each of its cards is looked up by id, however few people there are to walk through.
  const { rows } = await sql<DropRow>`
    select page.*, p.full_name, p.avatar_url, page.sender_id = private.system_user_id() as is_assistant
    from (
      select d.id, d.sender_id, d.recipient_id, d.drop_type, d.title, d.content, d.media_type, d.media_url,
             d.thumbnail_url, d.date_sent, d.created_at, d.read_at, d.entry_id
      from encouragement_drops d
      where ${where}
      order by d.created_at desc, d.id desc
      limit ${limit}
    ) page
    cross join lateral (select c.full_name, c.avatar_url from profiles c where c.id = page.sender_id limit 1) p
    order by page.created_at desc, page.id desc
  `.execute(tx);
  return rows;
}

function present(row: DropRow, { assistantName }: AssistantCard): EncouragementDrop {
  return {
    id: row.id,
    sender_id: row.sender_id,
    sender: {
      id: row.sender_id,
      full_name: row.is_assistant ? assistantName : row.full_name,
      avatar_url: row.avatar_url,
      is_assistant: row.is_assistant,
    },
    recipient_id: row.recipient_id,
    drop_type: row.drop_type,
    title: row.title,
    content: row.content,
    media_type: row.media_type,
    media_url: row.media_url,
    thumbnail_url: row.thumbnail_url,
    date_sent: row.date_sent,
    created_at: row.created_at,
    read_at: row.read_at,
    entry_id: row.entry_id,
  };
}
