import { TABLES } from "#core/cards/all";
import type { Database, Tx } from "#database/database";
import { all } from "#database/query";
import type { ReplicaUse } from "#http/access/request-database";

/** A database that says which tables its transactions look at, without what begins them. */
export function watched(database: Database, onRead: (table: string) => void): Database {
  return {
    ...database,
    asUser: (userId, work, purpose = "write") =>
      database.asUser(
        userId,
        async (tx) => {
          const before = await looks(tx);
          const result = await work(tx);
          for (const [table, count] of await looks(tx)) if (count > (before.get(table) ?? 0)) onRead(table);
          return result;
        },
        purpose === "read once" ? "read" : purpose,
      ),
  };
}

/** How often each table was looked at in a transaction so far. */
async function looks(tx: Tx): Promise<Map<string, number>> {
  const rows = await all<{ name: string; looks: number }>(tx)`
    select schemaname || '.' || relname as name, (seq_scan + coalesce(idx_scan, 0))::int as looks
    from pg_stat_xact_user_tables`;
  return new Map(rows.map(({ name, looks }) => [name, looks]));
}

/** What the policies of the tables say of an endpoint that reads them; undefined if it reads none. */
export function useOf(tables: ReadonlySet<string>): ReplicaUse | undefined {
  const reaches = [...tables].flatMap((name) => (TABLES[name]?.about === null ? [] : TABLES[name]?.users?.select));
  if (tables.size === 0) return undefined;
  if (reaches.every((reach) => reach === "signed in")) return "everybody's";
  return reaches.every((reach) => reach === "owner" || reach === "recipient") ? "own" : "shared";
}
