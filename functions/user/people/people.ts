import { nameAssistant } from "#core/assistant/assistant";
import { AppError } from "#core/errors";
import { badgeOfLevel } from "#core/people/badges";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { pageOf } from "#http/response/paging";
import type { PeopleQuery, UserPage } from "./schema.ts";

const BEFORE_ALL = { name: "", id: "00000000-0000-0000-0000-000000000000" };

/** A page of the people of the caller's organizations, by name. @throws AppError 403, 404 for the organization */
export async function listPeople(tx: Tx, { q, org_id, cursor = BEFORE_ALL, limit }: PeopleQuery) {
  const rows = await call(tx, "list_people", {
    query: q,
    orgId: org_id,
    afterName: cursor.name,
    afterId: cursor.id,
    max: limit + 1,
  });
  const page = pageOf(rows, limit, ({ full_name, id }) => ({ name: full_name, id }));
  return { users: page.rows, next_cursor: page.next_cursor };
}

/** Reads the page of a user that the caller may see. @throws AppError 404 */
export async function readUser(
  tx: Tx,
  userId: string,
  { now, assistantName }: { readonly now: Date; readonly assistantName: string },
): Promise<UserPage> {
  const row = await call(tx, "read_user", { userId, moment: now });
  if (row === null) throw new AppError("user.not_found");
  const { badge_level, shared_organizations, ...card } = row;
  const badge = badge_level === null ? null : shortBadge(badge_level);
  return { ...nameAssistant(card, assistantName), badge, shared_organizations };
}

function shortBadge(badgeLevel: number): UserPage["badge"] {
  const { level, name, emoji } = badgeOfLevel(badgeLevel);
  return { level, name, emoji };
}
