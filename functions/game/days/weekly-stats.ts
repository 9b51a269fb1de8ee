import { sql } from "kysely";
import { addDays, utcDate, weekStart } from "#core/time/calendar-date";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { job } from "#http/jobs/jobs";
import { wakePushes } from "#http/jobs/wake";
import { type PageQuery, pageOf } from "#http/response/paging";
import { scheduleOf } from "../../schedules.ts";
import { type DayMoment, dayMoment } from "../day-state.ts";
import type { WeeklyStatsResponse } from "./schema.ts";

/** Players that one transaction counts. */
const BATCH = 5_000;

/** A page of the caller's own weeks, newest first. */
export async function readWeeklyStats(
  tx: Tx,
  userId: string,
  { cursor, limit }: PageQuery,
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
 * Counts the week that has ended for all players, and the week before it again, because its check-ins may have been reviewed
 * since. Days that have not ended in their time zone are counted at the end of the day.
 */
export const countWeeks = job(
  scheduleOf("weekly-stats"),
  async (context) => {
    const { services, key: ended, errors, forEachBatch } = context;
    const moment = dayMoment(context);
    const countAll = async (week: string) => {
      const { changed } = await forEachBatch(BATCH, (tx, after: string | null) => countBatch(tx, week, moment, after));
      return changed;
    };
    const counts = { changed: await countAll(ended), corrected: await countAll(addDays(ended, -7)) };
    await wakePushes(services);
    return { ...counts, errors };
  },
  { key: (now) => addDays(weekStart(utcDate(now)), -7) },
);

/**
 * Counts a week of people, and notifies them once all its days are over where they live.
 * @param week the Monday, `YYYY-MM-DD`
 * @returns for how many of them that changed something
 */
export async function countWeek(
  tx: Tx,
  week: string,
  { now, graceMinutes }: DayMoment,
  people: readonly string[],
): Promise<number> {
  return call(tx, "count_week", { week, moment: now, graceMinutes, userIds: people });
}

/** Counts a week of the next people, in the order of their ids. */
async function countBatch(tx: Tx, week: string, moment: DayMoment, after: string | null) {
  const people = await playersOf(tx, week, after);
  const changed = await countWeek(tx, week, moment, people);
  return { seen: people.length, counts: { changed }, cursor: people.at(-1) ?? "" };
}

/** The people who play in a week; each has a team color. */
async function playersOf(tx: Tx, week: string, after: string | null): Promise<string[]> {
  const rows = await tx
    .selectFrom("team_colors")
    .select("user_id")
    .where("week_start_date", "=", week)
    .$if(after !== null, (query) => query.where("user_id", ">", after ?? ""))
    .orderBy("user_id")
    .limit(BATCH)
    .execute();
  return rows.map(({ user_id }) => user_id);
}
