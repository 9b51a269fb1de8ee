import type { Task } from "#core/work/tasks";
import type { Queue } from "./queue.ts";

/** A queue within this process. */
export interface Lanes extends Queue {
  /** Resolves when no task waits or runs. */
  idle(): Promise<void>;
  /** Drops the waiting tasks and all later ones; resolves when none runs. */
  close(): Promise<void>;
}

/**
 * Runs tasks in this process, a few at a time. A task that waits already is not queued a second time. One that fails is
 * dropped: the scheduled jobs do what was missed.
 * @param count how many tasks may run at the same time
 */
export function openLanes(count: number, run: (task: Task) => Promise<unknown>): Lanes {
  const waiting = new Map<string, Task>();
  let isClosed = false;
  let running = 0;
  let whenIdle = Promise.withResolvers<void>();
  whenIdle.resolve();

  async function runLane(): Promise<void> {
    if (running === 0) whenIdle = Promise.withResolvers();
    running += 1;
    // All lanes iterate over one map, so each takes what is next, tasks that were added meanwhile included.
    for (const [key, task] of waiting) {
      waiting.delete(key);
      await run(task).catch(() => undefined);
    }
    running -= 1;
    if (running === 0) whenIdle.resolve();
  }

  return {
    async send(tasks) {
      if (isClosed) return;
      for (const task of tasks) waiting.set(JSON.stringify(task), task);
      while (running < count && waiting.size > 0) void runLane();
    },
    idle: () => whenIdle.promise,
    close() {
      isClosed = true;
      waiting.clear();
      return whenIdle.promise;
    },
  };
}
