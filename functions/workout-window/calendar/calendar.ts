import { AppError } from "#core/errors";
import { type CountedDay, countStreak } from "#core/game/streak";
import { addDays, dateIn } from "#core/time/calendar-date";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { all } from "#database/query";
import type { DayMoment } from "../day-state.ts";
import { isOff } from "../windows/dates.ts";
import type { StoredWindow } from "../windows/schema.ts";
import { readWindow } from "../windows/windows.ts";
import type { Calendar, CalendarQuery, Streak } from "./schema.ts";

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** The caller's streak; zeros without a window. */
export async function readStreak(tx: Tx, userId: string, moment: DayMoment): Promise<Streak> {
  const { window, today } = await windowAndToday(tx, userId, moment);
  if (window === null) {
    return { current: 0, longest: 0, since: null, freezesHeld: 0, nextFreezeIn: null, atRisk: false };
  }
  const days = await readDays(tx, window, moment);
  const { streak } = countStreak(days, today);
  const state = days.find(({ date }) => date === today)?.state;
  return { ...streak, atRisk: streak.freezesHeld === 0 && (state === "not_started" || state === "pending") };
}

/** The state of each date of a range for the caller. @throws AppError 400 for a range that is empty or too long */
export async function readCalendar(
  tx: Tx,
  userId: string,
  query: CalendarQuery,
  moment: DayMoment,
): Promise<Calendar["days"]> {
  const { window, today } = await windowAndToday(tx, userId, moment);
  const { to = today } = query;
  const { from = addDays(to, 1 - DEFAULT_DAYS) } = query;
  if (from > to || from <= addDays(to, -MAX_DAYS)) {
    const message = `must be a date of the ${MAX_DAYS} days up to ${to}`;
    throw new AppError("request.invalid", { issues: [{ path: "from", message }] });
  }
  const days = window === null ? [] : await readDays(tx, window, moment);
  const { frozen } = countStreak(days, today);
  const stateOn = new Map(days.map(({ date, state }) => [date, state]));
  const checkInOn = window === null ? new Map<string, never>() : await readCheckIns(tx, userId, from, to);
  const calendar: Calendar["days"] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const { id: checkinId = null, chips = 0 } = checkInOn.get(date) ?? {};
    const isComing = date > today && checkinId === null;
    const otherwise = window !== null && isOff(window, date) ? "off" : "none";
    calendar.push({
      date,
      state: isComing ? "none" : frozen.has(date) ? "frozen" : (stateOn.get(date) ?? otherwise),
      chips,
      checkinId,
    });
  }
  return calendar;
}

/** The caller's window, and today in its zone. */
async function windowAndToday(tx: Tx, userId: string, { now }: DayMoment) {
  const window = await readWindow(tx, userId);
  return { window, today: dateIn(window?.timezone ?? "UTC", now) };
}

/** The caller's check-ins of a range of dates, by date, with their chips: 0 unless the day is completed. */
async function readCheckIns(tx: Tx, userId: string, from: string, to: string) {
  const rows = await all<{ date: string; id: string; chips: number }>(tx)`
    select date, id, case when status = 'verified' then battle_chips_earned else 0 end as chips
    from workout_checkins where user_id = ${userId} and date between ${from} and ${to}`;
  return new Map(rows.map((row) => [row.date, row]));
}

/** All dates of the caller with a chain row or a check-in, in order. */
async function readDays(tx: Tx, window: StoredWindow, moment: DayMoment): Promise<CountedDay[]> {
  const groups = await call(tx, "read_days", { moment: moment.now, graceMinutes: moment.graceMinutes });
  const days = groups.flatMap(({ state, is_checked_in, dates }) =>
    // A row can outlive a decision to be off, if it could not be matched again before its day was over.
    dates.map((date): CountedDay => ({ date, state: !is_checked_in && isOff(window, date) ? "off" : state })),
  );
  return days.sort((one, other) => (one.date < other.date ? -1 : 1));
}
