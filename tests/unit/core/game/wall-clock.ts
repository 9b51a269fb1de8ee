import type { WindowTimes } from "#core/game/time";

/**
 * The rules of windows once more, slow and plain: nothing but what the clocks of a zone show at an instant, asked of
 * Intl, and a search through the minutes. What is tested works with Temporal and shares none of this.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The clocks at an instant of whole minutes, as milliseconds as if it were UTC. */
export function shown(timezone: string, instant: number): number {
  let format = formats.get(timezone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    formats.set(timezone, format);
  }
  const numbers = format.format(instant).match(/\d+/g)?.map(Number);
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = numbers ?? [];
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** The date that the clocks show. */
export function shownDate(timezone: string, instant: number): string {
  return dateOf(shown(timezone, Math.floor(instant / MINUTE) * MINUTE));
}

/** The first instant at which the clocks show a time or, when they skip it, the first after it. */
export function firstShowing(timezone: string, date: string, time: string): number {
  const wanted = Date.parse(`${date}T${time}Z`);
  // How far clocks are from UTC around then; no zone changes twice within six hours.
  const offsets = new Set<number>();
  for (let around = -30 * HOUR; around <= 30 * HOUR; around += 6 * HOUR) {
    offsets.add(shown(timezone, wanted + around) - (wanted + around));
  }
  const candidates = [...offsets].map((offset) => wanted - offset).toSorted((a, b) => a - b);
  const exact = candidates.find((instant) => shown(timezone, instant) === wanted);
  if (exact !== undefined) return exact;
  // Skipped: go on minute by minute from when the clocks showed less.
  let instant = candidates[0] ?? Number.NaN;
  while (shown(timezone, instant) < wanted) instant += MINUTE;
  return instant;
}

/** Whether the clocks ever show a date, looked at every three hours. */
export function everShown(timezone: string, date: string): boolean {
  const midnight = Date.parse(`${date}T00:00Z`);
  for (let instant = midnight - 15 * HOUR; instant <= midnight + 39 * HOUR; instant += 3 * HOUR) {
    if (shownDate(timezone, instant) === date) return true;
  }
  return false;
}

/** Start and end of the window of a date, in milliseconds. */
export function slowWindow({ start, end, timezone }: WindowTimes, date: string): { start: number; end: number } {
  const startsAt = firstShowing(timezone, date, start);
  const endsOn = Number(end.slice(0, 2)) < Number(start.slice(0, 2)) ? dayAfter(date) : date;
  const endsAt = firstShowing(timezone, endsOn, end);
  return { start: startsAt, end: endsAt - startsAt < 2 * HOUR ? startsAt + 2 * HOUR : endsAt };
}

/** All windows that are within about three days of an instant, in order. */
export function slowWindows(times: WindowTimes, instant: number): { date: string; start: number; end: number }[] {
  const windows = [];
  let date = dateOf(instant - 3 * 24 * HOUR);
  for (let count = 0; count < 7; count += 1) {
    if (everShown(times.timezone, date)) windows.push({ date, ...slowWindow(times, date) });
    date = dayAfter(date);
  }
  return windows;
}

export function dayAfter(date: string): string {
  return dateOf(Date.parse(`${date}T00:00Z`) + 24 * HOUR);
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
