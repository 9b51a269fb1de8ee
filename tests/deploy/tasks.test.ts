import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TASKS } from "#functions/groups";
import type { PushStandIn } from "#local/stand-ins/push";
import { useDatabase } from "#tests/database";
import { type Person, signUp } from "#tests/people";
import { type QueueStandIn, startQueue } from "#tests/queue";
import { missingVariables } from "./config-reads.ts";
import { functionUrlEvent } from "./function-url-event.ts";
import { type RunningFunction, startFunction } from "./lambda.ts";
import { notifyNewPerson, startPushScene, titlesAt } from "./push-scene.ts";

const database = useDatabase();
let service: PushStandIn;
let queue: QueueStandIn;
let tasks: RunningFunction;
let sender: RunningFunction;
let ada: Person;

beforeAll(async () => {
  const scene = await startPushScene();
  service = scene.service;
  queue = await startQueue({ visibilityMs: 60_000, maxReceives: 5 });
  const queueUrl = { TASK_QUEUE_URL: queue.queueUrl };
  tasks = await startFunction("tasks", database.apiUrl, { ...scene, settings: { ...scene.settings, ...queueUrl } });
  sender = await startFunction("encouragement-drops", database.apiUrl, { settings: queueUrl });
  ada = await signUp(database.adminUrl);
});
afterAll(async () => {
  await Promise.all([tasks?.stop(), sender?.stop()]);
  await Promise.all([queue?.stop(), service?.stop()]);
});

/** An event with messages as Lambda delivers them, with the fields that it adds. */
function queueEvent(...bodies: string[]) {
  return {
    Records: bodies.map((body, index) => ({
      messageId: `message-${index}`,
      receiptHandle: `receipt-${index}`,
      body,
      attributes: { ApproximateReceiveCount: "1" },
      messageAttributes: {},
      eventSource: "aws:sqs",
      eventSourceARN: "arn:aws:sqs:eu-central-1:000000000000:tasks",
      awsRegion: "eu-central-1",
    })),
  };
}

describe("the bundled subscriber", () => {
  it("contains all its imports but those that are installed beside it", () => {
    expect(tasks.bundle.missing).toEqual(TASKS.unbundledPackages);
  });

  it("reads only variables that the function is given, and notices others", () => {
    expect(missingVariables(tasks.bundle, TASKS.capabilities)).toEqual([]);
    const without = TASKS.capabilities.filter((capability) => capability !== "checkIns");
    expect(missingVariables(tasks.bundle, without)).toEqual(["CHECKIN_GRACE_MINUTES in functions/game/day-state.ts"]);
  });

  it("does a task", async () => {
    await notifyNewPerson(database.adminUrl, service);
    expect(await tasks.handle(queueEvent('{"name":"push"}'))).toEqual({ batchItemFailures: [] });
    expect(titlesAt(service)).toEqual(["Time to write"]);
  });

  it("reports messages that it could not finish, and no others", async () => {
    const bodies = ['{"name":"push"}', '{"name":"unknown"}', "no JSON"];
    expect(await tasks.handle(queueEvent(...bodies))).toEqual({
      batchItemFailures: [{ itemIdentifier: "message-1" }, { itemIdentifier: "message-2" }],
    });
  });
});

it("a bundled function wakes the subscriber with a message in the queue", async () => {
  const grace = await signUp(database.adminUrl);
  const { statusCode } = await sender.invoke(
    functionUrlEvent({
      method: "POST",
      path: "/api/encouragement-drops/send",
      headers: { authorization: `Bearer ${grace.token}`, "content-type": "application/json" },
      body: JSON.stringify({ recipient_id: ada.id, content: "Well done." }),
    }),
  );
  expect(statusCode).toBe(201);
  // The first message waits until the SDK is loaded, for which a loaded machine needs longer than the request waits.
  await expect.poll(() => queue.size()).toBe(1);
});
