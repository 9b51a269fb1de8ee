import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type PushStandIn, startPush } from "#local/stand-ins/push";
import { newVapidKeys } from "#local/stand-ins/vapid-keys";
import { LOCAL_PUSH_KEYS } from "#local/stand-ins/vendors";
import type { WebPushProvider } from "#providers/push";
import { webPush } from "#providers/web-push";

type WebMessage = Parameters<WebPushProvider["send"]>[0];
const NOTIFICATION = { id: "1", type: "drop_received", title: "Hello", body: "Grüße 🌻", data: {} } as const;

let service: PushStandIn;
let push: WebPushProvider;
beforeAll(async () => {
  service = await startPush({ publicKey: LOCAL_PUSH_KEYS.publicKey });
  push = providerOf();
});
beforeEach(() => {
  service.messages.length = 0;
});
afterAll(() => service.stop());

function providerOf(more: { privateKey?: string; publicKey?: string; extraOrigins?: string[] } = {}): WebPushProvider {
  return webPush({
    ...LOCAL_PUSH_KEYS,
    subject: "mailto:push@nectar.invalid",
    extraOrigins: [service.url],
    clock: { now: () => new Date() },
    ...more,
  });
}

function messageFor(device: ReturnType<PushStandIn["newDevice"]>, more: Partial<WebMessage> = {}): WebMessage {
  return {
    target: { service: "web", endpoint: device.endpoint, ...device.keys },
    notification: NOTIFICATION,
    topic: "a-topic_1",
    ttlSeconds: 60,
    isUrgent: false,
    unread: 0,
    timeoutMs: 2_000,
    ...more,
  };
}

const messageWith = (text: string) => ({ notification: { ...NOTIFICATION, data: { text } } });
const bytes = (text: string) => Buffer.from(text, "base64url");

describe("a device", () => {
  test("gets a message that only it can decrypt", async () => {
    const [device, other] = [service.newDevice(), service.newDevice()];
    expect(await push.send(messageFor(device))).toEqual({ outcome: "sent" });
    expect(service.messages).toEqual([
      {
        endpoint: device.endpoint,
        at: expect.any(Date),
        text: '{"id":"1","type":"drop_received","title":"Hello","body":"Grüße 🌻","data":{}}',
        topic: "a-topic_1",
        ttlSeconds: 60,
      },
    ]);
    const misdirected = { endpoint: other.endpoint, ...device.keys };
    expect(await push.send(messageFor(device, { target: { service: "web", ...misdirected } }))).toEqual({
      outcome: "sent",
    });
    expect(service.messages.at(-1)).toMatchObject({ endpoint: other.endpoint, text: null });
  });

  test("has keys as a browser has them", () => {
    const { p256dh, auth } = service.newDevice().keys;
    expect(bytes(p256dh)).toHaveLength(65);
    expect(bytes(auth)).toHaveLength(16);
  });

  test.each([
    ["unknown", "gone"],
    ["gone", "gone"],
    ["busy", "unavailable"],
    ["fail", "unavailable"],
    ["hang", "unavailable"],
    ["normal", "sent"],
  ] as const)("that is %s is to the provider: %s", async (mode, outcome) => {
    const device = service.newDevice();
    service.mode(device.endpoint, mode);
    expect(await push.send(messageFor(device, { timeoutMs: 300 }))).toEqual({ outcome });
    expect(service.messages).toHaveLength(mode === "normal" ? 1 : 0);
  });

  test("of an earlier run is gone", async () => {
    const device = { ...service.newDevice(), endpoint: `${service.url}/push/of-an-earlier-run` };
    expect(await push.send(messageFor(device))).toEqual({ outcome: "gone" });
  });

  test("takes a message of three kilobytes and refuses one that is too large", async () => {
    const device = service.newDevice();
    expect(await push.send(messageFor(device, messageWith("x".repeat(3_000))))).toMatchObject({ outcome: "sent" });
    expect(await push.send(messageFor(device, messageWith("x".repeat(5_000))))).toMatchObject({ outcome: "refused" });
  });
});

describe("a sender", () => {
  test("with other keys is refused", async () => {
    const device = service.newDevice();
    const { publicKey, privateKey } = newVapidKeys();
    expect(await providerOf({ publicKey, privateKey }).send(messageFor(device))).toEqual({ outcome: "unavailable" });
    expect(service.messages).toEqual([]);
  });
});

describe("the provider", () => {
  test("postpones a message that cannot be encrypted, and sends nothing", async () => {
    const device = service.newDevice();
    const broken = { ...device, keys: { ...device.keys, p256dh: Buffer.alloc(65, 4).toString("base64url") } };
    expect(await push.send(messageFor(broken))).toEqual({ outcome: "unavailable" });
    expect(service.messages).toEqual([]);
  });
});
