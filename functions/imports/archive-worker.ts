import { MessageChannel, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openArchive } from "./archive.ts";
import { openDayOne } from "./day-one.ts";
import type { ImportClock, OpenSource } from "./drafts.ts";
import { openMarkdown } from "./markdown.ts";
import { openNectar } from "./nectar.ts";
import { ArchiveProblem, type ArchiveProblemCode } from "./problems.ts";
import type { ImportSource } from "./schema.ts";
import { type ImportSlice, type Position, slicesOf } from "./slices.ts";

/** The address of this module: the source file or, when deployed, its chunk of the bundle. */
export const ARCHIVE_WORKER = new URL(import.meta.url);

/** The data that the worker is started with. */
export interface ReadingTask {
  readonly task: "read-archive";
  readonly source: ImportSource;
  /** The size of the archive in bytes. */
  readonly size: number;
  readonly clock: ImportClock;
}

/** The worker needs bytes of the archive, to be sent to the port. */
export interface RangeRequest {
  readonly range: { readonly from: number; readonly length: number };
  readonly reply: MessagePort;
}

/** The worker has read a slice, and continues once anything is sent to the port; null: it waits for a position to begin at. */
export interface SliceMessage {
  readonly slice: ImportSlice | null;
  readonly reply: MessagePort;
}

/** The archive has a problem, and the worker ends. */
export interface ProblemMessage {
  readonly problem: { readonly code: ArchiveProblemCode; readonly path: string | null };
}

const SOURCES: Readonly<Record<ImportSource, OpenSource>> = {
  nectar: openNectar,
  day_one: openDayOne,
  markdown: openMarkdown,
};

// The main thread imports this module only for its address.
if (isReadingTask(workerData)) await readArchive(workerData);

/** Hands over all slices of an archive from a position on, as often as it is asked to. */
async function readArchive({ source, size, clock }: ReadingTask): Promise<void> {
  try {
    const read = (from: number, length: number) => sendAndWait<Uint8Array>({ range: { from, length } });
    const archive = await SOURCES[source](await openArchive({ size, read }), clock);
    for (;;) {
      const from = await sendAndWait<Position>({ slice: null });
      for await (const slice of slicesOf(archive, from)) await sendAndWait<null>({ slice });
    }
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error;
    const { code, path } = error;
    parentPort?.postMessage({ problem: { code, path } } satisfies ProblemMessage);
  }
}

function sendAndWait<Reply>(message: Omit<RangeRequest, "reply"> | Omit<SliceMessage, "reply">): Promise<Reply> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.once("message", (reply: Reply) => {
      port1.close();
      resolve(reply);
    });
    parentPort?.postMessage({ ...message, reply: port2 }, [port2]);
  });
}

function isReadingTask(value: unknown): value is ReadingTask {
  return typeof value === "object" && value !== null && "task" in value && value.task === "read-archive";
}
