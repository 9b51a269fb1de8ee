import { createECDH, createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { DEMO_SECRETS } from "#config/demo-secrets";
import { unsubscribeToken } from "#core/people/unsubscribe-token";
import { stableId } from "#local/demo/rows";
import { LOCAL_APNS } from "#local/stand-ins/vendors";
import { svixHeaders } from "#local/stand-ins/webhooks";
import { query } from "#tests/people";
import { textAt } from "../recorder.ts";
import type { Stop } from "../stop.ts";

// Accounts and how they are reached.

export async function visitUser({ call, options, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("readProfile", { token });
  await call("updateProfile", {
    token,
    body: { full_name: "Robin Vale", preferences: { theme: "dark", notifications: true } },
  });
  await call("readUsage", { token });
  await call("readAccessLog", { token });
  await call("listAiUses", { token, query: { limit: "3" } });
  await call("readErasure", { token });
  await call("deleteAccount", { token, body: { confirm: "DELETE", when: "scheduled" } });
  await call("restoreAccount", { token });
  const asked = await call("createExport", { token });
  const params = { id: textAt(asked, "export.id") };
  const isPending = () => query(options.adminUrl, "select from nectar.exports where status = 'pending'");
  while ((await isPending()).length > 0) await pause(100);
  await call("listExports", { token });
  await call("readExport", { token, params });
  await call("deleteExport", { token, params });
  const created = await call("createToken", {
    token,
    body: { name: "My phone", scopes: ["journal:write", "goals:read"], expires_in_days: 30 },
  });
  await call("listTokens", { token });
  await call("deleteToken", { token, params: { id: textAt(created, "token.id") } });
}

export async function visitUsers({ call, person }: Stop): Promise<void> {
  const [{ token }, hana] = [await person("demo"), await person("hana")];
  await call("findUsers", { token, query: { q: "her" } });
  await call("readUser", { token, params: { id: hana.id } });
}

export async function visitNotifications({ call, person, options }: Stop): Promise<void> {
  const { token } = await person("demo");
  const listed = await call("listNotifications", { token });
  await call("markNotificationRead", { token, params: { id: textAt(listed, "notifications.0.id") } });
  await call("markAllNotificationsRead", { token });
  await call("readNotificationSettings", { token });
  await call("updateNotificationSettings", {
    token,
    body: {
      push: { badge_earned: false, team_message: true },
      quiet_hours: { start: "22:00", end: "07:00" },
      journal_reminder: { time: "20:30", weekdays: [1, 2, 3, 4, 5], only_if_not_written: true },
    },
  });
  await call("readPushKey", { token });
  // The keys of a device, the same in every recording.
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(createHash("sha256").update("device of the examples").digest());
  const endpoint = `${options.pushUrl}/push/${stableId("device of the examples")}`;
  const keys = { p256dh: ecdh.getPublicKey("base64url"), auth: Buffer.alloc(16, "example").toString("base64url") };
  await call("createPushSubscription", { token, body: { endpoint, keys } });
  await call("deletePushSubscription", { token, body: { endpoint } });
  const phone = { service: "apns", token: createHash("sha256").update("phone of the examples").digest("hex") };
  const stored = await call("createDevice", { token, body: { ...phone, app: LOCAL_APNS.apps[0] } });
  await call("listDevices", { token });
  await call("deleteDevice", { token, params: { id: textAt(stored, "device.id") } });
  await call("createDevice", { token, body: phone });
  await call("deleteDeviceByToken", { token, body: phone });
}

export async function visitSafety({ call, person }: Stop): Promise<void> {
  const [{ token }, tomas] = [await person("demo"), await person("tomas")];
  await call("createBlock", { token, body: { user_id: tomas.id } });
  await call("listBlocks", { token });
  await call("deleteBlock", { token, params: { userId: tomas.id } });
  const report = await call("createReport", {
    token,
    body: {
      target_type: "user",
      target_id: tomas.id,
      reason: "impersonation",
      details: "This is not the Tomás I know.",
    },
  });
  await call("listReports", { token });
  const { token: admin } = await person("admin");
  await call("listReceivedReports", { token: admin, query: { status: "open" } });
  const decided = await call("decideReport", {
    token: admin,
    params: { id: textAt(report, "report.id") },
    body: { decision: "warn", reason: "Please use your own name, so that others know who you are." },
  });
  const appeal = await call("createAppeal", {
    token: tomas.token,
    params: { id: textAt(decided, "decision.id") },
    body: { reason: "Tomás is my own name; there are two of us." },
  });
  await call("listReceivedAppeals", { token: admin, query: { status: "open" } });
  await call("decideAppeal", {
    token: admin,
    params: { id: textAt(appeal, "appeal.id") },
    body: { decision: "reverse", answer: "You are right, and we took the warning back." },
  });
  await call("listModerationDecisions", { token: tomas.token });
}

export async function visitEmail({ call, person, options }: Stop): Promise<void> {
  const [{ token }, maya] = [await person("demo"), await person("maya")];
  const sent = await call("sendEmail", {
    token,
    body: { to: maya.email, subject: "The ferry app", text: "The new build is ready to try." },
  });
  const listed = await call("listEmailMessages", { token });
  await call("readEmailMessage", { token, params: { id: textAt(listed, "messages.0.id") } });
  const event = {
    type: "email.delivered",
    created_at: new Date().toISOString(),
    data: { email_id: textAt(sent, "message_id"), to: [maya.email], subject: "The ferry app" },
  };
  const headers = svixHeaders(JSON.stringify(event), options.mailSecret);
  await call("receiveEmailEvent", { body: event, headers });
  const query = { token: unsubscribeToken(maya.email, DEMO_SECRETS.EMAIL_UNSUBSCRIBE_SECRET) };
  await call("readUnsubscribePage", { query });
  await call("unsubscribeEmail", { query });
  await call("deleteEmailSuppression", { token: maya.token });
}
