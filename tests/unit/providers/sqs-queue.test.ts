import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Task } from "#core/work/tasks";
import { queueHandler } from "#lambda/queue-handler";
import { sqsQueue } from "#providers/queue";
import { type QueueStandIn, startQueue } from "#tests/queue";
import { subscribe } from "#tests/subscriber";

const VISIBILITY_MS = 200;
const MAX_RECEIVES = 3;
let service: QueueStandIn;

beforeAll(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
});
afterAll(() => void vi.unstubAllEnvs());
beforeEach(async () => {
  service = await startQueue({ visibilityMs: VISIBILITY_MS, maxReceives: MAX_RECEIVES });
});
afterEach(() => service.stop());

const queue = () => sqsQueue(service.queueUrl);
const tasksOf = (count: number): Task[] =>
  Array.from({ length: count }, (_, day) => ({
    name: "mosaic",
    date: new Date(day * 86_400_000).toISOString().slice(0, 10),
  }));

/** Receives messages until the queue is empty. Returns the bodies that were given to `work`, in their order. */
async function drain(work: (body: string) => Promise<unknown> = async () => undefined): Promise<string[]> {
  const seen: string[] = [];
  const handler = queueHandler((body) => {
    seen.push(body);
    return work(body);
  });
  await subscribe(service.queueUrl, handler, () => service.size() === 0);
  return seen;
}
const bodiesOf = (tasks: readonly Task[]) => tasks.map((task) => JSON.stringify(task)).toSorted();

describe("sending tasks", () => {
  it.each([0, 1, 10, 11, 137])("queues each of %i tasks once", async (count) => {
    const tasks = tasksOf(count);
    await queue().send(tasks);
    expect(service.size()).toBe(count);
    expect((await drain()).toSorted()).toEqual(bodiesOf(tasks));
  });

  it("repeats only the entries of a batch that were refused", async () => {
    const tasks = tasksOf(15);
    service.faults.refusedEntries = 7;
    await queue().send(tasks);
    expect((await drain()).toSorted()).toEqual(bodiesOf(tasks));
  });

  it("repeats a call that failed", async () => {
    service.faults.failedCalls = 1;
    await queue().send(tasksOf(3));
    expect(service.size()).toBe(3);
  });

  it("fails if entries are refused again and again", async () => {
    service.faults.refusedEntries = 100;
    await expect(queue().send(tasksOf(2))).rejects.toMatchObject({ code: "provider.failed" });
  });

  it("fails if the queue does not respond in time", async () => {
    const silent = sqsQueue("http://192.0.2.1:9/000000000000/tasks");
    await expect(silent.send([{ name: "push" }], 50)).rejects.toMatchObject({ code: "provider.failed" });
  });
});

describe("a subscriber", () => {
  it("gets a message again after its visibility timeout if it fails, and not if it succeeds", async () => {
    await queue().send(tasksOf(2));
    let failures = 0;
    const seen = await drain(async (body) => {
      if (!body.includes("1970-01-02") || failures > 0) return;
      failures += 1;
      throw new Error("The task failed.");
    });
    expect(seen.filter((body) => body.includes("1970-01-01"))).toHaveLength(1);
    expect(seen.filter((body) => body.includes("1970-01-02"))).toHaveLength(2);
    expect(service.deadLetters).toEqual([]);
  });

  it("finds a message that always fails among the dead letters", async () => {
    await queue().send(tasksOf(1));
    const seen = await drain(() => Promise.reject(new Error("The task fails.")));
    expect(seen).toHaveLength(MAX_RECEIVES);
    expect(service.deadLetters).toEqual(bodiesOf(tasksOf(1)));
  });

  it("may get a message twice", async () => {
    service.faults.duplicates = 1;
    await queue().send(tasksOf(2));
    expect(await drain()).toHaveLength(3);
  });

  it.each([
    { recursiveLoop: "Terminate", links: 16 },
    { recursiveLoop: "Allow", links: 20 },
  ] as const)(
    "is invoked $links times by a chain of 20 messages that queue each other: $recursiveLoop",
    async ({ recursiveLoop, links }) => {
      await service.stop();
      service = await startQueue({ visibilityMs: 60_000, maxReceives: MAX_RECEIVES, recursiveLoop });
      const [first, ...others] = tasksOf(20);
      await queue().send(first === undefined ? [] : [first]);
      const seen = await drain(() => queue().send(others.splice(0, 1)));
      expect(seen).toEqual(bodiesOf(tasksOf(links)));
      expect(service.deadLetters).toEqual(bodiesOf(tasksOf(20)).slice(links, 17));
    },
  );
});
