import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "#local/database/test-cluster";
import { closeSuperuser, query } from "#tests/people";
import { median, rounded } from "./figures.ts";
import type { Load } from "./load.ts";

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
export async function cpuTimes<Result>(
  { adminUrl }: Pick<TestDatabase, "adminUrl">,
  nodeMs: () => number | Promise<number>,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly cpu: Counters }> {
  const [server] = await query<{ pid: number }>(
    adminUrl,
    "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid",
  );
  const now = async () => ({
    "PostgreSQL, ms": await cpuMsOf(server?.pid ?? Number.NaN),
    "Node, ms": await nodeMs(),
  });
  const before = await now();
  const result = await work();
  return { result, cpu: difference(before, await now()) };
}

/** Loads a server, and measures the CPU time of a request. */
export async function cpuOfRequests(
  database: Pick<TestDatabase, "adminUrl">,
  { pid }: { readonly pid: number },
  send: () => Promise<Load>,
): Promise<Load & { readonly cpu: Counters }> {
  const { result, cpu } = await cpuTimes(database, () => cpuMsOf(pid), send);
  const ofRequest = Object.entries(cpu).map(([name, ms]) => [name, ms / result.responses]);
  return { ...result, cpu: Object.fromEntries(ofRequest) };
}

function difference(before: Counters, after: Counters): Counters {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}

/** The medians of some measurements, for a part of what they are about, as text. */
export function share(counters: readonly Counters[], part: number): Record<string, string> {
  const names = Object.keys(counters[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, rounded(median(counters.map((one) => one[name] ?? Number.NaN)) * part)]),
  );
}

/** Milliseconds of a tick of the kernel's clock, by which Linux counts the time of processes. */
const MS_PER_TICK = 10;

/** The CPU time of a server and its child processes so far, in milliseconds; those that have ended included. */
async function cpuMsOf(pid: number): Promise<number> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(ids.map(timesOf));
  const ticks = all.reduce((sum, times) => {
    if (times?.pid === pid) return sum + times.own + times.ended;
    return times?.parent === pid ? sum + times.own : sum;
  }, 0);
  return ticks * MS_PER_TICK;
}

/** Reads `/proc/<pid>/stat`, as proc(5) describes it; undefined if the process has ended. */
async function timesOf(id: string) {
  const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => undefined);
  // The name in parentheses may contain blanks. The fields after it begin with the third.
  const fields = stat
    ?.slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  if (fields === undefined) return undefined;
  const [, parent = 0] = fields;
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { pid: Number(id), parent, own: user + system, ended: endedUser + endedSystem };
}
