import { AppError } from "@nectar/core/errors";
import { type Coordinates, type CountingTimes, datesOpenForUpload } from "@nectar/core/game/check-in";
import type { Tx } from "@nectar/database/database";
import { configured } from "@nectar/http/configured";
import type { Services } from "@nectar/http/services";
import { sql } from "kysely";
import { countingTimes } from "../windows/dates.ts";
import { readLocation } from "../windows/location.ts";
import { readWindow } from "../windows/windows.ts";
import { type AcceptedPhoto, acceptedPhoto, type SentPhoto } from "./photo-form.ts";
import { loadUpload } from "./upload-url.ts";

/** The person who checks in, and what the steps of a check-in work with. */
export interface Caller {
  readonly services: Services;
  readonly userId: string;
  readonly asUser: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
}

/** What the photo of a check-in is compared with. */
export interface Player {
  readonly counting: readonly CountingTimes[];
  /** The game dates that a photo can be sent for now. */
  readonly openDates: readonly string[];
  readonly home: Coordinates | null;
}

/**
 * The photo of a check-in, loaded if it was uploaded before.
 * @throws AppError 404 for an unknown upload, 413 above 10 MB, 415 if it is no photo
 */
export async function receivePhoto({ services, userId }: Caller, sent: SentPhoto): Promise<AcceptedPhoto> {
  return "bytes" in sent ? sent : acceptedPhoto(await loadUpload(services, userId, sent.uploadedTo));
}

/**
 * Reads the windows and the home of a person who may check in now.
 * @throws AppError 404 without an active window, 409 if every open date has its check-in, 503 if no file store is configured
 */
export async function readPlayer(tx: Tx, { services, userId }: Pick<Caller, "services" | "userId">): Promise<Player> {
  const { clock, config, privateFiles } = services;
  configured(privateFiles);
  const window = await readWindow(tx, userId);
  const counting = window === null ? [] : await countingTimes(tx, window, clock.now());
  const openDates = datesOpenForUpload(counting, clock.now(), config.checkinGraceMinutes);
  if (window === null || (!window.is_active && openDates.length === 0)) {
    throw new AppError("game.no_window");
  }
  await requireOpenCheckIn(tx, userId, openDates);
  return { counting, openDates, home: coordinatesOf((await readLocation(tx, userId)) ?? {}) };
}

/**
 * Demands that at least one of the open dates has no check-in yet; a rejected check-in can be replaced and does not count.
 * Without an open date it depends on the photo what is wrong.
 * @throws AppError 409
 */
export async function requireOpenCheckIn(tx: Tx, userId: string, openDates: readonly string[]): Promise<void> {
  if (openDates.length === 0) return;
  const { count } = await tx
    .selectFrom("workout_checkins")
    .select(sql<number>`count(*)`.as("count"))
    .where("user_id", "=", userId)
    .where("date", "in", [...openDates])
    .where("status", "<>", "rejected")
    .executeTakeFirstOrThrow();
  if (count === openDates.length) throw new AppError("checkin.already_checked_in");
}

/** A pair of coordinates; null if one of them is missing. */
export function coordinatesOf(location: {
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
}): Coordinates | null {
  const { latitude, longitude } = location;
  return latitude == null || longitude == null ? null : { latitude, longitude };
}
