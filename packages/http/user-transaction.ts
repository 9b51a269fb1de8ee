import { AppError } from "@nectar/core/errors";
import type { Database, Tx } from "@nectar/database/database";
import { gaveWay, refersToNothing } from "@nectar/database/errors";

/** Runs of a transaction before its error is the answer: the first may lose a deadlock and the second find a row removed. */
const RUNS = 3;

/**
 * Runs a transaction as a person, and again when others were in its way: when it was given up in a deadlock, and when a
 * row that it had looked at (an organization, say) was removed before it could refer to it; the next run sees for itself.
 * A row that is missing may also be the person's own: a token outlives its account.
 * @param work may run several times; of all but the last run nothing is left
 * @throws AppError 401 when the account is gone
 */
export async function transactionOf<Result>(
  database: Database,
  userId: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  for (let run = 1; ; run += 1) {
    try {
      return await database.asUser(userId, work);
    } catch (error) {
      const missing = refersToNothing(error);
      if (!missing && !gaveWay(error)) throw error;
      if (missing && !(await hasProfile(database, userId))) {
        throw new AppError("auth.unknown_account", "This account does not exist any more.", { cause: error });
      }
      if (run === RUNS) throw error;
    }
  }
}

async function hasProfile(database: Database, userId: string): Promise<boolean> {
  const profile = await database.asUser(userId, (tx) =>
    tx.selectFrom("profiles").select("id").where("id", "=", userId).executeTakeFirst(),
  );
  return profile !== undefined;
}
