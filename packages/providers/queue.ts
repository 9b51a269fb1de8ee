import type { Task } from "@nectar/core/tasks";

/** Hands tasks to walkers, which run beside the caller. */
export interface Queue {
  /**
   * Queues tasks.
   * @param timeoutMs how long it may take in all
   * @throws AppError provider.failed unless all were queued
   */
  send(tasks: readonly Task[], timeoutMs?: number): Promise<void>;
}
