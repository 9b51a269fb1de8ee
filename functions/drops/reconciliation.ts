import { sql } from "kysely";
import { call } from "#database/call";
import type { Tx } from "#database/database";
import { job } from "#http/jobs/jobs";
import { scheduleOf } from "../schedules.ts";
import type { Reconciliation } from "./schema.ts";

/** Less than the timeout of the function, so that a slow comparison ends with an error of ours. */
const MAX_SECONDS = 50;

/** Compares all balances with what they came from, at one moment. Corrects nothing. @param tx of the service */
export async function reconcileDrops(tx: Tx, now: Date): Promise<Reconciliation> {
  await sql`select set_config('statement_timeout', ${`${MAX_SECONDS}s`}, true)`.execute(tx);
  const { ok, ...compared } = await call(tx, "reconcile_drops");
  return { ok, checked_at: now.toISOString(), ...compared };
}

/** Compares all balances with what they came from, and fails if anything differs. */
export const reconcile = job(scheduleOf("drops-reconciliation"), async ({ transaction, services, now }) => {
  const { ok, accounts, movements, differences } = await transaction((tx) => reconcileDrops(tx, now));
  if (ok) return { accounts, movements };
  const kinds = Object.groupBy(differences, ({ kind }) => kind);
  const counts = Object.fromEntries(Object.entries(kinds).map(([kind, found]) => [kind, found.length]));
  services.logger.error({ accounts, movements, differences: counts }, "the ledger does not add up");
  throw new Error("The ledger does not add up.");
});
