import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";
import { job } from "@nectar/http/jobs";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";
import { scheduleOf } from "../../schedules.ts";

/** Drops that one transaction looks at: few enough that no sender waits long for the row of their day. */
const SLICE = 25_000;
/** How long the job may tell devices about new badges once it is done. */
const PUSH_BUDGET_MS = 5_000;

/**
 * Looks through all open drops: what was followed by an entry of its recipient earns its sender the bonus, what is past
 * its window is closed. Then recalculates the badges of those who sent lately and rebuilds the checkpoints of the leaderboard.
 * Each slice is for good when it is done, so nothing is paid twice. A run that comes after one that ended in the middle
 * begins again with the first sender: what was closed is not open any more, what is still open is looked at once more.
 */
export const processEngagement = job(
  scheduleOf("engagement"),
  async ({ services, now, errors, notified, forEachSlice, transaction }) => {
    const { seen: checked, ...counts } = await forEachSlice(SLICE, (tx, after: DropCursor | null) =>
      engagementSlice(tx, now, after),
    );
    const recent = await forEachSlice(SLICE, (tx, after: SenderCursor | null) => recentSlice(tx, now, after));
    await transaction((tx) => sql`select private.rebuild_leaderboard_checkpoints()`.execute(tx));
    await deliverPushes(services, { recipients: [...notified], budgetMs: PUSH_BUDGET_MS });
    return { checked, ...counts, badges_updated: counts.badges_updated + recent.badges_updated, errors };
  },
);

/** The last drop of a slice. */
interface DropCursor {
  readonly last_sender: string;
  readonly last_drop: string;
}

/** Drops that a slice looked at. */
interface EngagementSlice extends DropCursor {
  readonly checked: number;
  readonly engaged: number;
  readonly bonus_awarded: number;
  readonly badges_updated: number;
  /** Whose badge rose. */
  readonly climbed: readonly string[];
}

async function engagementSlice(tx: Tx, now: Date, after: DropCursor | null) {
  const slice = await one<EngagementSlice>(tx)`
    select last_sender, last_drop, checked, engaged, bonus_awarded, badges_updated, climbed
    from private.process_engagement(
      ${now.toISOString()}::timestamptz, ${after?.last_sender ?? null}::uuid, ${after?.last_drop ?? null}::uuid, ${SLICE}
    )
  `;
  const { checked, engaged, bonus_awarded, badges_updated, climbed } = slice;
  return { seen: checked, counts: { engaged, bonus_awarded, badges_updated }, cursor: slice, notified: climbed };
}

/** The last sender of a slice. */
interface SenderCursor {
  readonly last_day: string;
  readonly last_user: string;
}

/** People who sent a drop lately. */
interface RecentSlice extends SenderCursor {
  readonly seen: number;
  /** Whose badge rose. */
  readonly climbed: readonly string[];
}

async function recentSlice(tx: Tx, now: Date, after: SenderCursor | null) {
  const slice = await one<RecentSlice>(tx)`
    select last_day, last_user, seen, climbed
    from private.recalculate_recent_badges(
      ${now.toISOString()}::timestamptz, ${after?.last_day ?? null}::date, ${after?.last_user ?? null}::uuid, ${SLICE}
    )
  `;
  const { seen, climbed } = slice;
  return { seen, counts: { badges_updated: climbed.length }, cursor: slice, notified: climbed };
}
