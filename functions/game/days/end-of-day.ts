import { sql } from "kysely";
import { KEPT_DAYS } from "#core/retention";
import { utcDate, weekStart } from "#core/time/calendar-date";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import { scheduleOf } from "../../schedules.ts";
import { notifyResults } from "../battles/runs.ts";
import { type DayMoment, dayMoment } from "../day-state.ts";
import { countWeek } from "./weekly-stats.ts";

/** Players' days that one transaction ends. Each sums up the running battle, which takes as long as thousands of days. */
export const BATCH = 20_000;

/**
 * Ends the days that are over where their players live: counts who checked in, recounts and notifies the next person of each
 * player who did not, and notifies those who played of the score. Each day ends once, even if the job runs twice. Because it
 * runs often, it also finishes notifying players of battle results.
 */
export const endDays = job(scheduleOf("end-of-day"), async (context) => {
  const { services, now, errors, transaction, forEachBatch } = context;
  const moment = dayMoment(context);
  const { seen: _, ...counts } = await forEachBatch(BATCH, (tx) => endBatch(tx, moment));
  await transaction((tx) => deleteOldNotices(tx, now));
  await notifyResults(context);
  await wakePushes(services);
  return { ...counts, errors };
});

async function endBatch(tx: Tx, moment: DayMoment) {
  const rows = await call(tx, "end_days", { moment: moment.now, max: BATCH });
  const thisWeek = weekStart(utcDate(moment.now));
  for (const { week, people } of rows) {
    // In the Americas, Sunday ends after the week has been counted.
    if (week < thisWeek) await countWeek(tx, week, moment, people);
  }
  const sum = (count: "closed" | "completed" | "pending" | "failed" | "notified") =>
    rows.reduce((total, week) => total + week[count], 0);
  const closed = sum("closed");
  return {
    // A batch closes fewer days than it takes if the next person of one is being deleted, and there may be more.
    seen: closed === 0 ? 0 : BATCH,
    counts: {
      closed,
      completed: sum("completed"),
      pending: sum("pending"),
      failed: sum("failed"),
      notified: sum("notified"),
    },
  };
}

async function deleteOldNotices(tx: Tx, now: Date): Promise<void> {
  await sql`
    delete from private.game_notices g where g.date < ${now.toISOString()}::timestamptz::date - ${KEPT_DAYS.gameNotices}::integer
  `.execute(tx);
}
