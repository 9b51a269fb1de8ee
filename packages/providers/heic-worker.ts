import { parentPort, workerData } from "node:worker_threads";
import { decodeHeicHere, type HeicLimits } from "./heic-decoder.ts";

/**
 * Where this module is: the file as it was written or, when deployed, the part of the bundle that it became because it is
 * only ever imported on use. A worker that starts here decodes the file that it was given and posts the picture, or null.
 */
export const HEIC_WORKER = new URL(import.meta.url);

/** What the worker is started with. */
export interface HeicTask {
  readonly task: "decode-heic";
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly limits: HeicLimits;
}

// Imported by the main thread for its address, the module does nothing.
if (isHeicTask(workerData)) {
  const picture = await decodeHeicHere(workerData.bytes, workerData.limits);
  parentPort?.postMessage(picture, picture === null ? [] : [picture.pixels.buffer]);
}

function isHeicTask(value: unknown): value is HeicTask {
  return typeof value === "object" && value !== null && "task" in value && value.task === "decode-heic";
}
