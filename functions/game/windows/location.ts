import { sql } from "kysely";
import { AppError } from "#core/errors";
import type { Tx } from "#database/database";
import { one } from "#database/query";
import { consumeQuota } from "#database/quota";
import type { LocationUpdate, UserLocation } from "./schema.ts";

/** Reads the caller's location; null if they never set one. */
async function readLocation(tx: Tx, userId: string): Promise<UserLocation | null> {
  const location = await tx
    .selectFrom("readable_locations")
    .selectAll()
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return location ?? null;
}

/**
 * Updates the caller's location. Fields that are absent stay as they are.
 * @returns the location, and whether the caller may now belong to another area
 * @throws AppError 400 for one coordinate without the other, 429
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
  const before = await one<Pick<UserLocation, "latitude" | "longitude" | "city" | "region">>(tx)`
    select latitude::float8 as latitude, longitude::float8 as longitude, city, region
    from user_locations where user_id = ${userId} for update
  `;
  const {
    ipAddress,
    latitude = before.latitude,
    longitude = before.longitude,
    city,
    region,
    country,
    timezone,
  } = update;
  requireBothCoordinates(latitude, longitude);
  await tx
    .updateTable("user_locations")
    .set({ ip_address: ipAddress, latitude, longitude, city, region, country, timezone, updated_at: sql`now()` })
    .where("user_id", "=", userId)
    .execute();
  const location = await readLocation(tx, userId);
  if (location === null) throw new Error("The location was just written.");
  const moved = location.city !== before.city || location.region !== before.region;
  // Only changes that cause a new matching are limited: a phone may report its coordinates as often as it likes.
  if (moved) await consumeQuota(tx, "window_change");
  return { location, moved };
}

function requireBothCoordinates(latitude: number | null, longitude: number | null): void {
  if ((latitude === null) === (longitude === null)) return;
  const [missing, given] = latitude === null ? ["latitude", "longitude"] : ["longitude", "latitude"];
  throw new AppError("request.invalid", { issues: [{ path: missing, message: `must be given with the ${given}` }] });
}
