import type pg from "pg";

/**
 * Sets the counts of pg_stat_xact_user_tables to zero for the next transaction. A connection reports what it read at most once
 * a second, and until then the view counts the reads of earlier transactions as well.
 */
export async function resetReadCounts(client: pg.Client): Promise<void> {
  await client.query("select pg_stat_force_next_flush()");
}
