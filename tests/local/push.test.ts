import { sign } from "node:crypto";
import { type PushStandIn, startPush } from "@nectar/local/stand-ins/push";
import { decryptPush } from "@nectar/local/stand-ins/push-decryption";
import { problemWithSender } from "@nectar/local/stand-ins/push-vapid";
import { LOCAL_PUSH_KEYS } from "@nectar/local/stand-ins/vendors";
import { type PushMessage, type PushProvider, webPush } from "@nectar/providers/push";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newSigningKeys, newVapidKeys } from "../support/vapid.ts";

let service: PushStandIn;
let push: PushProvider;
beforeAll(async () => {
  service = await startPush({ publicKey: LOCAL_PUSH_KEYS.publicKey, apiUrl: "http://localhost:3000" });
  push = providerOf();
});
beforeEach(() => {
  service.messages.length = 0;
});
afterAll(() => service.stop());

function providerOf(more: { privateKey?: string; publicKey?: string; extraOrigins?: string[] } = {}): PushProvider {
  return webPush({
    ...LOCAL_PUSH_KEYS,
    subject: "mailto:push@nectar.invalid",
    extraOrigins: [service.url],
    ...more,
  });
}

function messageFor(device: ReturnType<PushStandIn["newDevice"]>, more: Partial<PushMessage> = {}): PushMessage {
  return {
    subscription: { endpoint: device.endpoint, ...device.keys },
    payload: '{"title":"Hello","body":"Grüße 🌻"}',
    topic: "a-topic_1",
    ttlSeconds: 60,
    timeoutMs: 2_000,
    ...more,
  };
}

const bytes = (text: string) => Buffer.from(text, "base64url");

describe("decryption", () => {
  const secrets = {
    privateKey: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
    publicKey: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  };
  const message = bytes(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );

  test("reads the example of RFC 8291", () => {
    expect(decryptPush(message, secrets)).toBe("When I grow up, I want to be a watermelon");
  });

  test.each([
    ["an altered text", () => decryptPush(altered(message, message.length - 1), secrets)],
    ["an altered salt", () => decryptPush(altered(message, 0), secrets)],
    ["another secret", () => decryptPush(message, { ...secrets, auth: bytes("AAAAAAAAAAAAAAAAAAAAAA") })],
    ["a text that was cut off", () => decryptPush(message.subarray(0, -1), secrets)],
    ["nothing", () => decryptPush(new Uint8Array(), secrets)],
  ])("refuses %s", (_, read) => {
    expect(read).toThrow();
  });
});

describe("a device", () => {
  test("gets a message that only it can decrypt", async () => {
    const [device, other] = [service.newDevice(), service.newDevice()];
    expect(await push.send(messageFor(device))).toBe("sent");
    expect(service.messages).toEqual([
      {
        endpoint: device.endpoint,
        at: expect.any(Date),
        text: '{"title":"Hello","body":"Grüße 🌻"}',
        topic: "a-topic_1",
        ttlSeconds: 60,
      },
    ]);
    const misdirected = { endpoint: other.endpoint, ...device.keys };
    expect(await push.send(messageFor(device, { subscription: misdirected }))).toBe("sent");
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
    expect(await push.send(messageFor(device, { timeoutMs: 300 }))).toBe(outcome);
    expect(service.messages).toHaveLength(mode === "normal" ? 1 : 0);
  });

  test("of an earlier run is gone", async () => {
    const device = { ...service.newDevice(), endpoint: `${service.url}/push/of-an-earlier-run` };
    expect(await push.send(messageFor(device))).toBe("gone");
  });

  test("takes a message of three kilobytes and refuses one that is too large", async () => {
    const device = service.newDevice();
    expect(await push.send(messageFor(device, { payload: "x".repeat(3_072) }))).toBe("sent");
    expect(await push.send(messageFor(device, { payload: "x".repeat(5_000) }))).toBe("refused");
  });
});

