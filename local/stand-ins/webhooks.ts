import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const ATTEMPTS = 3;
const PAUSE_MS = 500;
const TIMEOUT_MS = 10_000;

/** The webhook to which a stand-in reports events. */
export interface WebhookOptions {
  /** Address that events are sent to; none are sent if left out. */
  readonly webhookUrl?: string;
  /** Secret that events are signed with. */
  readonly webhookSecret: string;
}

/**
 * Posts an event to a webhook, several times if it is not accepted.
 * @param sign the headers that sign the body; called for each attempt
 * @returns whether it was accepted in the end, or there is no webhook
 */
export async function deliverEvent(
  event: object,
  { webhookUrl, webhookSecret }: WebhookOptions,
  sign: (body: string, secret: string) => Record<string, string>,
): Promise<boolean> {
  if (webhookUrl === undefined) return true;
  const body = JSON.stringify(event);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (attempt > 1) await sleep(PAUSE_MS);
    try {
      const response = await fetch(webhookUrl, {
        method: "POST",
        headers: { "content-type": "application/json", ...sign(body, webhookSecret) },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return true;
    } catch {
      // Perhaps it is not reachable yet.
    }
  }
  return false;
}

/** The header `stripe-signature` of a body. */
export function stripeSignature(body: string, secret: string, seconds = nowInSeconds()): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}

/**
 * The headers that sign a body, as Svix does for Resend.
 * @param secret `whsec_` and the key in base64
 */
export function svixHeaders(body: string, secret: string, id = newSvixId(), seconds = nowInSeconds()) {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const digest = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "svix-id": id, "svix-timestamp": String(seconds), "svix-signature": `v1,${digest}` };
}

/** A new id of an event, which all attempts to deliver it have. */
export function newSvixId(): string {
  return `msg_${randomUUID().replaceAll("-", "")}`;
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
