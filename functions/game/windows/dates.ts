import type { CountingTimes } from "#core/game/check-in";
import { currentOrNextGameDate, isPlayableDate, toMinutes, type WindowTimes, windowInstants } from "#core/game/time";
import { addDays, utcDate, weekdayOf } from "#core/time/calendar-date";
import type { MatchedDay, WindowOfDay } from "#database/types.generated";
import type { StoredWindow, WindowSettings } from "./schema.ts";

/** A window without what was matched. */
type SetWindow = Omit<StoredWindow, "last_opened">;

/** The settings that count on a game date; null before the first date of the window, and on dates off. */
export function effectiveWindow(window: SetWindow, date: string): WindowSettings | null {
  return isOff(window, date) ? null : settingsOn(window, date);
}

/** The times of a window, as the functions of `core/game/time` take them. */
export function timesOf(settings: WindowSettings): WindowTimes {
  return { start: settings.window_start_time, end: settings.window_end_time, timezone: settings.timezone };
}

/** Days for which a chain row may still be needed: a window ends at most a day after its date, and its day at most another day later. */
export const DAYS_BACK = 4;

/**
 * The window times that count for a check-in. For dates before the last change, these are the matched times: a window stores
 * only one earlier version, and it may change twice while a day is still open for its photo.
 * @param matched the days of the last `DAYS_BACK` days and later on which the person was matched, in order
 */
export function countingTimes(window: StoredWindow, matched: readonly MatchedDay[], now: Date): CountingTimes[] {
  const { effective_from, previous } = window;
  const counting: CountingTimes[] = [{ times: timesOf(window), from: effective_from, until: null }];
  const opened: CountingTimes[] = [];
  let from: string | null = null;
  for (const { date, window_start_time, window_end_time, timezone, window_starts_at } of matched) {
    if (date >= effective_from) break;
    const times = { start: toMinutes(window_start_time), end: toMinutes(window_end_time), timezone };
    const until = addDays(date, 1);
    if (previous !== null) counting.push({ times: timesOf(previous), from, until: date });
    // A window that had opened before the person left still counts.
    if (new Date(window_starts_at) <= now) opened.push({ times, from: date, until });
    else counting.push({ times, from: date, until });
    from = until;
  }
  if (previous !== null) counting.push({ times: timesOf(previous), from, until: effective_from });
  return [...opened, ...counting.map((entry) => ({ ...entry, isOff: (date: string) => isOff(window, date) }))];
}

/** The first date of the window on which no window has opened yet, by the settings or as it was matched, also if the person is off. */
export function firstDateAfterOpened(window: StoredWindow, now: Date): string {
  const hasOpened = (date: string) => {
    const settings = settingsOn(window, date);
    return settings !== null && windowInstants(timesOf(settings), date).startsAt <= now;
  };
  const today = utcDate(now);
  // No zone is more than a day ahead of UTC, and a window that opened longer ago is over.
  let date = addDays(today, 2);
  while (date > addDays(today, -DAYS_BACK) && !hasOpened(addDays(date, -1))) date = addDays(date, -1);
  return laterOf(date, window.previous === null ? window.effective_from : null, dateAfterMatched(window));
}

/** The first date from which `next` can count: on it, neither the window that counted so far nor the matched one nor `next` has opened. */
export function firstUnopenedDate(window: StoredWindow, next: WindowTimes, now: Date): string {
  const hasOpened = (date: string) => {
    const counting = effectiveWindow(window, date);
    return counting !== null && windowInstants(timesOf(counting), date).startsAt <= now;
  };
  let date = laterOf(currentOrNextGameDate(next, now), dateAfterMatched(window));
  // After a move to the west, the local date may be one day before the first date whose window has opened.
  if (date < window.effective_from && hasOpened(window.effective_from)) date = window.effective_from;
  while (hasOpened(date)) date = addDays(date, 1);
  return date;
}

/** What was matched and has opened stays, also if the stored settings, which go back one change, do not know its window any more. */
function dateAfterMatched({ last_opened }: StoredWindow): string | null {
  return last_opened === null ? null : addDays(last_opened, 1);
}

function laterOf(date: string, ...others: (string | null)[]): string {
  return others.reduce<string>((latest, other) => (other !== null && other > latest ? other : latest), date);
}

function settingsOn(window: SetWindow, date: string): WindowSettings | null {
  return date < window.effective_from ? window.previous : settingsOf(window);
}

/**
 * The date whose window is open or opens next, with that window; null if the person leaves before.
 * @param matched windows of dates as they were matched, which count before the settings
 */
export function openOrNextWindow(window: SetWindow, matched: readonly WindowOfDay[], now: Date) {
  const last = window.away.at(-1);
  const hasLeftOn = (date: string) => last?.until === null && last.from <= date;
  for (let date = addDays(utcDate(now), -DAYS_BACK); !hasLeftOn(date); date = addDays(date, 1)) {
    const settings = effectiveWindow(window, date);
    if (settings === null) continue;
    const found = matched.find((day) => day.date === date);
    if (found === undefined && !isPlayableDate(settings, date)) continue;
    const { startsAt, endsAt } =
      found === undefined
        ? windowInstants(timesOf(settings), date)
        : { startsAt: new Date(found.window_starts_at), endsAt: new Date(found.window_ends_at) };
    const { activity_type } = found ?? settings;
    if (endsAt > now) return { date, startsAt, endsAt, activity_type };
  }
  return null;
}

/** Whether an absence without an end begins before the next window opens. */
export function hasLeft(window: StoredWindow, now: Date): boolean {
  const last = window.away.at(-1);
  return last?.until === null && last.from <= firstDateAfterOpened(window, now);
}

/** Whether the person does not play on a date, because they are away or rest. `private.is_off` is the same in SQL. */
export function isOff({ away, rest_rules }: Pick<StoredWindow, "away" | "rest_rules">, date: string): boolean {
  const isAway = away.some(({ from, until }) => from <= date && (until === null || date < until));
  if (isAway || rest_rules.length === 0) return isAway;
  return rest_rules.findLast(({ from }) => from <= date)?.weekdays.includes(weekdayOf(date)) === true;
}

/** Only the fields of the settings. */
export function settingsOf(settings: WindowSettings): WindowSettings {
  const { activity_type, custom_activity, window_start_time, window_end_time, timezone } = settings;
  return { activity_type, custom_activity, window_start_time, window_end_time, timezone };
}
