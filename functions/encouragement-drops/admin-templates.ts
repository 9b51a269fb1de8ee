import { AppError } from "@nectar/core/errors";
import type { MediaLink } from "@nectar/core/media-link";
import type { Tx } from "@nectar/database/database";
import { invalidRequest } from "@nectar/http/validate";
import {
  type AdminTemplateQuery,
  type DropTemplate,
  mediaProblem,
  type NewTemplate,
  type TemplateChange,
} from "./schema.ts";
import { pageOfTemplates, TEMPLATE_COLUMNS } from "./templates.ts";

/** A page of all templates, newest first. The policies show the unapproved ones to admins alone. */
export function pageOfAllTemplates(tx: Tx, { is_approved, ...query }: AdminTemplateQuery) {
  return pageOfTemplates(tx, query, is_approved === undefined ? "all" : is_approved ? "approved" : "unapproved");
}

/** Creates a template. The policies let in admins alone. */
export function createTemplate(tx: Tx, { media_url, ...fields }: NewTemplate): Promise<DropTemplate> {
  return tx
    .insertInto("drop_templates")
    .values({ ...fields, ...linkColumns(media_url ?? null) })
    .returning(TEMPLATE_COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * Changes a template; the policies let in admins alone.
 * @throws AppError 400 when type and link do not fit in the end, 404
 */
export async function changeTemplate(
  tx: Tx,
  id: string,
  { media_url, ...fields }: TemplateChange,
): Promise<DropTemplate> {
  const before = await tx
    .selectFrom("drop_templates")
    .select(["type", "media_url"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) throw noSuchTemplate();
  const link = media_url === undefined ? before.media_url : media_url;
  const message = mediaProblem(fields.type ?? before.type, link !== null);
  if (message !== null) throw invalidRequest([{ path: "media_url", message }]);
  return tx
    .updateTable("drop_templates")
    .set({ ...fields, ...(media_url === undefined ? {} : linkColumns(media_url)) })
    .where("id", "=", id)
    .returning(TEMPLATE_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Deletes a template; drops that were sent with it keep their text. @throws AppError 404 */
export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  const deleted = await tx.deleteFrom("drop_templates").where("id", "=", id).returning("id").executeTakeFirst();
  if (deleted === undefined) throw noSuchTemplate();
}

function linkColumns(link: MediaLink | null) {
  return {
    media_type: link?.type ?? null,
    media_url: link?.url ?? null,
    thumbnail_url: link?.thumbnail ?? null,
  };
}

function noSuchTemplate(): AppError {
  return new AppError("encouragement.template_not_found", "There is no such template.");
}
