import { notificationText } from "#core/people/notification-texts";
import type { Delivery } from "./outbox.ts";

/**
 * The JSON text that a device gets: `{id, type, title, body, data}`. Push services limit the encrypted message to 4,096
 * bytes; this has at most 3 KB, because the database limits `data` to 1 KB, and title and body repeat no more than that.
 * A repeated message has the same `id`, so that a device shows it once.
 */
export function payloadOf({ notification_id: id, type, data }: Pick<Delivery, "notification_id" | "type" | "data">) {
  return JSON.stringify({ id, type, ...notificationText(type, data), data });
}

/**
 * The topic under which a push service stores a message for an offline device. A repeated message has the same topic and
 * replaces the first one. 22 characters of base64url.
 */
export function topicOf(notificationId: string): string {
  return Buffer.from(notificationId.replaceAll("-", ""), "hex").toString("base64url");
}
