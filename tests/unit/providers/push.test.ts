import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { LOCAL_PUSH_KEYS } from "@nectar/local/stand-ins/vendors";
import { type PushOutcome, type WebPushOptions, webPush } from "@nectar/providers/push";
import { describe, expect, it } from "vitest";

const keys = { ...LOCAL_PUSH_KEYS, subject: "mailto:push@example.test", extraOrigins: [] };
const p256dh = createECDH("prime256v1").generateKeys("base64url");
const auth = randomBytes(16).toString("base64url");

describe("an endpoint that we would call", () => {
  const { accepts } = webPush(keys);
  it.each([
    "https://fcm.googleapis.com/fcm/send/x",
    "https://FCM.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:443/fcm/send/x",
    "https://updates.push.services.mozilla.com/wpush/v2/x",
    "https://web.push.apple.com/x",
    "https://wns2-by3p.notify.windows.com/w/?token=x",
  ])("is %s", (endpoint) => {
    expect(accepts(endpoint)).toBe(true);
  });

  it.each([
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:8443/fcm/send/x",
    "https://user@fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com./fcm/send/x",
    "https://fcm.googleapis.com%2eexample.test/x",
    "https://example.test/https://fcm.googleapis.com/",
    "https://example.test#@fcm.googleapis.com/",
    "https://example.test\\@fcm.googleapis.com/",
    "https://notify.windows.com.example.test/",
    "https://127.0.0.1/",
    "https://localhost/",
    "ftp://fcm.googleapis.com/",
    "//fcm.googleapis.com/",
    "",
  ])("is not %s", (endpoint) => {
    expect(accepts(endpoint)).toBe(false);
  });

  it("may be at an origin that is configured, and at that one alone", () => {
    const own = webPush({ ...keys, extraOrigins: ["https://push.example.test"] });
    expect(own.accepts("https://push.example.test/x")).toBe(true);
    expect(own.accepts("https://push.example.test:8443/x")).toBe(false);
    expect(own.accepts("http://push.example.test/x")).toBe(false);
    expect(own.accepts("https://user:word@push.example.test/x")).toBe(false);
  });
});

describe("what becomes of a message", () => {
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
  ] as const)("that is answered with %i", async (status, expected) => {
    expect(await sent(status)).toEqual({ outcome: expected, asked: ["/push/x"] });
  });

  it("that our own keys do not fit is that it waits: nobody loses a device over it", async () => {
    expect(await sent(201, { privateKey: "too short" })).toEqual({ outcome: "unavailable", asked: [] });
    expect(await sent(201, { subject: "nobody" })).toEqual({ outcome: "unavailable", asked: [] });
  });

  it("to where we call nobody any more is that the device goes", async () => {
    expect(await sent(201, { extraOrigins: [] })).toEqual({ outcome: "gone", asked: [] });
  });
});

/** Sends a message to a push service that answers with a status and, redirecting, names itself as the place to go. */
async function sent(
  status: number,
  change: Partial<WebPushOptions> = {},
): Promise<{ outcome: PushOutcome; asked: (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status, { location: "/elsewhere" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("It listens on a port.");
    const origin = `http://127.0.0.1:${address.port}`;
    const push = webPush({ ...keys, extraOrigins: [origin], ...change });
    const outcome = await push.send({
      subscription: { endpoint: `${origin}/push/x`, p256dh, auth },
      payload: "{}",
      topic: "topic",
      ttlSeconds: 60,
      timeoutMs: 5_000,
    });
    return { outcome, asked };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
