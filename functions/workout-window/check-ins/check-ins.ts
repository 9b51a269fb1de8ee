import { localDayEnd, windowInstants } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { afterCursor } from "@nectar/database/keyset";
import { all, one, value } from "@nectar/database/query";
import { byCreation, pageOf, withSignedUrl } from "@nectar/http/paging";
import type { Services } from "@nectar/http/services";
import { type RawBuilder, sql } from "kysely";
import { type DayMoment, type DayState, dayState } from "../day-state.ts";
import { effectiveWindow, timesOf } from "../windows/dates.ts";
import { readWindow } from "../windows/windows.ts";
import type { CheckInsQuery, WorkoutCheckIn } from "./schema.ts";

/** Seconds for which the URL of a photo is valid. */
export const PHOTO_URL_SECONDS = 15 * 60;

/** A check-in from the database, with the path of its photo; null if the reader may not see the photo. */
export interface ReadCheckIn extends Omit<WorkoutCheckIn, "photo_url"> {
  readonly photo_key: string | null;
}

/** A row of `private.list_check_ins`. */
type CheckInRow = Omit<ReadCheckIn, "location_lat" | "location_lng" | "review"> & {
  /** An exact number as text, like the other coordinate. */
  readonly location_lat: string | null;
  readonly location_lng: string | null;
  readonly reviewed_at: string | null;
  readonly review_reason: string | null;
};

/** The check-ins of people on a date, oldest first. */
export async function readCheckInsOf(tx: Tx, date: string, userIds: readonly string[]): Promise<ReadCheckIn[]> {
  if (userIds.length === 0) return [];
  return read(
    tx,
    sql`select id from workout_checkins where date = ${date} and user_id = any (${[...userIds]}::uuid[]) order by created_at, id`,
  );
}

/** A page of all check-ins of a date, newest first, and counts over all its players. */
export async function listCheckIns(tx: Tx, date: string, { limit, cursor }: CheckInsQuery, moment: DayMoment) {
  const rows = await read(
    tx,
    sql`
      select id from workout_checkins
      where date = ${date} and ${afterCursor(["created_at", "id"], cursor)}
      order by created_at desc, id desc
      limit ${limit + 1}
    `,
  );
  const page = pageOf(rows, limit, byCreation, withSignedUrl);
  const stats = await one<{ total: number; completed: number; failed: number }>(tx)`
    select count(*) as total,
      count(*) filter (where state = 'completed') as completed,
      count(*) filter (where state = 'failed') as failed
    from (
      select ${dayState(moment)} as state
      from (select user_id, window_starts_at, window_ends_at, day_ends_at from chains where date = ${date}) c
      full join (select user_id, status from workout_checkins where date = ${date}) k on k.user_id = c.user_id
    ) days
  `;
  return { rows: page.rows, stats, next_cursor: page.next_cursor };
}

/** The caller's own check-in of a date, and the state of that day. */
export async function readOwnCheckIn(tx: Tx, userId: string, date: string, moment: DayMoment) {
  const [row = null] = await readCheckInsOf(tx, date, [userId]);
  const window =
    row === null ? ((await matchedWindow(tx, userId, date)) ?? (await windowAsSet(tx, userId, date))) : null;
  if (row === null && window === null) return { row, status: "not_started" as const };
  const status = await value<DayState>(tx)`
    select ${dayState(moment)}
    from (select ${row?.status ?? null}::nectar.checkin_status as status) k
    cross join (
      select ${window?.window_starts_at ?? null}::timestamptz as window_starts_at,
        ${window?.window_ends_at ?? null}::timestamptz as window_ends_at,
        ${window?.day_ends_at ?? null}::timestamptz as day_ends_at
    ) c
  `;
  return { row, status };
}

interface DayWindow {
  readonly window_starts_at: string;
  readonly window_ends_at: string;
  readonly day_ends_at: string;
}

/** The window of a date as it was matched; null if the person was not matched on it. */
async function matchedWindow(tx: Tx, userId: string, date: string): Promise<DayWindow | null> {
  const chain = await tx
    .selectFrom("chains")
    .select(["window_starts_at", "window_ends_at", "day_ends_at"])
    .where("user_id", "=", userId)
    .where("date", "=", date)
    .executeTakeFirst();
  return chain ?? null;
}

/** The window of a date as the person has set it; null if they have none on it. */
async function windowAsSet(tx: Tx, userId: string, date: string): Promise<DayWindow | null> {
  const window = await readWindow(tx, userId);
  const settings = window === null ? null : effectiveWindow(window, date);
  if (settings === null) return null;
  const times = timesOf(settings);
  const { startsAt, endsAt } = windowInstants(times, date);
  return {
    window_starts_at: startsAt.toISOString(),
    window_ends_at: endsAt.toISOString(),
    day_ends_at: localDayEnd(date, times).toISOString(),
  };
}

/** Check-ins as they are sent. */
export function presentCheckIns(services: Services, rows: readonly ReadCheckIn[]): Promise<WorkoutCheckIn[]> {
  return Promise.all(rows.map((row) => presentCheckIn(services, row)));
}

/** A check-in as it is sent, with a signed URL of the photo if the reader may see it. */
export async function presentCheckIn(
  { privateFiles }: Services,
  { photo_key, ...row }: ReadCheckIn,
): Promise<WorkoutCheckIn> {
  const photo_url =
    photo_key === null || privateFiles === null ? null : await privateFiles.signedUrl(photo_key, PHOTO_URL_SECONDS);
  return { ...row, photo_url };
}

/** Reads the check-ins whose ids a query returns. */
async function read(tx: Tx, ids: RawBuilder<unknown>): Promise<ReadCheckIn[]> {
  const rows = await all<CheckInRow>(tx)`select * from private.list_check_ins(array(${ids}))`;
  return rows.map(({ reviewed_at, review_reason, ...row }) => ({
    ...row,
    location_lat: degrees(row.location_lat),
    location_lng: degrees(row.location_lng),
    // The same people may see the flags and the review.
    review: row.flags === null ? null : reviewOf({ ...row, reviewed_at, review_reason }),
  }));
}

/** A review as it is sent; null if there was none. */
export function reviewOf(row: {
  readonly status: WorkoutCheckIn["status"];
  readonly reviewed_at: string | null;
  readonly review_reason: string | null;
}): WorkoutCheckIn["review"] {
  const { status, reviewed_at, review_reason } = row;
  if (reviewed_at === null || status === "pending") return null;
  return { status, reason: review_reason, decided_at: reviewed_at };
}

/** A coordinate as a JSON number; the database returns exact numbers as text. */
export function degrees(value: string | null | undefined): number | null {
  return value == null ? null : Number(value);
}
