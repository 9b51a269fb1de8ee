import { AppError } from "#core/errors";
import { called } from "#database/call";
import type { Tx } from "#database/database";
import type { PushProvider } from "#providers/push";
import type { NewPushSubscription } from "./schema.ts";

/**
 * Subscribes a device of the caller, or renews its keys. A device of another account becomes the caller's.
 * @throws AppError 400 if the endpoint belongs to no push service that we call
 */
export async function subscribeDevice(tx: Tx, push: PushProvider, { endpoint, keys }: NewPushSubscription) {
  if (!push.accepts(endpoint)) throw new AppError("push.unknown_service");
  return tx
    .selectFrom(called("subscribe_device", { endpoint, p256dh: keys.p256dh, auth: keys.auth }).as("d"))
    .select(["id", "endpoint", "created_at"])
    .executeTakeFirstOrThrow();
}

/** Deletes a device of the caller and its pending messages. @throws AppError 404 if the caller has no such device */
export async function unsubscribeDevice(tx: Tx, userId: string, endpoint: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", userId)
    .where("endpoint", "=", endpoint)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new AppError("push.subscription_not_found");
}
