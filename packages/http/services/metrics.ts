import type { Clock } from "./clock.ts";

/** A measurement in a log line, from which CloudWatch makes metrics. */
interface Measurement {
  /** The number in the line: its name is the name of the metric. Counts are the metric's number of samples. */
  readonly metric: string;
  readonly unit: "Milliseconds" | "Count";
  /** Fields by which the metric is split, all of them together. Each combination of values is paid for. */
  readonly dimensions: readonly (readonly string[])[];
  /** The name of the same in `GET /metrics`. */
  readonly prometheus: string;
}

/** The one table of what is measured in both ways: in log lines, and by `GET /metrics`. */
export const MEASUREMENTS = {
  request: {
    metric: "duration_ms",
    unit: "Milliseconds",
    dimensions: [["group", "status_class"], ["status_class"]],
    prometheus: "nectar_duration_ms",
  },
  job: {
    metric: "duration_ms",
    unit: "Milliseconds",
    dimensions: [["job", "outcome"]],
    prometheus: "nectar_job_duration_ms",
  },
  task: {
    metric: "duration_ms",
    unit: "Milliseconds",
    dimensions: [["task", "outcome"]],
    prometheus: "nectar_task_duration_ms",
  },
  lateJobs: { metric: "late_jobs", unit: "Count", dimensions: [[]], prometheus: "nectar_late_jobs" },
  waitingReviews: {
    metric: "waiting_reviews",
    unit: "Count",
    dimensions: [[]],
    prometheus: "nectar_waiting_reviews",
  },
} as const satisfies Record<string, Measurement>;

/** Returns the field that makes a log line a metric as well. @param further dimensions that only this line has */
export type Metrics = (
  name: keyof typeof MEASUREMENTS,
  further?: readonly (readonly string[])[],
) => { readonly _aws: object };

/**
 * Metrics in CloudWatch's embedded metric format: CloudWatch reads them from the log, so that measuring sends nothing.
 * @param namespace the name under which CloudWatch shows them
 */
export function embeddedMetrics(namespace: string, clock: Clock): Metrics {
  return (name, further = []) => {
    const { metric, unit, dimensions } = MEASUREMENTS[name];
    return {
      _aws: {
        Timestamp: clock.now().getTime(),
        CloudWatchMetrics: [
          { Namespace: namespace, Dimensions: [...dimensions, ...further], Metrics: [{ Name: metric, Unit: unit }] },
        ],
      },
    };
  };
}

/** Counts what `GET /metrics` shows. */
export interface Meter {
  /** @param operation the id of an operation, or `none` for a path or method that is none */
  request(operation: string, status: number, durationMs: number): void;
  /** Counts a run of a job or a task, by its name. */
  run(kind: "job" | "task", name: string, outcome: "succeeded" | "failed", durationMs: number): void;
}

/** What `GET /metrics` shows of the database. */
export interface Figures {
  readonly lateJobs: number;
  readonly waitingReviews: number;
  /** The jobs that have succeeded. */
  readonly lastSuccesses: readonly { readonly job: string; readonly at: Date }[];
  readonly deliveriesDue: number;
  /** Since when the oldest delivery that is due is due; null if there is none. */
  readonly oldestDelivery: Date | null;
}

/** The class of an HTTP status, such as `2xx`. */
export function statusClassOf(status: number): string {
  return `${Math.trunc(status / 100)}xx`;
}
