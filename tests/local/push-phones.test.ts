import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "#config/config";
import { type PushStandIn, startPush } from "#local/stand-ins/push";
import type { DeviceMode } from "#local/stand-ins/push-pages";
import { LOCAL_APNS, LOCAL_PUSH_KEYS, localPushVariables } from "#local/stand-ins/vendors";
import { serveWithHttp2 } from "#local/support/listen-http2";
import { apnsPush } from "#providers/apns";
import { fcmPush } from "#providers/fcm";

type Service = "apns" | "fcm";
const MINUTE_MS = 60_000;
const DATA = { date: "2026-11-18" };
const NOTIFICATION = { id: "n-1", type: "chain_broken", title: "Hello", body: "Grüße 🌻", data: DATA } as const;
const MESSAGE = {
  notification: NOTIFICATION,
  ...{ topic: "a-topic_1", ttlSeconds: 60, isUrgent: true, unread: 120, timeoutMs: 10_000 },
};
const SENT = { outcome: "sent" };
const UNAVAILABLE = { outcome: "unavailable" };

let now = Date.now();
const clock = { now: () => new Date(now) };
let service: PushStandIn;
beforeAll(async () => {
  service = await startPush({ publicKey: LOCAL_PUSH_KEYS.publicKey, now: () => now });
});
beforeEach(() => {
  service.messages.length = 0;
});
afterAll(() => service.stop());

function configOf(more: Record<string, string> = {}) {
  const { fcm, apns } = readConfig({
    ...{ DATABASE_URL: "postgres://localhost/x", SUPABASE_URL: "http://localhost" },
    ...localPushVariables(service.url),
    ...more,
  });
  if (fcm === null || apns === null) throw new Error("The variables configure both.");
  return { fcm, apns };
}

/** Sends messages with a process's own tokens and connections. */
function senderOf({ fcm, apns } = configOf(), stopping = new AbortController().signal) {
  const android = fcmPush({ ...fcm, clock });
  const ios = apnsPush({ ...apns, clock, stopping });
  return (to: Service, token: string, more: Partial<typeof MESSAGE> & { app?: string; data?: object } = {}) => {
    const { app = LOCAL_APNS.apps[0], data = DATA, ...changes } = more;
    const message = { ...MESSAGE, ...changes, notification: { ...NOTIFICATION, data } };
    return to === "fcm"
      ? android.send({ ...message, target: { service: to, token } })
      : ios.send({ ...message, target: { service: to, token, app } });
  };
}

const received = () => service.messages.map(({ text, ...message }) => ({ ...message, text: JSON.parse(text ?? "") }));

