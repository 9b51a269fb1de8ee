import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "#local/database/test-cluster";
import { closeSuperuser, query } from "#tests/people";
import { cpuMsOf } from "./cpu.ts";
import { rounded } from "./figures.ts";

/** Numbers that rise while something works. */
type Counters = Readonly<Record<string, number>>;

/**
 * Counts the rows that some work reads and writes, and the kB by which it lets a database and the write-ahead log grow, from a
 * checkpoint on.
 * @param work leaves no connection to the database open, because PostgreSQL counts the rows of a connection when it ends
 */
export async function counted<Result>(
  database: TestDatabase,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly risen: Counters }> {
  await query(database.adminUrl, "checkpoint");
  const before = await countersOf(database);
  const result = await work();
  return { result, risen: difference(before, await countersOf(database)) };
}

async function countersOf({ adminUrl, name }: TestDatabase): Promise<Counters> {
  await closeSuperuser(adminUrl);
  const beside = new URL(adminUrl);
  beside.pathname = "/postgres";
  while ((await query(beside.href, "select from pg_stat_activity where datname = $1", [name])).length > 0) {
    await sleep(50);
  }
  const [counters = {}] = await query<Record<string, number>>(
    beside.href,
    `select (tup_returned + tup_fetched)::float8 as "rows read",
       (tup_inserted + tup_updated + tup_deleted)::float8 as "rows written",
       pg_database_size(datname)::float8 / 1000 as "kB on disk",
       (pg_current_wal_insert_lsn() - '0/0')::float8 / 1000 as "kB of log"
     from pg_stat_database where datname = $1`,
    [name],
  );
  return counters;
}

/** Measures the CPU time of some work, in milliseconds: of the server of a database, and of Node. */
export async function cpuTimes(
  { adminUrl }: TestDatabase,
  nodeMs: () => number | Promise<number>,
  work: () => Promise<unknown>,
): Promise<Counters> {
  const [server] = await query<{ pid: number }>(
    adminUrl,
    "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid",
  );
  const now = async () => ({
    "PostgreSQL, ms": await cpuMsOf(server?.pid ?? Number.NaN),
    "Node, ms": await nodeMs(),
  });
  const before = await now();
  await work();
  return difference(before, await now());
}

function difference(before: Counters, after: Counters): Counters {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}

/** Counters for a part of what they are about, as text. */
export function share(counters: Counters, part: number): Record<string, string> {
  return Object.fromEntries(Object.entries(counters).map(([name, value]) => [name, rounded(value * part)]));
}
