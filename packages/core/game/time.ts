import { Temporal } from "temporal-polyfill";
import { addDays } from "../calendar-date.ts";

/** When somebody's window is, by the clock on the wall. */
export interface WindowTimes {
  /** `HH:MM`, of 24 hours. */
  readonly start: string;
  /** `HH:MM`, two hours after the start; before it when the window crosses midnight. */
  readonly end: string;
  /** IANA time zone. */
  readonly timezone: string;
}

/** One day's window as instants: it is open from the start until just before the end. */
export interface WindowInstants {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** What a day's window is to somebody who has not checked in. */
export type WindowPhase = "not_started" | "pending" | "failed";

/** How long a window is, in minutes. */
const WINDOW_MINUTES = 120;

/** How long after its start a check-in is early, in minutes. */
const EARLY_MINUTES = 30;

const MINUTE = 60_000;
const MINUTES_OF_A_DAY = 24 * 60;

/** Whether the end is two hours after the start, past midnight if need be. @param start @param end `HH:MM` */
export function isTwoHours(start: string, end: string): boolean {
  return (minutesOf(end) - minutesOf(start) + MINUTES_OF_A_DAY) % MINUTES_OF_A_DAY === WINDOW_MINUTES;
}

/**
 * The instants of the window that starts on a date. A start or an end that the clock skips is the next instant that it
 * shows, one that it shows twice is the first; the window is never shorter than two real hours.
 * @param gameDate `YYYY-MM-DD`, the local date on which the window starts
 */
export function windowInstants(times: WindowTimes, gameDate: string): WindowInstants {
  const startsAt = firstInstant(gameDate, times.start, times.timezone);
  const endDate = times.end > times.start ? gameDate : addDays(gameDate, 1);
  const endsAt = firstInstant(endDate, times.end, times.timezone);
  return {
    startsAt: new Date(startsAt),
    endsAt: new Date(Math.max(endsAt, startsAt + WINDOW_MINUTES * MINUTE)),
  };
}

/** Whether a date happens at all in the window's time zone: Samoa had no 30 December 2011, and nobody a window on it. */
export function isPlayableDate(times: Pick<WindowTimes, "timezone">, gameDate: string): boolean {
  return localDate(times.timezone, firstInstant(gameDate, "00:00", times.timezone)) === gameDate;
}

/** The game date of the window that is open, or of the next one to open. */
export function currentOrNextGameDate(times: WindowTimes, now: Date): string {
  const today = localDate(times.timezone, now.getTime());
  // A date may be missing from a calendar: yesterday's window can be two dates back.
  for (let days = -2; days <= 3; days += 1) {
    const date = addDays(today, days);
    if (isPlayableDate(times, date) && windowInstants(times, date).endsAt > now) return date;
  }
  throw new Error("a window opens at least once in three days");
}

/** Whether an instant is in a window or in the grace on either side of it, both ends included. */
export function isWithinGrace(window: WindowInstants, instant: Date, graceMinutes: number): boolean {
  return distanceMs(window, instant) <= graceMinutes * MINUTE;
}

/** Whether a check-in earns the early bonus: from the grace before the start to half an hour after it, both included. */
export function isEarly({ startsAt }: WindowInstants, instant: Date, graceMinutes: number): boolean {
  const sinceStart = instant.getTime() - startsAt.getTime();
  return sinceStart >= -graceMinutes * MINUTE && sinceStart <= EARLY_MINUTES * MINUTE;
}

/**
 * What a window is without a check-in: not started before it, pending in it and in the grace after it, the end of the grace
 * included, and failed from then on. It has also failed once its day is over, which can be before the end of the grace if
 * the window ends shortly before midnight. What is counted in SQL goes by the same rule.
 * @param dayEndsAt see `localDayEnd`
 */
export function windowPhase(
  { startsAt, endsAt }: WindowInstants,
  dayEndsAt: Date,
  now: Date,
  graceMinutes: number,
): WindowPhase {
  if (now < startsAt) return "not_started";
  return now < dayEndsAt && now.getTime() <= endsAt.getTime() + graceMinutes * MINUTE ? "pending" : "failed";
}

/** The end of the local day on which the window ended; a window until midnight ends at the beginning of a day. */
export function localDayEnd(gameDate: string, times: WindowTimes): Date {
  const lastDay = localDate(times.timezone, windowInstants(times, gameDate).endsAt.getTime());
  return new Date(firstInstant(addDays(lastDay, 1), "00:00", times.timezone));
}

/** The Monday of a date's week. @param date `YYYY-MM-DD` */
export function weekStart(date: string): string {
  const dayOfWeek = new Date(`${date}T00:00:00Z`).getUTCDay();
  return addDays(date, -((dayOfWeek + 6) % 7));
}

/** The first instant at which the clocks of a zone show a time, or, when they skip it, at which they show a later one. */
function firstInstant(date: string, time: string, timezone: string): number {
  const wanted = Temporal.PlainDateTime.from(`${date}T${time}`);
  const moment = wanted.toZonedDateTime(timezone, { disambiguation: "earlier" });
  if (moment.toPlainDateTime().equals(wanted)) return moment.epochMilliseconds;
  // Skipped: "earlier" is then before the gap by the length of it, so that the gap is the next change of the clocks.
  return (moment.getTimeZoneTransition("next") ?? moment).epochMilliseconds;
}

/** The date that it is in a zone; unlike `dateIn` cheap enough for everybody's windows, because zones are kept ready. */
function localDate(timezone: string, epochMilliseconds: number): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds)
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
    .toString();
}

/** How far an instant is from a window, in milliseconds; 0 inside it. */
function distanceMs({ startsAt, endsAt }: WindowInstants, instant: Date): number {
  return Math.max(startsAt.getTime() - instant.getTime(), instant.getTime() - endsAt.getTime(), 0);
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(":").map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}
