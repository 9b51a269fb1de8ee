import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ProcessIdentity } from "./processes.ts";

/** Ends processes that must not outlive this one, even when this one is killed without a chance to act. */
export interface Guard {
  protect(child: ProcessIdentity, signal: NodeJS.Signals): void;
}

/** One line of what the guard's process reads. */
export interface GuardOrder {
  child: ProcessIdentity;
  signal: NodeJS.Signals;
}

/**
 * Starts a small process of its own that waits for this one to end: its standard input is a pipe from here, which the
 * system closes whatever ended us. Then it signals the protected processes, the last started first.
 */
export function startGuard(): Guard {
  const program = fileURLToPath(new URL("guard-process.ts", import.meta.url));
  const watcher = spawn(process.execPath, [program], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without the guard everything works but the recovery from a kill, which the next start then does.
  watcher.on("error", () => undefined);
  watcher.stdin.on("error", () => undefined);
  watcher.unref();
  return {
    protect: (child, signal) => {
      const order: GuardOrder = { child, signal };
      watcher.stdin.write(`${JSON.stringify(order)}\n`);
    },
  };
}
