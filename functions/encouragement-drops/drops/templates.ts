import type { Tx } from "@nectar/database/database";
import { readPage } from "@nectar/http/paging";
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
  let list = tx.selectFrom("drop_templates").select(TEMPLATE_COLUMNS);
  if (type !== undefined) list = list.where("type", "=", type);
  if (approved === "approved") list = list.where(sql<SqlBool>`is_approved`);
  if (approved === "unapproved") list = list.where(sql<SqlBool>`not is_approved`);
  const page = await readPage(list, { cursor, limit });
  return { templates: page.rows, next_cursor: page.next_cursor };
}
