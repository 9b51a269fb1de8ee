import type { EndedSpan } from "#core/work/ended-span";
import { setLatest } from "../support/latest.ts";

/** A request or task, with what it did. */
export interface Trace {
  readonly first: EndedSpan;
  /** In the order of their ends. */
  readonly parts: readonly EndedSpan[];
}

/** The latest requests, tasks and jobs of the service in this process. */
export interface RecentWork {
  /** Remembers a span that has ended. */
  readonly add: (span: EndedSpan) => void;
  /** The latest request of each endpoint and task of each kind, the newest first. */
  readonly traces: () => Trace[];
  /** The latest run of each job, the newest first. */
  readonly jobs: () => EndedSpan[];
}

const MAX_TRACES = 16;
const MAX_JOBS = 30;
/** Traces whose first span has not ended. More of them were interrupted. */
const MAX_OPEN = 200;

/** Remembers the latest spans, by name: the pages here request the same endpoints all the time. */
export function recentWork(): RecentWork {
  const open = new Map<string, EndedSpan[]>();
  const traces = new Map<string, Trace>();
  const jobs = new Map<string, EndedSpan>();
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
