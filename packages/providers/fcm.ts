import { createPrivateKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import * as z from "zod";
import { parsedJson } from "#core/text/json";
import { type FcmProvider, MAX_PHONE_MESSAGE_BYTES, type PushMessage, type PushResult, resultOf } from "./push.ts";

/** The service account that may send messages. */
export interface ServiceAccount {
  readonly projectId: string;
  readonly clientEmail: string;
  /** In PEM format. */
  readonly privateKey: string;
  readonly privateKeyId: string | null;
  /** Gives access tokens. */
  readonly tokenUri: string;
}

export interface FcmOptions {
  readonly account: ServiceAccount;
  /** Null: the vendor's own. */
  readonly url: string | null;
  readonly clock: { now(): Date };
}

const VENDOR_URL = "https://fcm.googleapis.com";
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ASSERTION_SECONDS = 60 * 60;
/** An access token is renewed so long before its end. */
const RENEWED_BEFORE_MS = 5 * 60_000;

/** Firebase Cloud Messaging, HTTP v1. */
export function fcmPush({ account, url, clock }: FcmOptions): FcmProvider {
  const address = `${url ?? VENDOR_URL}/v1/projects/${encodeURIComponent(account.projectId)}/messages:send`;
  const tokens = accessTokens(account, clock);
  return {
    async send(message) {
      const signal = AbortSignal.timeout(message.timeoutMs);
      try {
        const access = await tokens.current(signal);
        if (typeof access !== "string") return access;
        const response = await fetch(address, {
          method: "POST",
          headers: { authorization: `Bearer ${access}`, "content-type": "application/json" },
          body: JSON.stringify({ message: bodyOf(message) }),
          redirect: "manual",
          signal,
        });
        const { status } = response;
        const isGone = saysGone(status, await response.text());
        if (status === 401) tokens.forget(access);
        return isGone ? { outcome: "gone" } : resultOf(status, response.headers.get("retry-after"), clock.now());
      } catch {
        return { outcome: "unavailable" };
      }
    },
  };
}

interface AccessToken {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly renewAt: number;
}

const TokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/** The access tokens of a service account (RFC 7523). Messages that wait for one share a call. */
function accessTokens(account: ServiceAccount, clock: { now(): Date }) {
  const key = createPrivateKey(account.privateKey);
  let kept: AccessToken | null = null;
  let pending: Promise<AccessToken | PushResult> | null = null;
  return {
    /** @returns a token, or why there is none @throws Error if the token endpoint does not respond, or not as it should */
    async current(signal: AbortSignal): Promise<string | PushResult> {
      if (kept !== null && clock.now().getTime() < kept.renewAt) return kept.text;
      pending ??= fetchToken(account, key, clock, signal).finally(() => {
        pending = null;
      });
      const fetched = await beforeAbort(pending, signal);
      if (!("text" in fetched)) return fetched;
      kept = fetched;
      return fetched.text;
    },
    /** Drops a token that was refused before its end. */
    forget(text: string): void {
      if (kept?.text === text) kept = null;
    },
  };
}

async function fetchToken(
  { clientEmail, privateKeyId, tokenUri }: ServiceAccount,
  key: KeyObject,
  clock: { now(): Date },
  signal: AbortSignal,
): Promise<AccessToken | PushResult> {
  const now = clock.now();
  const seconds = Math.floor(now.getTime() / 1_000);
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(privateKeyId === null ? {} : { kid: privateKeyId }) })
    .setIssuer(clientEmail)
    .setAudience(tokenUri)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + ASSERTION_SECONDS)
    .sign(key);
  const response = await fetch(tokenUri, {
    method: "POST",
    body: new URLSearchParams({ grant_type: GRANT_TYPE, assertion }),
    redirect: "manual",
    signal,
  });
  if (!response.ok) {
    response.body?.cancel().catch(() => undefined);
    // Whatever is wrong with our account, no message may be lost.
    return { ...resultOf(response.status, response.headers.get("retry-after"), now), outcome: "unavailable" };
  }
  const { access_token: text, expires_in: lifetime } = TokenResponse.parse(await response.json());
  return { text, renewAt: now.getTime() + lifetime * 1_000 - RENEWED_BEFORE_MS };
}

/** A value that several wait for, each until its own time is over. @throws the reason of the signal */
function beforeAbort<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    value.then(resolve, reject);
  });
}

function bodyOf({ target, notification, topic, ttlSeconds, isUrgent }: PushMessage<{ service: "fcm"; token: string }>) {
  const { id, type, title, body } = notification;
  const whole = { id, type, data: JSON.stringify(notification.data) };
  const bytes = Object.entries({ title, body, ...whole })
    .flat()
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    token: target.token,
    notification: { title, body },
    data: bytes > MAX_PHONE_MESSAGE_BYTES ? { id, type } : whole,
    android: { collapse_key: topic, priority: isUrgent ? "HIGH" : "NORMAL", ttl: `${ttlSeconds}s` },
  };
}

const Failure = z.object({
  error: z.object({
    message: z.string().default(""),
    status: z.string().default(""),
    details: z
      .array(
        z.object({
          errorCode: z.string().optional(),
          fieldViolations: z.array(z.object({ field: z.string().default("") })).default([]),
        }),
      )
      .default([]),
  }),
});

/** Whether an error says that the token is no device of our project, or no token at all. */
function saysGone(status: number, text: string): boolean {
  if (status !== 400 && status !== 403 && status !== 404) return false;
  const { error } = Failure.safeParse(parsedJson(text)).data ?? {};
  if (error === undefined) return false;
  const codes = [error.status, ...error.details.map(({ errorCode }) => errorCode)];
  if (status === 404) return codes.includes("UNREGISTERED");
  if (status === 403) return codes.includes("SENDER_ID_MISMATCH");
  const namesToken = error.details.some(({ fieldViolations }) =>
    fieldViolations.some(({ field }) => field === "message.token"),
  );
  return codes.includes("INVALID_ARGUMENT") && (namesToken || /registration token/i.test(error.message));
}
