import { setTimeout as wait } from "node:timers/promises";
import { type Claim, claimWork, endWork, releaseWork, renewWork, type Work } from "#database/work";
import type { Services } from "../services/services.ts";

/**
 * Seconds for which a claim lasts unless it is renewed: how long a process that died keeps others from its work. Less than
 * the minute after which the scheduler, and Lambda after a failure, try again.
 */
const CLAIM_SECONDS = 30;
/** Renewals in that time, so that one or two may fail. */
const RENEWALS = 3;

/** Why work stops that another process has claimed. */
export const TAKEN_OVER = "Another process took over.";

/** A claim that a timer renews. */
export interface RenewedClaim extends Claim {
  /** Services that are stopping also once the claim has ended. */
  readonly services: Services;
  /** Renews the claim. @returns false if another process has claimed the work since */
  renew(): Promise<boolean>;
  /** Ends the claim of work that is not done, so that it can be claimed again at once. */
  release(): Promise<void>;
}

/**
 * Does work of which only one may be done at a time, for each kind and key, in all processes. While it goes on, a timer
 * renews the claim; no transaction stays open for it. A process that could not renew it in time, such as one that was paused,
 * may go on beside the one that took over, until its next renewal. That is harmless: each batch of a job or task either locks
 * or claims the rows that it works on or leaves what is there already, and what is called outside may be called twice.
 * Work that fails is released.
 * @returns null, having done nothing, if the same is being done already, or is not due
 */
export async function whileClaimed<Result>(
  services: Services,
  { seconds = CLAIM_SECONDS, ...work }: Work & { readonly seconds?: number | undefined },
  doWork: (claim: RenewedClaim) => Promise<Result>,
): Promise<Result | null> {
  const { database, stopping, logger } = services;
  const claim = await database.asService((tx) => claimWork(tx, work, seconds));
  if (claim === undefined) return null;
  const over = new AbortController();
  const renew = async () => {
    const renewed = await database.asService((tx) => renewWork(tx, claim, seconds));
    if (!renewed && !over.signal.aborted) {
      over.abort(TAKEN_OVER);
      logger.warn({ work: work.kind }, "another process took over");
    }
    return renewed;
  };
  const release = () => database.asService((tx) => releaseWork(tx, claim));
  const end = () => database.asService((tx) => endWork(tx, claim));
  const renewing = renewUntil(over.signal, (seconds * 1_000) / RENEWALS, renew);
  let leave = release;
  try {
    const signal = AbortSignal.any([stopping, over.signal]);
    const result = await doWork({ ...claim, services: { ...services, stopping: signal }, renew, release });
    leave = end;
    return result;
  } finally {
    over.abort();
    await renewing;
    // If this fails, the claim expires.
    await leave().catch(() => undefined);
  }
}

async function renewUntil(over: AbortSignal, everyMs: number, renew: () => Promise<boolean>): Promise<void> {
  for (;;) {
    await wait(everyMs, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    // While the database is away, it is tried again and again.
    await renew().catch(() => undefined);
  }
}