describe("a phone", () => {
  test("on Android gets texts, data, topic, lifetime and priority", async () => {
    const { token } = service.newPhone("fcm");
    const send = senderOf();
    expect(await send("fcm", token)).toEqual(SENT);
    expect(await send("fcm", token, { isUrgent: false })).toEqual(SENT);
    const { title, body } = NOTIFICATION;
    const text = { id: "n-1", type: "chain_broken", data: JSON.stringify(DATA), title, body };
    expect(received()).toMatchObject([
      { endpoint: token, text, topic: "a-topic_1", ttlSeconds: 60, isUrgent: true },
      { endpoint: token, text, isUrgent: false },
    ]);
  });

  test("of Apple gets texts, data, badge, topic, lifetime and priority", async () => {
    const { token } = service.newPhone("apns", LOCAL_APNS.apps[1]);
    const send = senderOf();
    expect(await send("apns", token, { app: LOCAL_APNS.apps[1] })).toEqual(SENT);
    expect(await send("apns", token, { app: LOCAL_APNS.apps[1], isUrgent: false, unread: 2 })).toEqual(SENT);
    const { title, body } = NOTIFICATION;
    const aps = { alert: { title, body }, badge: 99, sound: "default", "mutable-content": 1 };
    const text = { aps, id: "n-1", type: "chain_broken", data: JSON.stringify(DATA) };
    expect(received()).toMatchObject([
      { endpoint: token, text, topic: "a-topic_1", ttlSeconds: 60, isUrgent: true },
      { endpoint: token, text: { ...text, aps: { ...aps, badge: 2 } }, isUrgent: false },
    ]);
  });

  test.each(["fcm", "apns"] as const)("gets a message of %s that is too large without its data", async (to) => {
    const { token } = service.newPhone(to);
    const send = senderOf();
    /** The sizes of a message with and without data differ by its name, quotes and text. */
    await send(to, token, { data: { x: "" } });
    const [small] = service.messages;
    const overhead =
      to === "fcm"
        ? Object.entries(JSON.parse(small?.text ?? ""))
            .flat()
            .join("")
        : small?.text;
    const room = 4_096 - Buffer.byteLength(overhead ?? "");
    expect(await send(to, token, { data: { x: "y".repeat(room) } })).toEqual(SENT);
    expect(await send(to, token, { data: { x: "y".repeat(room + 1) } })).toEqual(SENT);
    const [, whole, cut] = received();
    expect(JSON.parse(whole?.text.data).x).toHaveLength(room);
    expect(cut?.text).toMatchObject({ id: "n-1", type: "chain_broken" });
    expect(cut?.text).not.toHaveProperty("data");
  });

  const outcomes: [Service, DeviceMode, object][] = [
    ["fcm", "unknown", { outcome: "gone" }],
    ["fcm", "gone", { outcome: "gone" }],
    ["fcm", "moved", { outcome: "gone" }],
    ["fcm", "busy", { ...UNAVAILABLE, retryAfterMs: 60_000 }],
    ["fcm", "fail", UNAVAILABLE],
    ["fcm", "hang", UNAVAILABLE],
    ["apns", "unknown", { outcome: "gone" }],
    ["apns", "gone", { outcome: "gone", goneSince: expect.any(Date) }],
    ["apns", "moved", { outcome: "gone" }],
    ["apns", "busy", { ...UNAVAILABLE, retryAfterMs: 60_000 }],
    ["apns", "fail", UNAVAILABLE],
    ["apns", "hang", UNAVAILABLE],
  ];
  test.each(outcomes)("of %s that is %s gives the result %j", async (to, mode, expected) => {
    const { token } = service.newPhone(to);
    service.mode(token, mode);
    expect(await senderOf()(to, token, { timeoutMs: mode === "hang" ? 300 : 10_000 })).toEqual(expected);
    expect(service.messages).toEqual([]);
  });

  test("that Apple knows to be gone is so since Apple's timestamp", async () => {
    const { token } = service.newPhone("apns");
    const goneSince = clock.now();
    service.mode(token, "gone");
    now += MINUTE_MS;
    expect(await senderOf()("apns", token)).toEqual({ outcome: "gone", goneSince });
  });

  test("whose token is none at all is gone", async () => {
    expect(await senderOf()("fcm", "none")).toEqual({ outcome: "gone" });
    expect(await senderOf()("apns", "00".repeat(32))).toEqual({ outcome: "gone" });
  });

  test("of another app is gone, and one of an app that is not configured waits", async () => {
    const { token } = service.newPhone("apns");
    expect(await senderOf()("apns", token, { app: LOCAL_APNS.apps[1] })).toEqual({ outcome: "gone" });
    expect(await senderOf()("apns", token, { app: "org.example.other" })).toEqual(UNAVAILABLE);
  });
});

