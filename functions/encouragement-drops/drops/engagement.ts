import { call } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import { scheduleOf } from "../../schedules.ts";

/** Drops or senders per transaction: few enough that no sender waits long for the row of their day. */
const BATCH = 25_000;

/**
 * Looks through all open drops: a drop that was followed by an entry of its recipient earns its sender the bonus, and one
 * whose window is over is closed. Then recalculates the badges of recent senders. Each batch commits, so no drop is paid
 * twice. The run after one that was cut off starts again with the drops that are still open.
 */
export const processEngagement = job(scheduleOf("engagement"), async ({ services, now, errors, forEachBatch }) => {
  const { seen: checked, ...counts } = await forEachBatch(BATCH, (tx, after: DropCursor | null) =>
    processDrops(tx, now, after),
  );
  const recent = await forEachBatch(BATCH, (tx, after: string | null) => recalculateRecentBadges(tx, now, after));
  await wakePushes(services);
  return { checked, ...counts, badges_updated: counts.badges_updated + recent.badges_updated, errors };
});

/** The last drop of a batch. */
interface DropCursor {
  readonly last_sender: string;
  readonly last_drop: string;
}

async function processDrops(tx: Tx, now: Date, after: DropCursor | null) {
  const batch = await call(tx, "process_engagement", {
    moment: now,
    afterSenderId: after?.last_sender,
    afterDropId: after?.last_drop,
    limit: BATCH,
  });
  const { checked, engaged, bonus_awarded, badges_updated } = batch;
  return { seen: checked, counts: { engaged, bonus_awarded, badges_updated }, cursor: batch };
}

async function recalculateRecentBadges(tx: Tx, now: Date, after: string | null) {
  const { last_user, seen, badges_updated } = await call(tx, "recalculate_recent_badges", {
    moment: now,
    afterUserId: after,
    limit: BATCH,
  });
  return { seen, counts: { badges_updated }, cursor: last_user };
}
