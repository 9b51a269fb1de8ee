import { addDays } from "@nectar/core/calendar-date";
import { weekStart } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { type JobContext, type JobResponse, runJob } from "@nectar/http/jobs";
import { pageOf } from "@nectar/http/paging";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";
import type { WeeklyStatsQuery, WeeklyStatsResponse } from "./schema.ts";

/** People whose week one transaction counts. */
const SLICE = 5_000;
const BUDGET_SECONDS = 120;

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
  return { weeks: [...page.rows], nextCursor: page.next_cursor };
}

/**
 * Works out everybody's numbers of the week that has ended, and again those of the week before it: check-ins of that one
 * may have been reviewed since. Days that have not ended where they are lived follow with the end of day.
 */
export function countWeeks(services: Services): Promise<JobResponse> {
  const now = services.clock.now();
  const graceMinutes = services.config.checkinGraceMinutes;
  const ended = addDays(weekStart(now.toISOString().slice(0, 10)), -7);
  const run = { job: "weekly-stats", key: ended, budgetSeconds: BUDGET_SECONDS };
  return runJob(services, run, async (context) => {
    const errors: string[] = [];
    const changed = await countEverybody(context, { week: ended, now, graceMinutes }, errors);
    const corrected = await countEverybody(context, { week: addDays(ended, -7), now, graceMinutes }, errors);
    return { changed, corrected, errors };
  });
}

/** Counts a week of people. @returns for how many of them that changed something */
export async function countWeek(tx: Tx, { week, now, graceMinutes, people }: CountedWeek): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    select private.count_week(
      ${week}::date, ${now.toISOString()}::timestamptz, ${graceMinutes}::integer, ${[...people]}::uuid[]
    ) as changed
  `.execute(tx);
  return rows[0]?.changed ?? 0;
}

/** Counts a week of everybody, in the order of their ids. A run that is called again counts the same once more. */
async function countEverybody(
  { slice, outOfTime }: JobContext,
  counted: Omit<CountedWeek, "people">,
  errors: string[],
): Promise<number> {
  let changed = 0;
  let last: string | undefined;
  for (;;) {
    if (outOfTime()) {
      errors.push(`The time was up before everybody's week of ${counted.week} was counted.`);
      return changed;
    }
    const after = last;
    const people = await slice(async (tx) => {
      const players = await playersOf(tx, counted.week, after);
      changed += await countWeek(tx, { ...counted, people: players });
      return players;
    });
    last = people.at(-1);
    if (people.length < SLICE) return changed;
  }
}

/** Whoever plays in a week has a colour in it. */
async function playersOf(tx: Tx, week: string, after: string | undefined): Promise<string[]> {
  const rows = await tx
    .selectFrom("team_colors")
    .select("user_id")
    .where("week_start_date", "=", week)
    .$if(after !== undefined, (query) => query.where("user_id", ">", after ?? ""))
    .orderBy("user_id")
    .limit(SLICE)
    .execute();
  return rows.map(({ user_id }) => user_id);
}
