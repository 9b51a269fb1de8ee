import { setInterval } from "node:timers";
import { commandLine, parentOf } from "./processes.ts";

const POLL_MS = 500;

/**
 * Calls back once when the npm that started this process has ended. npm forwards a SIGTERM only to the shell between it and
 * this process, and the shell does not forward it; the stack would keep running in the background and keep its ports.
 * Does nothing for a process that was not started as an npm script.
 */
export function whenLauncherEnds(isNpmScript: boolean, callback: () => void): void {
  if (!isNpmScript) return;
  const parent = process.ppid;
  const launchers = [parent];
  // With a shell in between, npm is its parent. Without one, its parent is the user's shell, which may end before us.
  const grandparent = /^\S*sh -c /.test(commandLine(parent)) ? parentOf(parent) : undefined;
  if (grandparent !== undefined) launchers.push(grandparent);
  const timer = setInterval(() => {
    if (process.ppid === parent && launchers.every(exists)) return;
    clearInterval(timer);
    callback();
  }, POLL_MS);
  timer.unref();
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process cannot be signaled, but it exists.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
