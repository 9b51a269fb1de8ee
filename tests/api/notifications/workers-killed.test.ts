import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { BATCH_SIZE } from "#notifications/deliver";
import { sqsQueue } from "#providers/queue";
import { useDatabase } from "#tests/database";
import { LONG } from "#tests/long";
import { countMessages, notifyCrowd } from "#tests/push-crowd";
import { startQueue } from "#tests/queue";
import { startWorkers } from "#tests/workers";
import { usePush } from "./notifying.ts";

const { service, environment } = await usePush();
const database = useDatabase();
/** Each has a device of each of three services. */
const PEOPLE = LONG ? 334 : 20;
const NOTIFICATIONS = LONG ? 10 : 5;
const DELIVERIES = PEOPLE * 3 * NOTIFICATIONS;
const WORKERS = LONG ? 4 : 2;
const KILLS = LONG ? 20 : 2;

beforeAll(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
});
afterAll(() => void vi.unstubAllEnvs());

it("all pushes arrive over three services although workers are killed, and twice only what was claimed twice", async ({
  signal,
}) => {
  await notifyCrowd(database.adminUrl, service, PEOPLE, NOTIFICATIONS);
  const queue = await startQueue({ visibilityMs: 60_000, maxReceives: 50 });
  const messages = countMessages(service);
  const pending = () => database.query`select from private.push_deliveries where finished_at is null limit 1`;
  try {
    for (let kill = 1; kill <= KILLS + 1; kill += 1) {
      await sqsQueue(queue.queueUrl).send(Array.from({ length: WORKERS }, () => ({ name: "push" })));
      const workers = startWorkers(WORKERS, {
        queueUrl: queue.queueUrl,
        environment: { ...environment, DATABASE_URL: database.apiUrl, TASK_QUEUE_URL: queue.queueUrl },
        clock: { now: () => new Date() },
      });
      try {
        if (kill <= KILLS) {
          while (messages.total() < (DELIVERIES * kill) / (KILLS + 1)) await pause(5, null, { signal });
          await pause(Math.random() * 50);
        } else {
          while ((await pending()).length > 0) await pause(50, null, { signal });
        }
      } finally {
        await workers.stop();
      }
      // As if the minute of their claims were over.
      await database.query`update private.push_deliveries set next_attempt_at = now() where finished_at is null`;
    }
  } finally {
    await queue.stop();
  }
  const received = messages.total();
  const deliveries = await messages.deliveries(database.adminUrl);
  expect(deliveries).toHaveLength(DELIVERIES);
  const isRight = (one: (typeof deliveries)[number]) =>
    one.outcome === "sent" && one.received >= 1 && one.received <= one.attempts;
  expect(deliveries.filter((one) => !isRight(one))).toEqual([]);
  expect(received).toBe(deliveries.reduce((sum, one) => sum + one.received, 0));
  const claimedAgain = deliveries.reduce((sum, { attempts }) => sum + attempts - 1, 0);
  expect(claimedAgain).toBeLessThanOrEqual(KILLS * WORKERS * BATCH_SIZE);
});
