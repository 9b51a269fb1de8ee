import type { ImportClock, ImportSource } from "./drafts.ts";
import type { ArchiveProblemCode } from "./problems.ts";
import type { ImportSlice } from "./slices.ts";

/** The data that the worker is started with. */
export interface ReadingTask {
  readonly task: "read-archive";
  readonly source: ImportSource;
  /** The open file of the archive. */
  readonly fd: number;
  readonly clock: ImportClock;
}

/** What the worker is asked for: the first slice, as often as the archive is to be read, or the next one. */
export type WorkerRequest = "first" | "next";

/** What the worker sends each time it is asked: the next slice, null after the last one, or a problem, with which it ends. */
export type WorkerMessage =
  | { readonly slice: ImportSlice | null }
  | { readonly problem: { readonly code: ArchiveProblemCode; readonly path: string | null } };
