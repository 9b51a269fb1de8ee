import { MessageChannel, parentPort } from "node:worker_threads";
import { openArchive } from "./archive.ts";
import type { ProblemMessage, RangeRequest, ReadingTask, SliceMessage } from "./archive-messages.ts";
import { openDayOne } from "./day-one.ts";
import type { OpenSource } from "./drafts.ts";
import { openMarkdown } from "./markdown.ts";
import { openNectar } from "./nectar.ts";
import { ArchiveProblem } from "./problems.ts";
import type { ImportSource } from "./schema.ts";
import { type Position, slicesOf } from "./slices.ts";

const SOURCES: Readonly<Record<ImportSource, OpenSource>> = {
  nectar: openNectar,
  day_one: openDayOne,
  markdown: openMarkdown,
};

/** In the worker: hands over all slices of an archive from a position on, as often as it is asked to. */
export async function readArchive({ source, size, clock }: ReadingTask): Promise<void> {
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
