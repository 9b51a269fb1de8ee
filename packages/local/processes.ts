import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";

/**
 * A process that can be recognized later: its pid alone may belong to another process by then. `startedAt` is opaque, and
 * differs for every process, also across reboots.
 */
export const ProcessIdentity = z.object({ pid: z.int(), startedAt: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** The identity of a running process, or undefined when no process has this pid. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === "linux" ? linuxStart(pid) : portableStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether exactly this process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/**
 * Signals one process and waits until it is gone; after `timeoutMs` milliseconds it gets SIGKILL.
 * Does nothing when the process has ended already, even if its pid is in use again.
 */
export async function stopProcess(identity: ProcessIdentity, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  if (!signalProcess(identity, signal)) return;
  if (await waitUntilGone(identity, timeoutMs)) return;
  if (!signalProcess(identity, "SIGKILL")) return;
  await waitUntilGone(identity, 5_000);
}

/** Sends a signal to exactly this process. False if it has ended. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isRunning(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false;
  }
}

/** Signals a process and blocks until it has ended, for up to a second: for use while this process exits. */
export function killAndWait(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!signalProcess(identity, signal)) return;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < 1_000 && isRunning(identity); waited += 10) Atomics.wait(clock, 0, 0, 10);
}

/** Resolves to true once the process has ended, to false after `timeoutMs` milliseconds. */
async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** The command line of a running process, its arguments separated by spaces; empty when it cannot be read. */
export function commandLine(pid: number): string {
  try {
    return process.platform === "linux"
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

/** The pid of a running process's parent; undefined when it cannot be read. */
export function parentOf(pid: number): number | undefined {
  try {
    const text =
      process.platform === "linux"
        ? linuxStatus(pid)[1]
        : execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const parent = Number(text);
    return Number.isSafeInteger(parent) && parent > 0 ? parent : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of /proc/<pid>/stat after the program's name: state, parent, ... */
function linuxStatus(pid: number): string[] {
  const status = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name is in parentheses and may contain spaces and parentheses.
  return status.slice(status.lastIndexOf(")") + 2).split(" ");
}

function linuxStart(pid: number): string | undefined {
  try {
    const fields = linuxStatus(pid);
    const [state] = fields;
    const ticks = fields[19];
    if (state === "Z" || state === "X" || ticks === undefined) return undefined;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${ticks}`;
  } catch {
    return undefined;
  }
}

function portableStart(pid: number): string | undefined {
  try {
    const [state, ...start] = execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], { encoding: "utf8" })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith("Z") || start.length === 0 ? undefined : start.join(" ");
  } catch {
    return undefined;
  }
}
