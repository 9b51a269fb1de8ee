import type { HeicLimits, HeicTask } from "./heic-worker.ts";
import { isOutOfMemory, startIsolatedWorker } from "./isolated-worker.ts";
import type { StoredJpeg } from "./stored-jpeg.ts";

/** JavaScript memory of the worker: libheif is text that is decoded once. Pictures are outside of it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/**
 * Decodes the main picture of a HEIC file in a thread of its own, so that this thread continues with other requests. The
 * thread ends with the picture, at the deadline, or when it needs too much memory.
 * @param deadlineMs milliseconds, the start of the thread included
 * @returns `unreadable` if it is no picture, has too many pixels or needs too much memory; `too_slow` after the deadline
 */
export async function decodeHeic(
  bytes: Uint8Array,
  {
    deadlineMs,
    profile,
    ...limits
  }: HeicLimits & { readonly deadlineMs: number; readonly profile?: HeicTask["profile"] },
): Promise<StoredJpeg | "unreadable" | "too_slow"> {
  const { HEIC_WORKER } = await import("./heic-worker.ts");
  // A copy, because the bytes may be a view into a whole request, all of which would be transferred.
  const workerData: HeicTask = { task: "decode-heic", bytes: new Uint8Array(bytes), limits, profile };
  const { promise, resolve, reject } = Promise.withResolvers<StoredJpeg | "unreadable" | "too_slow">();
  const worker = startIsolatedWorker(HEIC_WORKER, workerData, {
    transferList: [workerData.bytes.buffer],
    resourceLimits: RESOURCE_LIMITS,
  });
  const timer = setTimeout(() => resolve("too_slow"), deadlineMs);
  worker.once("message", (picture: StoredJpeg | null) => resolve(picture ?? "unreadable"));
  worker.once("error", (error) => (isOutOfMemory(error) ? resolve("unreadable") : reject(error)));
  worker.once("exit", () => resolve("unreadable"));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
