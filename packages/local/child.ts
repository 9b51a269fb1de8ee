import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { identify, type ProcessIdentity } from "./processes.ts";
import { messageOf, StartupProblem } from "./startup-problem.ts";

/** A child process whose output goes to a log file. */
export interface LoggedChild {
  identity: ProcessIdentity;
  logFile: string;
  /** Resolves when the process has ended: its exit code, or null when a signal ended it. Never rejects. */
  exit: Promise<number | null>;
  /** Whether the process has ended. */
  hasExited(): boolean;
}

/**
 * Starts a program in a session of its own, so that Ctrl-C in the terminal reaches only us and we decide the order in
 * which things stop. All its output goes to `logFile`, which starts empty.
 * @throws StartupProblem when the program cannot be started.
 */
export async function startChild(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid"> & { logFile: string },
): Promise<LoggedChild> {
  const { logFile, ...spawnOptions } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, "w", 0o600);
  const child = spawn(program, args, { ...spawnOptions, detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  const exit = new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
  });
  try {
    await once(child, "spawn");
  } catch (error) {
    throw new StartupProblem(`${program} cannot be started: ${messageOf(error)}`);
  }
  const { pid = 0 } = child;
  // A child that ended within this instant has no identity to read any more; its exit is already known.
  const identity = identify(pid) ?? { pid, startedAt: "ended" };
  return { identity, logFile, exit, hasExited: () => child.exitCode !== null || child.signalCode !== null };
}

/** The last lines of a log file, indented to stand below an error message; empty when there is no such file. */
export function logTail(logFile: string, lines = 20): string {
  try {
    const last = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-lines);
    return last.map((line) => `    ${line}`).join("\n");
  } catch {
    return "";
  }
}
