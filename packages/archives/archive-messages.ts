import type { ImportBatch } from "./batches.ts";
import type { ImportClock, ImportSource } from "./drafts.ts";
import type { ArchiveProblemCode } from "./problems.ts";

/** The data that the worker is started with. */
export interface ReadingTask {
  readonly task: "read-archive";
  readonly source: ImportSource;
  /** The open file of the archive. */
  readonly fd: number;
  readonly clock: ImportClock;
}

/** A request to the worker: the first batch, which reads the archive from its beginning, or the next one. */
export type WorkerRequest = "first" | "next";

/** A reply of the worker: the next batch, null after the last one, or the problem with which it ends. */
export type WorkerMessage =
  | { readonly batch: ImportBatch | null }
  | { readonly problem: { readonly code: ArchiveProblemCode; readonly path: string | null } };
