import { parentPort, workerData } from "node:worker_threads";
import { decodeHeicHere, type HeicLimits } from "./heic-decoder.ts";

/**
 * The address of this module: the source file or, when deployed, its chunk of the bundle, which it has because it is only
 * imported on use. A worker that starts here decodes the given file and posts the picture, or null.
 */
export const HEIC_WORKER = new URL(import.meta.url);

/** The data that the worker is started with. */
export interface HeicTask {
  readonly task: "decode-heic";
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly limits: HeicLimits;
}

// The main thread imports this module only for its address.
if (isHeicTask(workerData)) {
  const picture = await decodeHeicHere(workerData.bytes, workerData.limits);
  parentPort?.postMessage(picture, picture === null ? [] : [picture.pixels.buffer]);
}

function isHeicTask(value: unknown): value is HeicTask {
  return typeof value === "object" && value !== null && "task" in value && value.task === "decode-heic";
}
