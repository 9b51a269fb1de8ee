import { AppError } from "@nectar/core/errors";
import {
  type CheckInFlag,
  type CountingTimes,
  datesOpenForUpload,
  type FoundWindow,
  oddities,
  type Place,
  windowOfPhoto,
} from "@nectar/core/game/check-in";
import { isEarly, isWithinGrace, localDayEnd } from "@nectar/core/game/time";
import type { Tx } from "@nectar/database/database";
import { consumeQuota } from "@nectar/database/quota";
import { expectNewFile } from "@nectar/database/stored-files";
import { configured } from "@nectar/http/configured";
import type { AppContext } from "@nectar/http/context";
import { respondInPhases } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { deliverPushes } from "@nectar/notifications/deliver";
import { type ExaminedPhoto, examinePhoto } from "@nectar/providers/photos";
import { sql } from "kysely";
import { generateAround } from "../matching/runs.ts";
import { countingTimes } from "../windows/dates.ts";
import { readWindow } from "../windows/windows.ts";
import { degrees, PHOTO_URL_SECONDS, readCheckInsOf } from "./check-ins.ts";
import { type AcceptedPhoto, acceptedPhoto, type CheckInForm, type SentPhoto } from "./photo-form.ts";
import { loadUpload } from "./upload-url.ts";

/** Milliseconds that the person waits for the pushes to others; the scheduled job delivers the rest. */
const PUSH_BUDGET_MS = 1_500;

/** Answers a check-in: checks, photo, then everything that it writes in one transaction, then the pushes. */
export async function checkIn(c: AppContext, services: Services, form: CheckInForm): Promise<Response> {
  const { asUser, actor } = c.var;
  let notified: readonly string[] = [];
  let stored: JudgedCheckIn | null = null;
  let used: readonly string[] = [];
  try {
    const response = await respondInPhases(c, 201, {
      before: (tx) => beginOrRefuse(tx, services, actor.userId, form),
      during: async (begun) => {
        const photo = await photoOf(services, actor.userId, form.sent);
        if (begun instanceof AppError) throw begun;
        const judged = await judgeCheckIn(services, asUser, actor.userId, form, photo, begun);
        stored = judged;
        return judged;
      },
      after: async (tx, _, judged) => {
        const finished = await finishCheckIn(tx, services, actor.userId, form, judged);
        notified = finished.notified;
        used = "uploadedTo" in form.sent ? [form.sent.uploadedTo] : [];
        return finished.body;
      },
    });
    await Promise.all([
      deliverPushes(services, { recipients: notified, budgetMs: PUSH_BUDGET_MS }),
      // As it came it says where it was taken: it goes now and not with the housekeeping.
      services.privateFiles?.remove(used).catch(() => undefined),
    ]);
    return response;
  } catch (error) {
    // Should this fail as well, the housekeeping job removes the photo an hour later.
    if (stored !== null) await removeUnlessWritten(services, asUser, stored).catch(() => undefined);
    throw error;
  }
}

/**
 * Begins a check-in. A photo that was uploaded is yet to be loaded, and what is wrong with it comes before anything else
 * that is wrong: then a refusal is returned instead of thrown.
 */
async function beginOrRefuse(tx: Tx, services: Services, userId: string, { sent }: CheckInForm) {
  try {
    return await beginCheckIn(tx, services, userId);
  } catch (error) {
    if ("uploadedTo" in sent && error instanceof AppError) return error;
    throw error;
  }
}

async function photoOf(services: Services, userId: string, sent: SentPhoto): Promise<AcceptedPhoto> {
  return "bytes" in sent ? sent : acceptedPhoto(await loadUpload(services, userId, sent.uploadedTo));
}

/** Removes a photo whose check-in failed, unless it did not: a connection can break after the database has committed. */
async function removeUnlessWritten(services: Services, asUser: AsUser, { file }: JudgedCheckIn): Promise<void> {
  const { rows } = await asUser((tx) =>
    sql<{ is_written: boolean }>`select private.is_checked_in(${file.id}::uuid) as is_written`.execute(tx),
  );
  if (rows[0]?.is_written === false) await services.privateFiles?.remove([file.path]);
}

