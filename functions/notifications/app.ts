import { MAX_DEVICES } from "#core/limits";
import { userOrProgram } from "#http/access/guards";
import { endpoint, endpointInSteps } from "#http/endpoint/endpoint";
import { groupApp } from "#http/endpoint/group-app";
import { jobEndpoint } from "#http/jobs/job-endpoint";
import { MessageResponse } from "#http/response/message";
import { PageQuery } from "#http/response/paging";
import { configured } from "#http/services/configured";
import type { Services } from "#http/services/services";
import { listDevices, removeDevice, storeDevice, subscribeBrowser } from "./devices.ts";
import { listNotifications, markAllRead, markRead } from "./notifications.ts";
import { remindToWrite } from "./reminders.ts";
import { retryPushes } from "./retries.ts";
import {
  DeviceAddress,
  DeviceId,
  DeviceResponse,
  DevicesResponse,
  NewDevice,
  NewPushSubscription,
  NotificationId,
  NotificationQuery,
  NotificationResponse,
  NotificationSettingsResponse,
  NotificationSettingsUpdate,
  NotificationsResponse,
  PushKeyResponse,
  PushSubscriptionAddress,
  PushSubscriptionResponse,
  ReadAllResponse,
} from "./schema.ts";
import { readSettings, updateSettings } from "./settings.ts";

const TAKEN_OVER = `A device that another account used before becomes yours. If you have more than ${MAX_DEVICES} devices, those that were not renewed for the longest time are removed.`;

/** Notifications of the caller, how they want to be reached, and the devices that receive them as push messages. */
export function notificationsApp(services: Services) {
  return groupApp(services, "notifications", [
    endpoint(
      "GET /api/notifications",
      {
        id: "listNotifications",
        summary: "List your notifications",
        description: "Newest first.",
        guard: userOrProgram("notifications:read"),
        replica: "own",
        query: NotificationQuery,
        response: NotificationsResponse,
      },
      ({ tx, actor, query }) => listNotifications(tx, actor.userId, query),
    ),
    endpoint(
      "POST /api/notifications/:id/read",
      {
        id: "markNotificationRead",
        summary: "Mark a notification as read",
        description: "Marking it again keeps the first time.",
        guard: userOrProgram("notifications:write"),
        access: "write while suspended",
        params: { id: NotificationId },
        response: NotificationResponse,
        errors: ["notification.not_found"],
      },
      async ({ tx, actor, params }) => ({ notification: await markRead(tx, actor.userId, params.id) }),
    ),
    endpoint(
      "POST /api/notifications/read-all",
      {
        id: "markAllNotificationsRead",
        summary: "Mark all your notifications as read",
        guard: userOrProgram("notifications:write"),
        access: "write while suspended",
        response: ReadAllResponse,
      },
      async ({ tx, actor }) => ({
        message: "All notifications are read.",
        marked: await markAllRead(tx, actor.userId),
      }),
    ),
    endpoint(
      "GET /api/notifications/settings",
      {
        id: "readNotificationSettings",
        summary: "Read your notification settings",
        guard: userOrProgram("notifications:read"),
        replica: "own",
        response: NotificationSettingsResponse,
      },
      async ({ tx, actor }) => ({ settings: await readSettings(tx, actor.userId) }),
    ),
    endpoint(
      "PUT /api/notifications/settings",
      {
        id: "updateNotificationSettings",
        summary: "Update your notification settings",
        description:
          "`preferences.notifications: false` in your profile stops all pushes, whatever is set here.\n\nTimes are in your profile's time zone. A push that falls into your quiet hours is sent when they end; a `checkin_reminder` is not sent then, because it would be too late.\n\nYou are reminded to write at most once on a local date, at the time or some minutes after it. If the time is already over when you set the reminder, today's comes at once.",
        guard: userOrProgram("notifications:write"),
        body: NotificationSettingsUpdate,
        response: NotificationSettingsResponse,
      },
      async ({ tx, actor, body }) => ({ settings: await updateSettings(tx, actor.userId, body) }),
    ),
    endpointInSteps(
      "GET /api/notifications/push-key",
      {
        id: "readPushKey",
        summary: "Read the public key for push subscriptions",
        description: "Browsers need it to subscribe.",
        guard: userOrProgram("notifications:read"),
        response: PushKeyResponse,
        errors: ["provider.not_configured"],
      },
      async () => ({ public_key: configured(services.push.web).publicKey }),
    ),
    endpoint(
      "POST /api/notifications/push-subscriptions",
      {
        id: "createPushSubscription",
        summary: "Subscribe a browser to push notifications",
        description: `Subscribing again renews the subscription. ${TAKEN_OVER}`,
        guard: userOrProgram("notifications:write"),
        body: NewPushSubscription,
        status: 201,
        response: PushSubscriptionResponse,
        errors: ["push.unknown_service", "provider.not_configured"],
      },
      async ({ tx, body }) => ({ subscription: await subscribeBrowser(tx, services.push, body) }),
    ),
    endpoint(
      "DELETE /api/notifications/push-subscriptions",
      {
        id: "deletePushSubscription",
        summary: "Unsubscribe a browser from push notifications",
        guard: userOrProgram("notifications:write"),
        access: "write while suspended",
        body: PushSubscriptionAddress,
        response: MessageResponse,
        errors: ["push.subscription_not_found"],
      },
      ({ tx, actor, body }) => removeDevice(tx, actor.userId, body),
    ),
    endpoint(
      "GET /api/notifications/devices",
      {
        id: "listDevices",
        summary: "List your devices that get push notifications",
        description: "Browsers and phones, most recently renewed first.",
        guard: userOrProgram("notifications:read"),
        replica: "own",
        query: PageQuery,
        response: DevicesResponse,
      },
      ({ tx, actor, query }) => listDevices(tx, actor.userId, query),
    ),
    endpoint(
      "POST /api/notifications/devices",
      {
        id: "createDevice",
        summary: "Store a phone for push notifications",
        description: `Send the token at every start of the app: the same one again renews the device, with 200. ${TAKEN_OVER}`,
        guard: userOrProgram("notifications:write"),
        body: NewDevice,
        status: "201 or 200",
        response: DeviceResponse,
        errors: ["provider.not_configured"],
      },
      async ({ tx, body, existed }) => {
        const { device, isNew } = await storeDevice(tx, services.push, body);
        if (!isNew) existed();
        return { device };
      },
    ),
    endpoint(
      "DELETE /api/notifications/devices",
      {
        id: "deleteDeviceByToken",
        summary: "Remove the phone with a token",
        description: "Call it before the user signs out.",
        guard: userOrProgram("notifications:write"),
        access: "write while closing",
        body: DeviceAddress,
        response: MessageResponse,
        errors: ["push.subscription_not_found"],
      },
      ({ tx, actor, body }) => removeDevice(tx, actor.userId, body),
    ),
    endpoint(
      "DELETE /api/notifications/devices/:id",
      {
        id: "deleteDevice",
        summary: "Remove a device",
        description: "A browser or a phone, for example one that was lost.",
        guard: userOrProgram("notifications:write"),
        access: "write while closing",
        params: { id: DeviceId },
        response: MessageResponse,
        errors: ["push.subscription_not_found"],
      },
      ({ tx, actor, params }) => removeDevice(tx, actor.userId, params),
    ),
    jobEndpoint(remindToWrite, { id: "runJournalReminders", summary: "Send journal reminders (scheduled)" }),
    jobEndpoint(retryPushes, { id: "runPushDelivery", summary: "Deliver pending push notifications (scheduled)" }),
  ]);
}
