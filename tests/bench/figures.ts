import type { TestCluster } from "#local/database/test-cluster";

/** What a bench gets: the cluster of this run, and where to say what is being measured. */
export interface Run {
  readonly cluster: TestCluster;
  readonly note: (what: string) => void;
  /** Prints a table of what has no bar, and stores it with the figures. */
  readonly show: (name: string, rows: readonly Readonly<Record<string, string>>[]) => void;
}

export type Bar = { readonly atLeast: number } | { readonly atMost: number };

/** A result of the benchmark: a ratio and its bar. */
export interface Figure {
  readonly name: string;
  readonly ratio: number;
  readonly bar: Bar;
  /** The two measurements behind the ratio, as text. */
  readonly measured: string;
}

/** How often each side of a comparison is measured. */
const ROUNDS = 5;
const IS_SMALL = process.argv.includes("--small");

/** A number of rows, seconds or rounds; with `--small` a hundredth of it, which only shows that a bench runs. */
export function sized(count: number, least = 1): number {
  return IS_SMALL ? Math.max(least, Math.ceil(count / 100)) : count;
}

/** Alternates between the sides, so that other load on the machine affects them equally. The first round only warms up. */
export async function alternate<Result>(
  sides: readonly (() => Promise<Result>)[],
  rounds = ROUNDS,
): Promise<Result[][]> {
  const results: Result[][] = sides.map(() => []);
  for (let round = 0; round <= sized(rounds); round += 1) {
    for (const [index, side] of sides.entries()) {
      const result = await side();
      if (round > 0) results[index]?.push(result);
    }
  }
  return results;
}

/** The median of the ratios of two sides that alternated. */
export function figureOf(
  name: string,
  bar: Bar,
  ours: readonly number[] = [],
  theirs: readonly number[] = [],
  unit = "ms",
): Figure {
  const ratio = median(ours.map((value, index) => value / (theirs[index] ?? Number.NaN)));
  return { name, ratio, bar, measured: `${rounded(median(ours))} / ${rounded(median(theirs))} ${unit}` };
}

/** A number against the most that it may be. */
export function within(name: string, value: number, limit: number, unit: string, more = ""): Figure {
  const measured = `${rounded(value)} / ${rounded(limit)} ${unit}${more}`;
  return { name: `${name} / ${rounded(limit)} ${unit}`, ratio: value / limit, bar: { atMost: 1 }, measured };
}

/** Something that must not happen. */
export function none(name: string, count: number, measured: string): Figure {
  return { name, ratio: count, bar: { atMost: 0 }, measured };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share between 0 and 1: 0.5 gives the median */
export function quantile(values: readonly number[], share: number): number {
  const value = values.toSorted((left, right) => left - right)[Math.floor(values.length * share)];
  if (value === undefined) throw new Error("There is no quantile of nothing.");
  return value;
}

/** A number for people to read, with two digits if it is small. */
export function rounded(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 20 ? 2 : 0 });
}

/** Figures as rows of a table, with their bars. */
export function rowsOf(figures: readonly Figure[]): Record<string, string>[] {
  return figures.map(({ name, ratio, bar, measured }) => {
    const [sign, limit] = "atLeast" in bar ? [">=", bar.atLeast] : ["<=", bar.atMost];
    const isMet = sign === ">=" ? ratio >= limit : ratio <= limit;
    const met = isMet ? "ok" : "SHORT";
    return { what: name, ratio: ratio.toFixed(2), bar: `${sign} ${rounded(limit)}`, met, measured };
  });
}

export function printTable(rows: readonly Readonly<Record<string, string>>[]): void {
  const table = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    console.log(cells.join("  ").trimEnd());
  }
}
