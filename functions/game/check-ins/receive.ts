import { AppError } from "#core/errors";
import { type Coordinates, type CountingTimes, datesOpenForUpload } from "#core/game/check-in";
import { addDays, utcDate } from "#core/time/calendar-date";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { requireUnits } from "#database/quota";
import type { NewFile } from "#database/stored-files";
import type { EndpointRequest } from "#http/endpoint/endpoint";
import type { Steps } from "#http/endpoint/run";
import { type AcceptedPhoto, receivePhoto } from "#http/request/sent-photo";
import { configured } from "#http/services/configured";
import type { Actor } from "#http/services/tokens";
import { countingTimes, DAYS_BACK, hasLeft } from "../windows/dates.ts";
import { readWindow } from "../windows/windows.ts";
import { CHECK_IN_PHOTOS, type CheckInForm } from "./photo-form.ts";

/** The parts of its request that the steps of a check-in need. */
export type CheckInRequest = Pick<
  EndpointRequest<Actor, unknown, unknown, CheckInForm>,
  "services" | "actor" | "body"
> &
  Pick<Steps, "commit">;

/** Facts that the photo of a check-in is compared with. */
export interface Player {
  /** Whether there is a window to check in for. */
  readonly hasWindow: boolean;
  readonly counting: readonly CountingTimes[];
  /** Dates with a check-in that is not rejected. */
  readonly checkedIn: readonly string[];
  /** Whether each game date that a photo can be sent for now has its check-in. A rejected one can be replaced and does not count. */
  readonly isDone: boolean;
  readonly matchedDates: readonly string[];
  readonly home: Coordinates | null;
}

/** A check-in that has begun. */
export interface StartedCheckIn {
  readonly player: Player;
  /** The file for the photo. Housekeeping removes it after an hour unless a check-in refers to it. */
  readonly file: NewFile;
  /** Seconds until a photo may be examined again; 0 if this one was counted. */
  readonly waitSeconds: number;
}

/** Reads the windows, the check-ins and the home of the caller, counts the photo against the quota, and announces its file. */
export async function startCheckIn(
  tx: Tx,
  userId: string,
  { services: { clock, config } }: Pick<CheckInRequest, "services">,
): Promise<StartedCheckIn> {
  const now = clock.now();
  const from = addDays(utcDate(now), -DAYS_BACK);
  const [started, window] = await Promise.all([call(tx, "start_check_in", { from }), readWindow(tx, userId, now)]);
  const counting = window === null ? [] : countingTimes(window, started.matched, now);
  const openDates = datesOpenForUpload(counting, now, config.checkinGraceMinutes);
  const player = {
    hasWindow: window !== null && (openDates.length > 0 || !hasLeft(window, now)),
    counting,
    checkedIn: started.checked_in,
    // With no open date, the photo decides which error fits.
    isDone: openDates.length > 0 && openDates.every((date) => started.checked_in.includes(date)),
    matchedDates: started.matched.map(({ date }) => date),
    home: started.home,
  };
  return { player, file: started.file, waitSeconds: started.wait_seconds };
}

/**
 * The photo of a check-in, loaded if it was uploaded before.
 * @throws AppError 401 if the account was deleted, 404 for an unknown upload, 413 above 10 MB, 415 if it is no photo
 */
export async function receiveCheckIn({ services, actor, body, commit }: CheckInRequest): Promise<AcceptedPhoto> {
  // The transaction checks that the account exists.
  if ("uploadedTo" in body.sent) await commit(async () => {});
  return receivePhoto(services, actor.userId, body.sent, CHECK_IN_PHOTOS);
}

/**
 * @throws AppError 404 without an active window, 409 if every open date has its check-in, 429 if the quota of examined photos is
 *   used up, 503 if no file store is configured
 */
export function requireMayCheckIn({ services }: CheckInRequest, { player, waitSeconds }: StartedCheckIn): void {
  configured(services.privateFiles);
  if (!player.hasWindow) throw new AppError("game.no_window");
  if (player.isDone) throw new AppError("checkin.already_checked_in");
  requireUnits("photo_examination", waitSeconds);
}

/** A pair of coordinates; null if one of them is missing. */
export function coordinatesOf(location: {
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
}): Coordinates | null {
  const { latitude, longitude } = location;
  return latitude == null || longitude == null ? null : { latitude, longitude };
}
