import { createHash } from "node:crypto";
import { LOCAL_APNS } from "../stand-ins/vendors.ts";
import { idOf, type Past } from "./past.ts";
import { insertRows } from "./rows.ts";

/** The demo user's phone, which the local push service knows as well. */
export const DEMO_PHONE = {
  service: "apns",
  token: createHash("sha256").update("Robin's phone").digest("hex"),
} as const;

/**
 * Writes how the demo user wants to be reached: quiet at night, reminded to write on working days, in the team's chat, and
 * on a phone.
 */
export async function writeNotificationSettings(past: Past): Promise<void> {
  await insertRows(past.client, "nectar.notification_settings", ["demo"], (person) => ({
    user_id: idOf(past, person),
    push: { badge_earned: false, team_message: true },
    quiet_start: "23:00",
    quiet_end: "07:00",
    reminder_time: "21:00",
    reminder_weekdays: [1, 2, 3, 4, 5],
    reminder_only_if_not_written: true,
  }));
  await insertRows(past.client, "nectar.push_subscriptions", ["demo"], (person) => ({
    user_id: idOf(past, person),
    ...DEMO_PHONE,
    app: LOCAL_APNS.apps[0],
  }));
}
