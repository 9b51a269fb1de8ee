import { call } from "#database/call";
import { job, type Walk } from "#http/jobs/jobs";
import { scheduleOf } from "../schedules.ts";

/** Writes entries whose notebook, or whose author's membership, has changed, until none are left. */
export async function settleShares({ forEachSlice }: Pick<Walk, "forEachSlice">): Promise<{ slices: number }> {
  const { slices } = await forEachSlice(1, async (tx) => {
    const seen = (await call(tx, "settle_next")) ? 1 : 0;
    return { seen, counts: { slices: seen } };
  });
  return { slices };
}

/** Goes on with entries that were left, such as by a task that died. */
export const settleLeftShares = job(scheduleOf("shares"), (context) => settleShares(context));
