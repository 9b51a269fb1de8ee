import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { EncouragementDrop, SentDrop } from "./schema.ts";

/** A drop with the cards of its sender and recipient, and its engagement. */
export interface DropRow extends Omit<EncouragementDrop, "sender"> {
  readonly sender: Omit<EncouragementDrop["sender"], "id">;
  readonly recipient: SentDrop["recipient"];
  readonly engagement: "open" | "engaged" | "expired" | "never";
  readonly engaged_at: string | null;
  readonly bonus_drops_awarded: number;
}

/** A query of the caller's drops that match a condition on `d`, newest first. */
export function selectDrops(where: RawBuilder<SqlBool>, limit: number): RawBuilder<DropRow> {
  // The page is cut first and each of its cards is looked up by id, even where there are few people to walk through.
  return sql`
    select page.*,
      json_build_object(
        'full_name', s.full_name, 'avatar_url', s.avatar_url, 'is_assistant', page.sender_id = private.system_user_id()
      ) as sender,
      json_build_object('id', r.id, 'full_name', r.full_name, 'avatar_url', r.avatar_url, 'is_ai', r.is_ai) as recipient
    from (
      select d.id, d.sender_id, d.recipient_id, d.drop_type, d.is_custom, d.template_id, d.title, d.content,
             d.media_type, d.media_url, d.thumbnail_url, d.date_sent, d.created_at, d.read_at, d.entry_id,
             d.engagement, d.engaged_at, d.bonus_drops_awarded
      from encouragement_drops d
      where ${where}
      order by d.created_at desc, d.id desc
      limit ${limit}
    ) page
    cross join lateral (select c.full_name, c.avatar_url from profiles c where c.id = page.sender_id limit 1) s
    cross join lateral (
      select c.id, c.full_name, c.avatar_url, c.is_ai from profiles c where c.id = page.recipient_id limit 1
    ) r
    order by page.created_at desc, page.id desc
  `;
}

/** A drop as its recipient sees it, and its sender in the response to sending it. */
export function presentDrop(row: DropRow, assistantName: string): EncouragementDrop {
  return { ...dropFields(row, assistantName), read_at: row.read_at };
}

/** A drop as its sender sees it later: with its engagement, but not whether it was read. */
export function presentSentDrop(row: DropRow, assistantName: string): SentDrop {
  const { recipient, engagement, engaged_at, bonus_drops_awarded } = row;
  return {
    ...dropFields(row, assistantName),
    recipient,
    engagement: engagement === "open" || engagement === "engaged" ? engagement : "none",
    engaged_at,
    bonus_drops_awarded,
  };
}

function dropFields(row: DropRow, assistantName: string): Omit<EncouragementDrop, "read_at"> {
  const { full_name, avatar_url, is_assistant } = row.sender;
  return {
    id: row.id,
    sender_id: row.sender_id,
    sender: { id: row.sender_id, full_name: is_assistant ? assistantName : full_name, avatar_url, is_assistant },
    recipient_id: row.recipient_id,
    drop_type: row.drop_type,
    is_custom: row.is_custom,
    template_id: row.template_id,
    title: row.title,
    content: row.content,
    media_type: row.media_type,
    media_url: row.media_url,
    thumbnail_url: row.thumbnail_url,
    date_sent: row.date_sent,
    created_at: row.created_at,
    entry_id: row.entry_id,
  };
}
