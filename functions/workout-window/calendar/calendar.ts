import { AppError } from "#core/errors";
import { type CountedDay, countStreak } from "#core/game/streak";
import { addDays, dateIn } from "#core/time/calendar-date";
import type { Tx } from "#database/database";
import { all } from "#database/query";
import { type DayMoment, dayState } from "../day-state.ts";
import { isOff } from "../windows/dates.ts";
import { readWindow } from "../windows/windows.ts";
import type { Calendar, CalendarQuery, Streak } from "./schema.ts";

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** The caller's streak; zeros without a window. */
export async function readStreak(tx: Tx, userId: string, moment: DayMoment): Promise<Streak> {
  const { window, today, days } = await readDays(tx, userId, moment);
  if (window === null) {
    return { current: 0, longest: 0, since: null, freezesHeld: 0, nextFreezeIn: null, atRisk: false };
  }
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
  const { window, today, days } = await readDays(tx, userId, moment);
  const { to = today } = query;
  const { from = addDays(to, 1 - DEFAULT_DAYS) } = query;
  if (from > to || from <= addDays(to, -MAX_DAYS)) {
    const message = `must be a date of the ${MAX_DAYS} days up to ${to}`;
    throw new AppError("request.invalid", { issues: [{ path: "from", message }] });
  }
  const { frozen } = countStreak(days, today);
  const known = new Map(days.map((day) => [day.date, day]));
  const calendar: Calendar["days"] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const { state = null, checkinId = null, chips = 0 } = known.get(date) ?? {};
    const isComing = date > today && checkinId === null;
    const otherwise = window !== null && isOff(window, date) ? "off" : "none";
    calendar.push({
      date,
      state: isComing ? "none" : frozen.has(date) ? "frozen" : (state ?? otherwise),
      chips,
      checkinId,
    });
  }
  return calendar;
}

interface Day extends CountedDay {
  readonly checkinId: string | null;
  /** 0 unless completed. */
  readonly chips: number;
}

/** The caller's window, today in its zone, and all dates with a chain row or a check-in, in order. */
async function readDays(tx: Tx, userId: string, moment: DayMoment) {
  const window = await readWindow(tx, userId);
  const today = dateIn(window?.timezone ?? "UTC", moment.now);
  if (window === null) return { window, today, days: [] };
  const rows = await all<Day>(tx)`
    select date, ${dayState(moment)} as state, k.id as "checkinId",
      case when k.status = 'verified' then k.battle_chips_earned else 0 end as chips
    from (
      select c.date, c.window_starts_at, c.window_ends_at, c.day_ends_at from chains c where c.user_id = ${userId}
    ) c
    full join (
      select k.id, k.date, k.status, k.battle_chips_earned from workout_checkins k where k.user_id = ${userId}
    ) k using (date)
    order by date
  `;
  // A row can outlive a decision to be off, if it could not be matched again before its day was over.
  const days = rows.map(
    (day): Day => (day.checkinId === null && isOff(window, day.date) ? { ...day, state: "off" } : day),
  );
  return { window, today, days };
}
