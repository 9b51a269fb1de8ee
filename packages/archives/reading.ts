import { once } from "node:events";
import { isOutOfMemory, startIsolatedWorker } from "#providers/isolated-worker";
import type { FileRequest, ReadingTask, WorkerMessage, WorkerRequest } from "./archive-messages.ts";
import type { ImportBatch } from "./batches.ts";
import { ArchiveProblem } from "./problems.ts";

/** JavaScript memory of the worker: an archive of 100,000 files needs 52 MB. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** How long reading a batch may take, in milliseconds: the last one of a task begins a minute before its function ends. */
const BATCH_MS = 45_000;

/** An archive that a thread of its own reads, which waits while a batch is worked on. */
export interface ArchiveReader {
  /**
   * Reads the archive, each time from its beginning.
   * @throws ArchiveProblem if the archive cannot be imported, also because reading it takes too much time or memory
   */
  batches(): AsyncGenerator<ImportBatch, void>;
  /**
   * Reads a file of the archive as a whole, while a batch is worked on.
   * @throws ArchiveProblem `damaged` or `unsupported_compression` if it cannot be unpacked, otherwise as for batches
   */
  file(request: FileRequest): Promise<Uint8Array | "too_large">;
  /** Ends the thread. */
  close(): Promise<void>;
}

/** Starts the thread. @param batchMs milliseconds after which the archive is given up unless there is a batch */
export async function readInWorker(given: Omit<ReadingTask, "task">, batchMs = BATCH_MS): Promise<ArchiveReader> {
  const { ARCHIVE_WORKER } = await import("./archive-worker.ts");
  const task: ReadingTask = { ...given, task: "read-archive" };
  const worker = startIsolatedWorker(ARCHIVE_WORKER, task, { resourceLimits: RESOURCE_LIMITS });
  // An error between two batches is found by the next deadline.
  worker.on("error", () => undefined);

  async function ask(request: WorkerRequest): Promise<Exclude<WorkerMessage, { problem: unknown }>> {
    const response = once(worker, "message", { signal: AbortSignal.timeout(batchMs) });
    worker.postMessage(request);
    const [received] = await response.catch((error: unknown) => {
      throw isOutOfMemory(error) || isTimeout(error) ? new ArchiveProblem("too_complex") : error;
    });
    const message: WorkerMessage = received;
    if ("problem" in message) throw new ArchiveProblem(message.problem.code, message.problem.path);
    return message;
  }

  async function batch(request: "first" | "next"): Promise<ImportBatch | null> {
    const message = await ask(request);
    return "batch" in message ? message.batch : null;
  }

  return {
    async *batches() {
      for (let read = await batch("first"); read !== null; read = await batch("next")) yield read;
    },
    async file(request) {
      const message = await ask(request);
      if (!("file" in message)) throw new Error("The worker sent no file.");
      return message.file;
    },
    async close() {
      await worker.terminate();
    },
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
