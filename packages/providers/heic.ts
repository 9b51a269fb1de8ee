import { Worker } from "node:worker_threads";
import type { HeicLimits, RawPicture } from "./heic-decoder.ts";
import type { HeicTask } from "./heic-worker.ts";

/** JavaScript memory of the worker, in megabytes: libheif comes as text that is decoded once. Pictures are outside of it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/** The worker gets no variable, so that no secret of this process is in the memory that a hostile file may read. */
const NO_VARIABLES = {};

/**
 * Decodes the main picture of a HEIC file in a thread of its own, which ends with the picture, at the deadline, or when it
 * needs too much memory. Meanwhile this thread goes on with other requests.
 * @param deadlineMs milliseconds, the start of the thread included
 * @returns `unreadable` for what is no picture, has too many pixels or needs too much memory; `too_slow` after the deadline
 */
export async function decodeHeic(
  bytes: Uint8Array,
  { deadlineMs, ...limits }: HeicLimits & { readonly deadlineMs: number },
): Promise<RawPicture | "unreadable" | "too_slow"> {
  const { HEIC_WORKER } = await import("./heic-worker.ts");
  // A copy without what surrounds it: the bytes may be a view into a whole request, all of which would be handed over.
  const workerData: HeicTask = { task: "decode-heic", bytes: new Uint8Array(bytes), limits };
  const { promise, resolve, reject } = Promise.withResolvers<RawPicture | "unreadable" | "too_slow">();
  const worker = new Worker(HEIC_WORKER, {
    workerData,
    transferList: [workerData.bytes.buffer],
    resourceLimits: RESOURCE_LIMITS,
    env: NO_VARIABLES,
    execArgv: [],
    // What the decoder prints may describe a person's photo, so it is not shown.
    stdout: true,
    stderr: true,
  });
  const timer = setTimeout(() => resolve("too_slow"), deadlineMs);
  worker.once("message", (picture: RawPicture | null) => resolve(picture ?? "unreadable"));
  worker.once("error", (error) => (isOutOfMemory(error) ? resolve("unreadable") : reject(error)));
  worker.once("exit", () => resolve("unreadable"));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
