import { addDays, utcDate, weekStart } from "@nectar/core/calendar-date";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { one } from "@nectar/database/query";
import { job } from "@nectar/http/jobs";
import { pageOf } from "@nectar/http/paging";
import { sql } from "kysely";
import { scheduleOf } from "../../schedules.ts";
import type { WeeklyStatsQuery, WeeklyStatsResponse } from "./schema.ts";

/** People whose week one transaction counts. */
const SLICE = 5_000;

/** A week of some people, as it stands at a moment. */
interface CountedWeek {
  /** The Monday, `YYYY-MM-DD`. */
  readonly week: string;
  readonly now: Date;
  readonly graceMinutes: number;
  readonly people: readonly string[];
}

/** A page of the caller's own weeks, newest first. */
export async function readWeeklyStats(
  tx: Tx,
  userId: string,
  { cursor, limit }: WeeklyStatsQuery,
): Promise<WeeklyStatsResponse> {
  const rows = await tx
    .selectFrom("weekly_workout_stats")
    .select([
      "week_start_date as weekStartDate",
      "team_color as teamColor",
      "days_planned as daysPlanned",
      "completed_count as completedCount",
      "failed_count as failedCount",
      "pending_count as pendingCount",
      sql<number>`completion_rate::float8`.as("completionRate"),
      "chips_earned as chipsEarned",
      "updated_at as updatedAt",
    ])
    .where("user_id", "=", userId)
    .where(afterCursor(["week_start_date", "user_id"], cursor))
    .orderBy("week_start_date", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, ({ weekStartDate }) => ({ at: `${weekStartDate}T00:00:00.000Z`, id: userId }));
  return { weeks: page.rows, nextCursor: page.next_cursor };
}

/**
 * Works out everybody's numbers of the week that has ended, and again those of the week before it: check-ins of that one
 * may have been reviewed since. Days that have not ended where they are lived follow with the end of day.
 */
export const countWeeks = job(
  scheduleOf("weekly-stats"),
  async ({ services, now, key: ended, errors, forEachSlice }) => {
    const countEverybody = async (week: string) => {
      const counted = { week, now, graceMinutes: services.config.checkinGraceMinutes };
      const { changed } = await forEachSlice(SLICE, (tx, after: string | null) => countSlice(tx, counted, after));
      return changed;
    };
    const changed = await countEverybody(ended);
    return { changed, corrected: await countEverybody(addDays(ended, -7)), errors };
  },
  { key: (now) => addDays(weekStart(utcDate(now)), -7) },
);

/** Counts a week of people. @returns for how many of them that changed something */
export async function countWeek(tx: Tx, { week, now, graceMinutes, people }: CountedWeek): Promise<number> {
  const { changed } = await one<{ changed: number }>(tx)`
    select private.count_week(
      ${week}::date, ${now.toISOString()}::timestamptz, ${graceMinutes}::integer, ${[...people]}::uuid[]
    ) as changed
  `;
  return changed;
}

/** Counts a week of the next people in the order of their ids. A run that is called again counts the same once more. */
async function countSlice(tx: Tx, counted: Omit<CountedWeek, "people">, after: string | null) {
  const people = await playersOf(tx, counted.week, after);
  const changed = await countWeek(tx, { ...counted, people });
  return { seen: people.length, counts: { changed }, cursor: people.at(-1) ?? "" };
}

/** Whoever plays in a week has a colour in it. */
async function playersOf(tx: Tx, week: string, after: string | null): Promise<string[]> {
  const rows = await tx
    .selectFrom("team_colors")
    .select("user_id")
    .where("week_start_date", "=", week)
    .$if(after !== null, (query) => query.where("user_id", ">", after ?? ""))
    .orderBy("user_id")
    .limit(SLICE)
    .execute();
  return rows.map(({ user_id }) => user_id);
}
