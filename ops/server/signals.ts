import { constants } from "node:os";

/** Signals that stop a program: Ctrl-C, a supervisor, and a terminal that is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** One Ctrl-C may arrive twice: from the terminal, and forwarded by npm. */
const SAME_SIGNAL_MS = 500;

/**
 * Listens for signals to stop. A second one exits at once.
 * @param onFirst stops the program in order
 * @param onSecond called before the process exits
 * @returns stops listening
 */
export function onStopSignals(onFirst: () => void, onSecond: () => void): () => void {
  let stoppingSince: number | null = null;
  const listener = (signal: NodeJS.Signals) => {
    if (stoppingSince === null) {
      stoppingSince = performance.now();
      onFirst();
    } else if (performance.now() - stoppingSince >= SAME_SIGNAL_MS) {
      onSecond();
      process.exit(128 + constants.signals[signal]);
    }
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
