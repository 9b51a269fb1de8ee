import { addDays } from "@nectar/core/calendar-date";
import { weekStart } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { type JobAnswer, runJob } from "@nectar/http/jobs";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";

/**
 * Works out everybody's numbers of the week that has ended, and again those of the week before it: check-ins of that one
 * may have been reviewed since. Days that have not ended where they are lived follow with the end of day.
 */
export function countWeeks(services: Services): Promise<JobAnswer> {
  const now = services.clock.now();
  const ended = addDays(weekStart(now.toISOString().slice(0, 10)), -7);
  return runJob(services, { job: "weekly-stats", key: ended }, async ({ slice }) => {
    const changed = await slice((tx) => countWeek(tx, ended, now));
    const corrected = await slice((tx) => countWeek(tx, addDays(ended, -7), now));
    return { changed, corrected };
  });
}

async function countWeek(tx: Tx, week: string, now: Date): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    select private.count_week(${week}::date, ${now.toISOString()}::timestamptz) as changed
  `.execute(tx);
  return rows[0]?.changed ?? 0;
}
