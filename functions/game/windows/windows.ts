import { type Selectable, sql } from "kysely";
import * as z from "zod";
import { AppError } from "#core/errors";
import { currentOrNextGameDate, toMinutes } from "#core/game/time";
import { addDays } from "#core/time/calendar-date";
import type { Tx } from "#database/database";
import { one } from "#database/query";
import { consumeQuota } from "#database/quota";
import type { ReadableLocations, WorkoutWindows } from "#database/types.generated";
import { firstDateAfterOpened, firstUnopenedDate, hasLeft, settingsOf, timesOf } from "./dates.ts";
import {
  type Absence,
  MAX_ABSENCE_DAYS,
  RestRule,
  type StoredWindow,
  type UserLocation,
  type WindowActivity,
  WindowSettings,
  type WindowSetup,
  type WorkoutWindow,
} from "./schema.ts";

/** A window as it is stored. */
export type WindowRow = Selectable<WorkoutWindows>;

/** Reads a person's window; null if there is none, or if the caller may not see it. */
export async function readWindow(tx: Tx, userId: string, now: Date): Promise<StoredWindow | null> {
  const row = await ownWindow(tx, userId, now).executeTakeFirst();
  return row === undefined ? null : windowOf(row, row.last_opened);
}

/** The query of a person's window, with `last_opened`. */
function ownWindow(tx: Tx, userId: string, now: Date) {
  return tx.selectFrom("workout_windows").selectAll().select(lastOpened(userId, now)).where("user_id", "=", userId);
}

/** A column with the last date whose window has opened as it was matched, which no later change can undo. */
function lastOpened(userId: string, now: Date) {
  return sql<string | null>`(
    select max(date)::text from chains where user_id = ${userId} and window_starts_at <= ${now.toISOString()}
  )`.as("last_opened");
}

interface OwnRows {
  readonly row: WindowRow | null;
  readonly location: Selectable<ReadableLocations> | null;
  readonly last_opened: string | null;
}

/** Reads the caller's window and location; each is null if they never set it. */
export async function readWindowAndLocation(
  tx: Tx,
  userId: string,
  now: Date,
): Promise<{ window: WorkoutWindow | null; location: UserLocation | null }> {
  // One statement, and times as PostgreSQL writes them in JSON: a transaction for two takes a fifth longer.
  const { row, location, last_opened } = await one<OwnRows>(tx)`
    select
      (select to_json(w) from workout_windows w where w.user_id = ${userId}) as row,
      (select to_json(l) from readable_locations l where l.user_id = ${userId}) as location, ${lastOpened(userId, now)}
  `;
  if (row === null) return { window: null, location };
  const asSent = (time: string) => new Date(time).toISOString();
  const stored = { ...row, created_at: asSent(row.created_at), updated_at: asSent(row.updated_at) };
  return { window: presentWindow(windowOf(stored, last_opened), now), location };
}

/**
 * Sets the caller's window. The first one counts from the date whose window is open or opens next. A change counts from the
 * first date on which neither the former nor the new window has opened.
 * @throws AppError 429
 */
export async function setWindow(tx: Tx, userId: string, setup: WindowSetup, now: Date): Promise<StoredWindow> {
  const settings = settingsFrom(setup);
  const first = await tx
    .insertInto("workout_windows")
    .values({ ...settings, effective_from: currentOrNextGameDate(timesOf(settings), now) })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (first !== undefined) {
    await consumeQuota(tx, "window_change");
    return windowOf(first, null);
  }

  const window = await lockWindow(tx, userId, now);
  if (isSame(window, settings)) return window;
  const effectiveFrom = firstUnopenedDate(window, timesOf(settings), now);
  // Settings that would have counted from that date or later never do: the ones before them count until then.
  const previous = window.effective_from < effectiveFrom ? settingsOf(window) : window.previous;
  const changed = await tx
    .updateTable("workout_windows")
    .set({ ...settings, effective_from: effectiveFrom, previous: previous && JSON.stringify(previous) })
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await consumeQuota(tx, "window_change");
  return windowOf(changed, window.last_opened);
}

/**
 * Lets the caller leave the game, at once or for planned dates, or come back from the first date whose window has not opened.
 * What changes nothing does not count.
 * @returns the window, and whether it was changed
 * @throws AppError 400 for dates out of range, 404 without a window, 429
 */
export async function setActive(
  tx: Tx,
  userId: string,
  activity: WindowActivity,
  now: Date,
): Promise<{ window: StoredWindow; changed: boolean }> {
  const window = await lockWindow(tx, userId, now);
  const { from, until } = absenceOf(activity, firstDateAfterOpened(window, now));
  const dates = sql`datemultirange(daterange(${from}, ${until}))`;
  const away = activity.isActive ? sql<string>`away - ${dates}` : sql<string>`away + ${dates}`;
  const row = await tx
    .updateTable("workout_windows")
    .set({ away })
    .where("user_id", "=", userId)
    .where("away", "is distinct from", away)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return { window, changed: false };
  // After the write, whose triggers lock the profile: all changes of window or location lock in this order.
  await consumeQuota(tx, "window_change");
  return { window: windowOf(row, window.last_opened), changed: true };
}

