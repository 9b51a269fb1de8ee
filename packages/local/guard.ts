import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ProcessIdentity } from "./processes.ts";

/** Ends processes that must not outlive this one, even if this one is killed with SIGKILL. */
export interface Guard {
  protect(child: ProcessIdentity, signal: NodeJS.Signals): void;
}

/** One line of what the guard's process reads. */
export interface GuardLine {
  child: ProcessIdentity;
  signal: NodeJS.Signals;
}

/**
 * Starts a small process that waits until this one has ended: its standard input is a pipe from here, which the system closes
 * in any case. Then it signals the protected processes, the last started first.
 */
export function startGuard(): Guard {
  const program = fileURLToPath(new URL("guard-process.ts", import.meta.url));
  const watcher = spawn(process.execPath, [program], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without the guard everything works; after a kill, the next start stops what was left behind.
  watcher.on("error", () => undefined);
  watcher.stdin.on("error", () => undefined);
  watcher.unref();
  return {
    protect: (child, signal) => {
      const line: GuardLine = { child, signal };
      watcher.stdin.write(`${JSON.stringify(line)}\n`);
    },
  };
}
