import { isEarly } from "#core/game/time";
import type { Tx } from "#database/database";
import { value } from "#database/query";
import { type CheckInObjects, checkInsOf } from "./check-ins.ts";
import type { Evidence } from "./examine.ts";
import type { CheckInRequest } from "./receive.ts";
import type { StoredPhoto } from "./store.ts";

interface RecordedCheckIn extends CheckInObjects {
  readonly is_next_notified: boolean;
}

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
  const recorded = {
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
  const { is_next_notified, ...objects } = await value<RecordedCheckIn>(tx)`
    select private.check_in(
      ${JSON.stringify(recorded)}::jsonb, ${clock.now().toISOString()}::timestamptz, ${config.checkinGraceMinutes}::integer
    )
  `;
  const [row] = checkInsOf(objects);
  if (row === undefined) throw new Error("A check-in was written and is not there.");
  const { photo_key: _, ...checkin } = row;
  return {
    checkin: { ...checkin, photo_url: stored.url },
    battleChipsEarned: checkin.status === "verified" ? checkin.battle_chips_earned : 0,
    chainStatus: checkin.chain_status,
    nextUserNotified: is_next_notified,
  };
}
