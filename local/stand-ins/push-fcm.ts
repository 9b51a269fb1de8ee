import { createPublicKey, randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { jwtVerify } from "jose";
import * as z from "zod";
import { setLatest } from "../support/latest.ts";
import type { DeviceMode, ReceivedPush } from "./push-pages.ts";
import { hang } from "./server.ts";

/** The sender that FCM expects, and its own state. */
export interface FcmOptions {
  readonly url: string;
  /** The private key of the service account, of which only the public half is used. */
  readonly privateKey: string;
  readonly clientEmail: string;
  readonly projectId: string;
  readonly now: () => number;
  readonly modeOf: (token: string) => DeviceMode | null;
  readonly receive: (message: ReceivedPush) => void;
}

const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_SECONDS = 3_600;
const MAX_TTL_SECONDS = 28 * 24 * 60 * 60;
const MAX_BYTES = 4_096;
const RETRY_AFTER_SECONDS = "60";

const Message = z.strictObject({
  message: z.strictObject({
    token: z.string().min(1),
    notification: z.strictObject({ title: z.string(), body: z.string() }),
    data: z.record(z.string().regex(/^(?!from$|message_type$|google|gcm)/), z.string()),
    android: z.strictObject({
      collapse_key: z.string(),
      priority: z.enum(["HIGH", "NORMAL"]),
      ttl: z
        .string()
        .regex(/^\d+s$/)
        .refine((ttl) => Number.parseInt(ttl, 10) <= MAX_TTL_SECONDS),
    }),
  }),
});

/** FCM's HTTP v1 API, with the token endpoint of its service account. */
export function fcmApp({ url, privateKey, clientEmail, projectId, now, modeOf, receive }: FcmOptions): Hono {
  const app = new Hono();
  /** The end of each access token. */
  const accessTokens = new Map<string, number>();

  app.post("/token", async (c) => {
    const form = await c.req.parseBody();
    if (form.grant_type !== GRANT_TYPE) return c.json({ error: "unsupported_grant_type" }, 400);
    try {
      const { payload } = await jwtVerify(String(form.assertion), createPublicKey(privateKey), {
        algorithms: ["RS256"],
        issuer: clientEmail,
        audience: `${url}/token`,
        currentDate: new Date(now()),
        requiredClaims: ["iat", "exp"],
        maxTokenAge: TOKEN_SECONDS,
      });
      if (payload.scope !== SCOPE) return c.json({ error: "invalid_scope" }, 400);
      if (Number(payload.exp) > Number(payload.iat) + TOKEN_SECONDS) throw new Error("The lifetime is too long.");
    } catch {
      return c.json({ error: "invalid_grant", error_description: "Invalid JWT." }, 400);
    }
    const token = `ya29.${randomUUID()}`;
    setLatest(accessTokens, token, now() + TOKEN_SECONDS * 1_000, 100);
    return c.json({ access_token: token, expires_in: TOKEN_SECONDS, token_type: "Bearer" });
  });

  app.post("/v1/projects/:project/messages:send", async (c) => {
    const [, access = ""] = /^Bearer (\S+)$/.exec(c.req.header("authorization") ?? "") ?? [];
    if (now() >= (accessTokens.get(access) ?? 0)) return refuse(c, 401, "UNAUTHENTICATED", "Invalid credentials.");
    if (c.req.param("project") !== projectId) return refuse(c, 403, "PERMISSION_DENIED", "Permission denied.");
    const { data } = Message.safeParse(await c.req.json().catch(() => null));
    if (data === undefined) return refuse(c, 400, "INVALID_ARGUMENT", "Invalid JSON payload received.");
    const { token, notification, data: fields, android } = data.message;
    const size = Object.entries({ ...notification, ...fields })
      .flat()
      .join("");
    if (Buffer.byteLength(size) > MAX_BYTES) return refuse(c, 400, "INVALID_ARGUMENT", "Android message is too big.");
    const mode = modeOf(token);
    if (mode === null) {
      return refuse(c, 400, "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token");
    }
    if (mode === "gone" || mode === "unknown") return refuse(c, 404, "UNREGISTERED", "Requested entity was not found.");
    if (mode === "moved") return refuse(c, 403, "SENDER_ID_MISMATCH", "SenderId mismatch");
    if (mode === "busy") return refuse(c, 429, "QUOTA_EXCEEDED", "Quota exceeded.");
    if (mode === "fail") return refuse(c, 503, "UNAVAILABLE", "The service is unavailable.");
    if (mode === "hang") return hang(c);
    receive({
      endpoint: token,
      at: new Date(),
      text: JSON.stringify({ ...fields, ...notification }),
      topic: android.collapse_key,
      ttlSeconds: Number.parseInt(android.ttl, 10),
      isUrgent: android.priority === "HIGH",
    });
    return c.json({ name: `projects/${projectId}/messages/${randomUUID()}` });
  });
  return app;
}

/** The words of Google's errors for codes that only FCM has. */
const STATUS_OF: Readonly<Record<string, string>> = {
  UNREGISTERED: "NOT_FOUND",
  SENDER_ID_MISMATCH: "PERMISSION_DENIED",
  QUOTA_EXCEEDED: "RESOURCE_EXHAUSTED",
};

function refuse(c: Context, code: 400 | 401 | 403 | 404 | 429 | 503, errorCode: string, message: string) {
  if (code === 429) c.header("retry-after", RETRY_AFTER_SECONDS);
  const details = [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode }];
  return c.json({ error: { code, message, status: STATUS_OF[errorCode] ?? errorCode, details } }, code);
}
