import { AppError } from "@nectar/core/errors";
import { readMediaLink } from "@nectar/core/media-link";
import type { Tx } from "@nectar/database/database";
import { readPage } from "@nectar/http/paging";
import { type SqlBool, sql } from "kysely";
import { DropTemplate, mediaIssues, type NewTemplate, type TemplateQuery, type TemplateUpdate } from "./schema.ts";

const COLUMNS = DropTemplate.keyof().options;

const notFound = () => new AppError("encouragement.template_not_found");

/**
 * Reads a page of templates, newest first.
 * @param isApproved undefined for all; the policies show templates that are not approved to admins only
 */
export async function listTemplates(tx: Tx, { type, ...page }: TemplateQuery, isApproved: boolean | undefined) {
  let list = tx.selectFrom("drop_templates").select(COLUMNS);
  if (type !== undefined) list = list.where("type", "=", type);
  // Not parameters, which would keep PostgreSQL from using the partial indexes of approved templates.
  if (isApproved === true) list = list.where(sql<SqlBool>`is_approved`);
  if (isApproved === false) list = list.where(sql<SqlBool>`not is_approved`);
  const { rows, next_cursor } = await readPage(list, page);
  return { templates: rows, next_cursor };
}

/** Creates a template. The policies only allow it to admins. */
export function createTemplate(tx: Tx, { media_url, thumbnail_url, ...fields }: NewTemplate): Promise<DropTemplate> {
  return tx
    .insertInto("drop_templates")
    .values({
      ...fields,
      media_type: media_url?.type ?? null,
      media_url: media_url?.url ?? null,
      thumbnail_url: thumbnail_url ?? media_url?.thumbnail ?? null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * Updates a template. The policies only allow it to admins.
 * @throws AppError 404, or 400 if the resulting type, link and thumbnail do not fit together
 */
export async function updateTemplate(
  tx: Tx,
  id: string,
  { media_url, thumbnail_url, ...fields }: TemplateUpdate,
): Promise<DropTemplate> {
  const before = await tx
    .selectFrom("drop_templates")
    .select(["type", "media_url", "thumbnail_url"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const link = media_url === undefined ? before.media_url : (media_url?.url ?? null);
  const issues = mediaIssues({
    type: fields.type ?? before.type,
    hasLink: link !== null,
    hasThumbnail: (thumbnail_url ?? null) !== null,
  });
  if (issues.length > 0) throw new AppError("request.invalid", { issues });
  return tx
    .updateTable("drop_templates")
    .set({
      ...fields,
      ...(media_url === undefined ? {} : { media_type: media_url?.type ?? null, media_url: link }),
      thumbnail_url: thumbnailAfter(before, link, thumbnail_url),
      updated_at: sql`now()`,
    })
    .where("id", "=", id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * The thumbnail of an updated template: the one that an admin chose, else the one derived from the link.
 * @param link of the updated template
 * @param chosen null removes the chosen one; undefined keeps it
 */
function thumbnailAfter(
  before: { readonly media_url: string | null; readonly thumbnail_url: string | null },
  link: string | null,
  chosen: string | null | undefined,
): string | null {
  if (link === null) return null;
  const wasChosen = before.thumbnail_url !== derivedThumbnail(before.media_url);
  const kept = chosen === undefined && wasChosen ? before.thumbnail_url : chosen;
  return kept ?? derivedThumbnail(link);
}

function derivedThumbnail(link: string | null): string | null {
  return link === null ? null : (readMediaLink(link)?.thumbnail ?? null);
}

/** Deletes a template; drops that were sent with it keep their text. @throws AppError 404 */
export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("drop_templates").where("id", "=", id).returning("id").executeTakeFirstOrThrow(notFound);
}
