import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { all, one, value } from "@nectar/database/query";
import { byCreation, type PageQuery, pageOf } from "@nectar/http/paging";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { EncouragementDrop, ReceivedQuery, SentDrop } from "./schema.ts";

/** A drop with all that its sender and its recipient may see. */
export type DropRow = SentDrop & Pick<EncouragementDrop, "read_at">;

/** A query of the caller's drops that match a condition on `d`, newest first. */
export function selectDrops(where: RawBuilder<SqlBool>, limit: number, assistantName: string): RawBuilder<DropRow> {
  // The page is cut first and each of its cards is looked up by id, even where there are few people to walk through.
  return sql`
    select page.*,
      json_build_object(
        'id', page.sender_id,
        'full_name', case when s.is_assistant then ${assistantName}::text else s.full_name end,
        'avatar_url', s.avatar_url,
        'is_assistant', s.is_assistant
      ) as sender,
      json_build_object('id', r.id, 'full_name', r.full_name, 'avatar_url', r.avatar_url, 'is_ai', r.is_ai) as recipient
    from (
      select d.id, d.sender_id, d.recipient_id, d.drop_type, d.is_custom, d.template_id, d.title, d.content,
             d.media_type, d.media_url, d.thumbnail_url, d.date_sent, d.created_at, d.read_at, d.entry_id,
             case when d.engagement in ('open', 'engaged') then d.engagement::text else 'none' end as engagement,
             d.engaged_at, d.bonus_drops_awarded
      from encouragement_drops d
      where ${where}
      order by d.created_at desc, d.id desc
      limit ${limit}
    ) page
    cross join lateral (
      select c.full_name, c.avatar_url, c.id = private.system_user_id() as is_assistant
      from profiles c where c.id = page.sender_id limit 1
    ) s
    cross join lateral (
      select c.id, c.full_name, c.avatar_url, c.is_ai from profiles c where c.id = page.recipient_id limit 1
    ) r
    order by page.created_at desc, page.id desc
  `;
}

/** A drop as its recipient sees it, and its sender in the response to sending it. */
export function presentDrop(row: DropRow): EncouragementDrop {
  const { recipient, engagement, engaged_at, bonus_drops_awarded, ...drop } = row;
  return drop;
}

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
  return presentDrop(await one<DropRow>(tx, "encouragement.drop_not_found")`${selectDrops(where, 1, assistantName)}`);
}

/** Reads a page of the drops that the caller sent, newest first. */
export async function listSent(tx: Tx, userId: string, { cursor, limit }: PageQuery, assistantName: string) {
  const where = sql<boolean>`d.sender_id = ${userId} and ${afterCursor(["d.created_at", "d.id"], cursor)}`;
  const rows = await all<DropRow>(tx)`${selectDrops(where, limit + 1, assistantName)}`;
  // Not whether a drop was read.
  const drops = rows.map(({ read_at, ...drop }): SentDrop => drop);
  const page = pageOf(drops, limit, byCreation);
  return { drops: page.rows, next_cursor: page.next_cursor };
}
