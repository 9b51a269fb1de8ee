import { inLanes } from "#core/work/lanes";
import type { Database } from "#database/database";
import type { PushMessage, PushProvider, PushProviders, PushResult, PushService, PushTarget } from "#providers/push";
import type { Queue } from "#providers/queue";
import { claim, type DeliveryResult, type Result, recordAll, removeDeadDevice } from "./outbox.ts";
import { messageOf } from "./payload.ts";

/** Services that the delivery uses. */
export interface PushServices {
  readonly database: Database;
  readonly clock: { now(): Date };
  readonly push: PushProviders;
  readonly queue: Queue;
  /** Aborted when the process is asked to stop: no more messages are claimed then. */
  readonly stopping: AbortSignal;
}

/** Results of the claimed deliveries. */
export interface DeliveryCounts {
  /** Accepted by the push service. */
  readonly sent: number;
  /** The device had unsubscribed and was deleted. */
  readonly gone: number;
  /** Refused permanently. */
  readonly failed: number;
  /** To be tried again: the push service was unavailable, or the budget was used up. */
  readonly remaining: number;
}

/** Deliveries per claim. With the two numbers below they are finished long before the claim expires. */
export const BATCH_SIZE = 50;
const PARALLEL_SENDS = 10;
const MAX_SEND_MS = 5_000;
/** How long waking another worker may take. */
const WAKE_MS = 1_000;
/** A message that is accepted after our timeout would be sent twice. */
const MIN_SEND_MS = 1_000;

/**
 * Pushes due notifications, batch by batch, until none is left or the budget is used up. With more than a batch, it wakes
 * one more worker, which does the same. Nothing is sent inside a transaction: a batch is claimed in one, and its results
 * are recorded in another. Several processes may run this at once.
 * @param budgetMs milliseconds after which no message is being sent; only results may still be recorded
 * @throws AppError when the database cannot be reached
 */
export async function deliverPushes(services: PushServices, budgetMs: number): Promise<DeliveryCounts> {
  const { push } = services;
  if (push.web === null && push.fcm === null && push.apns === null) return NOTHING;
  const end = services.clock.now().getTime() + budgetMs;
  const minMs = Math.min(MIN_SEND_MS, budgetMs / 2);
  /** Timeout of a message that is sent now; null if there is not enough time. */
  const timeLeft = () => {
    const left = end - services.clock.now().getTime();
    return left < minMs ? null : Math.min(left, MAX_SEND_MS);
  };
  const total: Record<keyof DeliveryCounts, number> = { ...NOTHING };
  const held = heldServices(services.clock);
  let isAlone = true;
  while (timeLeft() !== null && !services.stopping.aborted) {
    const { claimed, deliveries } = await claim(services.database, BATCH_SIZE);
    if (claimed === 0) break;
    if (isAlone && claimed === BATCH_SIZE) {
      isAlone = false;
      // There is more than this worker takes at once. If none comes to help, it does the rest itself.
      await services.queue.send([{ name: "push" }], WAKE_MS).catch(() => undefined);
    }
    const results = await inLanes(deliveries, PARALLEL_SENDS, async (delivery): Promise<DeliveryResult> => {
      const timeoutMs = timeLeft();
      if (timeoutMs === null || held.has(delivery.service)) return { delivery, result: "unused" };
      const { outcome, ...more } = await sendOne(push, messageOf(delivery, timeoutMs));
      held.note(delivery.service, more.retryAfterMs);
      return { delivery, result: outcome, ...more };
    });
    const recorded = await withoutDead(services.database, results);
    await recordAll(
      services.database,
      recorded.filter(({ result }) => result !== "gone"),
    );
    for (const { result } of recorded) total[COUNTED_AS[result]] += 1;
    if (claimed < BATCH_SIZE) break;
  }
  return total;
}

const NOTHING: DeliveryCounts = { sent: 0, gone: 0, failed: 0, remaining: 0 };
const COUNTED_AS = {
  sent: "sent",
  gone: "gone",
  refused: "failed",
  unavailable: "remaining",
  unused: "remaining",
} as const satisfies Record<Result, keyof DeliveryCounts>;

/** Services that asked to wait. What is claimed for them meanwhile is not tried. */
function heldServices(clock: PushServices["clock"]) {
  const until = new Map<PushService, number>();
  return {
    has: (service: PushService) => clock.now().getTime() < (until.get(service) ?? 0),
    note(service: PushService, waitMs: number | undefined): void {
      if (waitMs !== undefined) until.set(service, clock.now().getTime() + waitMs);
    },
  };
}

/** Deletes the devices that are gone. A device that was renewed meanwhile stays, and its message is tried again. */
async function withoutDead(database: Database, results: readonly DeliveryResult[]): Promise<DeliveryResult[]> {
  const recorded: DeliveryResult[] = [];
  for (const result of results) {
    const stays = result.result === "gone" && !(await removeDeadDevice(database, result.delivery, result.goneSince));
    recorded.push(stays ? { delivery: result.delivery, result: "unavailable" } : result);
  }
  return recorded;
}

async function sendOne(push: PushProviders, { target, ...message }: PushMessage): Promise<PushResult> {
  switch (target.service) {
    case "web":
      return sendThrough(push.web, { ...message, target });
    case "fcm":
      return sendThrough(push.fcm, { ...message, target });
    case "apns":
      return sendThrough(push.apns, { ...message, target });
  }
}

/** A device of a service that is not configured any more is kept: it may be again. */
async function sendThrough<Target extends PushTarget>(
  provider: PushProvider<Target> | null,
  message: PushMessage<Target>,
): Promise<PushResult> {
  return provider === null ? { outcome: "unavailable" } : provider.send(message);
}
