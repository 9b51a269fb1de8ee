export type Bar = { readonly atLeast: number } | { readonly atMost: number };

/** A result of the benchmark: a ratio and its bar. */
export interface Figure {
  readonly name: string;
  readonly ratio: number;
  /** A figure without a bar is only reported. */
  readonly bar?: Bar;
  /** The two measurements behind the ratio, as text. */
  readonly measured: string;
}

export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => [
    figure.name,
    figure.ratio.toFixed(2),
    barOf(figure),
    verdictOf(figure),
    figure.measured,
  ]);
  const table = [["what", "ratio", "bar", "", "measured"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? "").length)));
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

function barOf({ bar }: Figure): string {
  if (bar === undefined) return "reported";
  return "atLeast" in bar ? `>= ${bar.atLeast}` : `<= ${bar.atMost}`;
}

function verdictOf({ ratio, bar }: Figure): string {
  if (bar === undefined) return "";
  const met = "atLeast" in bar ? ratio >= bar.atLeast : ratio <= bar.atMost;
  return met ? "ok" : "SHORT";
}
