import { sql } from "kysely";
import { call, only } from "#database/call";
import type { Figures } from "#http/services/metrics";
import type { Services } from "#http/services/services";
import { readState } from "./jobs.ts";

/** Reads the figures of `GET /metrics` from the database, in one round trip of at most two seconds. @throws AppError 503 */
export function readFigures({ database, config }: Services, now: Date): Promise<Figures> {
  return database.asService(async (tx) => {
    const [, { jobs, late, waiting }, deliveries] = await Promise.all([
      sql`set local statement_timeout = '2s'`.execute(tx),
      readState(tx, config, now),
      call(tx, "due_deliveries", { moment: now }),
    ]);
    const { due, oldest } = only(deliveries);
    return {
      lateJobs: late.length,
      waitingReviews: waiting.length,
      lastSuccesses: jobs.flatMap(({ name, last_succeeded_at: at }) =>
        at === null ? [] : [{ job: name, at: new Date(at) }],
      ),
      deliveriesDue: due,
      oldestDelivery: oldest === null ? null : new Date(oldest),
    };
  });
}
