import { type NotificationType, notificationText } from "#core/people/notification-texts";
import type { PushMessage, PushTarget } from "#providers/push";
import type { Delivery } from "./outbox.ts";

/** What cannot wait until a phone is picked up. */
const URGENT_TYPES: ReadonlySet<NotificationType> = new Set([
  "baton_pass",
  "checkin_reminder",
  "chain_broken",
  "journal_reminder",
]);

/** The message that a device gets. A message that is sent again has the same `id`, so a device shows it once. */
export function messageOf(delivery: Delivery, timeoutMs: number): PushMessage {
  const { notification_id: id, type, data, seconds_left: ttlSeconds, unread } = delivery;
  const { title, body } = notificationText(type, data);
  return {
    target: targetOf(delivery),
    notification: { id, type, title, body, data },
    topic: topicOf(id),
    ttlSeconds,
    isUrgent: URGENT_TYPES.has(type),
    unread,
    timeoutMs,
  };
}

/**
 * The topic under which a push service stores a message for an offline device. A repeated message has the same topic and
 * replaces the first one. 22 characters of base64url.
 */
export function topicOf(notificationId: string): string {
  return Buffer.from(notificationId.replaceAll("-", ""), "hex").toString("base64url");
}

function targetOf({ service, endpoint, p256dh, auth, token, app }: Delivery): PushTarget {
  if (service === "web" && endpoint !== null && p256dh !== null && auth !== null) {
    return { service, endpoint, p256dh, auth };
  }
  if (service === "fcm" && token !== null) return { service, token };
  if (service === "apns" && token !== null && app !== null) return { service, token, app };
  throw new Error("The database stored a device without its address.");
}
