import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import { LENGTHS } from "#core/lengths.generated";
import { MAX_COUNTED_NOTIFICATIONS } from "#core/limits";
import { grouped } from "#core/text/numbers";
import { Uuid } from "#core/text/uuid";
import { ClockTime } from "#core/time/clock-time";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { NextCursor, pageFields, UnreadField } from "#http/response/paging";
import { readDeviceKey, readDeviceSecret } from "#notifications/device-keys";

export const NotificationId = Uuid.meta({ description: "The id of the notification." });

const Time = z.iso.datetime({ precision: 3 });

const OffByDefault = z.boolean().meta({ description: "false by default." });

/** Every type of notification, and whether it is pushed. */
const PushSettings = z.object({
  baton_pass: z.boolean(),
  checkin_reminder: z.boolean(),
  checkin_reviewed: z.boolean(),
  chain_broken: z.boolean(),
  chain_restored: z.boolean(),
  chain_update: z.boolean(),
  battle_update: z.boolean(),
  battle_progress: OffByDefault,
  battle_results: z.boolean(),
  weekly_stats: OffByDefault,
  drop_received: z.boolean(),
  badge_earned: z.boolean(),
  assistant_drop: z.boolean(),
  member_added: z.boolean(),
  invitation: z.boolean(),
  moderation: z.boolean(),
  export_ready: z.boolean(),
  journal_reminder: z.boolean(),
  team_message: OffByDefault,
  organization_received: z.boolean(),
  goal_update: OffByDefault,
  comment: z.boolean().meta({ description: "Only comments on what is yours are pushed." }),
  token_created: z.boolean(),
});
const NotificationType = PushSettings.keyof();

export const Notification = z
  .object({
    id: z.guid(),
    type: NotificationType.meta({
      description: "More types may be added: show a notification of a type that you do not know by its title and body.",
    }),
    title: z.string(),
    body: z.string(),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        "Ids of what it is about, and the names, dates and numbers in its title and body. They depend on the type: see the type `NotificationData` of `@nectar/client/notifications`.",
    }),
    created_at: Time,
    read_at: Time.nullable().meta({ description: "null until you mark it as read." }),
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof Notification>;

export const NotificationQuery = z.object({
  ...pageFields(),
  type: NotificationType.optional().meta({ description: "Only notifications of this type." }),
  unread: UnreadField,
});
export type NotificationQuery = z.output<typeof NotificationQuery>;

const QuietHours = z.object({ start: ClockTime, end: ClockTime });

const JournalReminder = z.object({
  time: ClockTime,
  weekdays: z.array(z.int().min(1).max(7)).meta({ description: "1 is Monday." }),
  only_if_not_written: z
    .boolean()
    .meta({ description: "Whether you are not reminded on a day on which you have already created an entry." }),
});

export const NotificationSettings = z
  .object({
    push: PushSettings.meta({
      description: "Whether notifications of a type are pushed to your devices. All are in the list in the app.",
    }),
    quiet_hours: QuietHours.nullable().meta({ description: "null if you have none." }),
    journal_reminder: JournalReminder.nullable().meta({ description: "null if you have none." }),
  })
  .meta({ id: "NotificationSettings" });
export type NotificationSettings = z.infer<typeof NotificationSettings>;

export const NotificationSettingsUpdate = atLeastOneField(
  z.object({
    push: z
      .strictObject(PushSettings.shape)
      .partial()
      .optional()
      .meta({ description: "Merged into your settings: the types that you leave out stay as they are." }),
    quiet_hours: QuietHours.refine(({ start, end }) => start !== end, "must have a start that differs from the end")
      .nullish()
      .meta({ description: "null removes them. They may pass midnight." }),
    journal_reminder: JournalReminder.extend({
      weekdays: JournalReminder.shape.weekdays
        .min(1)
        .max(7)
        .overwrite((weekdays) => [...new Set(weekdays)].sort()),
    })
      .nullish()
      .meta({ description: "null removes it." }),
  }),
).meta({ id: "NotificationSettingsUpdate" });
export type NotificationSettingsUpdate = z.output<typeof NotificationSettingsUpdate>;

