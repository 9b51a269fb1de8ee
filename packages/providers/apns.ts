import { createPrivateKey } from "node:crypto";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { SignJWT } from "jose";
import * as z from "zod";
import { MAX_BADGE } from "#core/limits";
import { parsedJson } from "#core/text/json";
import { type ApnsProvider, MAX_PHONE_MESSAGE_BYTES, type PushMessage, type PushResult, resultOf } from "./push.ts";

export interface ApnsOptions {
  /** The key that signs provider tokens, in PEM format. */
  readonly key: string;
  readonly keyId: string;
  readonly teamId: string;
  /** The apps; at least one. */
  readonly topics: readonly ApnsTopic[];
  /** Replaces both hosts of the vendor; null: the vendor's own. */
  readonly url: string | null;
  readonly clock: { now(): Date };
  /** Sessions are closed as soon as it is aborted. */
  readonly stopping: AbortSignal;
}

export interface ApnsTopic {
  readonly app: string;
  /** The app is a development build. */
  readonly isSandbox: boolean;
}

type ApnsMessage = PushMessage<{ service: "apns"; token: string; app: string }>;

const PRODUCTION_URL = "https://api.push.apple.com";
const SANDBOX_URL = "https://api.sandbox.push.apple.com";
const MINUTE_MS = 60_000;
/** Apple refuses a token after an hour, and one that was renewed within 20 minutes. */
const TOKEN_RENEWED_AFTER_MS = 40 * MINUTE_MS;
const TOKEN_KEPT_MS = 20 * MINUTE_MS;
/** A connection that nothing went through for so long may have been dropped on its way without a word. */
const MAX_IDLE_MS = 5 * MINUTE_MS;

/** The Apple Push Notification service, with provider tokens. */
export function apnsPush({ topics, url, clock, stopping, ...identity }: ApnsOptions): ApnsProvider {
  const tokens = providerTokens(identity, clock);
  const sessions = sessionsByHost(clock, stopping);
  const sandboxed = new Map(topics.map(({ app, isSandbox }) => [app, isSandbox]));
  return {
    topics: topics.map(({ app }) => app),
    async send(message) {
      const isSandbox = sandboxed.get(message.target.app);
      // An operator may have removed the app by mistake, and no device may be lost because of that.
      if (isSandbox === undefined) return { outcome: "unavailable" };
      try {
        const token = await tokens.current();
        const host = url ?? (isSandbox ? SANDBOX_URL : PRODUCTION_URL);
        const response = await sessions.post(host, requestOf(message, token, clock.now()), message.timeoutMs);
        const failure = failureOf(response);
        if (failure?.reason === "ExpiredProviderToken") tokens.expire();
        return resultFor(response, failure, clock.now());
      } catch {
        return { outcome: "unavailable" };
      }
    },
  };
}

/** Our tokens. Each is used for all messages until it is renewed. */
function providerTokens(identity: Pick<ApnsOptions, "key" | "keyId" | "teamId">, clock: ApnsOptions["clock"]) {
  const privateKey = createPrivateKey(identity.key);
  let kept: { readonly at: number; readonly text: Promise<string> } | null = null;
  /** The clock may have been set back since. */
  const isOlderThan = (ms: number) => kept === null || Math.abs(clock.now().getTime() - kept.at) >= ms;
  return {
    current(): Promise<string> {
      if (kept !== null && !isOlderThan(TOKEN_RENEWED_AFTER_MS)) return kept.text;
      const at = clock.now().getTime();
      const text = new SignJWT()
        .setProtectedHeader({ alg: "ES256", kid: identity.keyId })
        .setIssuer(identity.teamId)
        .setIssuedAt(Math.floor(at / 1_000))
        .sign(privateKey);
      kept = { at, text };
      return text;
    },
    /** Renews the token early, but no earlier than Apple lets us. */
    expire(): void {
      if (isOlderThan(TOKEN_KEPT_MS)) kept = null;
    },
  };
}

interface ApnsRequest {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
}

interface ApnsResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

interface Session {
  readonly client: ClientHttp2Session;
  usedAt: number;
  /** Messages that have no response yet. */
  active: number;
}

