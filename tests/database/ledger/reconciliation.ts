import type { Acting } from "../support/acting.ts";

export interface Reconciled {
  readonly ok: boolean;
  readonly accounts: number;
  readonly movements: number;
  readonly issued: number;
  readonly spent: number;
  readonly refunded: number;
  readonly adjusted: number;
  readonly erased: number;
  readonly circulating: number;
  readonly differences: readonly { user_id: string; kind: string; expected: number; found: number }[];
}

/** Compares the ledger of a test's database. */
export async function reconciled(acting: Pick<Acting, "one">): Promise<Reconciled> {
  return (await acting.one<{ reconciliation: Reconciled }>`select to_json(private.reconcile_drops()) as reconciliation`)
    .reconciliation;
}
