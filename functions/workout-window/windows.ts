import { addDays, dateIn } from "@nectar/core/calendar-date";
import { AppError } from "@nectar/core/errors";
import type { CountingTimes } from "@nectar/core/game/check-in";
import { currentOrNextGameDate, type WindowTimes, windowInstants } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { consumeQuota } from "@nectar/database/quota";
import { sql } from "kysely";
import type { ActivityType } from "./schema.ts";
import type { Absence, Promised, WindowSetup, WorkoutWindow } from "./window-schema.ts";

const COLUMNS = [
  "id",
  "user_id",
  "activity_type",
  "custom_activity",
  "window_start_time",
  "window_end_time",
  "timezone",
  "away",
  "effective_from",
  "previous_activity_type",
  "previous_custom_activity",
  "previous_window_start_time",
  "previous_window_end_time",
  "previous_timezone",
  "created_at",
  "updated_at",
] as const;

/** A row of windows; the times are as PostgreSQL writes them, `HH:MM:SS`. */
interface WindowRow extends Omit<WorkoutWindow, "previous" | "is_active" | "away"> {
  /** A multirange of dates. */
  readonly away: string;
  readonly previous_activity_type: ActivityType | null;
  readonly previous_custom_activity: string | null;
  readonly previous_window_start_time: string | null;
  readonly previous_window_end_time: string | null;
  readonly previous_timezone: string | null;
}

/** Reads the window of a person who may be read by whoever asks; null when there is none. */
export async function readWindow(tx: Tx, userId: string): Promise<WorkoutWindow | null> {
  const row = await tx.selectFrom("workout_windows").select(COLUMNS).where("user_id", "=", userId).executeTakeFirst();
  return row === undefined ? null : windowOf(row);
}

/**
 * Sets the caller's window. The first one counts from the instance that is running or comes next. A change counts from
 * the first date whose window has not opened, neither by what counted so far nor, already over, by what is to count.
 * @throws AppError 429 after 20 changes of window or place in an hour
 */
