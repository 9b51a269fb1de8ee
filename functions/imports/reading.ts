import { isOutOfMemory, startIsolatedWorker } from "@nectar/providers/isolated-worker";
import type { ProblemMessage, RangeRequest, ReadingTask, SliceMessage } from "./archive-messages.ts";
import type { ByteSource } from "./byte-source.ts";
import { ArchiveProblem } from "./problems.ts";
import type { ImportSlice, Position } from "./slices.ts";

/** An archive that a thread of its own reads. */
export interface ArchiveReader {
  /**
   * The slices from a position on; the thread waits while one is worked on. Begin again only after the last slice.
   * @throws ArchiveProblem if the archive cannot be imported, also because reading it takes too much time or memory
   */
  slicesFrom(position: Position): AsyncGenerator<ImportSlice, void>;
  /** Ends the thread. */
  close(): Promise<void>;
}

/** JavaScript memory of the worker: an archive of 100,000 files needs 52 MB, and an entry of the maximum size 100 MB. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** How long reading a slice may take, in milliseconds: the last one of a walker begins a minute before its function ends. */
const SLICE_MS = 45_000;

/**
 * Starts to read an archive.
 * @param sliceMs milliseconds after which the archive is given up unless there is a slice, or the source is slow
 */
export async function readInWorker(
  bytes: ByteSource,
  given: Omit<ReadingTask, "task" | "size">,
  sliceMs = SLICE_MS,
): Promise<ArchiveReader> {
  const { ARCHIVE_WORKER } = await import("./archive-worker.ts");
  const task: ReadingTask = { ...given, task: "read-archive", size: bytes.size };
  const worker = startIsolatedWorker(ARCHIVE_WORKER, task, { resourceLimits: RESOURCE_LIMITS });
  let next = Promise.withResolvers<SliceMessage>();
  const failure = Promise.withResolvers<never>();
  // It may come while no one waits for a slice.
  failure.promise.catch(() => undefined);
  let reads = 0;
  const giveUp = () => failure.reject(new ArchiveProblem("too_complex"));
  worker.on("message", (message: RangeRequest | SliceMessage | ProblemMessage) => {
    if ("slice" in message) {
      next.resolve(message);
    } else if ("problem" in message) {
      failure.reject(new ArchiveProblem(message.problem.code, message.problem.path));
    } else {
      void sendRange(message);
    }
  });
  worker.once("error", (error) => (isOutOfMemory(error) ? giveUp() : failure.reject(error)));
  worker.once("exit", giveUp);

  async function sendRange({ range, reply }: RangeRequest): Promise<void> {
    reads += 1;
    try {
      reply.postMessage(await bytes.read(range.from, range.length));
    } catch (error) {
      failure.reject(error);
    } finally {
      reads -= 1;
    }
  }

  function received(): Promise<SliceMessage> {
    const timer = setTimeout(() => (reads > 0 ? timer.refresh() : giveUp()), sliceMs);
    return Promise.race([next.promise, failure.promise]).finally(() => clearTimeout(timer));
  }

  return {
    async *slicesFrom(position) {
      let { reply } = await received();
      for (let answer: Position | null = position; ; answer = null) {
        next = Promise.withResolvers();
        reply.postMessage(answer);
        const message = await received();
        if (message.slice === null) return;
        yield message.slice;
        reply = message.reply;
      }
    },
    async close() {
      await worker.terminate();
    },
  };
}
