import { localDayEnd, windowInstants } from "#core/game/time";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { value } from "#database/query";
import type { SeenCheckIn } from "#database/types.generated";
import { byCreation, pageOf, withSignedUrl } from "#http/response/paging";
import { photoUrl } from "#http/response/photo-url";
import type { Services } from "#http/services/services";
import { type DayMoment, type DayState, dayState } from "../day-state.ts";
import { countPlayers } from "../player-counts.ts";
import { effectiveWindow, timesOf } from "../windows/dates.ts";
import { readWindow } from "../windows/windows.ts";
import type { CheckInsQuery, WorkoutCheckIn } from "./schema.ts";

/** A check-in with the path of its photo; null if the reader may not see the photo. */
export interface ReadCheckIn extends Omit<WorkoutCheckIn, "photo_url"> {
  readonly photo_key: string | null;
}

/** A check-in as the database lets the caller see it. */
export function toReadCheckIn({ reviewed_at, review_reason, ...row }: SeenCheckIn): ReadCheckIn {
  return { ...row, review: reviewOf({ status: row.status, reviewed_at, review_reason }) };
}

/** A page of all check-ins of a date, newest first, and counts over all its players. */
export async function listCheckIns(tx: Tx, date: string, { limit, cursor }: CheckInsQuery, moment: DayMoment) {
  const newest = await tx
    .selectFrom("workout_checkins")
    .select("id")
    .where("date", "=", date)
    .where(afterCursor(["created_at", "id"], cursor))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const rows = await call(tx, "seen_check_ins", { checkinIds: newest.map(({ id }) => id) });
  const page = pageOf(rows.map(toReadCheckIn), limit, byCreation, withSignedUrl);
  const counts = await countPlayers(tx, date, moment);
  const sum = (count: "total" | "completed" | "failed") => counts.reduce((total, team) => total + team[count], 0);
  const stats = { total: sum("total"), completed: sum("completed"), failed: sum("failed") };
  return { rows: page.rows, stats, next_cursor: page.next_cursor };
}

/** The caller's own check-in of a date, and the state of that day. */
export async function readOwnCheckIn(tx: Tx, userId: string, date: string, moment: DayMoment) {
  const [seen] = await call(tx, "check_ins_of", { userIds: [userId], date });
  const row = seen === undefined ? null : toReadCheckIn(seen);
  const window =
    row === null
      ? ((await matchedWindow(tx, userId, date)) ?? (await windowAsSet(tx, userId, date, moment.now)))
      : null;
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
async function windowAsSet(tx: Tx, userId: string, date: string, now: Date): Promise<DayWindow | null> {
  const window = await readWindow(tx, userId, now);
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
export async function presentCheckIn(services: Services, { photo_key, ...row }: ReadCheckIn): Promise<WorkoutCheckIn> {
  return { ...row, photo_url: await photoUrl(services, photo_key) };
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
