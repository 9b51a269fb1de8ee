import { AppError } from "@nectar/core/errors";
import type { Database, Purpose, Tx } from "@nectar/database/database";
import { isForeignKeyViolation, isReadOnlyRefusal, isTransient } from "@nectar/database/errors";
import { retryLostRaces } from "@nectar/database/retry";
import { NoResultError } from "kysely";
import type { AppContext } from "./context.ts";

/**
 * Runs what a request does in the database for a person, in their turn. Every transaction of a request of a signed-in user
 * goes through here; those of jobs, tasks and webhooks do not.
 */
export function inTurn<Result>(
  { services, req }: AppContext,
  userId: string,
  transaction: () => Promise<Result>,
): Promise<Result> {
  return services.turns.take(userId, req.raw, transaction);
}

/**
 * Runs a transaction as a user. It runs again if it lost a deadlock, or if a row that it had looked at (an organization,
 * say) was deleted before it could read it again or refer to it. Any other failure while the user's own account is being
 * deleted is reported as the missing account.
 * @param work may run several times; only the last run has an effect
 * @throws AppError 401 if the account was deleted
 */
export function transactionOf<Result>(
  database: Database,
  userId: string,
  work: (tx: Tx) => Promise<Result>,
  purpose: Purpose,
): Promise<Result> {
  return retryLostRaces(async () => {
    try {
      return await database.asUser(userId, work, purpose);
    } catch (error) {
      if (!(error instanceof AppError)) await requireAccount(database, userId);
      throw error;
    }
  }, isLostRace);
}

/**
 * Runs a transaction that only reads, and again as one that writes if a super admin reads an entry that is not shared with
 * them: the database refuses that in a transaction that cannot log it. For everyone else it is `transactionOf`.
 */
export async function loggedTransactionOf<Result>(
  database: Database,
  userId: string,
  work: (tx: Tx) => Promise<Result>,
  purpose: Purpose,
): Promise<Result> {
  try {
    return await transactionOf(database, userId, work, purpose);
  } catch (error) {
    if (!isReadOnlyRefusal(error)) throw error;
    return transactionOf(database, userId, work, "write while closing");
  }
}

function isLostRace(error: unknown): boolean {
  return isTransient(error) || isForeignKeyViolation(error) || error instanceof NoResultError;
}

/** @throws AppError 401 if the account was deleted; other failures are ignored, because the caller has an error already */
async function requireAccount(database: Database, userId: string): Promise<void> {
  try {
    await database.asUser(userId, async () => {}, "read");
  } catch (error) {
    if (error instanceof AppError && error.code === "auth.unknown_account") throw error;
  }
}
