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

/**
 * Claims what has been due longest of a kind at a moment. A claim lasts twice as long each time, up to a maximum, so work
 * that fails need not be released: it is tried less and less often.
 */
export function claimNextWork(
  tx: Tx,
  kind: string,
  moment: Date,
  { seconds, maxSeconds }: { readonly seconds: number; readonly maxSeconds: number },
): Promise<Claim | undefined> {
  const at = moment.toISOString();
  return maybeOne<Claim>(tx)`
    update private.work w set claim = gen_random_uuid(), attempts = w.attempts + 1,
      due_at = ${at}::timestamptz
        + make_interval(secs => least(${seconds} * power(2, least(w.attempts, 20)), ${maxSeconds}))
    where w.kind = ${kind} and w.key = (
      select n.key from private.work n where n.kind = ${kind} and n.due_at <= ${at}::timestamptz
      order by n.due_at limit 1 for update skip locked
    )
    returning w.kind, w.key, w.claim, w.attempts
  `;
}

/** Makes a claim last for some seconds from now on. @returns false if it has ended: the work was claimed again, or is done */
export async function renewWork(tx: Tx, { kind, key, claim }: Claim, seconds: number): Promise<boolean> {
  const renewed = await maybeOne(tx)`
    update private.work set due_at = now() + make_interval(secs => ${seconds})
    where kind = ${kind} and key = ${key} and claim = ${claim}
    returning claim
  `;
  return renewed !== undefined;
}

/** Ends a claim of work that is not done; it may be claimed again from a moment on, or at once. */
export async function releaseWork(tx: Tx, { kind, key, claim }: Claim, dueAt?: Date): Promise<void> {
  await tx
    .updateTable("private.work")
    .set({ claim: null, due_at: dueAt?.toISOString() ?? sql<string>`now()` })
    .where("kind", "=", kind)
    .where("key", "=", key)
    .where("claim", "=", claim)
    .execute();
}

/** Ends a claim of work that is done. */
export async function endWork(tx: Tx, { kind, key, claim }: Claim): Promise<void> {
  await tx
    .deleteFrom("private.work")
    .where("kind", "=", kind)
    .where("key", "=", key)
    .where("claim", "=", claim)
    .execute();
}
