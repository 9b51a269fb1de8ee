import type { MessagePort } from "node:worker_threads";
import type { ImportClock } from "./drafts.ts";
import type { ArchiveProblemCode } from "./problems.ts";
import type { ImportSource } from "./schema.ts";
import type { ImportSlice } from "./slices.ts";

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
