import { on } from "node:events";
import { parentPort } from "node:worker_threads";
import { openArchive } from "./archive.ts";
import type { ReadingTask, WorkerMessage, WorkerRequest } from "./archive-messages.ts";
import { batchesOf, type ImportBatch } from "./batches.ts";
import { openDayOne } from "./day-one.ts";
import type { ImportSource, OpenSource } from "./drafts.ts";
import { openMarkdown } from "./markdown.ts";
import { openNectar } from "./nectar.ts";
import { ArchiveProblem } from "./problems.ts";

const SOURCES: Readonly<Record<ImportSource, OpenSource>> = {
  nectar: openNectar,
  day_one: openDayOne,
  markdown: openMarkdown,
};

/** In the worker: sends the batches of an archive, each when it is asked for one. */
export async function readArchive(task: ReadingTask): Promise<void> {
  if (parentPort === null) throw new Error("This is no worker.");
  let batches = batchesIn(task);
  for await (const [received] of on(parentPort, "message")) {
    const request: WorkerRequest = received;
    if (request === "first") batches = batchesIn(task);
    parentPort.postMessage(await next(batches));
  }
}

async function* batchesIn({ source, fd, clock }: ReadingTask): AsyncGenerator<ImportBatch, void> {
  yield* batchesOf(await SOURCES[source](await openArchive(fd), clock));
}

async function next(batches: AsyncGenerator<ImportBatch, void>): Promise<WorkerMessage> {
  try {
    const { done, value } = await batches.next();
    return { batch: done === true ? null : value };
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error;
    const { code, path } = error;
    return { problem: { code, path } };
  }
}
