import type { Enum } from "../enums.generated.ts";
import { addDays, dateIn } from "../time/calendar-date.ts";
import { instantsOf as instantsOfLocalTime } from "../time/local-instants.ts";
import { isPlayableDate, localDayEnd, type WindowInstants, type WindowTimes, windowInstants } from "./time.ts";

/** A player's window times, and the dates on which they count. */
export interface CountingTimes {
  readonly times: WindowTimes;
  /** First game date on which it counts; null: no start. */
  readonly from: string | null;
  /** First game date on which it no longer counts; null: no end. */
  readonly until: string | null;
  /** Whether the player is off on a game date; never, if it is missing. */
  readonly isOff?: (date: string) => boolean;
}

/** The time of a photo as the camera stores it. */
export interface CameraMoment {
  /** `YYYY-MM-DDTHH:MM:SS` by the camera's clock. */
  readonly local: string;
  /** Offset of that clock from UTC, such as `+02:00`; null: assumed to be in the window's time zone. */
  readonly offset: string | null;
}

/** A window around a time. */
export interface FoundWindow extends WindowInstants {
  readonly date: string;
  readonly isOff: boolean;
  readonly times: WindowTimes;
  readonly takenAt: Date;
  /** Minutes between the time and the window, rounded up: negative before it, 0 inside, positive after it. */
  readonly minutesOff: number;
}

/** Why an admin should look at a check-in. */
export type CheckInFlag = Enum<"photo_flag">;

/** A location, in degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** Evidence that flags are derived from. */
export interface CheckInEvidence {
  readonly isEdited: boolean;
  readonly isScreenshot: boolean;
  /** Null if the photo has no time. */
  readonly takenAt: Date | null;
  readonly uploadedAt: Date;
  /** The place of the photo, as the user states it. */
  readonly location: Coordinates | null;
  /** Home of the user, from the profile. */
  readonly home: Coordinates | null;
}

const MINUTE = 60_000;
/** Photos uploaded later than this after they were taken are flagged. */
const LATE_UPLOAD_MINUTES = 60;
/** Photos taken farther from home than this, in kilometers, are flagged. */
const FAR_KM = 200;
const EARTH_RADIUS_KM = 6_371;

/** The windows around the time of a photo, the closest first, those of dates off included. */
export function windowsOfPhoto(counting: readonly CountingTimes[], moment: CameraMoment | Date): FoundWindow[] {
  const found = counting.flatMap((entry) =>
    instantsOf(moment, entry.times.timezone).flatMap((takenAt) =>
      datesAround(entry, takenAt).map((date): FoundWindow => {
        const instants = windowInstants(entry.times, date);
        const isOff = entry.isOff?.(date) ?? false;
        return { ...instants, date, isOff, times: entry.times, takenAt, minutesOff: minutesOff(instants, takenAt) };
      }),
    ),
  );
  return found.toSorted((a, b) => Math.abs(a.minutesOff) - Math.abs(b.minutesOff));
}

/** The game dates for which a photo can be uploaded now: from the grace before the window to the end of its local day. */
export function datesOpenForUpload(counting: readonly CountingTimes[], now: Date, graceMinutes: number): string[] {
  return counting.flatMap((entry) =>
    datesAround(entry, now).filter((date) => {
      if (entry.isOff?.(date) === true) return false;
      const { startsAt } = windowInstants(entry.times, date);
      return startsAt.getTime() - graceMinutes * MINUTE <= now.getTime() && now < localDayEnd(date, entry.times);
    }),
  );
}

/** The flags of a check-in, except `seen_before`, which the database adds. */
export function flagsOf(evidence: CheckInEvidence): CheckInFlag[] {
  const { isEdited, isScreenshot, takenAt, uploadedAt, location, home } = evidence;
  const flags: CheckInFlag[] = [];
  if (isEdited) flags.push("edited");
  if (isScreenshot) flags.push("screenshot");
  if (takenAt === null) flags.push("no_photo_time");
  else if (uploadedAt.getTime() - takenAt.getTime() > LATE_UPLOAD_MINUTES * MINUTE) flags.push("late_upload");
  if (location !== null && home !== null && distanceKm(location, home) > FAR_KM) flags.push("far_away");
  return flags;
}

/** The distance between two locations over the ground, in kilometers. */
export function distanceKm(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2;
  const h =
    half(b.latitude - a.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(b.longitude - a.longitude);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The instants that a camera's time can mean: two if the zone's clock showed that time twice. */
function instantsOf(moment: CameraMoment | Date, timezone: string): Date[] {
  if (moment instanceof Date) return [moment];
  if (moment.offset !== null) return [new Date(`${moment.local}${moment.offset}`)];
  return instantsOfLocalTime(moment.local, timezone).map((time) => new Date(time));
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