type AsUser = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** A check-in whose photo is going to be looked at. */
export interface BegunCheckIn {
  readonly counting: readonly CountingTimes[];
  readonly home: Place | null;
}

/** A check-in whose photo is good and stored. */
export interface JudgedCheckIn {
  /** The stored picture: its id and its path. */
  readonly file: { readonly id: string; readonly path: string };
  readonly photo: ExaminedPhoto;
  readonly photoUrl: string;
  readonly window: FoundWindow;
  /** When it was taken by its own account; null when it gives none. */
  readonly takenAt: Date | null;
  readonly flags: readonly CheckInFlag[];
}

/** Milliseconds that the clock of a phone may be ahead. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * The checks that need no look at the photo.
 * @throws AppError 404 without an active window, 409 when every date that is open has its check-in, 503 without a place for files
 */
export async function beginCheckIn(tx: Tx, services: Services, userId: string): Promise<BegunCheckIn> {
  const { clock, config, privateFiles } = services;
  configured(privateFiles);
  const window = await readWindow(tx, userId);
  const counting = window === null ? [] : await countingTimes(tx, window, clock.now());
  const open = datesOpenForUpload(counting, clock.now(), config.checkinGraceMinutes);
  if (window === null || (!window.is_active && open.length === 0)) {
    throw new AppError("game.no_window", "There is no active window.");
  }
  if (open.length > 0 && (await checkInsOn(tx, userId, open)) === open.length) throw alreadyCheckedIn();
  return { counting, home: await homeOf(tx, userId) };
}

/**
 * Looks at the photo, finds the window that it was taken in, and stores it.
 * @throws AppError 400 for a photo that does not show that it was taken in the window, 429 if the caller's quota of examined
 * photos is used up
 */
export async function judgeCheckIn(
  services: Services,
  asUser: AsUser,
  userId: string,
  { latitude, longitude }: CheckInForm,
  { bytes, format }: AcceptedPhoto,
  { counting, home }: BegunCheckIn,
): Promise<JudgedCheckIn> {
  const open = datesOpenForUpload(counting, services.clock.now(), services.config.checkinGraceMinutes);
  // Asked when the photo is next to be decoded: of many that are sent at once, those that come too late are not decoded. The
  // quota is counted in a transaction that commits before the work, so that a photo that is refused counts as well.
  const isWanted = () =>
    asUser(async (tx) => {
      if (open.length > 0 && (await checkInsOn(tx, userId, open)) === open.length) return false;
      await consumeQuota(tx, "photo_examination");
      return true;
    });
  const photo = await examinePhoto(bytes, format, { isWanted });
  if (photo === null) throw alreadyCheckedIn();
  const { window, takenAt } = findWindow(services, counting, photo);
  const { chain, file } = await asUser(async (tx) => ({
    chain: await tx
      .selectFrom("chains")
      .select("id")
      .where("user_id", "=", userId)
      .where("date", "=", window.date)
      .executeTakeFirst(),
    // Announced only now, so that a photo that is refused leaves no note either.
    file: await expectNewFile(tx, "checkins"),
  }));
  // Whoever has just set a window may check in before the matching has come round.
  if (chain === undefined) await generateAround(services, userId, window.date);
  const files = configured(services.privateFiles);
  const [photoUrl] = await Promise.all([
    files.signedUrl(file.path, PHOTO_URL_SECONDS),
    files.upload(file.path, photo.jpeg, "image/jpeg"),
  ]);
  const place = latitude === undefined || longitude === undefined ? null : { latitude, longitude };
  const { isEdited, isScreenshot } = photo.claims;
  const flags = oddities({ isEdited, isScreenshot, takenAt, uploadedAt: services.clock.now(), place, home });
  return { file, photo, photoUrl, window, takenAt, flags };
}

/**
 * Writes the check-in, or replaces a rejected one, notifies the next person and the squad, and keeps the photo.
 * @throws AppError 409 when there is one for that date; 400 when the date was closed meanwhile
 */