describe("who is sending", () => {
  const now = 1_800_000_000;
  const audience = "https://push.example.test";
  const mine = newSigningKeys();

  test("is believed with a token for this service, signed with the key of the subscription", async () => {
    expect(await problemWith({})).toBeNull();
  });

  test.each([
    ["is for another service", { claims: { aud: "https://elsewhere.example.test" } }],
    ["has expired", { claims: { exp: now - 1 } }],
    ["is valid for more than a day", { claims: { exp: now + 25 * 3_600 } }],
    ["names no contact", { claims: { sub: "a name" } }],
    ["has no end", { claims: { exp: undefined } }],
    ["is signed with another key", { signedBy: newSigningKeys() }],
    ["names another algorithm", { alg: "none" }],
    ["comes with another key", { shown: newSigningKeys() }],
  ])("is refused when the token %s", async (_, change) => {
    expect(await problemWith(change)).toEqual(expect.any(String));
  });

  test.each([undefined, "", "Bearer x", "vapid t=a.b.c", `vapid t=a.b.c, k=${mine.publicKey}`])(
    "is refused with the header %j",
    async (header) => {
      const problem = await problemWithSender(header, { publicKey: mine.publicKey, audience }, now * 1_000);
      expect(problem).toEqual(expect.any(String));
    },
  );

  test("is refused by the running service if it signs with other keys", async () => {
    const device = service.newDevice();
    const { publicKey, privateKey } = newVapidKeys();
    expect(await providerOf({ publicKey, privateKey }).send(messageFor(device))).toBe("unavailable");
    expect(service.messages).toEqual([]);
  });

  function problemWith(change: {
    claims?: Record<string, unknown>;
    signedBy?: ReturnType<typeof newSigningKeys>;
    shown?: ReturnType<typeof newSigningKeys>;
    alg?: string;
  }) {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { aud: audience, exp: now + 3_600, sub: "mailto:push@example.test", ...change.claims };
    const signed = `${part({ typ: "JWT", alg: change.alg ?? "ES256" })}.${part(claims)}`;
    const signature = sign("sha256", Buffer.from(signed), {
      key: (change.signedBy ?? mine).privateKey,
      dsaEncoding: "ieee-p1363",
    }).toString("base64url");
    const header = `vapid t=${signed}.${signature}, k=${(change.shown ?? mine).publicKey}`;
    return problemWithSender(header, { publicKey: mine.publicKey, audience }, now * 1_000);
  }
});

describe("the provider", () => {
  test("postpones a message that cannot be encrypted, and sends nothing", async () => {
    const device = service.newDevice();
    const broken = { ...device, keys: { ...device.keys, p256dh: Buffer.alloc(65, 4).toString("base64url") } };
    expect(await push.send(messageFor(broken))).toBe("unavailable");
    expect(service.messages).toEqual([]);
  });
});

describe("the pages", () => {
  test("show the newest messages first, as text and never as HTML", async () => {
    const device = service.newDevice();
    await push.send(messageFor(device, { payload: '{"title":"First","body":"one"}' }));
    await push.send(messageFor(device, { payload: '{"title":"<script>alert(1)</script>","body":"<img src=x>"}' }));
    await push.send(messageFor(device, { payload: "no <b>JSON</b>" }));
    const response = await fetch(service.url);
    const html = await response.text();
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toMatch(/<script|<img|<b>/);
    expect(html.indexOf("no &lt;b&gt;JSON")).toBeLessThan(html.indexOf("First"));
  });

  test("create a device and show how to subscribe it", async () => {
    const response = await fetch(`${service.url}/devices`, { method: "POST" });
    const html = await response.text();
    expect(response.url).toMatch(/\/devices\/[0-9a-f-]{36}$/);
    const id = response.url.split("/").at(-1);
    expect(html).toContain(`${service.url}/push/${id}`);
    expect(html).toContain("http://localhost:3000/api/notifications/push-subscriptions");
    expect((await fetch(`${service.url}/devices/unknown`)).status).toBe(404);
  });
});

function altered(message: Buffer, at: number): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}
