import { createPublicKey, randomUUID } from "node:crypto";
import { Http2ServerRequest, type Http2Session } from "node:http2";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import * as z from "zod";
import { parsedJson } from "#core/text/json";
import type { DeviceMode, ReceivedPush } from "./push-pages.ts";
import { hang } from "./server.ts";

/** The sender that APNs expects, and its own state. */
export interface ApnsOptions {
  /** The private key of the sender, of which only the public half is used. */
  readonly key: string;
  readonly keyId: string;
  readonly teamId: string;
  /** The apps of the team. */
  readonly apps: readonly string[];
  readonly now: () => number;
  readonly deviceOf: (
    token: string,
  ) => { readonly mode: DeviceMode; readonly app: string; readonly createdAt: number } | null;
  readonly receive: (message: ReceivedPush) => void;
}

const TOKEN_LIFETIME_MS = 60 * 60_000;
const MIN_RENEWAL_MS = 20 * 60_000;
const MAX_BYTES = 4_096;
const RETRY_AFTER_SECONDS = "60";

const Payload = z.looseObject({
  aps: z.strictObject({
    alert: z.strictObject({ title: z.string(), body: z.string() }),
    badge: z.number().int().nonnegative(),
    sound: z.string(),
    "mutable-content": z.literal(1),
  }),
});

interface Sender {
  readonly token: string;
  /** When the token was issued, in milliseconds since 1970. */
  readonly since: number;
}

/** APNs' API over HTTP/2. */
export function apnsApp(options: ApnsOptions): Hono<{ Bindings: HttpBindings }> {
  const { now, deviceOf, receive } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();
  /** The latest token that each connection was used with. */
  const senders = new WeakMap<Http2Session, Sender>();

  app.post("/3/device/:token", async (c) => {
    const { incoming } = c.env;
    const session = incoming instanceof Http2ServerRequest ? incoming.stream.session : undefined;
    if (session === undefined) return c.text("This address needs HTTP/2.", 505);
    const [, token] = /^bearer (\S+)$/.exec(c.req.header("authorization") ?? "") ?? [];
    if (token === undefined) return refuse(c, 403, "MissingProviderToken");
    const problem = await problemWithToken(token, options);
    if (problem !== null) return refuse(c, 403, problem);
    const sender = senders.get(session);
    if (sender?.token !== token) {
      const since = Number(decodeJwt(token).iat) * 1_000;
      if (sender !== undefined && since - sender.since < MIN_RENEWAL_MS) {
        return refuse(c, 429, "TooManyProviderTokenUpdates");
      }
      senders.set(session, { token, since });
    }
    const topic = c.req.header("apns-topic");
    const [priority, expiration] = [c.req.header("apns-priority"), c.req.header("apns-expiration") ?? ""];
    const collapseId = c.req.header("apns-collapse-id") ?? "";
    if (topic === undefined) return refuse(c, 400, "MissingTopic");
    if (!options.apps.includes(topic)) return refuse(c, 400, "TopicDisallowed");
    if (c.req.header("apns-push-type") !== "alert") return refuse(c, 400, "InvalidPushType");
    if (priority !== "10" && priority !== "5") return refuse(c, 400, "BadPriority");
    if (!/^\d+$/.test(expiration)) return refuse(c, 400, "BadExpirationDate");
    if (Buffer.byteLength(collapseId) > 64) return refuse(c, 400, "BadCollapseId");
    const text = await c.req.text();
    if (Buffer.byteLength(text) > MAX_BYTES) return refuse(c, 413, "PayloadTooLarge");
    if (!Payload.safeParse(parsedJson(text)).success) return refuse(c, 400, "PayloadEmpty");
    const address = c.req.param("token");
    const device = deviceOf(address);
    if (device === null || device.mode === "unknown") return refuse(c, 400, "BadDeviceToken");
    if (device.app !== topic || device.mode === "moved") return refuse(c, 400, "DeviceTokenNotForTopic");
    if (device.mode === "gone") return refuse(c, 410, "Unregistered", device.createdAt);
    if (device.mode === "busy") return refuse(c, 429, "TooManyRequests");
    if (device.mode === "fail") return refuse(c, 500, "InternalServerError");
    if (device.mode === "hang") return hang(c);
    const ttlSeconds = Number(expiration) - Math.floor(now() / 1_000);
    receive({ endpoint: address, at: new Date(), text, topic: collapseId, ttlSeconds, isUrgent: priority === "10" });
    return c.body(null, 200, { "apns-id": randomUUID().toUpperCase() });
  });
  return app;
}

async function problemWithToken(token: string, { key, keyId, teamId, now }: ApnsOptions): Promise<string | null> {
  try {
    if (decodeProtectedHeader(token).kid !== keyId) return "InvalidProviderToken";
    const { payload } = await jwtVerify(token, createPublicKey(key), {
      algorithms: ["ES256"],
      issuer: teamId,
      requiredClaims: ["iat"],
      currentDate: new Date(now()),
    });
    return now() - Number(payload.iat) * 1_000 > TOKEN_LIFETIME_MS ? "ExpiredProviderToken" : null;
  } catch {
    return "InvalidProviderToken";
  }
}

function refuse(c: Context, status: 400 | 403 | 410 | 413 | 429 | 500, reason: string, timestamp?: number) {
  if (status === 429) c.header("retry-after", RETRY_AFTER_SECONDS);
  return c.json({ reason, timestamp }, status);
}
