import { AppError, type ErrorCode, sentenceOf } from "#core/errors";
import { type CheckInFlag, type FoundWindow, flagsOf, windowsOfPhoto } from "#core/game/check-in";
import { isWithinGrace, localDayEnd } from "#core/game/time";
import type { NewFile } from "#database/stored-files";
import type { AcceptedPhoto } from "#http/request/sent-photo";
import type { Services } from "#http/services/services";
import type { ExaminedPhoto } from "#providers/photos";
import { type CheckInRequest, coordinatesOf, type Player, requireMayCheckIn, startCheckIn } from "./receive.ts";
import { deletePhotoNote } from "./store.ts";

/** The proof in an accepted photo. */
export interface Evidence {
  readonly photo: ExaminedPhoto;
  readonly window: FoundWindow;
  /** When the photo was taken, by its own metadata; null if it does not say. */
  readonly takenAt: Date | null;
  readonly flags: readonly CheckInFlag[];
}

/** Milliseconds that the clock of a phone may be ahead. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** A check-in whose photo was accepted. */
export interface ExaminedCheckIn {
  readonly evidence: Evidence;
  /** The key under which the photo may be stored now. */
  readonly file: NewFile;
  /** Whether the caller is matched on the date. */
  readonly isMatched: boolean;
}

/**
 * Decodes the photo and finds the window that it was taken in. A refused photo counts against the quota, and leaves nothing
 * else behind.
 * @throws AppError 400 if the photo does not show that it was taken in the window, 404 if the person is off on the date of
 *   that window, and as in `requireMayCheckIn`
 */
export async function examineCheckIn(
  request: CheckInRequest,
  { bytes, format }: AcceptedPhoto,
): Promise<ExaminedCheckIn> {
  // Loaded on first use, because most requests of the group have no photo.
  const { examinePhoto } = await import("#providers/photos");
  // Committed before the photo waits to be decoded, so that it counts whatever happens.
  const { player, file } = await request.commit(async (tx) => {
    const started = await startCheckIn(tx, request.actor.userId, request);
    requireMayCheckIn(request, started);
    return started;
  });
  try {
    const evidence = evidenceOf(request, player, await examinePhoto(bytes, format));
    return { evidence, file, isMatched: player.matchedDates.includes(evidence.window.date) };
  } catch (error) {
    // Should this fail, housekeeping does it.
    await request.commit((tx) => deletePhotoNote(tx, file)).catch(() => undefined);
    throw error;
  }
}

function evidenceOf({ services, body: form }: CheckInRequest, player: Player, photo: ExaminedPhoto): Evidence {
  const { window, takenAt } = findWindow(services, player, photo);
  const { isEdited, isScreenshot } = photo.claims;
  const location = coordinatesOf(form);
  const flags = flagsOf({
    isEdited,
    isScreenshot,
    takenAt,
    uploadedAt: services.clock.now(),
    location,
    home: player.home,
  });
  return { photo, window, takenAt, flags };
}

/** The window that the photo was taken in, with the grace. After a change of zone there may be two: one without a check-in wins. */
function findWindow({ clock, config }: Services, { counting, checkedIn }: Player, { claims }: ExaminedPhoto) {
  const now = clock.now();
  const { takenAt: local, takenOffset: offset } = claims;
  if (local === null && config.checkinMissingExif === "reject") {
    throw refused("checkin.no_photo_time");
  }
  // A photo without a time counts as taken now, and an admin reviews it.
  const windows = windowsOfPhoto(counting, local === null ? now : { local, offset });
  const fits = (window: FoundWindow) => isWithinGrace(window, window.takenAt, config.checkinGraceMinutes);
  const played = windows.filter(({ isOff }) => !isOff);
  const window = played.find((found) => fits(found) && !checkedIn.includes(found.date)) ?? played[0];
  if ((window === undefined || !fits(window)) && windows.some((found) => found.isOff && fits(found))) {
    throw new AppError("game.no_window");
  }
  if (window === undefined) throw refused("checkin.outside_window", "The window does not count yet on that day.");
  if (window.takenAt.getTime() - now.getTime() > CLOCK_TOLERANCE_MS) {
    throw refused("checkin.outside_window", "The photo says that it was taken in the future.");
  }
  if (!fits(window)) {
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
