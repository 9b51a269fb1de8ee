import { sql } from "kysely";
import type { Issue } from "#core/errors";
import type { Sharing } from "#core/people/visibility";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { applySharing, sharingIssues } from "#journal/sharing";
import { refusal } from "./entries.ts";
import { type Audience, AudiencePreview, type Sees } from "./schema.ts";

/** Reads who can see an entry of the caller. @throws AppError 404 if it is not visible, 403 if it belongs to another user */
export async function readAudience(tx: Tx, id: string): Promise<Audience> {
  const audience = await call(tx, "read_audience", { entryId: id });
  if (audience === null) throw await refusal(tx, id);
  return audience;
}

/**
 * Reads what a person can see of an entry of the caller.
 * @throws AppError 404 or 403 as `readAudience`, 404 if the person shares no organization with the caller
 */
export async function readAudienceMember(tx: Tx, id: string, userId: string): Promise<Sees> {
  const sees = await call(tx, "sees_entry", { entryId: id, personId: userId });
  if (sees === null) throw await refusal(tx, id);
  return sees;
}

/**
 * Computes who could see an entry if it were created or updated like this. Writes nothing.
 * @throws AppError as `createEntry` or `updateEntry`
 */
export async function previewAudience(tx: Tx, { entry_id: id = null, ...input }: AudiencePreview): Promise<Audience> {
  const present = id === null ? null : await ownSharing(tx, id);
  if (id !== null && present === undefined) throw await refusal(tx, id);
  const sharing = await applySharing(tx, present ?? null, input);
  const change = { notebook_id: input.notebook_id, inherit_visibility: input.inherit_visibility, ...sharing };
  return call(tx, "preview_audience", { entryId: id, change });
}

/** The sharing problems of a body about an update of an entry, if the entry is the caller's. */
export async function updateProblems(tx: Tx, body: unknown, id: string): Promise<Issue[]> {
  const present = await ownSharing(tx, id);
  return present === undefined ? [] : sharingIssues(present, body);
}

/** The sharing problems of a body about a new entry, or about an update of the one that its `entry_id` names. */
export async function previewProblems(tx: Tx, body: unknown): Promise<Issue[]> {
  const previewed = Previewed.safeParse(body).data;
  if (previewed === undefined) return [];
  const { entry_id: id = null } = previewed;
  return id === null ? sharingIssues(null, body) : updateProblems(tx, body, id);
}

const Previewed = AudiencePreview.pick({ entry_id: true });

function ownSharing(tx: Tx, id: string): Promise<Sharing | undefined> {
  return tx
    .selectFrom("journal_entries")
    .select(["metadata_visibility", "content_visibility", "team_id", "org_id"])
    .where("id", "=", id)
    .where("user_id", "=", sql<string>`private.actor_id()`)
    .executeTakeFirst();
}
