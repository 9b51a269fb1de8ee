import { AppError } from "@nectar/core/errors";
import type { Database, Tx } from "@nectar/database/database";
import { refersToNothing } from "@nectar/database/errors";

/**
 * Runs a transaction as a person, and finds out why when it refers to a row that is not there: either the person's account
 * is gone while the token still lives, or somebody removed the row (an organization, say) after the transaction had looked
 * at it. Then the transaction runs once more and sees for itself. Nothing is looked up while all is well.
 * @param work may run twice; of the first run nothing is left
 * @throws AppError 401 when the account is gone
 */
export async function transactionOf<Result>(
  database: Database,
  userId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.asUser(userId, work);
  } catch (error) {
    if (!refersToNothing(error)) throw error;
    if (!(await hasProfile(database, userId))) {
      throw new AppError("auth.unknown_account", "This account does not exist any more.", { cause: error });
    }
    return database.asUser(userId, work);
  }
}

async function hasProfile(database: Database, userId: string): Promise<boolean> {
  const profile = await database.asUser(userId, (tx) =>
    tx.selectFrom("profiles").select("id").where("id", "=", userId).executeTakeFirst(),
  );
  return profile !== undefined;
}
