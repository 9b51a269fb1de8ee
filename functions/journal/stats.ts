import { call } from "#database/call";
import type { Tx } from "#database/database";
import { SvgImage } from "#http/response/text-body";
import { drawMoodCalendar } from "#journal/mood-calendar";
import type { JournalStats, StatsQuery } from "./schema.ts";

/** The caller's own entries in numbers. @throws AppError 400 if the range is too long or ends before it begins */
export async function readStats(tx: Tx, { from, to }: StatsQuery, now: Date): Promise<JournalStats> {
  return call(tx, "read_journal_stats", { from, to, now });
}

/** The picture of a year of the caller. @param year this one in the caller's time zone if it is undefined */
export async function drawYear(tx: Tx, year: number | undefined, now: Date): Promise<SvgImage> {
  const calendar = await call(tx, "read_mood_calendar", { year, now });
  const written = calendar.days.filter(({ entries }) => entries > 0);
  return new SvgImage(drawMoodCalendar(calendar.year, written));
}