export async function finishCheckIn(
  tx: Tx,
  services: Services,
  userId: string,
  form: CheckInForm,
  { file, photo, photoUrl, window, takenAt, flags }: JudgedCheckIn,
) {
  const { clock, config } = services;
  const now = clock.now().toISOString();
  const isEarlyPhoto = isEarly(window, window.takenAt, config.checkinGraceMinutes);
  const { rows: written } = await sql<{ notified: string[]; is_next_notified: boolean }>`
    select notified, is_next_notified
    from private.record_check_in(
      ${file.id}::uuid, ${window.date}::date, ${form.activityType}, ${takenAt?.toISOString() ?? null}::timestamptz,
      ${takenAt === null ? null : photo.claims.takenOffset}, ${isEarlyPhoto}, ${photo.perceptualHash}::bit(64),
      ${form.latitude ?? null}::numeric, ${form.longitude ?? null}::numeric, ${[...flags]}::text[], ${now}::timestamptz,
      ${config.checkinGraceMinutes}::int
    )
  `.execute(tx);
  const [row] = await readCheckInsOf(tx, window.date, [userId]);
  if (row === undefined) throw new Error("A check-in was written and is not there.");
  const { photo_key: _, ...checkin } = row;
  const { notified = [], is_next_notified: nextUserNotified = false } = written[0] ?? {};
  return {
    notified,
    body: {
      checkin: { ...checkin, photo_url: photoUrl },
      battleChipsEarned: checkin.status === "verified" ? checkin.battle_chips_earned : 0,
      chainStatus: checkin.chain_status,
      nextUserNotified,
    },
  };
}

/** The window that the photo was taken in, with the grace. */
function findWindow({ clock, config }: Services, counting: readonly CountingTimes[], { claims }: ExaminedPhoto) {
  const now = clock.now();
  const { takenAt: local, takenOffset: offset } = claims;
  if (local === null && config.checkinMissingExif === "reject") {
    throw refused("checkin.no_photo_time", "The photo does not say when it was taken.");
  }
  // Without a moment of its own the photo counts as taken now, and an admin looks at it.
  const window = windowOfPhoto(counting, local === null ? now : { local, offset });
  if (window === null) throw refused("checkin.outside_window", "The window does not count yet on that day.");
  if (window.takenAt.getTime() - now.getTime() > CLOCK_TOLERANCE_MS) {
    throw refused("checkin.outside_window", "The photo says that it was taken in the future.");
  }
  if (!isWithinGrace(window, window.takenAt, config.checkinGraceMinutes)) {
    const minutes = Math.abs(window.minutesOff);
    const distance = minutes === 1 ? "1 minute" : `${minutes} minutes`;
    throw refused(
      "checkin.outside_window",
      window.minutesOff < 0
        ? `The photo was taken ${distance} before the window.`
        : `The photo was taken ${distance} after the window.`,
    );
  }
  if (now >= localDayEnd(window.date, window.times)) {
    throw refused("checkin.too_late", "The day of the photo is over.");
  }
  return { window, takenAt: local === null ? null : window.takenAt };
}

function refused(code: "checkin.no_photo_time" | "checkin.outside_window" | "checkin.too_late", message: string) {
  return new AppError(code, message, { issues: [{ path: "photo", message }] });
}

function alreadyCheckedIn(): AppError {
  return new AppError("checkin.already_checked_in", "You have checked in already.");
}

/** On how many of the dates a person has checked in; a rejected check-in can be replaced and does not count. */
async function checkInsOn(tx: Tx, userId: string, dates: readonly string[]): Promise<number> {
  const { count } = await tx
    .selectFrom("workout_checkins")
    .select(sql<number>`count(*)`.as("count"))
    .where("user_id", "=", userId)
    .where("date", "in", [...dates])
    .where("status", "<>", "rejected")
    .executeTakeFirstOrThrow();
  return count;
}

/** Where somebody lives, by what they told. */
async function homeOf(tx: Tx, userId: string): Promise<Place | null> {
  const location = await tx
    .selectFrom("user_locations")
    .select(["latitude", "longitude"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const latitude = degrees(location?.latitude);
  const longitude = degrees(location?.longitude);
  return latitude === null || longitude === null ? null : { latitude, longitude };
}
