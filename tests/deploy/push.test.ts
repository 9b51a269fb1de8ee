import { createECDH } from "node:crypto";
import { scheduledEvent } from "@nectar/deploy/scheduled-event";
import { type PushStandIn, startPush } from "@nectar/local/stand-ins/push";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SCHEDULES } from "../../functions/schedules.ts";
import { useDatabase } from "../support/database.ts";
import { asSuperuser, signUp } from "../support/people.ts";
import { CRON_SECRET, type RunningFunction, startFunction } from "./lambda.ts";

const database = useDatabase();
const pair = createECDH("prime256v1");
const vapid = { publicKey: pair.generateKeys("base64url"), privateKey: pair.getPrivateKey("base64url") };
let service: PushStandIn;
let notifications: RunningFunction;

beforeAll(async () => {
  service = await startPush({ publicKey: vapid.publicKey });
  notifications = await startFunction("notifications", database.apiUrl, {
    settings: { VAPID_PUBLIC_KEY: vapid.publicKey, PUSH_SERVICE_ORIGINS: service.url },
    secrets: { VAPID_PRIVATE_KEY: vapid.privateKey },
  });
});
afterAll(async () => {
  await notifications?.stop();
  await service?.stop();
});

it("the bundled function pushes with the library in its bundle", async () => {
  const person = await signUp(database.adminUrl);
  const { endpoint, keys } = service.newDevice();
  await asSuperuser(database.adminUrl, async (client) => {
    await client.query(
      "insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth) values ($1, $2, $3, $4)",
      [person.id, endpoint, keys.p256dh, keys.auth],
    );
    await client.query("select private.notify($1, 'badge_earned', 'A badge', 'You have earned it.')", [person.id]);
  });
  const schedule = SCHEDULES.find(({ group }) => group === "notifications");
  if (schedule === undefined) throw new Error("The job has no schedule.");
  const { statusCode, body } = await notifications.invoke(scheduledEvent(schedule, CRON_SECRET));
  expect([statusCode, JSON.parse(body)]).toEqual([
    200,
    { success: true, message: "done", results: { sent: 1, gone: 0, failed: 0, remaining: 0 } },
  ]);
  expect(service.messages.map(({ text }) => JSON.parse(text ?? "null"))).toMatchObject([{ title: "A badge" }]);
});
