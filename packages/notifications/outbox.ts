import type { Database } from "@nectar/database/database";
import { runAsService } from "@nectar/database/retry";
import type { PushOutcome } from "@nectar/providers/push";
import { sql } from "kysely";

/** A notification on its way to one device. */
export interface Delivery {
  readonly notification_id: string;
  readonly subscription_id: string;
  /** Which claim this is; an older one can write nothing down any more. */
  readonly attempt: number;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Seconds after which it is old news. */
  readonly seconds_left: number;
}

/** What became of a claimed delivery; `unused`: it was not tried. */
export type Result = PushOutcome | "unused";

/** How long a claim keeps others away: longer than a batch takes. */
const LEASE_SECONDS = 60;
const MAX_ATTEMPTS = 10;

/**
 * Takes deliveries that are due, so that nobody else sends them for a minute.
 * @returns how many rows were taken, those included that turned out to need no push any more, and those to send
 */
export async function claim(
  database: Database,
  most: number,
  recipients?: readonly string[],
): Promise<{ claimed: number; deliveries: Delivery[] }> {
  const { rows } = await database.asService((tx) =>
    sql<Delivery & { closed: boolean }>`
      select notification_id, subscription_id, attempt, closed, endpoint, p256dh, auth, type, title, body, data, seconds_left
      from private.claim_push_deliveries(
        ${most}, ${LEASE_SECONDS}, ${MAX_ATTEMPTS}, ${recipients === undefined ? null : [...recipients]}::uuid[]
      )
    `.execute(tx),
  );
  return { claimed: rows.length, deliveries: rows.filter(({ closed }) => !closed) };
}

/** Writes down what became of deliveries, in one transaction. */
export async function settle(
  database: Database,
  settled: readonly { readonly delivery: Delivery; readonly result: Result }[],
): Promise<void> {
  if (settled.length === 0) return;
  const column = <Value>(value: (of: (typeof settled)[number]) => Value) => settled.map(value);
  await runAsService(database, (tx) =>
    sql`
      select private.record_push_results(
        ${column(({ delivery }) => delivery.notification_id)}::uuid[],
        ${column(({ delivery }) => delivery.subscription_id)}::uuid[],
        ${column(({ delivery }) => delivery.attempt)}::integer[],
        ${column(({ result }) => result)}::text[]
      )
    `.execute(tx),
  );
}

/** Removes a device that has unsubscribed at its push service, and all that waits for it. */
export async function removeDeadDevice(database: Database, { subscription_id, p256dh, auth }: Delivery): Promise<void> {
  await runAsService(database, (tx) =>
    sql`select private.remove_dead_device(${subscription_id}::uuid, ${p256dh}, ${auth})`.execute(tx),
  );
}
