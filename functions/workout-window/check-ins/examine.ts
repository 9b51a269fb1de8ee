import { AppError, type ErrorCode, sentenceOf } from "@nectar/core/errors";
import {
  type CheckInFlag,
  type CountingTimes,
  type FoundWindow,
  flagsOf,
  windowOfPhoto,
} from "@nectar/core/game/check-in";
import { isWithinGrace, localDayEnd } from "@nectar/core/game/time";
import { consumeQuota } from "@nectar/database/quota";
import type { Services } from "@nectar/http/services";
import { type ExaminedPhoto, examinePhoto } from "@nectar/providers/photos";
import type { AcceptedPhoto } from "./photo-form.ts";
import { type CheckInRequest, coordinatesOf, hasCheckedIn, type Player } from "./receive.ts";

/** What an accepted photo proves. */
export interface Evidence {
  readonly photo: ExaminedPhoto;
  readonly window: FoundWindow;
  /** When the photo was taken, by its own metadata; null if it does not say. */
  readonly takenAt: Date | null;
  readonly flags: readonly CheckInFlag[];
}

/** Milliseconds that the clock of a phone may be ahead. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * Decodes the photo and finds the window that it was taken in.
 * @throws AppError 400 if the photo does not show that it was taken in the window, 409 if another check-in was faster, 429 if
 *   the quota of examined photos is used up
 */
export async function examineCheckIn(
  { services, actor, transaction, body: form }: CheckInRequest,
  { bytes, format }: AcceptedPhoto,
  { counting, openDates, home }: Player,
): Promise<Evidence> {
  // Runs when it is this photo's turn: of many sent at once, those that come too late are not decoded. It commits before the
  // photo is decoded, so that a refused photo counts as well.
  const admit = () =>
    transaction(async (tx) => {
      if (await hasCheckedIn(tx, actor.userId, openDates)) throw new AppError("checkin.already_checked_in");
      await consumeQuota(tx, "photo_examination");
    });
  const photo = await examinePhoto(bytes, format, { admit });
  const { window, takenAt } = findWindow(services, counting, photo);
  const { isEdited, isScreenshot } = photo.claims;
  const location = coordinatesOf(form);
  const flags = flagsOf({ isEdited, isScreenshot, takenAt, uploadedAt: services.clock.now(), location, home });
  return { photo, window, takenAt, flags };
}

/** The window that the photo was taken in, with the grace. */
function findWindow({ clock, config }: Services, counting: readonly CountingTimes[], { claims }: ExaminedPhoto) {
  const now = clock.now();
  const { takenAt: local, takenOffset: offset } = claims;
  if (local === null && config.checkinMissingExif === "reject") {
    throw refused("checkin.no_photo_time");
  }
  // A photo without a time counts as taken now, and an admin reviews it.
  const window = windowOfPhoto(counting, local === null ? now : { local, offset });
  if (window === null) throw refused("checkin.outside_window", "The window does not count yet on that day.");
  if (window.takenAt.getTime() - now.getTime() > CLOCK_TOLERANCE_MS) {
    throw refused("checkin.outside_window", "The photo says that it was taken in the future.");
  }
  if (!isWithinGrace(window, window.takenAt, config.checkinGraceMinutes)) {
    const minutes = Math.abs(window.minutesOff);
    const distance = minutes === 1 ? "1 minute" : `${minutes} minutes`;
    const side = window.minutesOff < 0 ? "before" : "after";
    throw refused("checkin.outside_window", `The photo was taken ${distance} ${side} the window.`);
  }
  if (now >= localDayEnd(window.date, window.times)) {
    throw refused("checkin.too_late");
  }
  return { window, takenAt: local === null ? null : window.takenAt };
}

function refused(code: ErrorCode, sentence = sentenceOf(code)): AppError {
  return new AppError(code, { sentence, issues: [{ path: "photo", message: sentence }] });
}
