import { AppError } from "#core/errors";
import { type CountedDay, countStreak } from "#core/game/streak";
import { addDays, dateIn, dateOfDay, dayNumber, utcDate } from "#core/time/calendar-date";
import { called } from "#database/call";
import type { Tx } from "#database/database";
import { all } from "#database/query";
import type { DaysInState } from "#database/types.generated";
import type { DayMoment } from "../day-state.ts";
import { isOff } from "../windows/dates.ts";
import type { StoredWindow } from "../windows/schema.ts";
import { daysOffOf, type WindowRow } from "../windows/windows.ts";
import { type Calendar, type CalendarQuery, DEFAULT_DAYS, MAX_DAYS, type Streak } from "./schema.ts";

/** Reads the caller's streak. */
export async function readStreak(tx: Tx, userId: string, moment: DayMoment): Promise<Streak> {
  return streakOf(await readPast(tx, userId, moment));
}

/** The streak that follows from what was played; zeros without a window. */
export function streakOf({ daysOff, today, days }: Past): Streak {
  if (daysOff === null) {
    return { current: 0, longest: 0, since: null, freezesHeld: 0, nextFreezeIn: null, atRisk: false };
  }
  const number = dayNumber(today);
  const { streak } = countStreak(days, number);
  const state = days.findLast(({ day }) => day === number)?.state;
  return { ...streak, atRisk: streak.freezesHeld === 0 && (state === "not_started" || state === "pending") };
}

/** The state of each date of a range for the caller. @throws AppError 400 for a range that is empty or too long */
export async function readCalendar(
  tx: Tx,
  userId: string,
  query: CalendarQuery,
  moment: DayMoment,
): Promise<Calendar["days"]> {
  // The default range is that of the person's zone, where today is at most a day from that of UTC.
  const latest = query.to ?? addDays(utcDate(moment.now), 1);
  const earliest = query.from ?? addDays(latest, -1 - DEFAULT_DAYS);
  const [{ daysOff, today, days }, checkInOn] = await Promise.all([
    readPast(tx, userId, moment),
    readCheckIns(tx, userId, earliest, latest),
  ]);
  const { to = today } = query;
  const { from = addDays(to, 1 - DEFAULT_DAYS) } = query;
  if (from > to || from <= addDays(to, -MAX_DAYS)) {
    const message = `must be a date of the ${MAX_DAYS} days up to ${to}`;
    throw new AppError("request.invalid", { issues: [{ path: "from", message }] });
  }
  const { frozen } = countStreak(days, dayNumber(today));
  const stateOn = new Map(days.map(({ day, state }) => [day, frozen.has(day) ? ("frozen" as const) : state]));
  const calendar: Calendar["days"] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const { id: checkinId = null, chips = 0 } = checkInOn.get(date) ?? {};
    const isComing = date > today && checkinId === null;
    const otherwise = daysOff !== null && isOff(daysOff, date) ? "off" : "none";
    calendar.push({
      date,
      state: isComing ? "none" : (stateOn.get(dayNumber(date)) ?? otherwise),
      chips,
      checkinId,
    });
  }
  return calendar;
}

/** The caller's check-ins of a range of dates, by date, with their chips: 0 unless the day is completed. */
async function readCheckIns(tx: Tx, userId: string, from: string, to: string) {
  const rows = await all<{ date: string; id: string; chips: number }>(tx)`
    select date, id, case when status = 'verified' then battle_chips_earned else 0 end as chips
    from workout_checkins where user_id = ${userId} and date between ${from} and ${to}`;
  return new Map(rows.map((row) => [row.date, row]));
}

/** The dates of a person that are known to the game. */
interface Past {
  /** null without a window. */
  readonly daysOff: Pick<StoredWindow, "away" | "rest_rules"> | null;
  /** In the zone of the window. */
  readonly today: string;
  /** All dates with a chain row or a check-in, in order; none without a window. */
  readonly days: readonly CountedDay[];
}

/** The stored days of a player: their window, and the result of `private.read_days`. */
type PastRow = WindowRow & { readonly groups: readonly DaysInState[] };

async function readPast(tx: Tx, userId: string, { now, graceMinutes }: DayMoment): Promise<Past> {
  const row = await tx
    .selectFrom("workout_windows")
    .selectAll()
    .select(called("read_days", { moment: now, graceMinutes }).as("groups"))
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row === undefined ? { daysOff: null, today: utcDate(now), days: [] } : pastOf(row, now);
}

/** The dates of a person with a window. */
export function pastOf(row: PastRow, now: Date): Past {
  const daysOff = daysOffOf(row);
  const past = row.groups.flatMap(({ state, is_checked_in, days }) =>
    days.map((day): CountedDay => {
      // A row can outlive a decision to be off, if it could not be matched again before its day was over.
      const isNoDay = !is_checked_in && isOff(daysOff, dateOfDay(day));
      return { day, state: isNoDay ? "off" : state };
    }),
  );
  return { daysOff, today: dateIn(row.timezone, now), days: past.sort((one, other) => one.day - other.day) };
}
