import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

const attempts = 3;
const pauseMs = 500;
const timeoutMs = 10_000;

/** Headers that sign a webhook's body, as Svix does for Resend. */
export interface SignedHeaders {
  "svix-id": string;
  "svix-timestamp": string;
  "svix-signature": string;
}

/**
 * Signs a body.
 * @param secret `whsec_` and the key in base64
 * @param seconds when, in seconds since 1970
 */
export function signedHeaders(
  body: string,
  secret: string,
  id = `msg_${randomUUID().replaceAll("-", "")}`,
  seconds = Math.floor(Date.now() / 1000),
): SignedHeaders {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const digest = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "svix-id": id, "svix-timestamp": String(seconds), "svix-signature": `v1,${digest}` };
}

/**
 * Sends an event, again when it was not taken: the same event, signed anew.
 * @returns whether it was taken in the end; there being no address counts as taken
 */
export async function deliverEvent(event: object, url: string | undefined, secret: string): Promise<boolean> {
  if (url === undefined) return true;
  const body = JSON.stringify(event);
  const id = signedHeaders(body, secret)["svix-id"];
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (attempt > 1) await wait(pauseMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...signedHeaders(body, secret, id) },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (response.ok) return true;
    } catch {
      // Not reachable is the same as not taken: the next attempt may find it there.
    }
  }
  return false;
}
