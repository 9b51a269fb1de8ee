/** A recorded unit of work that is done. It has route templates and codes, and no texts or ids of users. */
export interface EndedSpan {
  readonly traceId: string;
  /** null for the first span of ours in a trace. */
  readonly parentId: string | null;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly hasFailed: boolean;
}
