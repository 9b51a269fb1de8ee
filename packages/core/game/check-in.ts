import { Temporal } from "temporal-polyfill";
import { addDays, dateIn } from "../calendar-date.ts";
import { isPlayableDate, localDayEnd, type WindowInstants, type WindowTimes, windowInstants } from "./time.ts";

/** When somebody's window is, on some dates. */
export interface CountingTimes {
  readonly times: WindowTimes;
  /** The first game date on which it counts; null: since ever. */
  readonly from: string | null;
  /** The first game date on which it does not count any more; null: it still does. */
  readonly until: string | null;
}

/** When a photo was taken, as a camera writes it. */
export interface CameraMoment {
  /** `YYYY-MM-DDTHH:MM:SS` by the camera's clock. */
  readonly local: string;
  /** How far that clock is from UTC, such as `+02:00`; null: it shows the time of the window's zone. */
  readonly offset: string | null;
}

/** The window that a moment belongs to, or is closest to. */
export interface FoundWindow extends WindowInstants {
  readonly date: string;
  readonly times: WindowTimes;
  readonly takenAt: Date;
  /** Minutes between the moment and the window, begun ones counted: negative before it, 0 inside, positive after it. */
  readonly minutesOff: number;
}

/** Why an admin should look at a check-in. */
export type CheckInFlag = "seen_before" | "edited" | "screenshot" | "late_upload" | "far_away" | "no_photo_time";

/** A location, in degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** What a check-in is judged by. */
export interface CheckInEvidence {
  readonly isEdited: boolean;
  readonly isScreenshot: boolean;
  /** Null when the photo does not say. */
  readonly takenAt: Date | null;
  readonly uploadedAt: Date;
  /** Where the person says the photo is from. */
  readonly location: Coordinates | null;
  /** Where the person lives, by the profile. */
  readonly home: Coordinates | null;
}

const MINUTE = 60_000;
/** A photo that is sent later than this after it was taken is looked at, in minutes. */
const LATE_UPLOAD_MINUTES = 60;
/** A photo from farther away than this is looked at, in kilometres. */
const FAR_KM = 200;
const EARTH_RADIUS_KM = 6_371;

/** The window that a photo belongs to, or is closest to; null when no date near it counts. */
export function windowOfPhoto(counting: readonly CountingTimes[], moment: CameraMoment | Date): FoundWindow | null {
  const found = counting.flatMap((entry) =>
    instantsOf(moment, entry.times.timezone).flatMap((takenAt) =>
      datesAround(entry, takenAt).map((date): FoundWindow => {
        const instants = windowInstants(entry.times, date);
        return { ...instants, date, times: entry.times, takenAt, minutesOff: minutesOff(instants, takenAt) };
      }),
    ),
  );
  return found.toSorted((a, b) => Math.abs(a.minutesOff) - Math.abs(b.minutesOff))[0] ?? null;
}

/** The game dates for which a photo can be uploaded now: from the grace before a window until its local day is over. */
export function datesOpenForUpload(counting: readonly CountingTimes[], now: Date, graceMinutes: number): string[] {
  return counting.flatMap((entry) =>
    datesAround(entry, now).filter((date) => {
      const { startsAt } = windowInstants(entry.times, date);
      return startsAt.getTime() - graceMinutes * MINUTE <= now.getTime() && now < localDayEnd(date, entry.times);
    }),
  );
}

/** What is odd about a check-in by itself; whether the photo was seen before, the database knows. */
export function oddities(evidence: CheckInEvidence): CheckInFlag[] {
  const { isEdited, isScreenshot, takenAt, uploadedAt, location, home } = evidence;
  const flags: CheckInFlag[] = [];
  if (isEdited) flags.push("edited");
  if (isScreenshot) flags.push("screenshot");
  if (takenAt === null) flags.push("no_photo_time");
  else if (uploadedAt.getTime() - takenAt.getTime() > LATE_UPLOAD_MINUTES * MINUTE) flags.push("late_upload");
  if (location !== null && home !== null && distanceKm(location, home) > FAR_KM) flags.push("far_away");
  return flags;
}

/** The distance between two locations over the ground, in kilometres. */
export function distanceKm(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const h =
    half(b.latitude - a.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(b.longitude - a.longitude);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The instants that a camera's moment can be: two when the clock of the zone showed that time twice. */
function instantsOf(moment: CameraMoment | Date, timezone: string): Date[] {
  if (moment instanceof Date) return [moment];
  if (moment.offset !== null) return [new Date(`${moment.local}${moment.offset}`)];
  const local = Temporal.PlainDateTime.from(moment.local);
  const [first, second] = (["earlier", "later"] as const).map(
    (disambiguation) => local.toZonedDateTime(timezone, { disambiguation }).epochMilliseconds,
  );
  return [...new Set([first, second])].flatMap((time) => (time === undefined ? [] : [new Date(time)]));
}

function datesAround({ times, from, until }: CountingTimes, instant: Date): string[] {
  const today = dateIn(times.timezone, instant);
  return [-2, -1, 0, 1, 2]
    .map((days) => addDays(today, days))
    .filter(
      (date) => (from === null || date >= from) && (until === null || date < until) && isPlayableDate(times, date),
    );
}

function minutesOff({ startsAt, endsAt }: WindowInstants, instant: Date): number {
  if (instant < startsAt) return -Math.ceil((startsAt.getTime() - instant.getTime()) / MINUTE);
  return instant > endsAt ? Math.ceil((instant.getTime() - endsAt.getTime()) / MINUTE) : 0;
}
