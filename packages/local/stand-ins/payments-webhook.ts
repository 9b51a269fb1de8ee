import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

const attempts = 3;
const pauseMs = 500;
const timeoutMs = 10_000;

/** The header with which Stripe signs a body. */
export function signatureOf(body: string, secret: string, seconds = Math.floor(Date.now() / 1000)): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}

/**
 * Sends events, all at once like Stripe does, each again when it was not taken.
 * @returns whether all of them were taken in the end; there being no address counts as taken
 */
export async function deliver(events: readonly object[], url: string | undefined, secret: string): Promise<boolean> {
  if (url === undefined) return true;
  const taken = await Promise.all(events.map((event) => deliverOne(JSON.stringify(event), url, secret)));
  return taken.every(Boolean);
}

async function deliverOne(body: string, url: string, secret: string): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if (attempt > 1) await wait(pauseMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": signatureOf(body, secret) },
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
