import { setTimeout as wait } from "node:timers/promises";
import { maybeOne } from "#database/query";
import type { Services } from "../services/services.ts";

/**
 * Seconds for which a lease lasts unless it is renewed: how long a process that died keeps others from its work. Less than
 * the minute after which the scheduler, and Lambda after a failure, try again.
 */
const LEASE_SECONDS = 30;
/** Renewals in that time, so that one or two may fail. */
const RENEWALS = 3;

/** Why work stops whose lease another process has. */
export const TAKEN_OVER = "Another process took over.";

/** The work that a lease gives the right to. */
interface LeasedWork {
  readonly name: string;
  readonly key: string;
  readonly seconds?: number | undefined;
}

/** The right to do some work, as long as it is renewed. */
export interface Lease {
  /** Services that are stopping also once the lease is lost. */
  readonly services: Services;
  /** Renews the lease. @returns false if another process has it, or had it */
  renew(): Promise<boolean>;
}

/**
 * Does work of which only one may be done at a time, for each name and key, in all processes. While it goes on, a timer
 * renews the lease; no transaction stays open for it. A process that could not renew it in time, such as one that was paused,
 * may go on beside the one that took over, until its next renewal. That is harmless: each batch of a job or task either locks
 * or claims the rows that it works on or leaves what is there already, and what is called outside may be called twice.
 * @returns null, having done nothing, if the same is being done already
 */
export async function whileLeased<Result>(
  services: Services,
  { name, key, seconds = LEASE_SECONDS }: LeasedWork,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result | null> {
  const { database, stopping, logger } = services;
  const taken = await database.asService(
    (tx) => maybeOne<{ holder: string }>(tx)`
      insert into private.leases as l (name, key, expires_at)
      values (${name}, ${key}, now() + make_interval(secs => ${seconds}))
      on conflict (name, key) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where l.expires_at <= now()
      returning holder
    `,
  );
  if (taken === undefined) return null;
  const { holder } = taken;
  const over = new AbortController();
  const renew = async () => {
    const renewed = await database.asService(
      (tx) => maybeOne(tx)`
        update private.leases set expires_at = now() + make_interval(secs => ${seconds})
        where name = ${name} and key = ${key} and holder = ${holder}
        returning holder
      `,
    );
    if (renewed === undefined && !over.signal.aborted) {
      over.abort(TAKEN_OVER);
      logger.warn({ lease: name }, "another process took over");
    }
    return renewed !== undefined;
  };
  const renewing = renewUntil(over.signal, (seconds * 1_000) / RENEWALS, renew);
  try {
    return await work({ services: { ...services, stopping: AbortSignal.any([stopping, over.signal]) }, renew });
  } finally {
    over.abort();
    await renewing;
    // If this fails, the lease ends by itself.
    await database
      .asService((tx) =>
        tx
          .deleteFrom("private.leases")
          .where("name", "=", name)
          .where("key", "=", key)
          .where("holder", "=", holder)
          .execute(),
      )
      .catch(() => undefined);
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
