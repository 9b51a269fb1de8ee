import { type RawBuilder, sql } from "kysely";
import { AppError } from "#core/errors";
import type { Card } from "#core/people/card";
import { call } from "./call.ts";
import type { Tx } from "./transaction.ts";

/**
 * Locks the profiles of users, so that their accounts are not deleted before the transaction ends. Call it before other rows
 * of these users are locked, because account deletion locks the profile first.
 */
export async function lockAccounts(tx: Tx, userIds: readonly string[]): Promise<void> {
  await call(tx, "lock_profiles", { userIds });
}

/** The card of a user; null if the account is gone. @param idColumn the column with the id, such as `e.actor_id` */
export function cardOf(idColumn: string): RawBuilder<Card | null> {
  return sql<Card | null>`(
    select json_build_object('id', p.id, 'full_name', p.full_name, 'avatar_url', p.avatar_url, 'is_ai', p.is_ai)
    from nectar.profiles p
    where p.id = ${sql.ref(idColumn)}
  )`;
}

/**
 * Requires that the caller can reach a user: a human, without a block between them. Locks the profile and the block until
 * the transaction ends.
 * @param groupId an organization or a team: a block between two of its members does not count
 * @throws AppError 404
 */
export async function requireReachable(tx: Tx, userId: string, groupId: string | null = null): Promise<void> {
  await call(tx, "require_reachable", { person: userId, group: groupId });
}

/** Requires that an id is not that of a synthetic user or of the system user. @throws AppError 404 */
export async function refuseSynthetic(tx: Tx, userId: string): Promise<void> {
  const isHuman = await call(tx, "is_human", { person: userId });
  if (isHuman === false) throw new AppError("user.not_found");
}
