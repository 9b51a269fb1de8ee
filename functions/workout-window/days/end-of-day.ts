import { utcDate, weekStart } from "@nectar/core/calendar-date";
import type { Tx } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import { job } from "@nectar/http/jobs";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";
import { scheduleOf } from "../../schedules.ts";
import { notifyResults } from "../battles/runs.ts";
import { countWeek } from "./weekly-stats.ts";

/** Days that one transaction ends. */
const SLICE = 5_000;
/** Days after which the notices of a date are deleted; a date that old is never notified about. */
const NOTICE_DAYS = 30;
const PUSH_BUDGET_MS = 5_000;

interface EndedWeek {
  readonly week: string;
  readonly people: string[];
  readonly closed: number;
  readonly completed: number;
  readonly pending: number;
  readonly failed: number;
  readonly notified: number;
}

/**
 * Ends the days that are over where their players live: counts who checked in and who did not, recounts and notifies the
 * next person of those who did not, and notifies those who played how the battle stands. Each day ends once, even
 * if the job runs twice. It runs so often that it also completes what would otherwise stay undone: it sums up the changes
 * of a battle's chips and announces results that have not been announced to all players.
 */
export const endDays = job(scheduleOf("end-of-day"), async (context) => {
  const { services, now, errors, transaction, forEachSlice } = context;
  const graceMinutes = services.config.checkinGraceMinutes;
  const { seen: closed, ...counts } = await forEachSlice(SLICE, (tx) => endSlice(tx, now, graceMinutes));
  await transaction((tx) => deleteOldNotices(tx, now));
  await transaction((tx) => sql`select private.compact_chip_changes()`.execute(tx));
  await notifyResults(context);
  await deliverPushes(services, { budgetMs: PUSH_BUDGET_MS });
  return { closed, ...counts, errors };
});

async function endSlice(tx: Tx, now: Date, graceMinutes: number) {
  const rows = await all<EndedWeek>(tx)`
    select week, people, closed, completed, pending, failed, notified
    from private.end_days(${now.toISOString()}::timestamptz, ${SLICE})
  `;
  const thisWeek = weekStart(utcDate(now));
  for (const { week, people } of rows) {
    // In the Americas Sunday ends when the numbers of the week have been worked out already.
    if (week < thisWeek) {
      await countWeek(tx, { week, now, graceMinutes, people });
    }
  }
  const sum = (count: "closed" | "completed" | "pending" | "failed" | "notified") =>
    rows.reduce((total, week) => total + week[count], 0);
  return {
    seen: sum("closed"),
    counts: { completed: sum("completed"), pending: sum("pending"), failed: sum("failed"), notified: sum("notified") },
  };
}

async function deleteOldNotices(tx: Tx, now: Date): Promise<void> {
  await sql`
    delete from private.game_notices g where g.date < ${now.toISOString()}::timestamptz::date - ${NOTICE_DAYS}::integer
  `.execute(tx);
}
