import { GROUPS } from "#functions/groups";
import { bundleBaseline, bundleFunction, measureImports } from "../deploy/bundle.ts";
import { type Figure, median, type Run, rounded, sized } from "./figures.ts";

/** Compares size and import time of each function with the libraries that all of them use. */
export async function bundleFigures(run: Run): Promise<Figure[]> {
  run.note("size and import time of all functions");
  const bundles = await Promise.all([bundleBaseline(), ...GROUPS.map(({ name }) => bundleFunction(name))]);
  const times = measureImports(
    bundles.map(({ entry }) => entry),
    sized(15),
  );
  await Promise.all(bundles.map(({ remove }) => remove()));
  const kilobytes = bundles.map(({ eagerBytesGz }) => eagerBytesGz / 1_024);
  return [...figuresOf("eager bundle (gz)", kilobytes, "KB"), ...figuresOf("import time", times, "ms")];
}

function figuresOf(what: string, [baseline = Number.NaN, ...ours]: readonly number[], unit: string): Figure[] {
  const figure = (which: string, value: number, atMost: number): Figure => ({
    name: `${what}, ${which} of ${ours.length} functions / Hono + zod + pg + kysely + jose`,
    ratio: value / baseline,
    bar: { atMost },
    measured: `${rounded(value)} / ${rounded(baseline)} ${unit}`,
  });
  return [figure("median", median(ours), 1.1), figure("largest", Math.max(...ours), 1.3)];
}