describe("a sender", () => {
  test("with wrong keys loses no device", async () => {
    const [android, iphone] = [service.newPhone("fcm").token, service.newPhone("apns").token];
    const account = configOf().fcm.account;
    const { fcm, apns } = configOf();
    const wrongAccounts = [{ clientEmail: "other@example.test" }, { projectId: "other" }];
    for (const wrong of wrongAccounts) {
      const send = senderOf({ fcm: { ...fcm, account: { ...account, ...wrong } }, apns });
      expect(await send("fcm", android)).toEqual(UNAVAILABLE);
    }
    for (const wrong of [{ keyId: "OTHERKEY01" }, { teamId: "OTHERTEAM1" }]) {
      expect(await senderOf({ fcm, apns: { ...apns, ...wrong } })("apns", iphone)).toEqual(UNAVAILABLE);
    }
    expect(service.messages).toEqual([]);
  });

  test("for an app that is not its own is refused", async () => {
    const { fcm, apns } = configOf();
    const topics = [{ app: "org.example.other", isSandbox: false }];
    const send = senderOf({ fcm, apns: { ...apns, topics } });
    const { token } = service.newPhone("apns");
    expect(await send("apns", token, { app: "org.example.other" })).toEqual({ outcome: "refused" });
  });

  test("renews its tokens before they expire, and Apple's at most every 20 minutes", async () => {
    const [android, iphone] = [service.newPhone("fcm").token, service.newPhone("apns").token];
    const send = senderOf();
    // Every second step is close to the end of an access token, and the others are close to that of a provider token.
    for (const minutes of [0, 19, 20, 2, 13, 2, 3, 36, 4, 61, 300]) {
      now += minutes * MINUTE_MS;
      expect(await Promise.all([send("fcm", android), send("apns", iphone)])).toEqual([SENT, SENT]);
    }
    expect(service.messages).toHaveLength(22);
  });

  test("connects again after its connections were closed", async () => {
    const [android, iphone] = [service.newPhone("fcm").token, service.newPhone("apns").token];
    const send = senderOf();
    expect(await Promise.all([send("fcm", android), send("apns", iphone)])).toEqual([SENT, SENT]);
    service.disconnect();
    await expect.poll(() => Promise.all([send("fcm", android), send("apns", iphone)])).toEqual([SENT, SENT]);
  });

  test("uses no connection to Apple that did not respond in time", async () => {
    const [silent, iphone] = [service.newPhone("apns").token, service.newPhone("apns").token];
    const send = senderOf();
    service.mode(silent, "hang");
    expect(await send("apns", silent, { timeoutMs: 100 })).toEqual(UNAVAILABLE);
    expect(await send("apns", iphone)).toEqual(SENT);
  });

  test("still sends a message when the process stops, and then closes the connection", async () => {
    const process = new AbortController();
    const send = senderOf(configOf(), process.signal);
    const { token } = service.newPhone("apns");
    const sending = send("apns", token);
    process.abort();
    expect(await sending).toEqual(SENT);
    expect(await send("apns", token)).toEqual(SENT);
  });

  test("finds a service that cannot be reached unavailable", async () => {
    const nowhere = "http://127.0.0.1:9";
    const send = senderOf(configOf({ FCM_URL: nowhere, APNS_URL: nowhere }));
    expect(await send("fcm", "a")).toEqual(UNAVAILABLE);
    expect(await send("apns", "aa")).toEqual(UNAVAILABLE);
  });

  test("renews a provider token that Apple calls expired, but no earlier than after 20 minutes", async () => {
    await using server = await responding(() => Response.json({ reason: "ExpiredProviderToken" }, { status: 403 }));
    const send = senderOf(configOf({ APNS_URL: server.url }));
    for (const minutes of [0, 19, 1, 0]) {
      now += minutes * MINUTE_MS;
      expect(await send("apns", "aa")).toEqual(UNAVAILABLE);
    }
    const [first, ...others] = server.requests.map(({ headers }) => headers.get("authorization"));
    expect(others).toEqual([first, first, expect.not.stringMatching(first ?? "")]);
  });

  test("asks for another access token if one is refused before its end", async () => {
    await using server = await responding(({ url }) =>
      url.endsWith("/token")
        ? Response.json({ access_token: "x", expires_in: 3_600 })
        : Response.json({ error: { status: "UNAUTHENTICATED" } }, { status: 401 }),
    );
    const { fcm, apns } = configOf({ FCM_URL: server.url });
    const send = senderOf({ fcm: { ...fcm, account: { ...fcm.account, tokenUri: `${server.url}/token` } }, apns });
    for (let n = 0; n < 2; n += 1) expect(await send("fcm", "a")).toEqual(UNAVAILABLE);
    expect(server.requests.filter(({ url }) => url.endsWith("/token"))).toHaveLength(2);
  });

  test.each([
    ["message.token", { outcome: "gone" }],
    ["message.android.ttl", { outcome: "refused" }],
  ])("whose message has an invalid %s gets the result %j", async (field, expected) => {
    const fieldViolations = [{ field, description: "Invalid value." }];
    const error = { status: "INVALID_ARGUMENT", message: "Request contains an invalid argument." };
    const body = { error: { ...error, details: [{ fieldViolations }] } };
    await using server = await responding(() => Response.json(body, { status: 400 }));
    expect(await senderOf(configOf({ FCM_URL: server.url }))("fcm", "a")).toEqual(expected);
  });

  test("follows no redirect", async () => {
    await using server = await responding(
      () => new Response(null, { status: 307, headers: { location: "/elsewhere" } }),
    );
    const { url } = server;
    const config = configOf({ FCM_URL: url, APNS_URL: url });
    expect(await senderOf(config)("fcm", "a")).toEqual({ outcome: "refused" });
    expect(await senderOf(config)("apns", "aa")).toEqual({ outcome: "refused" });
    const account = { ...config.fcm.account, tokenUri: `${url}/token` };
    expect(await senderOf({ ...config, fcm: { ...config.fcm, account } })("fcm", "a")).toEqual(UNAVAILABLE);
    const paths = server.requests.map((request) => new URL(request.url).pathname);
    expect(paths).toEqual(["/v1/projects/nectar-local/messages:send", "/3/device/aa", "/token"]);
  });
});

/** A server with responses of its own, ended with `await using`. */
async function responding(respond: (request: Request) => Response) {
  const requests: Request[] = [];
  const server = await serveWithHttp2(
    (request) => {
      requests.push(request);
      return respond(request);
    },
    0,
    "A server",
  );
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.kill();
      await server.stop();
    },
  };
}
