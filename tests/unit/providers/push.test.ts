import { createECDH, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { LOCAL_PUSH_KEYS } from "#local/stand-ins/vendors";
import { listenLocally } from "#local/support/listen";
import type { PushOutcome } from "#providers/push";
import { readRetryAfter } from "#providers/retry-after";
import { type WebPushOptions, webPush } from "#providers/web-push";

const keys = {
  ...LOCAL_PUSH_KEYS,
  subject: "mailto:push@example.test",
  extraOrigins: [],
  clock: { now: () => new Date() },
};
const p256dh = createECDH("prime256v1").generateKeys("base64url");
const auth = randomBytes(16).toString("base64url");

describe("an endpoint that we call", () => {
  const { accepts } = webPush(keys);
  it.each([
    "https://fcm.googleapis.com/fcm/send/x",
    "https://FCM.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:443/fcm/send/x",
    "https://updates.push.services.mozilla.com/wpush/v2/x",
    "https://jmt17.google.com/fcm/send/x",
    "https://web.push.apple.com/x",
    "https://wns2-by3p.notify.windows.com/w/?token=x",
  ])("is %s", (endpoint) => {
    expect(accepts(endpoint)).toBe(true);
  });

  it.each([
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:8443/fcm/send/x",
    "https://user@fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com@127.0.0.1/x",
    "https://fcm.googleapis.com./fcm/send/x",
    "https://fcm.googleapis.com.example.test/x",
    "https://evil-fcm.googleapis.com/x",
    "https://fcm.googleapis.com%2eexample.test/x",
    "https://example.test/https://fcm.googleapis.com/",
    "https://example.test#@fcm.googleapis.com/",
    "https://example.test\\@fcm.googleapis.com/",
    "https://notify.windows.com.example.test/",
    "https://notify.windows.com/x",
    "https://push.apple.com.example.test/x",
    "https://127.0.0.1/",
    "https://localhost/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]:5432/",
    "file:///etc/passwd",
    "gopher://fcm.googleapis.com/",
    "not an address",
    "//fcm.googleapis.com/",
    "",
  ])("is not %s", (endpoint) => {
    expect(accepts(endpoint)).toBe(false);
  });

  it("may have a configured origin, and no other", () => {
    const own = webPush({ ...keys, extraOrigins: ["https://push.example.test"] });
    expect(own.accepts("https://push.example.test/x")).toBe(true);
    expect(own.accepts("https://push.example.test:8443/x")).toBe(false);
    expect(own.accepts("https://push.example.test1/x")).toBe(false);
    expect(own.accepts("http://push.example.test/x")).toBe(false);
    expect(own.accepts("https://user:word@push.example.test/x")).toBe(false);
  });
});

describe("the result of a message", () => {
  it.each([
    [200, "sent"],
    [201, "sent"],
    [301, "refused"],
    [307, "refused"],
    [400, "refused"],
    [401, "unavailable"],
    [403, "unavailable"],
    [404, "gone"],
    [410, "gone"],
    [413, "refused"],
    [429, "unavailable"],
    [500, "unavailable"],
    [503, "unavailable"],
  ] as const)("with the status %i is %s", async (status, expected) => {
    expect(await sent(status)).toEqual({ outcome: expected, requests: ["/push/x"] });
  });

  it("with wrong keys of our own is unavailable, so that no device is lost", async () => {
    expect(await sent(201, { privateKey: "too short" })).toEqual({ outcome: "unavailable", requests: [] });
    expect(await sent(201, { subject: "no address" })).toEqual({ outcome: "unavailable", requests: [] });
  });

  it("to an origin that is no longer configured is gone", async () => {
    expect(await sent(201, { extraOrigins: [] })).toEqual({ outcome: "gone", requests: [] });
  });
});

describe("a wait that a vendor asks for", () => {
  const now = new Date("2026-11-18T12:00:00.500Z");
  it.each([
    ["60", 60_000],
    [" 5 ", 5_000],
    ["Wed, 18 Nov 2026 12:01:00 GMT", 59_500],
    ["999999999999", 86_400_000],
    ["Wed, 18 Nov 2026 11:59:00 GMT", null],
    ["0", null],
    ["-3", null],
    ["soon", null],
    ["Soon, or later", null],
    [undefined, null],
  ])("of %s is %s milliseconds", (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });
});

/** Sends a message to a push service that responds with a status and, for a redirect, its own address. */
async function sent(
  status: number,
  change: Partial<WebPushOptions> = {},
): Promise<{ outcome: PushOutcome; requests: (string | undefined)[] }> {
  const requests: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url);
    response.writeHead(status, { location: "/elsewhere" }).end();
  });
  const service = await listenLocally(server, 0, "The push service");
  try {
    const origin = `http://127.0.0.1:${service.port}`;
    const push = webPush({ ...keys, extraOrigins: [origin], ...change });
    const { outcome } = await push.send({
      target: { service: "web", endpoint: `${origin}/push/x`, p256dh, auth },
      notification: { id: "1", type: "drop_received", title: "Title", body: "Body", data: {} },
      topic: "topic",
      ttlSeconds: 60,
      isUrgent: false,
      unread: 0,
      timeoutMs: 5_000,
    });
    return { outcome, requests };
  } finally {
    service.kill();
    await service.stop();
  }
}
