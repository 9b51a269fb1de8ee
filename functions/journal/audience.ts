import type { Tx } from "@nectar/database/database";
import { value } from "@nectar/database/query";
import { applySharing } from "@nectar/journal/sharing";
import { sql } from "kysely";
import { refusal } from "./entries.ts";
import type { Audience, AudiencePreview, Sees } from "./schema.ts";

/** Reads who can see an entry of the caller. @throws AppError 404 if it is not visible, 403 if it belongs to another user */
export async function readAudience(tx: Tx, id: string): Promise<Audience> {
  const audience = await value<Audience | null>(tx)`select private.read_audience(${id})`;
  if (audience === null) throw await refusal(tx, id);
  return audience;
}

/**
 * Reads what a person can see of an entry of the caller.
 * @throws AppError 404 or 403 as `readAudience`, 404 if the person shares no organization with the caller
 */
export async function readAudienceMember(tx: Tx, id: string, userId: string): Promise<Sees> {
  const sees = await value<Sees | null>(tx)`select private.sees_entry(${id}, ${userId})`;
  if (sees === null) throw await refusal(tx, id);
  return sees;
}

/**
 * Computes who could see an entry if it were created or updated like this. Writes nothing.
 * @throws AppError as `createEntry` or `updateEntry`
 */
export async function previewAudience(tx: Tx, { entry_id: id = null, ...input }: AudiencePreview): Promise<Audience> {
  const sharing = await applySharing(tx, id === null ? null : await readSharing(tx, id), input);
  const change = { notebook_id: input.notebook_id, inherit_visibility: input.inherit_visibility, ...sharing };
  return value<Audience>(tx)`select private.preview_audience(${id}, ${JSON.stringify(change)}::jsonb)`;
}

/** The sharing of an entry of the caller. @throws AppError 404, 403 */
async function readSharing(tx: Tx, id: string) {
  const sharing = await tx
    .selectFrom("journal_entries")
    .select(["metadata_visibility", "content_visibility", "team_id", "org_id"])
    .where("id", "=", id)
    .where("user_id", "=", sql<string>`private.actor_id()`)
    .executeTakeFirst();
  if (sharing === undefined) throw await refusal(tx, id);
  return sharing;
}
