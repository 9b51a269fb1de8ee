import type { Database, Tx } from "./database.ts";
import { isTransient } from "./errors.ts";

/** How often a transaction runs before its error is thrown. */
const MAX_RUNS = 3;

/**
 * Runs a transaction, and again if it failed because of another one. A run that failed was rolled back.
 * @param transaction may run several times
 * @param isLostRace which errors are worth another run; default: transient ones
 */
export async function retryLostRaces<Result>(
  transaction: () => Promise<Result>,
  isLostRace: (error: unknown) => boolean = isTransient,
): Promise<Result> {
  for (let run = 1; ; run += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (run === MAX_RUNS || !isLostRace(error)) throw error;
    }
  }
}

/**
 * Runs a transaction as the service, and again if it lost a deadlock.
 * @param work may run several times, so it has no effect outside of the transaction
 */
export function runAsService<Result>(database: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return retryLostRaces(() => database.asService(work));
}
