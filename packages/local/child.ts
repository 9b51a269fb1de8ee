import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { identify, type ProcessIdentity } from "./processes.ts";
import { StartupProblem } from "./startup-problem.ts";

/** A child process whose output goes to a log file. */
export interface LoggedChild {
  identity: ProcessIdentity;
  logFile: string;
  /** Resolves when the process has ended: its exit code, or null when a signal ended it. Never rejects. */
  exit: Promise<number | null>;
  /** Whether `exit` has resolved. */
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
  let exited = false;
  const exit = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => {
      exited = true;
      resolve(code);
    });
  });
  const pid = await spawnedPid(child, program);
  // A child that ended within this instant has no identity to read any more; its exit is already known.
  return { identity: identify(pid) ?? { pid, startedAt: "ended" }, logFile, exit, hasExited: () => exited };
}

/** The last lines of a log file, indented to stand below an error message; empty when there is no such file. */
export function logTail(logFile: string, lines = 20): string {
  try {
    const text = readFileSync(logFile, "utf8").trimEnd();
    return text
      .split("\n")
      .slice(-lines)
      .map((line) => `    ${line}`)
      .join("\n");
  } catch {
    return "";
  }
}

function spawnedPid(child: ChildProcess, program: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new StartupProblem(`${program} cannot be started: ${error.message}`)));
    child.once("spawn", () => {
      if (child.pid !== undefined) resolve(child.pid);
    });
  });
}
