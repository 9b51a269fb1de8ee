import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";
import { job } from "@nectar/http/jobs";
import { wakePushes } from "@nectar/http/wake";
import { scheduleOf } from "../../schedules.ts";

/** Drops or senders per transaction: few enough that no sender waits long for the row of their day. */
const SLICE = 25_000;

/**
 * Looks through all open drops: a drop that was followed by an entry of its recipient earns its sender the bonus, and one
 * whose window is over is closed. Then recalculates the badges of recent senders. Each slice commits, so no drop is paid
 * twice. The run after one that was cut off starts again with the drops that are still open.
 */
export const processEngagement = job(scheduleOf("engagement"), async ({ services, now, errors, forEachSlice }) => {
  const { seen: checked, ...counts } = await forEachSlice(SLICE, (tx, after: DropCursor | null) =>
    processDrops(tx, now, after),
  );
  const recent = await forEachSlice(SLICE, (tx, after: string | null) => recalculateRecentBadges(tx, now, after));
  await wakePushes(services);
  return { checked, ...counts, badges_updated: counts.badges_updated + recent.badges_updated, errors };
});

/** The last drop of a slice. */
interface DropCursor {
  readonly last_sender: string;
  readonly last_drop: string;
}

interface DropSlice extends DropCursor {
  readonly checked: number;
  readonly engaged: number;
  readonly bonus_awarded: number;
  readonly badges_updated: number;
}

async function processDrops(tx: Tx, now: Date, after: DropCursor | null) {
  const slice = await one<DropSlice>(tx)`
    select last_sender, last_drop, checked, engaged, bonus_awarded, badges_updated
    from private.process_engagement(
      ${now.toISOString()}::timestamptz, ${after?.last_sender ?? null}::uuid, ${after?.last_drop ?? null}::uuid, ${SLICE}
    )
  `;
  const { checked, engaged, bonus_awarded, badges_updated } = slice;
  return { seen: checked, counts: { engaged, bonus_awarded, badges_updated }, cursor: slice };
}

/** A slice of recent senders. */
interface SenderSlice {
  readonly last_user: string | null;
  readonly seen: number;
  readonly badges_updated: number;
}

async function recalculateRecentBadges(tx: Tx, now: Date, after: string | null) {
  const { last_user, seen, badges_updated } = await one<SenderSlice>(tx)`
    select last_user, seen, badges_updated
    from private.recalculate_recent_badges(${now.toISOString()}::timestamptz, ${after}::uuid, ${SLICE})
  `;
  return { seen, counts: { badges_updated }, cursor: last_user };
}
