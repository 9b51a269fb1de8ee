import { setTimeout as sleep } from "node:timers/promises";

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Waits for the next UTC day if this one is over within the given time, so that what follows sees one date only.
 * @param ms how long the work that follows may take
 */
export async function awayFromMidnight(ms: number): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left <= ms) await sleep(left + 1);
}
