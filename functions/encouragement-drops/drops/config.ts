import { sql } from "kysely";
import type { Tx } from "#database/database";
import { DropConfig, type DropConfigUpdate } from "./schema.ts";

const COLUMNS = DropConfig.keyof().options;

export function readConfig(tx: Tx): Promise<DropConfig> {
  return tx.selectFrom("encouragement_config").select(COLUMNS).executeTakeFirstOrThrow();
}

/** Updates the rules of drops. The policies only allow it to admins. */
export function updateConfig(tx: Tx, update: DropConfigUpdate): Promise<DropConfig> {
  return tx
    .updateTable("encouragement_config")
    .set({ ...update, updated_at: sql`now()` })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}
