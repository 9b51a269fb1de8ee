import { AppError } from "@nectar/core/errors";
import { readMediaLink } from "@nectar/core/media-link";
import type { Tx } from "@nectar/database/database";
import {
  type AdminTemplateQuery,
  type DropTemplate,
  mediaProblems,
  type NewTemplate,
  type TemplateUpdate,
} from "./schema.ts";
import { listTemplates, TEMPLATE_COLUMNS } from "./templates.ts";

/** A page of all templates, newest first. The policies show the unapproved ones to admins alone. */
export function listAllTemplates(tx: Tx, { is_approved, ...query }: AdminTemplateQuery) {
  return listTemplates(tx, query, is_approved === undefined ? "all" : is_approved ? "approved" : "unapproved");
}

/** Creates a template. The policies let in admins alone. */
export function createTemplate(tx: Tx, { media_url, thumbnail_url, ...fields }: NewTemplate): Promise<DropTemplate> {
  return tx
    .insertInto("drop_templates")
    .values({
      ...fields,
      media_type: media_url?.type ?? null,
      media_url: media_url?.url ?? null,
      thumbnail_url: thumbnail_url ?? media_url?.thumbnail ?? null,
    })
    .returning(TEMPLATE_COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * Changes a template; the policies let in admins alone.
 * @throws AppError 400 when type, link and thumbnail do not fit in the end, 404
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
    .executeTakeFirst();
  if (before === undefined) throw new AppError("encouragement.template_not_found");
  const link = media_url === undefined ? before.media_url : (media_url?.url ?? null);
  const problems = mediaProblems({
    type: fields.type ?? before.type,
    hasLink: link !== null,
    hasThumbnail: (thumbnail_url ?? null) !== null,
  });
  if (problems.length > 0) throw new AppError("request.invalid", { issues: problems });
  return tx
    .updateTable("drop_templates")
    .set({
      ...fields,
      ...(media_url === undefined ? {} : { media_type: media_url?.type ?? null, media_url: link }),
      thumbnail_url: thumbnailAfter(before, link, thumbnail_url),
    })
    .where("id", "=", id)
    .returning(TEMPLATE_COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * The thumbnail of a changed template: the given one, or else its own one, or else the one that follows from its link.
 * A template has a thumbnail of its own if it is not the one that follows from its link.
 * @param link of the changed template
 * @param given null for none of its own; undefined leaves it as it is
 */
function thumbnailAfter(
  before: { readonly media_url: string | null; readonly thumbnail_url: string | null },
  link: string | null,
  given: string | null | undefined,
): string | null {
  if (link === null) return null;
  const hasOwn = before.thumbnail_url !== derivedThumbnail(before.media_url);
  const own = given === undefined && hasOwn ? before.thumbnail_url : given;
  return own ?? derivedThumbnail(link);
}

function derivedThumbnail(link: string | null): string | null {
  return link === null ? null : (readMediaLink(link)?.thumbnail ?? null);
}

/** Deletes a template; drops that were sent with it keep their text. @throws AppError 404 */
export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  const deleted = await tx.deleteFrom("drop_templates").where("id", "=", id).returning("id").executeTakeFirst();
  if (deleted === undefined) throw new AppError("encouragement.template_not_found");
}
