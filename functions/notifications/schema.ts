import { Uuid } from "@nectar/core/uuid";
import { NextCursor, pageFields, UnreadField } from "@nectar/http/paging";
import { readDeviceKey, readDeviceSecret } from "@nectar/notifications/device-keys";
import * as z from "zod";

export const NotificationId = Uuid.meta({ description: "The id of the notification." });

const Time = z.iso.datetime({ precision: 3 });

const NotificationType = z.enum([
  "baton_pass",
  "checkin_reminder",
  "checkin_reviewed",
  "chain_broken",
  "chain_restored",
  "chain_update",
  "battle_update",
  "battle_progress",
  "battle_results",
  "weekly_stats",
  "drop_received",
  "badge_earned",
  "assistant_drop",
  "member_added",
  "invitation",
  "moderation",
  "export_ready",
  "journal_reminder",
  "team_message",
]);

export const Notification = z
  .object({
    id: z.guid(),
    type: NotificationType,
    title: z.string(),
    body: z.string(),
    data: z.record(z.string(), z.unknown()).meta({ description: "Ids of what it is about; they depend on the type." }),
    created_at: Time,
    read_at: Time.nullable().meta({ description: "null until you mark it as read." }),
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof Notification>;

export const NotificationQuery = z.object({ ...pageFields(), unread: UnreadField });
export type NotificationQuery = z.output<typeof NotificationQuery>;

/** The address of a device at its push service. It is stored as it is, so the limit counts bytes. */
const Endpoint = z
  .string()
  .min(1)
  .max(2048, { abort: true })
  .refine((text) => Buffer.byteLength(text) <= 2048, "must have at most 2,048 bytes in UTF-8")
  .meta({ description: "The `endpoint` of the browser's PushSubscription." });

/** The subscription of a device, as `PushSubscription.toJSON()` returns it in a browser. */
export const NewPushSubscription = z.object({
  endpoint: Endpoint,
  keys: z.object({
    p256dh: read(readDeviceKey, "must be an uncompressed P-256 point in base64url"),
    auth: read(readDeviceSecret, "must be 16 bytes in base64url"),
  }),
});
export type NewPushSubscription = z.output<typeof NewPushSubscription>;

export const PushSubscriptionAddress = z.object({ endpoint: Endpoint });

export const NotificationsResponse = z.object({
  notifications: z.array(Notification),
  next_cursor: NextCursor,
  unread_count: z.int().meta({ description: "Unread notifications of all pages, counted up to 1,000." }),
});
export const NotificationResponse = z.object({ notification: Notification });
export const ReadAllResponse = z.object({
  message: z.string(),
  marked: z.int().meta({ description: "How many were marked as read by this call." }),
});
export const PushKeyResponse = z.object({
  public_key: z
    .string()
    .meta({ description: "The `applicationServerKey` for `PushManager.subscribe()`, in base64url." }),
});
export const PushSubscriptionResponse = z.object({
  subscription: z.object({ id: z.guid(), endpoint: z.string(), created_at: Time }).meta({ id: "PushSubscription" }),
});

function read(reader: (text: string) => string | null, problem: string) {
  return z
    .string()
    .max(200)
    .transform((text, context): string => {
      const value = reader(text);
      if (value !== null) return value;
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    })
    .meta({ type: "string", description: `The value ${problem}.` });
}
