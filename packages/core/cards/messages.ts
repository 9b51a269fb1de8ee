import { KEPT_DAYS } from "../retention.ts";
import { ABOUT_NO_ONE, type Cards, LEFT } from "./card.ts";

const NOTIFICATIONS = { what: "Notifications, devices that get pushes", seenBy: "the person" };

/** Notifications, their delivery to devices, and mail. */
export const MESSAGE_TABLES = {
  "nectar.notifications": {
    about: NOTIFICATIONS,
    users: { select: "owner", update: "owner" },
    exported: { notifications: "all" },
    left: { [LEFT.derived]: ["user_id", "room_id"], [LEFT.others]: ["caused_by"] },
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
    exported: {
      notification_settings: {
        as: {
          quiet_start: "quiet_hours.start",
          quiet_end: "quiet_hours.end",
          reminder_time: "journal_reminder.time",
          reminder_weekdays: "journal_reminder.weekdays",
          reminder_only_if_not_written: "journal_reminder.only_if_not_written",
        },
      },
    },
    left: { [LEFT.derived]: ["user_id"], [LEFT.internal]: ["reminded_on", "reminder_due_at"] },
    erased: "by cascade",
    grows: "with people",
  },
  "nectar.push_subscriptions": {
    about: NOTIFICATIONS,
    users: { select: "owner", delete: "owner" },
    exported: { devices: "all" },
    exportedAs: "rows",
    left: { [LEFT.derived]: ["user_id"], [LEFT.secret]: ["auth", "endpoint", "p256dh", "token"] },
    erased: "by cascade",
    grows: "with people",
  },
  "private.push_deliveries": {
    about: NOTIFICATIONS,
    left: LEFT.internal,
    erased: "by cascade",
    // Nothing is pushed after a day.
    kept: [{ what: "Deliveries of pushes", days: 7, since: "created_at", key: ["notification_id", "subscription_id"] }],
    grows: "with time",
  },
  "private.push_holds": {
    ...ABOUT_NO_ONE,
    grows: "few rows",
  },
  "private.email_messages": {
    about: { what: "Mails sent: recipient, subject, result; no text", seenBy: "the sender; admins see numbers" },
    users: { select: "owner" },
    exported: { email_messages: { as: { recipient: "to", state: "status" } } },
    left: {
      [LEFT.derived]: ["user_id", "recipient_hash"],
      [LEFT.internal]: ["delivery_at", "delivery_is_verified", "erased_hash", "provider_id", "request"],
    },
    erased: "by cascade",
    stays: `The hash of their address in mails that others sent to it, until those are ${KEPT_DAYS.sentMails} days old`,
    // Quotas count the mails of a day, and events of a delivery arrive for a few days.
    kept: [{ what: "Mails sent", days: KEPT_DAYS.sentMails, since: "created_at" }],
    grows: "with time",
  },
  "private.email_suppressions": {
    about: { what: "Addresses that get no more mail, as a hash", seenBy: "no one" },
    left: LEFT.internal,
    erased: "kept",
    stays: "The hash of an address that must get no more mail",
    grows: "with time, for jobs",
  },
  // Deleted before its events: an event that arrives again would otherwise count as new, although its mail is stored.
  "private.email_received": {
    about: { what: "Mails received by the service", seenBy: "admins" },
    left: "It is mail to the service, which its sender has.",
    erased: { by: "private.delete_mail_of_address, for a confirmed address" },
    kept: [{ what: "Mails received", days: KEPT_DAYS.receivedMails, since: "created_at" }],
    grows: "with time",
  },
  "private.email_events": {
    ...ABOUT_NO_ONE,
    kept: [
      {
        what: "What the mail provider reported about a mail",
        days: 30,
        since: "created_at",
        key: ["id", "is_verified"],
      },
    ],
    grows: "with time, for jobs",
  },
  "private.email_policy": {
    ...ABOUT_NO_ONE,
    grows: "few rows",
  },
} as const satisfies Cards;
