import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { EncouragementDrop, SentDrop } from "./schema.ts";

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

/** A drop as its sender sees it later: not whether it was read. */
export function presentSentDrop({ read_at, ...drop }: DropRow): SentDrop {
  return drop;
}