/** Days until new rest days count, so that nobody chooses them for a day that they do not feel like. */
export const REST_NOTICE_DAYS = 8;
/** For so many days after their first date, players set rest days that count at once. */
export const REST_TRIAL_DAYS = 13;

/**
 * Sets the weekdays on which the caller rests. A change that does not count yet is replaced; the same again changes nothing.
 * @param weekdays ISO weekdays, ascending
 * @returns the window, and whether it was changed
 * @throws AppError 404 without a window, 429
 */
export async function setRestDays(
  tx: Tx,
  userId: string,
  weekdays: number[],
  now: Date,
): Promise<{ window: StoredWindow; changed: boolean }> {
  const window = await lockWindow(tx, userId, now);
  const rules = window.rest_rules;
  if (String(rules.at(-1)?.weekdays ?? []) === String(weekdays)) return { window, changed: false };
  const next = firstDateAfterOpened(window, now);
  const first = await tx
    .selectFrom("chains")
    .select(({ fn }) => fn.min("date").as("date"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const isNew = next <= addDays(first.date ?? window.effective_from, REST_TRIAL_DAYS);
  const from = isNew ? next : addDays(next, REST_NOTICE_DAYS);
  const kept = rules.filter((rule) => rule.from <= next && rule.from < from);
  const row = await tx
    .updateTable("workout_windows")
    .set({ rest_days: JSON.stringify([...kept, { from, weekdays }]) })
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await consumeQuota(tx, "window_change");
  return { window: windowOf(row, window.last_opened), changed: true };
}

/**
 * The dates that a request names, by default all from the next one on.
 * @param next the first date whose window has not opened
 */
function absenceOf({ from, until }: WindowActivity, next: string): Absence {
  const first = from ?? next;
  const inRange = (date: string, min: string, max: string) => date >= min && date <= max;
  const issues = [];
  const lastStart = addDays(next, MAX_ABSENCE_DAYS);
  if (!inRange(first, next, lastStart)) {
    issues.push({ path: "from", message: `must be from ${next} to ${lastStart}` });
  } else if (until != null && !inRange(until, addDays(first, 1), addDays(first, MAX_ABSENCE_DAYS))) {
    issues.push({ path: "until", message: `must be 1 to ${MAX_ABSENCE_DAYS} days after ${first}` });
  }
  if (issues.length > 0) throw new AppError("request.invalid", { issues });
  return { from: first, until: until ?? null };
}

/** @throws AppError 404 without a window */
async function lockWindow(tx: Tx, userId: string, now: Date): Promise<StoredWindow> {
  const row = await ownWindow(tx, userId, now).forUpdate().executeTakeFirst();
  if (row === undefined) throw new AppError("game.no_window");
  return windowOf(row, row.last_opened);
}

function settingsFrom({
  activityType,
  customActivity,
  windowStartTime,
  windowEndTime,
  timezone,
}: WindowSetup): WindowSettings {
  return {
    activity_type: activityType,
    custom_activity: activityType === "other" ? (customActivity ?? null) : null,
    window_start_time: windowStartTime,
    window_end_time: windowEndTime,
    timezone,
  };
}

function isSame(one: WindowSettings, other: WindowSettings): boolean {
  return (
    one.activity_type === other.activity_type &&
    one.custom_activity === other.custom_activity &&
    one.window_start_time === other.window_start_time &&
    one.timezone === other.timezone
  );
}

/** A window as it is sent. */
export function presentWindow(stored: StoredWindow, now: Date): WorkoutWindow {
  const { rest_rules, last_opened: _, ...window } = stored;
  const [last, previous] = rest_rules.toReversed();
  return {
    ...window,
    rest_days: {
      weekdays: last?.weekdays ?? [],
      effective_from: last?.from ?? null,
      previous_weekdays: previous?.weekdays ?? [],
    },
    is_active: !hasLeft(stored, now),
  };
}

/** A window of the database. @param lastOpened the last date whose window has opened as it was matched; null for none */
export function windowOf(row: WindowRow, lastOpened: string | null): StoredWindow {
  const { id, user_id, effective_from, created_at, updated_at } = row;
  return {
    id,
    user_id,
    ...settingsOf(row),
    window_start_time: toMinutes(row.window_start_time),
    window_end_time: toMinutes(row.window_end_time),
    ...daysOffOf(row),
    effective_from,
    last_opened: lastOpened,
    previous: WindowSettings.nullable().parse(row.previous),
    created_at,
    updated_at,
  };
}

/** What says on which dates a person does not play. */
export function daysOffOf({ away, rest_days }: WindowRow): Pick<StoredWindow, "away" | "rest_rules"> {
  return { away: absencesOf(away), rest_rules: z.array(RestRule).parse(rest_days) };
}

/** The ranges of a multirange of dates, such as `{[2026-11-21,2026-11-25),[2026-12-01,)}`. */
function absencesOf(multirange: string): Absence[] {
  return [...multirange.matchAll(/\[([\d-]+),([\d-]*)\)/g)].map(([, from = "", until = ""]) => ({
    from,
    until: until === "" ? null : until,
  }));
}
