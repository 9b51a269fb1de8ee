import type { Database, Tx } from "./database.ts";
import { isDeadlock } from "./errors.ts";

/** Runs of a transaction before its error counts. */
const MAX_RUNS = 3;

/**
 * Runs a transaction, and again when others were in its way: it lost a deadlock or could not be serialized. Of a run that
 * failed nothing is left, so the next one sees for itself.
 * @param transaction may run several times
 * @param isLostRace which errors are worth another run; deadlocks and serialization failures unless given
 */
export async function retryLostRaces<Result>(
  transaction: () => Promise<Result>,
  isLostRace: (error: unknown) => boolean = isDeadlock,
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
 * Runs a transaction as the service, and again when it lost a deadlock.
 * @param work may run several times, so it has no effect outside of the transaction
 */
export function runAsService<Result>(database: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return retryLostRaces(() => database.asService(work));
}
