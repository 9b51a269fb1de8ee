import { MAX_COUNTED_NOTIFICATIONS } from "#core/limits";
import { dropsLeft } from "#core/money/drops-left";
import { dayNumber } from "#core/time/calendar-date";
import { called } from "#database/call";
import type { Tx } from "#database/database";
import { one } from "#database/query";
import type { OwnDays, Today as ReadToday } from "#database/types.generated";
import { MAX_PAGE_BYTES } from "#http/response/paging";
import { pastOf, streakOf } from "../calendar/calendar.ts";
import type { DayMoment } from "../day-state.ts";
import { openOrNextWindow } from "../windows/dates.ts";
import { type WindowRow, windowOf } from "../windows/windows.ts";
import { MAX_GOALS, type Today } from "./schema.ts";

/** The parts of a start screen that a program may be kept from, by the areas of scopes. */
export const PARTS = ["game", "goals", "journal", "drops", "notifications"] as const;
export type Part = (typeof PARTS)[number];

interface Row {
  readonly window: WindowRow | null;
  readonly today: ReadToday;
}

/** Reads the start screen of the caller, in one statement. @param parts all others are null */
export async function readToday(tx: Tx, userId: string, parts: readonly Part[], moment: DayMoment): Promise<Today> {
  const { now, graceMinutes } = moment;
  const limits = { maxGoals: MAX_GOALS, maxBytes: MAX_PAGE_BYTES, maxCounted: MAX_COUNTED_NOTIFICATIONS };
  const { window, today } = await one<Row>(tx)`
    select (select to_json(w) from workout_windows w where w.user_id = ${userId}) as window,
      ${called("read_today", { parts, moment: now, graceMinutes, ...limits })} as today
  `;
  const { date, timezone, game, goals, journal, drops, unread_notifications: unread } = today;
  return {
    date,
    timezone,
    ...(window === null || game === null ? { window: null, streak: null } : gameOf(window, game, now)),
    goals,
    journal,
    drops:
      drops === null
        ? null
        : { balance: drops.balance, total_available: dropsLeft(drops.allowance), unread: drops.unread },
    notifications: unread === null ? null : { unread },
  };
}

function gameOf(row: WindowRow, { matched, days }: OwnDays, now: Date): Pick<Today, "window" | "streak"> {
  const next = openOrNextWindow(windowOf(row, null), matched, now);
  return {
    window: next === null ? null : windowToday(next, days, now),
    streak: streakOf(pastOf({ ...row, groups: days }, now)),
  };
}

type NextWindow = NonNullable<ReturnType<typeof openOrNextWindow>>;

function windowToday({ date, startsAt, endsAt, activity_type }: NextWindow, days: OwnDays["days"], now: Date) {
  const known = days.find((group) => group.days.includes(dayNumber(date)));
  // A date that was neither matched nor checked in: its window is not over, so it has not failed.
  const unknown = now < startsAt ? ("not_started" as const) : ("pending" as const);
  return {
    date,
    starts_at: startsAt.toISOString(),
    ends_at: endsAt.toISOString(),
    activity_type,
    status: known?.state ?? unknown,
  };
}
