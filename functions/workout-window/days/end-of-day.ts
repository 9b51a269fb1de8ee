import { weekStart } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { type JobResponse, runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";
import { tellResults } from "../battles/runs.ts";
import { countWeek } from "./weekly-stats.ts";

/** Days that one transaction ends. */
const SLICE = 5_000;
/** Days after which what was told of a date is forgotten; nothing is told of one that old. */
const NOTICE_DAYS = 30;
const PUSH_BUDGET_MS = 5_000;

interface EndedWeek {
  readonly week: string;
  readonly people: string[];
  readonly closed: number;
  readonly completed: number;
  readonly pending: number;
  readonly failed: number;
  readonly told: number;
}

/**
 * Ends the days that are over where their players live: counts who checked in and who did not, recounts and notifies the
 * next person of those who did not, and notifies those who played how the battle stands. Each day ends once, even
 * if the job runs twice. It runs so often that it also completes what would otherwise stay undone: it sums up the changes
 * of a battle's chips and announces results that have not been announced to all players.
 */
export async function endDays(services: Services): Promise<JobResponse> {
  const graceMinutes = services.config.checkinGraceMinutes;
  const done = await runJob(services, { job: "end-of-day", key: "all" }, async (context) => {
    const { slice, outOfTime } = context;
    const now = services.clock.now();
    const counts = { closed: 0, completed: 0, pending: 0, failed: 0, notified: 0 };
    const errors: string[] = [];
    for (;;) {
      if (outOfTime()) {
        errors.push("The time was up before every day was ended; the next run goes on.");
        break;
      }
      const weeks = await slice((tx) => endSlice(tx, now, graceMinutes));
      for (const week of weeks) {
        counts.closed += week.closed;
        counts.completed += week.completed;
        counts.pending += week.pending;
        counts.failed += week.failed;
        counts.notified += week.told;
      }
      if (weeks.reduce((sum, { closed }) => sum + closed, 0) < SLICE) break;
    }
    await slice((tx) => forgetNotices(tx, now));
    await slice((tx) => sql`select private.shorten_chip_changes()`.execute(tx));
    await tellResults(context);
    return { ...counts, errors };
  });
  await deliverPushes(services, { budgetMs: PUSH_BUDGET_MS });
  return done;
}

async function endSlice(tx: Tx, now: Date, graceMinutes: number): Promise<readonly EndedWeek[]> {
  const { rows } = await sql<EndedWeek>`
    select week, people, closed, completed, pending, failed, told
    from private.end_days(${now.toISOString()}::timestamptz, ${SLICE})
  `.execute(tx);
  const thisWeek = weekStart(now.toISOString().slice(0, 10));
  for (const { week, people } of rows) {
    // In the Americas Sunday ends when the numbers of the week have been worked out already.
    if (week < thisWeek) {
      await countWeek(tx, { week, now, graceMinutes, people });
    }
  }
  return rows;
}

async function forgetNotices(tx: Tx, now: Date): Promise<void> {
  await sql`
    delete from private.game_notices g where g.date < ${now.toISOString()}::timestamptz::date - ${NOTICE_DAYS}::integer
  `.execute(tx);
}