/** One session for each host, opened with its first message, and again once it is closed. */
function sessionsByHost(clock: ApnsOptions["clock"], stopping: AbortSignal) {
  const sessions = new Map<string, Session>();

  /** Closes a session once it has no message on its way. The next message opens another one. */
  function drop(host: string, session: Session): void {
    if (sessions.get(host) === session) sessions.delete(host);
    if (session.active === 0 && !session.client.closed) session.client.close();
  }

  function sessionOf(host: string): Session {
    const now = clock.now().getTime();
    const open = sessions.get(host);
    if (open !== undefined && Math.abs(now - open.usedAt) <= MAX_IDLE_MS && !open.client.closed) {
      open.usedAt = now;
      return open;
    }
    if (open !== undefined) drop(host, open);
    const session: Session = { client: connect(host), usedAt: now, active: 0 };
    // Each message learns of an error from its own stream.
    session.client.on("error", () => drop(host, session));
    session.client.on("close", () => drop(host, session));
    session.client.unref();
    sessions.set(host, session);
    return session;
  }

  stopping.addEventListener("abort", () => {
    for (const [host, session] of sessions) drop(host, session);
  });

  return {
    /** @throws Error without a whole response in time */
    post(host: string, { headers, body }: ApnsRequest, timeoutMs: number): Promise<ApnsResponse> {
      const session = sessionOf(host);
      return new Promise<ApnsResponse>((resolve, reject) => {
        const stream = session.client.request({ ":method": "POST", ...headers });
        session.active += 1;
        const timer = setTimeout(() => {
          // The next message needs a connection that works.
          drop(host, session);
          stream.close(constants.NGHTTP2_CANCEL);
          reject(new Error("The push service did not respond in time."));
        }, timeoutMs);
        let status = 0;
        let retryAfter: string | undefined;
        let text = "";
        stream.setEncoding("utf8");
        stream.on("response", (received) => {
          status = received[":status"] ?? 0;
          retryAfter = received["retry-after"];
        });
        stream.on("data", (chunk: string) => {
          text += chunk;
        });
        stream.on("end", () => resolve({ status, retryAfter, text }));
        stream.on("error", reject);
        stream.on("close", () => {
          clearTimeout(timer);
          // A message that was started before the process stops may have opened a session again.
          session.active -= 1;
          if (stopping.aborted || sessions.get(host) !== session) drop(host, session);
          reject(new Error("The push service closed the connection."));
        });
        stream.end(body);
      });
    },
  };
}

function requestOf(message: ApnsMessage, token: string, now: Date): ApnsRequest {
  const { target, topic, ttlSeconds, isUrgent } = message;
  return {
    headers: {
      ":path": `/3/device/${target.token}`,
      authorization: `bearer ${token}`,
      "apns-topic": target.app,
      "apns-push-type": "alert",
      "apns-priority": isUrgent ? "10" : "5",
      "apns-expiration": String(Math.floor(now.getTime() / 1_000) + ttlSeconds),
      "apns-collapse-id": topic,
    },
    body: bodyOf(message),
  };
}

function bodyOf({ notification: { id, type, title, body, data }, unread }: ApnsMessage): string {
  const aps = {
    alert: { title, body },
    badge: Math.min(unread, MAX_BADGE),
    sound: "default",
    "mutable-content": 1,
  };
  const whole = JSON.stringify({ aps, id, type, data: JSON.stringify(data) });
  return Buffer.byteLength(whole) > MAX_PHONE_MESSAGE_BYTES ? JSON.stringify({ aps, id, type }) : whole;
}

const Failure = z.object({
  reason: z.string(),
  /** Milliseconds since 1970. */
  timestamp: z.number().optional(),
});

function failureOf({ status, text }: ApnsResponse): z.infer<typeof Failure> | undefined {
  if (status === 200) return undefined;
  return Failure.safeParse(parsedJson(text)).data;
}

const GONE_REASONS: readonly (string | undefined)[] = ["BadDeviceToken", "DeviceTokenNotForTopic"];

function resultFor(
  { status, retryAfter }: ApnsResponse,
  failure: z.infer<typeof Failure> | undefined,
  now: Date,
): PushResult {
  const { reason, timestamp } = failure ?? {};
  // Without a status the connection was closed before the response.
  if (status === 0) return { outcome: "unavailable" };
  if (status === 410) {
    return timestamp === undefined ? { outcome: "gone" } : { outcome: "gone", goneSince: new Date(timestamp) };
  }
  if (status === 400 && GONE_REASONS.includes(reason)) return { outcome: "gone" };
  return resultOf(status, retryAfter, now);
}
