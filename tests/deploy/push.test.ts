import { afterAll, beforeAll, expect, it } from "vitest";
import { SCHEDULES } from "#functions/schedules";
import { scheduledEvent } from "#lambda/scheduled-event";
import type { PushStandIn } from "#local/stand-ins/push";
import { useDatabase } from "#tests/database";
import { CRON_SECRET, type RunningFunction, startFunction } from "./lambda.ts";
import { notifyNewPerson, startPushScene, titlesAt } from "./push-scene.ts";

const database = useDatabase();
let service: PushStandIn;
let notifications: RunningFunction;

beforeAll(async () => {
  const scene = await startPushScene();
  service = scene.service;
  notifications = await startFunction("notifications", database.apiUrl, scene);
});
afterAll(async () => {
  await notifications?.stop();
  await service?.stop();
});

it("the bundled function pushes with the library in its bundle", async () => {
  await notifyNewPerson(database.adminUrl, service);
  const schedule = SCHEDULES.find(({ group }) => group === "notifications");
  if (schedule === undefined) throw new Error("The job has no schedule.");
  const { statusCode, body } = await notifications.invoke(scheduledEvent(schedule, CRON_SECRET));
  expect([statusCode, JSON.parse(body)]).toEqual([
    200,
    { success: true, message: "done", results: { sent: 1, gone: 0, failed: 0, remaining: 0 } },
  ]);
  expect(titlesAt(service)).toEqual(["Time to write"]);
});
