import { setTimeout as sleep } from "node:timers/promises";
import { StartupProblem } from "../support/startup-problem.ts";

const MAX_WAIT_MS = 120_000;

/** Waits until something is true. @throws StartupProblem after two minutes */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + MAX_WAIT_MS; !(await isTrue()); await sleep(250)) {
    if (performance.now() > end)
      throw new StartupProblem(`It is not true after ${MAX_WAIT_MS / 1_000} s that ${what}.`);
  }
}
