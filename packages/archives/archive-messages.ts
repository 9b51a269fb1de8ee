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

/** A file of the archive that is read as a whole. */
export interface FileRequest {
  readonly path: string;
  /** A larger file is not read. */
  readonly maxBytes: number;
}

/** A request to the worker: the first batch, which reads the archive from its beginning, the next one, or a file. */
export type WorkerRequest = "first" | "next" | FileRequest;

/** A reply of the worker: the next batch, null after the last one; a file; or the problem with which it ends. */
export type WorkerMessage =
  | { readonly batch: ImportBatch | null }
  | { readonly file: Uint8Array<ArrayBuffer> | "too_large" }
  | { readonly problem: { readonly code: ArchiveProblemCode; readonly path: string | null } };
