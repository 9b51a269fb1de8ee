import { localDayEnd, windowInstants } from "#core/game/time";
import type { Tx } from "#database/database";
import { FIRST_PAGE } from "#database/keyset";
import { value } from "#database/query";
import { byCreation, pageOf, withSignedUrl } from "#http/response/paging";
import { photoUrl } from "#http/response/photo-url";
import type { Services } from "#http/services/services";
import { type DayMoment, type DayState, dayState } from "../day-state.ts";
import { countPlayers } from "../player-counts.ts";
import { effectiveWindow, timesOf } from "../windows/dates.ts";
import { readWindow } from "../windows/windows.ts";
import type { CheckInsQuery, WorkoutCheckIn } from "./schema.ts";

/** A check-in from the database, with the path of its photo; null if the reader may not see the photo. */
export interface ReadCheckIn extends Omit<WorkoutCheckIn, "photo_url"> {
  readonly photo_key: string | null;
}

/** Fields of a check-in that only some people may see. */
interface Details extends Pick<ReadCheckIn, "photo_key" | "location_lat" | "location_lng" | "flags"> {
  readonly review_reason: string | null;
}

const NO_DETAILS: Details = {
  photo_key: null,
  location_lat: null,
  location_lng: null,
  flags: null,
  review_reason: null,
};

/** Check-ins as `private.check_ins_of` returns them. */
export interface CheckInObjects {
  readonly check_ins: readonly (Omit<ReadCheckIn, keyof Details | "review"> & { reviewed_at: string | null })[] | null;
  /** Keys are ids of check-ins, of those whose details the reader may see. */
  readonly details: Readonly<Record<string, Details>> | null;
}

/** Joins check-ins with what the reader may see of them. */
export function checkInsOf({ check_ins, details }: CheckInObjects): ReadCheckIn[] {
  return (check_ins ?? []).map(({ reviewed_at, ...row }) => {
    const { review_reason, ...seen } = details?.[row.id] ?? NO_DETAILS;
    // The same people may see the flags and the review.
    const review = seen.flags === null ? null : reviewOf({ status: row.status, reviewed_at, review_reason });
    return { ...row, ...seen, review };
  });
}

/** A page of all check-ins of a date, newest first, and counts over all its players. */
export async function listCheckIns(tx: Tx, date: string, { limit, cursor }: CheckInsQuery, moment: DayMoment) {
  const { at, id } = cursor ?? FIRST_PAGE;
  const rows = checkInsOf(
    await value<CheckInObjects>(tx)`select private.list_check_ins(${date}, ${at}, ${id}, ${limit + 1})`,
  );
  const page = pageOf(rows, limit, byCreation, withSignedUrl);
  const counts = await countPlayers(tx, date, moment);
  const sum = (count: "total" | "completed" | "failed") => counts.reduce((total, team) => total + team[count], 0);
  const stats = { total: sum("total"), completed: sum("completed"), failed: sum("failed") };
  return { rows: page.rows, stats, next_cursor: page.next_cursor };
}

/** The caller's own check-in of a date, and the state of that day. */
export async function readOwnCheckIn(tx: Tx, userId: string, date: string, moment: DayMoment) {
  const [row = null] = checkInsOf(await value<CheckInObjects>(tx)`select private.check_ins_of(${[userId]}, ${date})`);
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
