import type { NotificationData, NotificationType } from "@nectar/core/notification-texts";
import type { Database } from "@nectar/database/database";
import { all } from "@nectar/database/query";
import { runAsService } from "@nectar/database/retry";
import type { PushOutcome } from "@nectar/providers/push";
import { sql } from "kysely";

/** A notification on its way to one device. */
export interface Delivery {
  readonly notification_id: string;
  readonly subscription_id: string;
  /** Number of the claim; results of an older claim are ignored. */
  readonly attempt: number;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly type: NotificationType;
  readonly data: NotificationData[NotificationType];
  /** Seconds until the message is outdated. */
  readonly seconds_left: number;
}

/** Result of a claimed delivery; `unused`: it was not tried. */
export type Result = PushOutcome | "unused";

/** A claimed delivery with its result. */
export interface DeliveryResult {
  readonly delivery: Delivery;
  readonly result: Result;
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
  const rows = await database.asService(
    (tx) =>
      all<Delivery & { to_send: boolean }>(tx)`
      select notification_id, subscription_id, attempt, to_send, endpoint, p256dh, auth, type, data, seconds_left
      from private.claim_push_deliveries(${max}, ${LEASE_SECONDS}, ${MAX_ATTEMPTS})
    `,
  );
  return { claimed: rows.length, deliveries: rows.filter(({ to_send }) => to_send) };
}

/** Records the results of deliveries, in one transaction. */
export async function recordAll(database: Database, results: readonly DeliveryResult[]): Promise<void> {
  if (results.length === 0) return;
  const rows = results.map(({ delivery: { notification_id, subscription_id, attempt }, result }) => ({
    notification_id,
    subscription_id,
    attempt,
    result,
  }));
  await runAsService(database, (tx) => sql`select private.record_push_results(${JSON.stringify(rows)})`.execute(tx));
}

/** Deletes a device that has unsubscribed at its push service, with its pending deliveries. */
export async function removeDeadDevice(database: Database, { subscription_id, p256dh, auth }: Delivery): Promise<void> {
  await runAsService(database, (tx) =>
    sql`select private.remove_dead_device(${subscription_id}::uuid, ${p256dh}, ${auth})`.execute(tx),
  );
}
