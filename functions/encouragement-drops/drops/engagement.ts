import type { Tx } from "@nectar/database/database";
import { type JobResponse, runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";

/** Drops that one transaction looks at: few enough that no sender waits long for the row of their day. */
const SLICE = 25_000;
/** Well below what the function may take. */
const BUDGET_SECONDS = 200;
/** How long the job may tell devices about new badges once it is done. */
const PUSH_BUDGET_MS = 5_000;

/**
 * Looks through all open drops: what was followed by an entry of its recipient earns its sender the bonus, what is past
 * its window is closed. Then recalculates the badges of those who sent lately and rebuilds the checkpoints of the leaderboard.
 * Each slice is for good when it is done, so nothing is paid twice. A run that comes after one that ended in the middle
 * begins again with the first sender: what was closed is not open any more, what is still open is looked at once more.
 */
export async function processEngagement(services: Services): Promise<JobResponse> {
  const climbed: string[] = [];
  const answer = await runJob(
    services,
    { job: "engagement", key: "all", budgetSeconds: BUDGET_SECONDS },
    async ({ slice, outOfTime }) => {
      const now = services.clock.now();
      const counts = { checked: 0, engaged: 0, bonus_awarded: 0, badges_updated: 0 };
      const errors: string[] = [];
      let after: EngagementSlice | null = null;
      do {
        if (outOfTime()) {
          errors.push(
            "The time was up before every drop was looked at; the next run begins again with those still open.",
          );
          break;
        }
        const previous: EngagementSlice | null = after;
        const done: EngagementSlice = await slice((tx) => engagementSlice(tx, now, previous));
        counts.checked += done.checked;
        counts.engaged += done.engaged;
        counts.bonus_awarded += done.bonus_awarded;
        counts.badges_updated += done.badges_updated;
        climbed.push(...done.climbed);
        after = done.checked < SLICE ? null : done;
      } while (after !== null);

      let place: RecentSlice | null = null;
      do {
        if (outOfTime()) {
          errors.push(
            "The time was up before every recent sender's badge was recalculated; the next run begins again.",
          );
          break;
        }
        const previous: RecentSlice | null = place;
        const done: RecentSlice = await slice((tx) => recentSlice(tx, now, previous));
        counts.badges_updated += done.climbed.length;
        climbed.push(...done.climbed);
        place = done.seen < SLICE ? null : done;
      } while (place !== null);

      await slice((tx) => sql`select private.rebuild_leaderboard_checkpoints()`.execute(tx));
      return { ...counts, errors };
    },
  );
  if (climbed.length > 0) {
    await deliverPushes(services, { recipients: [...new Set(climbed)], budgetMs: PUSH_BUDGET_MS });
  }
  return answer;
}

interface EngagementSlice {
  readonly last_sender: string | null;
  readonly last_drop: string | null;
  readonly checked: number;
  readonly engaged: number;
  readonly bonus_awarded: number;
  readonly badges_updated: number;
  /** Whose badge rose. */
  readonly climbed: readonly string[];
}

async function engagementSlice(tx: Tx, now: Date, after: EngagementSlice | null): Promise<EngagementSlice> {
  const { rows } = await sql<EngagementSlice>`
    select last_sender, last_drop, checked, engaged, bonus_awarded, badges_updated, climbed
    from private.process_engagement(
      ${now.toISOString()}::timestamptz, ${after?.last_sender ?? null}::uuid, ${after?.last_drop ?? null}::uuid, ${SLICE}
    )
  `.execute(tx);
  const [done] = rows;
  if (done === undefined) throw new Error("A slice always answers.");
  return done;
}

interface RecentSlice {
  readonly last_day: string | null;
  readonly last_user: string | null;
  readonly seen: number;
  /** Whose badge rose. */
  readonly climbed: readonly string[];
}

async function recentSlice(tx: Tx, now: Date, after: RecentSlice | null): Promise<RecentSlice> {
  const { rows } = await sql<RecentSlice>`
    select last_day, last_user, seen, climbed
    from private.recalculate_recent_badges(
      ${now.toISOString()}::timestamptz, ${after?.last_day ?? null}::date, ${after?.last_user ?? null}::uuid, ${SLICE}
    )
  `.execute(tx);
  const [done] = rows;
  if (done === undefined) throw new Error("A slice always answers.");
  return done;
}
