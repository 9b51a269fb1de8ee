import type { Issue } from "#core/errors";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { applySharing, ownSharing, refusal, sharingIssues, updateProblems } from "#journal/sharing";
import { type Audience, AudiencePreview, type Sees } from "./schema.ts";

/** Reads who can see an entry of the caller. @throws AppError 404 if it is not visible, 403 if it belongs to another user */
export async function readAudience(tx: Tx, id: string): Promise<Audience> {
  const audience = await call(tx, "read_audience", { entryId: id });
  if (audience === null) throw await refusal(tx, "journal_entries", id);
  return audience;
}

/**
 * Reads what a person can see of an entry of the caller.
 * @throws AppError 404 or 403 as `readAudience`, 404 if the person shares no organization with the caller
 */
export async function readAudienceMember(tx: Tx, id: string, userId: string): Promise<Sees> {
  const sees = await call(tx, "sees_entry", { entryId: id, personId: userId });
  if (sees === null) throw await refusal(tx, "journal_entries", id);
  return sees;
}

/**
 * Computes who could see an entry if it were created or updated like this. Writes nothing.
 * @throws AppError as `createEntry` or `updateEntry`
 */
export async function previewAudience(tx: Tx, { entry_id: id = null, ...input }: AudiencePreview): Promise<Audience> {
  const present = id === null ? null : await ownSharing(tx, "journal_entries", id).executeTakeFirst();
  if (id !== null && present === undefined) throw await refusal(tx, "journal_entries", id);
  const sharing = await applySharing(tx, present ?? null, input);
  const change = { notebook_id: input.notebook_id, inherit_visibility: input.inherit_visibility, ...sharing };
  return call(tx, "preview_audience", { entryId: id, change });
}

/** The sharing problems of a body about a new entry, or about an update of the one that its `entry_id` names. */
export async function previewProblems(tx: Tx, body: unknown): Promise<Issue[]> {
  const previewed = Previewed.safeParse(body).data;
  if (previewed === undefined) return [];
  const { entry_id: id = null } = previewed;
  return id === null ? sharingIssues(null, body) : updateProblems(tx, "journal_entries", body, id);
}

const Previewed = AudiencePreview.pick({ entry_id: true });
