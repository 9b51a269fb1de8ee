import { AppError } from "@nectar/core/errors";
import type { Database, Tx } from "@nectar/database/database";
import { refersToNothing } from "@nectar/database/errors";

/**
 * Runs a transaction as a person. A token outlives its account; what such a person would create has nobody to belong to,
 * and that is told as the missing account it is. Nothing is looked up while all is well.
 * @throws AppError 401 when the account is gone
 */
export async function asExistingUser<Result>(
  database: Database,
  userId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.asUser(userId, work);
  } catch (error) {
    if (refersToNothing(error) && !(await hasProfile(database, userId))) {
      throw new AppError("auth.unknown_account", "This account does not exist any more.", { cause: error });
    }
    throw error;
  }
}

async function hasProfile(database: Database, userId: string): Promise<boolean> {
  const profile = await database.asUser(userId, (tx) =>
    tx.selectFrom("profiles").select("id").where("id", "=", userId).executeTakeFirst(),
  );
  return profile !== undefined;
}
