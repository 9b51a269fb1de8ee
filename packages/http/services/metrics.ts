import type { Clock } from "./clock.ts";

/** A measurement in a log line, from which CloudWatch makes metrics. */
export interface Measurement {
  /** The number in the line: its name is the name of the metric. Counts are the metric's number of samples. */
  readonly metric: string;
  readonly unit: "Milliseconds" | "Count";
  /** Fields by which the metric is split, all of them together. Each combination of values is paid for. */
  readonly dimensions: readonly (readonly string[])[];
}

/** Returns the field that makes a log line a metric as well. */
export type Metrics = (measurement: Measurement) => { readonly _aws: object };

/**
 * Metrics in CloudWatch's embedded metric format: CloudWatch reads them from the log, so that measuring sends nothing.
 * @param namespace the name under which CloudWatch shows them
 */
export function embeddedMetrics(namespace: string, clock: Clock): Metrics {
  return ({ metric, unit, dimensions }) => ({
    _aws: {
      Timestamp: clock.now().getTime(),
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: dimensions, Metrics: [{ Name: metric, Unit: unit }] }],
    },
  });
}
