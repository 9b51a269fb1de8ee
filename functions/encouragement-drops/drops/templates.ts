import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { pageOf } from "@nectar/http/paging";
import { type SqlBool, sql } from "kysely";
import type { TemplateQuery } from "./schema.ts";

/** The columns of a template that answers show. */
export const TEMPLATE_COLUMNS = [
  "id",
  "type",
  "title",
  "content",
  "media_type",
  "media_url",
  "thumbnail_url",
  "is_approved",
  "usage_count",
  "created_at",
  "updated_at",
] as const;

/** A page of templates, newest first: those that are approved, whoever asks, unless the query says otherwise. */
export async function listTemplates(
  tx: Tx,
  { type, cursor, limit }: TemplateQuery,
  approved: "approved" | "unapproved" | "all" = "approved",
) {
  let list = tx
    .selectFrom("drop_templates")
    .select(TEMPLATE_COLUMNS)
    .where(afterCursor(["created_at", "id"], cursor));
  if (type !== undefined) list = list.where("type", "=", type);
  if (approved === "approved") list = list.where(sql<SqlBool>`is_approved`);
  if (approved === "unapproved") list = list.where(sql<SqlBool>`not is_approved`);
  const rows = await list
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, (template) => ({ at: template.created_at, id: template.id }));
  return { templates: [...page.rows], next_cursor: page.next_cursor };
}
