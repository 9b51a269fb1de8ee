import { isEarly } from "#core/game/time";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { toReadCheckIn } from "./check-ins.ts";
import type { Evidence } from "./examine.ts";
import type { CheckInRequest } from "./receive.ts";
import type { StoredPhoto } from "./store.ts";

/**
 * Writes the check-in, or replaces a rejected one, notifies the next person and the squad, and keeps the photo.
 * @throws AppError 409 if the date has a check-in, 400 if the date was closed meanwhile
 */
export async function recordCheckIn(
  tx: Tx,
  { services: { clock, config }, body: form }: Pick<CheckInRequest, "services" | "body">,
  { photo, window, takenAt, flags }: Evidence,
  stored: StoredPhoto,
) {
  const checkIn = {
    date: window.date,
    activity_type: form.activityType,
    photo_timestamp: takenAt,
    taken_offset: takenAt === null ? null : photo.claims.takenOffset,
    is_early: isEarly(window, window.takenAt, config.checkinGraceMinutes),
    file_id: stored.id,
    perceptual_hash: photo.perceptualHash,
    location_lat: form.latitude,
    location_lng: form.longitude,
    flags,
  };
  const { check_in, is_next_notified } = await call(tx, "check_in", {
    checkIn,
    moment: clock.now(),
    graceMinutes: config.checkinGraceMinutes,
  });
  const { photo_key: _, ...checkin } = toReadCheckIn(check_in);
  return {
    checkin: { ...checkin, photo_url: stored.url },
    battleChipsEarned: checkin.status === "verified" ? checkin.battle_chips_earned : 0,
    chainStatus: checkin.chain_status,
    nextUserNotified: is_next_notified,
  };
}
