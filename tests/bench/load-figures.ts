import type { Bar, Figure } from "./figures.ts";
import type { Load } from "./load.ts";
import { alternate, median, medianRatio } from "./processes.ts";

/** Two loads that are compared, and what is printed of them. */
export interface Comparison {
  readonly name: string;
  readonly bar?: Bar | undefined;
  readonly rounds: number;
  readonly ours: () => Promise<Load>;
  readonly theirs: () => Promise<Load>;
}

/** Compares two loads by their requests a second; more than 1 means that ours is faster. */
export function compareRates(comparison: Comparison): Promise<Figure> {
  return compare(comparison, ({ requestsPerSecond }) => requestsPerSecond, 0, "requests/s");
}

/** Compares two loads by their median latencies; more than 1 means that ours is slower. */
export function compareLatencies(comparison: Comparison): Promise<Figure> {
  return compare(comparison, ({ p50 }) => p50, 2, "ms (p50)");
}

async function compare(
  { name, bar, rounds, ours, theirs }: Comparison,
  measure: (load: Load) => number,
  digits: number,
  unit: string,
): Promise<Figure> {
  const [one = [], other = []] = (await alternate(rounds, [ours, theirs])).map((loads) => loads.map(measure));
  return {
    name,
    ratio: medianRatio(one, other),
    ...(bar === undefined ? {} : { bar }),
    measured: `${median(one).toFixed(digits)} / ${median(other).toFixed(digits)} ${unit}`,
  };
}
