import { addDays, dateIn } from "@nectar/core/calendar-date";
import { currentOrNextGameDate } from "@nectar/core/game/time";
import { describeFailure } from "@nectar/http/logging";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { sql } from "kysely";
import { generateChains } from "./generate-chains.ts";

/** Milliseconds that whoever caused the matching waits for the pushes of it; the scheduled job delivers the rest. */
const PUSH_BUDGET_MS = 1_500;

/**
 * Matches anew the places where people play, or were to play, on the days that are running, today and tomorrow: after a
 * change of their windows or places was committed. What it costs does not depend on other places. Never throws: what fails
 * here the scheduled run makes good, because it looks at everybody.
 */
export async function rematchUsers(services: Services, userIds: readonly string[]): Promise<void> {
  const { clock, database, logger } = services;
  const told = new Set<string>();
  try {
    for (const date of await datesOf(services, userIds)) {
      const scope = { date, now: clock.now(), around: userIds };
      const generated = await database.asService((tx) => generateChains(tx, scope));
      for (const userId of generated.told) told.add(userId);
    }
  } catch (error) {
    logger.warn(describeFailure(error), "matching was put off");
  }
  await deliverPushes(services, { recipients: [...told], budgetMs: PUSH_BUDGET_MS });
}

/** The dates on which what people do now matters: in the zones of their windows, and those on which they have a row. */
async function datesOf({ clock, database }: Services, userIds: readonly string[]): Promise<string[]> {
  const now = clock.now();
  const { rows } = await database.asService((tx) =>
    sql<{ date: string | null; timezone: string; start: string; end: string }>`
      select null::date as date, w.timezone, w.window_start_time as "start", w.window_end_time as "end"
      from workout_windows w where w.user_id = any (${userIds}::uuid[])
      union
      select c.date, c.timezone, c.window_start_time, c.window_end_time
      from chains c where c.user_id = any (${userIds}::uuid[]) and c.window_ends_at > ${now.toISOString()}
    `.execute(tx),
  );
  const dates = rows.flatMap(({ date, timezone, start, end }) => {
    if (date !== null) return [date];
    const today = dateIn(timezone, now);
    const times = { timezone, start: start.slice(0, 5), end: end.slice(0, 5) };
    return [currentOrNextGameDate(times, now), today, addDays(today, 1)];
  });
  return [...new Set(dates)].sort();
}
