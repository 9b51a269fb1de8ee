import { inLanes } from "@nectar/core/lanes";
import type { Database } from "@nectar/database/database";
import type { PushProvider } from "@nectar/providers/push";
import { claim, type Delivery, type Result, removeDeadDevice, settle } from "./outbox.ts";
import { payloadOf, topicOf } from "./payload.ts";

/** What the delivery needs from outside. */
export interface PushServices {
  readonly database: Database;
  readonly clock: { now(): Date };
  /** Null: nothing is pushed. */
  readonly push: PushProvider | null;
}

/** What a delivery is limited to. */
export interface DeliveryLimits {
  /** Only what waits for these people; everything that is due unless given. */
  readonly recipients?: readonly string[];
  /** Milliseconds after which nothing is under way any more but the notes about it. */
  readonly budgetMs: number;
}

/** What became of the deliveries that were tried. */
export interface DeliveryCounts {
  /** Taken by the push service. */
  readonly sent: number;
  /** For a device that has unsubscribed; it was removed. */
  readonly gone: number;
  /** Refused for good. */
  readonly failed: number;
  /** Put off: the push service had no time, or this call had none. */
  readonly remaining: number;
}

/** Deliveries that are claimed at once; with the two numbers below they are through long before their lease ends. */
const BATCH = 50;
const SENT_AT_ONCE = 10;
const LONGEST_SEND_MS = 5_000;
/** A message that is given less is likely to be taken and taken for lost, and then it is sent twice. */
const SHORTEST_SEND_MS = 1_000;

/**
 * Pushes what waits for people to their devices, after the commit of what caused it. Never throws: what is not delivered
 * now stays in the outbox for the scheduled job.
 */
export async function deliverPushes(services: PushServices, limits: DeliveryLimits): Promise<DeliveryCounts> {
  try {
    return await deliverDue(services, limits);
  } catch {
    return NOTHING;
  }
}

/**
 * Pushes what is due, batch by batch, until nothing is or the budget is used up. Nothing is sent inside a transaction: a
 * batch is claimed in one, and what became of it is written down in another. Several may run at the same time.
 * @throws AppError when the database cannot be reached
 */
export async function deliverDue(services: PushServices, limits: DeliveryLimits): Promise<DeliveryCounts> {
  const { push } = services;
  if (push === null || limits.recipients?.length === 0) return NOTHING;
  const end = services.clock.now().getTime() + limits.budgetMs;
  const shortestMs = Math.min(SHORTEST_SEND_MS, limits.budgetMs / 2);
  /** Milliseconds that a message may take which is sent now; null when there is no time for one. */
  const timeLeft = () => {
    const left = end - services.clock.now().getTime();
    return left < shortestMs ? null : Math.min(left, LONGEST_SEND_MS);
  };
  let total = NOTHING;
  while (timeLeft() !== null) {
    const { claimed, deliveries } = await claim(services.database, BATCH, limits.recipients);
    if (claimed === 0) break;
    const results = await inLanes(deliveries, SENT_AT_ONCE, async (delivery): Promise<Result> => {
      const timeoutMs = timeLeft();
      return timeoutMs === null ? "unused" : sendOne(push, delivery, timeoutMs);
    });
    total = added(total, await writeDown(services.database, deliveries, results));
    if (claimed < BATCH) break;
  }
  return total;
}

const NOTHING: DeliveryCounts = { sent: 0, gone: 0, failed: 0, remaining: 0 };

function sendOne(push: PushProvider, delivery: Delivery, timeoutMs: number): Promise<Result> {
  return push.send({
    subscription: { endpoint: delivery.endpoint, p256dh: delivery.p256dh, auth: delivery.auth },
    payload: payloadOf(delivery),
    topic: topicOf(delivery.notification_id),
    ttlSeconds: delivery.seconds_left,
    timeoutMs,
  });
}

async function writeDown(
  database: Database,
  deliveries: readonly Delivery[],
  results: readonly Result[],
): Promise<DeliveryCounts> {
  const judged = deliveries.map((delivery, index) => ({ delivery, result: results[index] ?? "unused" }));
  const of = (...wanted: Result[]) => judged.filter(({ result }) => wanted.includes(result));
  await settle(
    database,
    judged.filter(({ result }) => result !== "gone"),
  );
  for (const { delivery } of of("gone")) await removeDeadDevice(database, delivery);
  return {
    sent: of("sent").length,
    gone: of("gone").length,
    failed: of("refused").length,
    remaining: of("unavailable", "unused").length,
  };
}

function added(one: DeliveryCounts, other: DeliveryCounts): DeliveryCounts {
  return {
    sent: one.sent + other.sent,
    gone: one.gone + other.gone,
    failed: one.failed + other.failed,
    remaining: one.remaining + other.remaining,
  };
}