const { app: APP, token: TOKEN } = LENGTHS.push_subscriptions;
const { max: MAX_ENDPOINT_BYTES } = LENGTHS.push_subscriptions.endpoint;

/** The address of a device at its push service. It is stored as it is, so the limit counts bytes. */
const Endpoint = z
  .string()
  .min(1)
  .max(MAX_ENDPOINT_BYTES, { abort: true })
  .refine(
    (text) => Buffer.byteLength(text) <= MAX_ENDPOINT_BYTES,
    `must have at most ${grouped(MAX_ENDPOINT_BYTES)} bytes in UTF-8`,
  )
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

/** The rules of the services for their tokens. */
const TOKENS = {
  fcm: { shape: /^[!-~]+$/, problem: "must be printable ASCII without spaces" },
  apns: { shape: /^([0-9a-f]{2}){32,100}$/i, problem: "must be an even number of 64 to 200 hex digits" },
};

const PhoneAddress = z.object({
  service: z
    .enum(ENUMS.push_service)
    .exclude(["web"])
    .meta({ description: "`fcm`: Firebase Cloud Messaging; `apns`: Apple Push Notification service." }),
  token: z
    .string()
    .min(TOKEN.min, { abort: true })
    .max(TOKEN.max, { abort: true })
    .meta({ description: "The registration token of FCM, or the device token of APNs in hex." }),
});

/** Refuses what is no token of its service, and writes the tokens of APNs in lower case. */
function withToken<Address extends z.ZodType<z.output<typeof PhoneAddress>>>(address: Address) {
  return address
    .superRefine(({ service, token }, context) => {
      const { shape, problem } = TOKENS[service];
      if (!shape.test(token)) context.addIssue({ code: "custom", path: ["token"], message: problem });
    })
    .overwrite((value) => (value.service === "apns" ? { ...value, token: value.token.toLowerCase() } : value));
}

export const DeviceAddress = withToken(PhoneAddress);

/** An app on a phone, as it registers at every start. */
export const NewDevice = withToken(
  PhoneAddress.extend({
    app: z
      .string()
      .min(APP.min)
      .max(APP.max)
      .regex(/^[A-Za-z0-9.-]*$/, "must be a bundle id: letters, digits, hyphens and dots")
      .optional()
      .meta({
        description:
          "The bundle id of the app, for `apns` only. If you leave it out, a new device gets the first app of the service, and a known device keeps its own.",
      }),
  }),
);
export type NewDevice = z.output<typeof NewDevice>;

export const DeviceId = Uuid.meta({ description: "The id of the device." });

export const Device = z
  .object({
    id: z.guid(),
    service: z.enum(ENUMS.push_service).meta({ description: "`web`: a browser." }),
    app: z.string().nullable().meta({ description: "The bundle id of an app on iOS; null for the other services." }),
    created_at: Time,
    renewed_at: Time.meta({ description: "When the device was stored for the last time." }),
  })
  .meta({ id: "Device" });

export const DeviceResponse = z.object({ device: Device });
export const DevicesResponse = z.object({ devices: z.array(Device), next_cursor: NextCursor });

export const NotificationsResponse = z.object({
  notifications: z.array(Notification),
  next_cursor: NextCursor,
  unread_count: z
    .int()
    .meta({ description: `Unread notifications of all pages, counted up to ${grouped(MAX_COUNTED_NOTIFICATIONS)}.` }),
});
export const NotificationResponse = z.object({ notification: Notification });
export const ReadAllResponse = z.object({
  message: z.string(),
  marked: z.int().meta({ description: "How many were marked as read by this call." }),
});
export const NotificationSettingsResponse = z.object({ settings: NotificationSettings });
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
