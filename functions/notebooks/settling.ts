import { call } from "#database/call";
import { job, type WorkerContext } from "#http/jobs/jobs";
import { scheduleOf } from "../schedules.ts";

/** Writes entries whose notebook, or whose author's membership, has changed, until none are left. */
export async function settleShares({
  forEachBatch,
}: Pick<WorkerContext, "forEachBatch">): Promise<{ batches: number }> {
  const { batches } = await forEachBatch(1, async (tx) => {
    const seen = (await call(tx, "settle_next")) ? 1 : 0;
    return { seen, counts: { batches: seen } };
  });
  return { batches };
}

/** Goes on with entries that were left, such as by a task that died. */
export const settleLeftShares = job(scheduleOf("shares"), (context) => settleShares(context));
