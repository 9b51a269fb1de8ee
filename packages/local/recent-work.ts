import { setLatest } from "./latest.ts";

/** A span of the service, as far as the local stack shows it. It has route templates and codes, and no texts or ids. */
export interface ShownSpan {
  readonly traceId: string;
  /** null for the first span of a trace. */
  readonly parentId: string | null;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly hasFailed: boolean;
}

/** A request or task, with what it did. */
export interface Trace {
  readonly first: ShownSpan;
  /** In the order of their ends. */
  readonly parts: readonly ShownSpan[];
}

/** What the service of this process did last. */
export interface RecentWork {
  /** Remembers a span that has ended. */
  readonly add: (span: ShownSpan) => void;
  /** The latest request of each endpoint and task of each kind, the newest first. */
  readonly traces: () => Trace[];
  /** The latest run of each job, the newest first. */
  readonly jobs: () => ShownSpan[];
}

const MAX_TRACES = 12;
const MAX_JOBS = 30;
/** Traces whose first span has not ended. More of them were interrupted. */
const MAX_OPEN = 200;

/** Remembers the latest spans, by name: the pages here request the same endpoints all the time. */
export function recentWork(): RecentWork {
  const open = new Map<string, ShownSpan[]>();
  const traces = new Map<string, Trace>();
  const jobs = new Map<string, ShownSpan>();
  return {
    add(span) {
      const { traceId, parentId, name, attributes } = span;
      if (attributes["nectar.job"] !== undefined) setLatest(jobs, name, span, MAX_JOBS);
      const parts = open.get(traceId) ?? [];
      open.delete(traceId);
      if (parentId === null) setLatest(traces, name, { first: span, parts }, MAX_TRACES);
      else setLatest(open, traceId, [...parts, span], MAX_OPEN);
    },
    traces: () => [...traces.values()].toReversed(),
    jobs: () => [...jobs.values()].toReversed(),
  };
}
