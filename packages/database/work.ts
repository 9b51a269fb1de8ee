import { sql } from "kysely";
import type { Tx } from "./database.ts";
import { maybeOne } from "./query.ts";

/** Work that one process at a time does: a row of private.work while it is due or claimed. */
export interface Work {
  readonly kind: string;
  readonly key: string;
}

/** The right to do some work until the claim expires. */
export interface Claim extends Work {
  readonly claim: string;
  /** How often it was claimed since it was added, or since it last got on; with this time. */
  readonly attempts: number;
}

/** Claims work for some seconds, and adds it if it is not there. @returns undefined if it is not due, or claimed already */
export function claimWork(tx: Tx, { kind, key }: Work, seconds: number): Promise<Claim | undefined> {
  return maybeOne<Claim>(tx)`
    insert into private.work as w (kind, key, claim, due_at, attempts)
    values (${kind}, ${key}, gen_random_uuid(), now() + make_interval(secs => ${seconds}), 1)
    on conflict (kind, key) do update set claim = excluded.claim, due_at = excluded.due_at, attempts = w.attempts + 1
      where w.due_at <= now()
    returning kind, key, claim, attempts
  `;
}

/** How long the first claim of the next work lasts. */
const CLAIM_SECONDS = 120;
const MAX_CLAIM_SECONDS = 6 * 3_600;

/**
 * Claims what has been due longest of a kind at a moment. A claim lasts twice as long each time, so work that fails need not
 * be released: it is tried less and less often.
 */
export function claimNextWork(tx: Tx, kind: string, moment: Date): Promise<Claim | undefined> {
  return maybeOne<Claim>(tx)`
    update private.work w set claim = gen_random_uuid(), attempts = w.attempts + 1,
      due_at = n.at + make_interval(secs => least(${CLAIM_SECONDS} * power(2, least(w.attempts, 20)), ${MAX_CLAIM_SECONDS}))
    from (
      select d.kind, d.key, at from private.work d, cast(${moment.toISOString()} as timestamptz) at
      where d.kind = ${kind} and d.due_at <= at order by d.due_at limit 1 for update of d skip locked
    ) n
    where w.kind = n.kind and w.key = n.key
    returning w.kind, w.key, w.claim, w.attempts
  `;
}

/** Cut to milliseconds, because a rounded time may be later than the next transaction. */
const NOW = sql`date_trunc('milliseconds', now())`;
const isClaim = ({ kind, key, claim }: Claim) => sql`kind = ${kind} and key = ${key} and claim = ${claim}`;

/** Makes a claim last for some seconds from now on. @returns false if it has ended: the work was claimed again, or is done */
export async function renewWork(tx: Tx, claim: Claim, seconds: number): Promise<boolean> {
  const dueAt = sql`now() + make_interval(secs => ${seconds})`;
  return (
    (await maybeOne(tx)`update private.work set due_at = ${dueAt} where ${isClaim(claim)} returning key`) !== undefined
  );
}

/** Ends a claim of work that is not done; it may be claimed again at once. */
export async function releaseWork(tx: Tx, claim: Claim): Promise<void> {
  await sql`update private.work set claim = null, due_at = ${NOW} where ${isClaim(claim)}`.execute(tx);
}

/** Ends a claim of work that is done. */
export async function endWork(tx: Tx, claim: Claim): Promise<void> {
  await sql`delete from private.work where ${isClaim(claim)}`.execute(tx);
}