export async function setWindow(tx: Tx, userId: string, setup: WindowSetup, now: Date): Promise<WorkoutWindow> {
  const promised = promisedBy(setup);
  const first = await tx
    .insertInto("workout_windows")
    .values({ ...promised, effective_from: currentOrNextGameDate(timesOf(promised), now) })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
  if (first !== undefined) {
    await consumeQuota(tx, "window_change");
    return windowOf(first);
  }

  const window = await lockWindow(tx, userId);
  if (window === null) throw new Error("The window that kept another from being inserted is gone.");
  if (isSame(window, promised)) return window;
  const effectiveFrom = firstUnopenedDate(window, timesOf(promised), now);
  // What was to count from that date on, or later, has never counted: what counts until then stays what counted before it.
  const previous = window.effective_from < effectiveFrom ? promisedIn(window) : window.previous;
  const changed = await tx
    .updateTable("workout_windows")
    .set({
      ...promised,
      effective_from: effectiveFrom,
      previous_activity_type: previous?.activity_type ?? null,
      previous_custom_activity: previous?.custom_activity ?? null,
      previous_window_start_time: previous?.window_start_time ?? null,
      previous_window_end_time: previous?.window_end_time ?? null,
      previous_timezone: previous?.timezone ?? null,
    })
    .where("user_id", "=", userId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await consumeQuota(tx, "window_change");
  return windowOf(changed);
}

/** Days of the past for which absences are kept; a check-in asks for `DAYS_BACK` of them. */
const ABSENCE_DAYS = 14;

/**
 * Lets the caller leave the game or come back, from the first date whose window has not opened. Repeating it changes nothing.
 * @returns the window, and whether it was changed
 * @throws AppError 404 without a window, 429 after 20 changes of window or place in an hour
 */
export async function setActive(
  tx: Tx,
  userId: string,
  isActive: boolean,
  now: Date,
): Promise<{ window: WorkoutWindow; changed: boolean }> {
  const window = await lockWindow(tx, userId);
  if (window === null) throw new AppError("game.no_window", "You have not set a window.");
  if (window.is_active === isActive) return { window, changed: false };
  const from = firstDateAfterOpened(window, now);
  const fromThenOn = sql`datemultirange(daterange(${from}, null))`;
  const kept = sql`datemultirange(daterange(${addDays(from, -ABSENCE_DAYS)}, null))`;
  const row = await tx
    .updateTable("workout_windows")
    .set({ away: sql`(${isActive ? sql`away - ${fromThenOn}` : sql`away + ${fromThenOn}`}) * ${kept}` })
    .where("user_id", "=", userId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  // After the write, whose triggers lock the profile: every change of window or place takes its locks in this order.
  await consumeQuota(tx, "window_change");
  return { window: windowOf(row), changed: true };
}

/** What counts on a game date; null before the first date of the window, and while the person is away. */
export function effectiveWindow(window: WorkoutWindow, date: string): Promised | null {
  return isAway(window, date) ? null : promisedOn(window, date);
}

function promisedOn(window: WorkoutWindow, date: string): Promised | null {
  return date < window.effective_from ? window.previous : promisedIn(window);
}

function isAway({ away }: WorkoutWindow, date: string): boolean {
  return away.some(({ from, until }) => from <= date && (until === null || date < until));
}

async function lockWindow(tx: Tx, userId: string): Promise<WorkoutWindow | null> {
  const row = await tx
    .selectFrom("workout_windows")
    .select(COLUMNS)
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : windowOf(row);
}

/** When somebody's window is, for the rules of time. */
export function timesOf(promised: Promised): WindowTimes {
  return { start: promised.window_start_time, end: promised.window_end_time, timezone: promised.timezone };
}

/** Days for which a chain row may still be of use: a window ends a day after its date at most, and its day another one. */
const DAYS_BACK = 4;

/**
 * The times that count for a check-in of the caller. Before the last change counts what was matched, for a window keeps one
 * step back alone, and two changes may come while a day is still open for its photo.
 */
export async function countingTimes(tx: Tx, window: WorkoutWindow, now: Date): Promise<CountingTimes[]> {
  const { effective_from, previous } = window;
  const matched = await tx
    .selectFrom("chains")
    .select(["date", "window_start_time", "window_end_time", "timezone", "window_starts_at"])
    .where("user_id", "=", window.user_id)
    .where("date", ">=", addDays(now.toISOString().slice(0, 10), -DAYS_BACK))
    .where("date", "<", effective_from)
    .orderBy("date")
    .execute();
  const counting: CountingTimes[] = [{ times: timesOf(window), from: effective_from, until: null }];
  const opened: CountingTimes[] = [];
  let from: string | null = null;
  for (const { date, window_start_time, window_end_time, timezone, window_starts_at } of matched) {
    const times = { start: toMinutes(window_start_time), end: toMinutes(window_end_time), timezone };
    const until = addDays(date, 1);
    if (previous !== null) counting.push({ times: timesOf(previous), from, until: date });
    // A window that had opened before the person left still counts.
    if (new Date(window_starts_at) <= now) opened.push({ times, from: date, until });
    else counting.push({ times, from: date, until });
    from = until;
  }
  if (previous !== null) counting.push({ times: timesOf(previous), from, until: effective_from });
  return [...opened, ...withoutAbsences(counting, window.away)];
}

/** The same times on fewer dates: those on which the person is not away. */
function withoutAbsences(counting: readonly CountingTimes[], away: readonly Absence[]): CountingTimes[] {
  let left = [...counting];
  for (const absence of away) {
    left = left.flatMap(({ times, from, until }) => {
      const before = until === null || until > absence.from ? absence.from : until;
      const pieces: CountingTimes[] = [{ times, from, until: before }];
      if (absence.until !== null) {
        pieces.push({ times, from: from === null || from < absence.until ? absence.until : from, until });
      }
      return pieces.filter((piece) => piece.from === null || piece.until === null || piece.from < piece.until);
    });
  }
  return left;
}

/** The first date that has a window and on and after which none has opened, whether the person plays or not. */
function firstDateAfterOpened(window: WorkoutWindow, now: Date): string {
  const hasOpened = (date: string) => {
    const promised = promisedOn(window, date);
    return promised !== null && windowInstants(timesOf(promised), date).startsAt <= now;
  };
  const today = dateIn("UTC", now);
  // No zone is more than a day ahead of UTC, and a window that opened longer ago is over.
  let date = addDays(today, 2);
  while (date > addDays(today, -DAYS_BACK) && !hasOpened(addDays(date, -1))) date = addDays(date, -1);
  return window.previous === null && date < window.effective_from ? window.effective_from : date;
}

function firstUnopenedDate(window: WorkoutWindow, next: WindowTimes, now: Date): string {
  const hasOpened = (date: string) => {
    const counting = effectiveWindow(window, date);
    return counting !== null && windowInstants(timesOf(counting), date).startsAt <= now;
  };
  let date = currentOrNextGameDate(next, now);
  // Whoever moves west may be on a date again that is before the first one that has opened.
  if (date < window.effective_from && hasOpened(window.effective_from)) date = window.effective_from;
  while (hasOpened(date)) date = addDays(date, 1);
  return date;
}

function promisedBy({ activityType, customActivity, windowStartTime, windowEndTime, timezone }: WindowSetup): Promised {
  return {
    activity_type: activityType,
    custom_activity: activityType === "other" ? (customActivity ?? null) : null,
    window_start_time: windowStartTime,
    window_end_time: windowEndTime,
    timezone,
  };
}

function promisedIn(promised: Promised): Promised {
  const { activity_type, custom_activity, window_start_time, window_end_time, timezone } = promised;
  return { activity_type, custom_activity, window_start_time, window_end_time, timezone };
}

function isSame(one: Promised, other: Promised): boolean {
  return (
    one.activity_type === other.activity_type &&
    one.custom_activity === other.custom_activity &&
    one.window_start_time === other.window_start_time &&
    one.timezone === other.timezone
  );
}

function windowOf(row: WindowRow): WorkoutWindow {
  const { id, user_id, effective_from, created_at, updated_at } = row;
  const away = absencesOf(row.away);
  return {
    id,
    user_id,
    ...promisedIn(row),
    window_start_time: toMinutes(row.window_start_time),
    window_end_time: toMinutes(row.window_end_time),
    is_active: away.at(-1)?.until !== null,
    away,
    effective_from,
    previous: previousOf(row),
    created_at,
    updated_at,
  };
}

/** The ranges of a multirange of dates, such as `{[2026-11-21,2026-11-25),[2026-12-01,)}`. */
function absencesOf(multirange: string): Absence[] {
  return [...multirange.matchAll(/\[([\d-]+),([\d-]*)\)/g)].map(([, from = "", until = ""]) => ({
    from,
    until: until === "" ? null : until,
  }));
}

function previousOf(row: WindowRow): Promised | null {
  const { previous_activity_type, previous_window_start_time, previous_window_end_time, previous_timezone } = row;
  if (previous_activity_type === null || previous_timezone === null) return null;
  if (previous_window_start_time === null || previous_window_end_time === null) return null;
  return {
    activity_type: previous_activity_type,
    custom_activity: row.previous_custom_activity,
    window_start_time: toMinutes(previous_window_start_time),
    window_end_time: toMinutes(previous_window_end_time),
    timezone: previous_timezone,
  };
}

/** `06:00:00` as `06:00`. */
function toMinutes(time: string): string {
  return time.slice(0, 5);
}
