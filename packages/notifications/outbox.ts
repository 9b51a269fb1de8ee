import type { NotificationData, NotificationType } from "#core/people/notification-texts";
import { call, type Row } from "#database/call";
import type { Database } from "#database/database";
import { runAsService } from "#database/retry";
import type { PushOutcome } from "#providers/push";

/** A notification on its way to one device. */
export interface Delivery extends Omit<Row<"claim_push_deliveries">, "data" | "to_send"> {
  readonly data: NotificationData[NotificationType];
}

/** Result of a claimed delivery; `unused`: it was not tried. */
export type Result = PushOutcome | "unused";

/** A claimed delivery with its result. */
export interface DeliveryResult {
  readonly delivery: Delivery;
  readonly result: Result;
  /** How long the push service asked to wait. Until then none of its messages is claimed. */
  readonly retryAfterMs?: number | undefined;
  /** From when a push service says that a device is gone. */
  readonly goneSince?: Date | undefined;
}

/** How long a claim lasts: longer than a batch takes. */
const LEASE_SECONDS = 60;
const MAX_ATTEMPTS = 10;

/**
 * Claims due deliveries, so that no other process sends them for a minute.
 * @returns the number of claimed rows, including those that wait for the end of quiet hours or need no push any more, and
 *   the deliveries to send
 */
export async function claim(database: Database, max: number): Promise<{ claimed: number; deliveries: Delivery[] }> {
  const rows = await database.asService((tx) =>
    call(tx, "claim_push_deliveries", { limit: max, leaseSeconds: LEASE_SECONDS, maxAttempts: MAX_ATTEMPTS }),
  );
  return { claimed: rows.length, deliveries: rows.flatMap(deliveryOf) };
}

function deliveryOf({ to_send, data, ...row }: Row<"claim_push_deliveries">): Delivery[] {
  // The database stores the data of each type as core/notification-texts.ts says.
  return to_send ? [{ ...row, data: data as Delivery["data"] }] : [];
}

/** Records the results of deliveries, in one transaction. */
export async function recordAll(database: Database, results: readonly DeliveryResult[]): Promise<void> {
  if (results.length === 0) return;
  const rows = results.map(({ delivery: { notification_id, subscription_id, attempt }, result, retryAfterMs }) => ({
    notification_id,
    subscription_id,
    attempt,
    result,
    retry_after_ms: retryAfterMs ?? null,
  }));
  await runAsService(database, (tx) => call(tx, "record_push_results", { results: rows }));
}

/**
 * Deletes a device that its push service does not know any more, with its pending deliveries.
 * @param goneSince the moment from which the push service says so, if it does
 * @returns false if the device was renewed since and stays: then the result of its delivery is `unavailable`
 */
export async function removeDeadDevice(
  database: Database,
  { subscription_id, claimed_at }: Delivery,
  goneSince?: Date,
): Promise<boolean> {
  return runAsService(database, (tx) =>
    call(tx, "remove_dead_device", { subscriptionId: subscription_id, claimedAt: claimed_at, goneSince }),
  );
}
