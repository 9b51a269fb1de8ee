import { readdir, readFile } from "node:fs/promises";

/** Milliseconds of a tick of the kernel's clock, by which Linux counts the time of processes. */
const MS_PER_TICK = 10;

/** The CPU time of a server and its child processes so far, in milliseconds; those that have ended included. */
export async function cpuMsOf(pid: number): Promise<number> {
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
