import { NoResultError } from "kysely";
import { AppError } from "#core/errors";
import type { Database, Purpose, Tx } from "#database/database";
import { isForeignKeyViolation, isReadOnlyRefusal, isTransient } from "#database/errors";
import { retryLostRaces } from "#database/retry";
import { Replay } from "../request/idempotency.ts";
import type { AppContext } from "../services/context.ts";
import type { Actor } from "../services/tokens.ts";
import { databaseFor, type ReplicaUse } from "./request-database.ts";

/**
 * The role and the rights of an endpoint's transactions.
 * - `read once`: exactly one statement, which is one round trip. The default of a GET.
 * - `read`: any number of statements, or none.
 * - `read once, logged` and `read, logged`: entries of other people; what super admins read of them is logged.
 * - `write`: the default of everything but a GET. Refused while the account is suspended or closing.
 * - `write while suspended`: also while the account is suspended.
 * - `write while closing`: also while the account is suspended or closing. A GET that writes what is due has it.
 * - `service`: as the service, for jobs, webhooks, and what admins read or change.
 */
export type Access = Exclude<Purpose, "read in the background"> | "read once, logged" | "read, logged" | "service";

/** Runs a transaction, again if it lost a race. */
export type RunTransaction = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** Whether an endpoint changes nothing, apart from the log of what super admins read. */
export function onlyReads(method: string, access: Access): boolean {
  return access === "service" ? method === "GET" : access.startsWith("read");
}

/**
 * How an endpoint runs its transactions.
 * @param actor null if there is no user: then it must run as the service
 * @param replica whether replicas may serve it; by default they may not
 */
export function transactionsFor(
  c: AppContext,
  actor: Actor | null,
  access: Access,
  replica?: ReplicaUse,
): RunTransaction {
  const database = databaseFor(c, replica, actor?.program);
  const userId = actor?.userId ?? null;
  if (access === "service") {
    return (work) => {
      const transaction = () => database.asService(work);
      return userId === null ? transaction() : inTurn(c, userId, () => forUser(database, userId, transaction));
    };
  }
  return (work) => {
    if (userId === null) throw new Error("A transaction needs a user, or access as the service.");
    switch (access) {
      case "read once, logged":
        return inTurn(c, userId, () => loggedTransactionOf(database, userId, work, "read once"));
      case "read, logged":
        return inTurn(c, userId, () => loggedTransactionOf(database, userId, work, "read"));
      default:
        return inTurn(c, userId, () => transactionOf(database, userId, work, access));
    }
  };
}

/**
 * Runs what a request does in the database for a person, in their turn. Every transaction of a request of a signed-in user
 * goes through here; those of jobs, tasks and webhooks do not.
 */
function inTurn<Result>(
  { services, req }: AppContext,
  userId: string,
  transaction: () => Promise<Result>,
): Promise<Result> {
  return services.turns.take(userId, req.raw, transaction);
}

/**
 * Runs a transaction as a user.
 * @param work may run several times; only the last run has an effect
 * @throws AppError 401 if the account was deleted
 */
function transactionOf<Result>(
  database: Database,
  userId: string,
  work: (tx: Tx) => Promise<Result>,
  purpose: Purpose,
): Promise<Result> {
  return forUser(database, userId, () => database.asUser(userId, work, purpose));
}

/**
 * Runs a transaction for a user, and again if it lost a deadlock, or if a row that it had looked at (an organization, say)
 * was deleted before it could read it again or refer to it. Any other failure while the user's own account is being deleted
 * is reported as the missing account.
 */
function forUser<Result>(database: Database, userId: string, transaction: () => Promise<Result>): Promise<Result> {
  return retryLostRaces(async () => {
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof AppError || error instanceof Replay)) await requireAccount(database, userId);
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
