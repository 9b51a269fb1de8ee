import { answer } from "@nectar/http/answer";
import { configured } from "@nectar/http/configured";
import { createApp } from "@nectar/http/create-app";
import { cronRoute } from "@nectar/http/cron-route";
import { describe } from "@nectar/http/describe";
import { user } from "@nectar/http/guards";
import { MessageResponse } from "@nectar/http/message";
import { respondOnce } from "@nectar/http/respond";
import type { Services } from "@nectar/http/services";
import { idParam, json, query } from "@nectar/http/validate";
import { subscribeDevice, unsubscribeDevice } from "./devices.ts";
import { listNotifications, markAllRead, markRead } from "./notifications.ts";
import { retryPushes } from "./retries.ts";
import {
  NewPushSubscription,
  NotificationQuery,
  NotificationResponse,
  NotificationsResponse,
  PushKeyResponse,
  PushSubscriptionAddress,
  PushSubscriptionResponse,
  ReadAllResponse,
} from "./schema.ts";

/** What people are told, in the app and on their devices. */
export function notificationsApp(services: Services) {
  return createApp(services)
    .get(
      "/api/notifications",
      describe({ summary: "List one's notifications, newest first", response: NotificationsResponse }),
      user,
      query(NotificationQuery),
      async (c) => {
        const page = await c.var.asUser((tx) => listNotifications(tx, c.var.actor.userId, c.req.valid("query")));
        return answer(c, 200, page);
      },
    )
    .post(
      "/api/notifications/:id/read",
      describe({ summary: "Mark a notification as read", response: NotificationResponse, errors: [404, 409] }),
      user,
      idParam,
      (c) =>
        respondOnce(c, 200, async (tx) => ({
          notification: await markRead(tx, c.var.actor.userId, c.req.valid("param").id),
        })),
    )
    .post(
      "/api/notifications/read-all",
      describe({ summary: "Mark all of one's notifications as read", response: ReadAllResponse, errors: [409] }),
      user,
      (c) =>
        respondOnce(c, 200, async (tx) => ({
          message: "All notifications are read.",
          marked: await markAllRead(tx, c.var.actor.userId),
        })),
    )
    .get(
      "/api/notifications/push-key",
      describe({ summary: "Read the key that browsers subscribe with", response: PushKeyResponse, errors: [503] }),
      user,
      (c) => answer(c, 200, { public_key: configured(services.push).publicKey }),
    )
    .post(
      "/api/notifications/push-subscriptions",
      describe({
        summary: "Let a device be pushed to",
        description:
          "A device that subscribes again is renewed; one that another account used before is the caller's from now on. Of more than 20 devices those go that were not renewed for the longest time.",
        status: 201,
        response: PushSubscriptionResponse,
        errors: [409, 503],
      }),
      user,
      json(NewPushSubscription),
      (c) => {
        const push = configured(services.push);
        return respondOnce(c, 201, async (tx) => ({
          subscription: await subscribeDevice(tx, push, c.req.valid("json")),
        }));
      },
    )
    .delete(
      "/api/notifications/push-subscriptions",
      describe({ summary: "Let a device not be pushed to any more", response: MessageResponse, errors: [404] }),
      user,
      json(PushSubscriptionAddress),
      async (c) => {
        await c.var.asUser((tx) => unsubscribeDevice(tx, c.var.actor.userId, c.req.valid("json").endpoint));
        return answer(c, 200, { message: "The device was removed." });
      },
    )
    .post(...cronRoute(retryPushes, { summary: "Push what waits in the outbox (scheduled)" }));
}
