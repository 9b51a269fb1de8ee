import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { commandLine, identify, stopProcess } from "./processes.ts";

/**
 * Stops a PostgreSQL server that still runs on this cluster after a crash of its owner, and removes a lock file that would
 * keep the next one from starting. `pg_ctl stop` would trust the pid in that file, which may belong to another program by now,
 * and signal it. The caller makes sure that no running owner uses the cluster.
 * @returns the pid of the server that was stopped, or undefined when none was running.
 */
export async function stopLeftoverPostgres(cluster: string): Promise<number | undefined> {
  const lockFile = join(cluster, "postmaster.pid");
  const pid = lockedBy(lockFile);
  const locker = pid === undefined ? undefined : identify(pid);
  // A lock whose process is gone is recovered by PostgreSQL itself, which also looks for surviving backends.
  if (!locker) return undefined;
  if (commandLine(locker.pid).includes(`-D ${cluster} `)) {
    // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, everything committed is written.
    await stopProcess(locker, "SIGINT", 30_000);
    return locker.pid;
  }
  // The pid belongs to another program: PostgreSQL would take it for a running server and refuse to start.
  await rm(lockFile, { force: true });
  return undefined;
}

function lockedBy(lockFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(lockFile, "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}
