import { setTimeout as sleep } from "node:timers/promises";
import { type LoggedChild, logTail, startChild } from "./child.ts";
import { type ProcessIdentity, signalProcess, stopProcess } from "./processes.ts";
import { StartupProblem } from "./startup-problem.ts";

/** A server that runs as a child process. */
export interface ServerProcess extends Pick<LoggedChild, "identity" | "logFile" | "exit"> {
  /** Ends it in order. Safe to call twice. */
  stop(): Promise<void>;
  /** Ends it at once, without waiting for it. */
  kill(): void;
}

/** How to start and stop a server. */
export interface ServerPlan {
  /** For messages. */
  name: string;
  command: Parameters<typeof startChild>;
  stopSignal: NodeJS.Signals;
  killSignal: NodeJS.Signals;
  /** Milliseconds until it must be ready. */
  startTimeoutMs: number;
  /** Milliseconds after which a server that does not stop is killed. */
  stopTimeoutMs: number;
  isReady(): Promise<boolean>;
  /** Called as soon as the process has started, before it is ready. */
  onSpawn?: ((identity: ProcessIdentity) => void) | undefined;
}

/**
 * Starts a server and waits until it is ready.
 * @throws StartupProblem with the end of its log if it does not come up
 */
export async function startServer(plan: ServerPlan): Promise<ServerProcess> {
  const child = await startChild(...plan.command);
  const { identity, logFile, exit } = child;
  plan.onSpawn?.(identity);
  const stop = () => stopProcess(identity, plan.stopSignal, plan.stopTimeoutMs);
  try {
    await waitUntilReady(child, plan);
  } catch (error) {
    await stop();
    throw error;
  }
  return { identity, logFile, exit, stop, kill: () => void signalProcess(identity, plan.killSignal) };
}

async function waitUntilReady(child: LoggedChild, { name, startTimeoutMs, isReady }: ServerPlan): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  const problem = (what: string) => new StartupProblem(`${name} ${what}:\n${logTail(child.logFile)}`);
  for (;;) {
    if (child.hasExited()) throw problem("ended while it was starting");
    if (await isReady()) return;
    if (Date.now() > deadline) throw problem(`is not ready after ${startTimeoutMs / 1000} s`);
    await sleep(25);
  }
}
