import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { maybeOne } from "@nectar/database/query";
import { consumeQuota } from "@nectar/database/quota";
import { type RawBuilder, sql } from "kysely";
import type { LocationUpdate, UserLocation } from "./schema.ts";

/** Reads the caller's location; null if they never set one. */
export async function readLocation(tx: Tx, userId: string): Promise<UserLocation | null> {
  return selectLocation(tx, userId, sql``);
}

/**
 * Updates the caller's location. Fields that are absent stay as they are.
 * @returns the location, and whether the caller may now belong to another area
 * @throws AppError 400 for one coordinate without the other, 429 after 20 changes of window or location in an hour
 */
export async function updateLocation(
  tx: Tx,
  userId: string,
  update: LocationUpdate,
): Promise<{ location: UserLocation; moved: boolean }> {
  // Makes sure that there is a row to lock, so that concurrent updates are merged one after the other.
  await tx
    .insertInto("user_locations")
    .values({ city: null })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
  const before = await selectLocation(tx, userId, sql`for update`);
  const { ipAddress, latitude, longitude, city, region, country, timezone } = update;
  requireBothCoordinates(
    latitude === undefined ? before?.latitude : latitude,
    longitude === undefined ? before?.longitude : longitude,
  );
  await tx
    .updateTable("user_locations")
    .set({ ip_address: ipAddress, latitude, longitude, city, region, country, timezone })
    .where("user_id", "=", userId)
    .execute();
  const location = await selectLocation(tx, userId, sql``);
  if (before === null || location === null) throw new Error("the location that was just written is not there");
  const moved = location.city !== before.city || location.region !== before.region;
  // Only changes that cause a new matching are limited: a phone may report its coordinates as often as it likes.
  if (moved) await consumeQuota(tx, "window_change");
  return { location, moved };
}

async function selectLocation(tx: Tx, userId: string, lock: RawBuilder<unknown>): Promise<UserLocation | null> {
  const row = await maybeOne<UserLocation>(tx)`
    select user_id, host(ip_address) as ip_address, latitude::float8 as latitude, longitude::float8 as longitude, city,
      region, country, timezone, last_updated
    from user_locations
    where user_id = ${userId}
    ${lock}
  `;
  return row ?? null;
}

function requireBothCoordinates(latitude: number | null | undefined, longitude: number | null | undefined): void {
  if ((latitude ?? null) === null && (longitude ?? null) !== null) {
    throw new AppError("request.invalid", {
      issues: [{ path: "latitude", message: "must be given with the longitude" }],
    });
  }
  if ((latitude ?? null) !== null && (longitude ?? null) === null) {
    throw new AppError("request.invalid", {
      issues: [{ path: "longitude", message: "must be given with the latitude" }],
    });
  }
}
