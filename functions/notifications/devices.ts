import { AppError } from "@nectar/core/errors";
import type { Tx } from "@nectar/database/database";
import { one } from "@nectar/database/query";
import type { PushProvider } from "@nectar/providers/push";
import type { NewPushSubscription } from "./schema.ts";

/**
 * Makes a device the caller's, or renews its keys; what belonged to another account before does not any more.
 * @throws AppError 400 when the endpoint belongs to no push service that we call
 */
export async function subscribeDevice(tx: Tx, push: PushProvider, { endpoint, keys }: NewPushSubscription) {
  if (!push.accepts(endpoint)) {
    throw new AppError("push.unknown_service");
  }
  return one<{ id: string; endpoint: string; created_at: string }>(tx)`
    select id, endpoint, created_at from private.subscribe_device(${endpoint}, ${keys.p256dh}, ${keys.auth})
  `;
}

/** Forgets a device of the caller, and what waits for it. @throws AppError 404 when the caller has no such device */
export async function unsubscribeDevice(tx: Tx, userId: string, endpoint: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", userId)
    .where("endpoint", "=", endpoint)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) {
    throw new AppError("push.subscription_not_found");
  }
}
