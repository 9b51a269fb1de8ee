import { setTimeout as pause } from "node:timers/promises";
import type { SQSClient } from "@aws-sdk/client-sqs";
import { inLanes } from "#core/work/lanes";
import { type Lane, laneOf, type Task } from "#core/work/tasks";
import { callVendor } from "./call-vendor.ts";

/** Hands tasks to workers, which run beside the caller. */
export interface Queue {
  /**
   * Queues tasks.
   * @param timeoutMs how long it may take in all
   * @throws AppError provider.failed unless all were queued
   */
  send(tasks: readonly Task[], timeoutMs?: number): Promise<void>;
}

/** Limit of Amazon SQS for one call. */
const BATCH_SIZE = 10;
/** Batches that are sent at the same time. */
const PARALLEL_BATCHES = 10;
/** Attempts to send what SQS refused of a batch; the SDK itself repeats calls that fail as a whole. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 100;
const SEND_MS = 20_000;
const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;

/** Sends each task to the queue of its lane. */
export function byLane(queues: Readonly<Record<Lane, Queue>>): Queue {
  return {
    async send(tasks, timeoutMs) {
      const lanes = Map.groupBy(tasks, laneOf);
      await Promise.all([...lanes].map(([lane, some]) => queues[lane].send(some, timeoutMs)));
    },
  };
}

/**
 * A queue of Amazon SQS, with the credentials of the environment. The AWS SDK is loaded at once, beside the first request:
 * Lambda freezes a function after its response, so a request cannot wait long for it.
 * @param url the address of the queue
 */
export function sqsQueue(url: string): Queue {
  const connecting = connect(url);
  // Sending reports a failure.
  connecting.catch(() => undefined);
  return {
    async send(tasks, timeoutMs = SEND_MS) {
      if (tasks.length === 0) return;
      await callVendor(timeoutMs, async () => {
        const sqs = await connecting;
        const batches = Array.from({ length: Math.ceil(tasks.length / BATCH_SIZE) }, (_, index) =>
          tasks.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
        );
        await inLanes(batches, PARALLEL_BATCHES, (batch) => sendBatch(sqs, url, batch));
      });
    },
  };
}

async function sendBatch(sqs: SQSClient, url: string, tasks: readonly Task[]): Promise<void> {
  const { SendMessageBatchCommand } = await import("@aws-sdk/client-sqs");
  let entries = tasks.map((task, index) => ({ Id: String(index), MessageBody: JSON.stringify(task) }));
  for (let attempt = 1; ; attempt += 1) {
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }));
    if (Failed.length === 0) return;
    if (attempt === MAX_ATTEMPTS) throw new Error(`${Failed.length} messages were not accepted.`);
    const failed = new Set(Failed.map(({ Id }) => Id));
    entries = entries.filter(({ Id }) => failed.has(Id));
    await pause(RETRY_MS * attempt);
  }
}

async function connect(url: string): Promise<SQSClient> {
  const { SQSClient } = await import("@aws-sdk/client-sqs");
  return new SQSClient({
    endpoint: new URL(url).origin,
    // The address of a queue has its region; another server that speaks the protocol ignores it.
    region: /\/\/sqs\.([a-z0-9-]+)\./.exec(url)?.[1] ?? "us-east-1",
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without this the SDK only logs a warning after the timeout, and continues to wait.
      throwOnRequestTimeout: true,
    },
  });
}
