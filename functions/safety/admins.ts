import { sql } from "kysely";
import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import type { AdminActor } from "#http/access/guards";

/**
 * Requires that an admin who decides still is one, in the transaction of the decision.
 * @returns their present role
 * @throws AppError 401 if the account was deleted, 403
 */
export async function requireAdmin(tx: Tx, userId: string): Promise<AdminActor["role"]> {
  const { role } = await tx
    .selectFrom("profiles as p")
    .leftJoin("user_roles as r", "r.user_id", "p.id")
    .select("r.role")
    .where("p.id", "=", userId)
    .executeTakeFirstOrThrow(() => new AppError("auth.unknown_account"));
  if (role !== "admin" && role !== "super_admin") throw new AppError("auth.forbidden");
  return role;
}

/** The condition, for a query, that there is an admin besides these people. */
export function otherAdminThan(...userIds: string[]) {
  return sql<boolean>`(select exists (
    select from user_roles u where u.role in ('admin', 'super_admin') and u.user_id <> all (${userIds}::uuid[])
  ))`;
}

/** Looks for an admin besides these people. */
export async function hasOtherAdmin(tx: Tx, ...userIds: string[]): Promise<boolean> {
  const { exists } = await tx.selectNoFrom(otherAdminThan(...userIds).as("exists")).executeTakeFirstOrThrow();
  return exists;
}
