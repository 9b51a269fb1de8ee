import { AppError } from "@nectar/core/errors";
import { type Coordinates, type CountingTimes, datesOpenForUpload } from "@nectar/core/game/check-in";
import type { Tx } from "@nectar/database/database";
import { configured } from "@nectar/http/configured";
import type { EndpointRequest } from "@nectar/http/endpoint";
import type { Actor } from "@nectar/http/tokens";
import { sql } from "kysely";
import { countingTimes } from "../windows/dates.ts";
import { readLocation } from "../windows/location.ts";
import { readWindow } from "../windows/windows.ts";
import { type AcceptedPhoto, acceptedPhoto, type CheckInForm } from "./photo-form.ts";
import { loadUpload } from "./upload-url.ts";

/** What the steps of a check-in need of its request. */
export type CheckInRequest = Pick<
  EndpointRequest<Actor, unknown, unknown, CheckInForm>,
  "services" | "actor" | "body" | "transaction"
>;

/** What the photo of a check-in is compared with. */
export interface Player {
  /** Whether there is a window to check in for. */
  readonly hasWindow: boolean;
  readonly counting: readonly CountingTimes[];
  /** The game dates that a photo can be sent for now. */
  readonly openDates: readonly string[];
  /** Whether each open date has its check-in. */
  readonly isDone: boolean;
  readonly home: Coordinates | null;
}

/** Reads the windows, the check-ins and the home of the caller. */
export async function readPlayer(tx: Tx, { actor: { userId }, services }: CheckInRequest): Promise<Player> {
  const { clock, config } = services;
  const [window, location] = await Promise.all([readWindow(tx, userId), readLocation(tx, userId)]);
  const counting = window === null ? [] : await countingTimes(tx, window, clock.now());
  const openDates = datesOpenForUpload(counting, clock.now(), config.checkinGraceMinutes);
  return {
    hasWindow: window?.is_active === true || openDates.length > 0,
    counting,
    openDates,
    isDone: await hasCheckedIn(tx, userId, openDates),
    home: coordinatesOf(location ?? {}),
  };
}

/**
 * The photo of a check-in, loaded if it was uploaded before.
 * @throws AppError 404 for an unknown upload, 413 above 10 MB, 415 if it is no photo
 */
export async function receivePhoto({ services, actor, body: { sent } }: CheckInRequest): Promise<AcceptedPhoto> {
  return "bytes" in sent ? sent : acceptedPhoto(await loadUpload(services, actor.userId, sent.uploadedTo));
}

/** @throws AppError 404 without an active window, 409 if every open date has its check-in, 503 if no file store is configured */
export function requireMayCheckIn({ services }: CheckInRequest, { hasWindow, isDone }: Player): void {
  configured(services.privateFiles);
  if (!hasWindow) throw new AppError("game.no_window");
  if (isDone) throw new AppError("checkin.already_checked_in");
}

/**
 * Whether each of the open dates has a check-in; a rejected one can be replaced and does not count. False without an open
 * date: then it depends on the photo what is wrong.
 */
export async function hasCheckedIn(tx: Tx, userId: string, openDates: readonly string[]): Promise<boolean> {
  if (openDates.length === 0) return false;
  const { count } = await tx
    .selectFrom("workout_checkins")
    .select(sql<number>`count(*)`.as("count"))
    .where("user_id", "=", userId)
    .where("date", "in", [...openDates])
    .where("status", "<>", "rejected")
    .executeTakeFirstOrThrow();
  return count === openDates.length;
}

/** A pair of coordinates; null if one of them is missing. */
export function coordinatesOf(location: {
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
}): Coordinates | null {
  const { latitude, longitude } = location;
  return latitude == null || longitude == null ? null : { latitude, longitude };
}
