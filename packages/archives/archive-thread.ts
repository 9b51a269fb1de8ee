import { on } from "node:events";
import { parentPort } from "node:worker_threads";
import { once } from "#providers/once";
import { type Archive, openArchive } from "./archive.ts";
import type { FileRequest, ReadingTask, WorkerMessage, WorkerRequest } from "./archive-messages.ts";
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
  const opened = once(() => openArchive(task.fd));
  let batches = batchesIn(task, opened);
  for await (const [received] of on(parentPort, "message")) {
    const request: WorkerRequest = received;
    if (request === "first") batches = batchesIn(task, opened);
    const message = await replied(() => (typeof request === "string" ? next(batches) : readFile(opened, request)));
    parentPort.postMessage(message, "file" in message && message.file !== "too_large" ? [message.file.buffer] : []);
  }
}

async function* batchesIn(
  { source, clock }: ReadingTask,
  opened: () => Promise<Archive>,
): AsyncGenerator<ImportBatch, void> {
  yield* batchesOf(await SOURCES[source](await opened(), clock));
}

async function next(batches: AsyncGenerator<ImportBatch, void>): Promise<WorkerMessage> {
  const { done, value } = await batches.next();
  return { batch: done === true ? null : value };
}

async function readFile(opened: () => Promise<Archive>, { path, maxBytes }: FileRequest): Promise<WorkerMessage> {
  const archive = await opened();
  const file = archive.files.find((one) => one.path === path);
  if (file === undefined) throw new Error("This file is not in the archive.");
  if (file.size > maxBytes) return { file: "too_large" };
  const bytes = new Uint8Array(file.size);
  let at = 0;
  for await (const chunk of archive.read(file)) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { file: bytes };
}

async function replied(work: () => Promise<WorkerMessage>): Promise<WorkerMessage> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error;
    const { code, path } = error;
    return { problem: { code, path } };
  }
}
