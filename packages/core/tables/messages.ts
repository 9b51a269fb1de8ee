import { KEPT_DAYS } from "../retention.ts";
import { aboutNoOne, type Card, LEFT } from "./card.ts";

const NOTIFICATIONS = { what: "Notifications, devices that get pushes", seenBy: "the person" };

/** Notifications, their delivery to devices, and mail. */
export const MESSAGE_TABLES = {
  "nectar.notifications": {
    about: NOTIFICATIONS,
    users: { select: "owner", update: "owner" },
    chosen: { update: "read_at" },
    service: { select: "created_at id read_at", delete: "*" },
    exported: { notifications: "id type data created_at read_at" },
    left: { [LEFT.derived]: "user_id room_id", [LEFT.others]: "caused_by" },
    erased: "by cascade",
    stays: "Notifications of others about what they did, with ids and without their name",
    kept: [
      { what: "Notifications", days: 180, since: "read_at" },
      { what: "Notifications", days: 400, since: "created_at", without: "read_at" },
    ],
    grows: "with time",
  },
  "nectar.notification_settings": {
    about: {
      what: "Address, settings, time zone, balance, role",
      seenBy: "the person; admins see address, balance and role",
    },
    users: { select: "owner", insert: "signed in", update: "owner" },
    chosen: {
      insert: "push quiet_end quiet_start reminder_only_if_not_written reminder_time reminder_weekdays",
      update: "push quiet_end quiet_start reminder_only_if_not_written reminder_time reminder_weekdays",
    },
    exported: {
      notification_settings:
        "push quiet_start>quiet_hours.start quiet_end>quiet_hours.end reminder_time>journal_reminder.time reminder_weekdays>journal_reminder.weekdays reminder_only_if_not_written>journal_reminder.only_if_not_written",
    },
    left: { [LEFT.derived]: "user_id", [LEFT.internal]: "reminded_on reminder_due_at" },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.push_subscriptions": {
    about: NOTIFICATIONS,
    users: { select: "owner", delete: "owner" },
    exported: { devices: "id endpoint created_at renewed_at" },
    exportedAs: "rows",
    left: { [LEFT.derived]: "user_id", [LEFT.secret]: "auth p256dh" },
    erased: "by cascade",
    grows: "with people",
  },
  "private.push_deliveries": {
    about: NOTIFICATIONS,
    service: { select: "*", delete: "*" },
    left: {
      [LEFT.internal]:
        "notification_id subscription_id attempts next_attempt_at outcome waited_until created_at finished_at",
    },
    erased: "by cascade",
    // Nothing is pushed after a day.
    kept: [{ what: "Deliveries of pushes", days: 7, since: "created_at", key: "notification_id subscription_id" }],
    grows: "with time",
  },
  "private.email_messages": {
    about: { what: "Mails sent: recipient, subject, result; no text", seenBy: "the sender; admins see numbers" },
    users: { select: "owner" },
    service: {
      select: "created_at delivery delivery_is_verified id provider_id recipient_hash",
      update: "delivery delivery_at delivery_is_verified updated_at",
      delete: "*",
    },
    exported: { email_messages: "id recipient>to subject state>status delivery created_at updated_at" },
    left: {
      [LEFT.derived]: "user_id recipient_hash",
      [LEFT.internal]: "delivery_at delivery_is_verified erased_hash provider_id request",
    },
    erased: "by cascade",
    stays: `The hash of their address in mails that others sent to it, until those are ${KEPT_DAYS.sentMails} days old`,
    // Quotas count the mails of a day, and events of a delivery arrive for a few days.
    kept: [{ what: "Mails sent", days: KEPT_DAYS.sentMails, since: "created_at" }],
    grows: "with time",
  },
  "private.email_suppressions": {
    about: { what: "Addresses that get no more mail, as a hash", seenBy: "no one" },
    service: {
      select: "address_hash event_id reason",
      insert: "address_hash event_id reason",
      update: "event_id reason",
    },
    left: { [LEFT.internal]: "address_hash reason created_at event_id" },
    erased: "kept",
    stays: "The hash of an address that must get no more mail",
    grows: "with time, for jobs",
  },
  // Deleted before its events: an event that arrives again would otherwise count as new, although its mail is stored.
  "private.email_received": {
    about: { what: "Mails received by the service", seenBy: "admins" },
    service: {
      select: "*",
      insert: "content_attempts content_due_at event_id is_verified provider_id recipients sender subject",
      update: "body_html body_text content_attempts content_due_at content_fetched_at recipients sender subject",
      delete: "*",
    },
    left: {
      "It is mail to the service, which its sender has.":
        "id event_id provider_id is_verified sender recipients subject body_text body_html created_at content_attempts content_due_at content_fetched_at",
    },
    erased: { by: "private.delete_mail_of_address, for a confirmed address" },
    kept: [{ what: "Mails received", days: KEPT_DAYS.receivedMails, since: "created_at" }],
    grows: "with time",
  },
  "private.email_events": {
    ...aboutNoOne("id type is_verified created_at"),
    service: { select: "created_at id is_verified", insert: "id is_verified type", delete: "*" },
    kept: [
      { what: "What the mail provider reported about a mail", days: 30, since: "created_at", key: "id is_verified" },
    ],
    grows: "with time, for jobs",
  },
  "private.email_policy": {
    ...aboutNoOne("is_only recipient_policy"),
    service: { select: "*", update: "recipient_policy" },
    grows: "few rows",
  },
} as const satisfies Readonly<Record<string, Card>>;
