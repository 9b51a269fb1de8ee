import { workerData } from "node:worker_threads";
import type { ReadingTask } from "./archive-messages.ts";

/** The address of this module: the source file or, when deployed, its chunk of the bundle. */
export const ARCHIVE_WORKER = new URL(import.meta.url);

// The main thread imports this module only for its address, so it does not load the parsers.
if (isReadingTask(workerData)) await (await import("./archive-thread.ts")).readArchive(workerData);

function isReadingTask(value: unknown): value is ReadingTask {
  return typeof value === "object" && value !== null && "task" in value && value.task === "read-archive";
}
