import { AppError } from "#core/errors";
import { call, only } from "#database/call";
import type { Tx } from "#database/database";
import { afterCursor } from "#database/keyset";
import { type PageQuery, pageOf } from "#http/response/paging";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { Device, type NewDevice, type NewPushSubscription } from "./schema.ts";

type PushServices = Services["push"];

/**
 * Subscribes a browser of the caller, or renews its keys. A browser of another account becomes the caller's.
 * @throws AppError 400 if the endpoint belongs to no push service that we call, 503 if Web Push is not configured
 */
export async function subscribeBrowser(tx: Tx, { web }: PushServices, { endpoint, keys }: NewPushSubscription) {
  if (!configured(web).accepts(endpoint)) throw new AppError("push.unknown_service");
  const rows = await call(tx, "subscribe_device", { device: { service: "web", endpoint, ...keys } });
  const { id, created_at } = only(rows);
  return { id, endpoint, created_at };
}

/**
 * Stores a phone of the caller, or renews it. A phone of another account becomes the caller's.
 * @throws AppError 400 for an app that is not one of ours, 503 if the service is not configured
 */
export async function storeDevice(tx: Tx, push: PushServices, device: NewDevice) {
  const topics = device.service === "apns" ? configured(push.apns).topics : [];
  if (device.service === "fcm") configured(push.fcm);
  if (device.app !== undefined && !topics.includes(device.app)) {
    const message = device.service === "apns" ? "must be an app of this service" : "must be left out for fcm";
    throw new AppError("request.invalid", { issues: [{ path: "app", message }] });
  }
  const rows = await call(tx, "subscribe_device", { device, defaultApp: topics[0] });
  const { is_new, endpoint: _, ...stored } = only(rows);
  return { device: stored, isNew: is_new };
}

/** A page of the caller's browsers and phones, most recently renewed first. */
export async function listDevices(tx: Tx, userId: string, { cursor, limit }: PageQuery) {
  const rows = await tx
    .selectFrom("push_subscriptions")
    .select(Device.keyof().options)
    .where("user_id", "=", userId)
    .where(afterCursor(["renewed_at", "id"], cursor))
    .orderBy("renewed_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, ({ renewed_at, id }) => ({ at: renewed_at, id }));
  return { devices: page.rows, next_cursor: page.next_cursor };
}

/** The fields by which a device of the caller is found. */
type DeviceKey = { readonly id: string } | { readonly endpoint: string } | Pick<NewDevice, "service" | "token">;

/** Deletes a device of the caller and its pending messages. @throws AppError 404 if the caller has no such device */
export async function removeDevice(tx: Tx, userId: string, key: DeviceKey) {
  const { numDeletedRows } = await tx
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", userId)
    .where((eb) => eb.and(key))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new AppError("push.subscription_not_found");
  return { message: "The device was removed." };
}
