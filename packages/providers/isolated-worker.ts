import { type ResourceLimits, type TransferListItem, Worker } from "node:worker_threads";

/**
 * Starts a thread that reads a file which anyone may have made, so that this thread continues with other requests. It has
 * no environment, so that no secret is in the memory that the file may reach, and its output is not logged, because that
 * may describe the file.
 * @param module the address of a module that does the task of its `workerData`
 */
export function startIsolatedWorker(
  module: URL,
  workerData: object,
  options: { readonly resourceLimits: ResourceLimits; readonly transferList?: TransferListItem[] },
): Worker {
  return new Worker(module, { workerData, ...options, env: {}, execArgv: [], stdout: true, stderr: true });
}

/** Whether a thread has ended because it needed more memory than its limits allow. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
