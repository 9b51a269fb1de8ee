import { GROUPS } from "#functions/groups";
import type { TestCluster } from "#local/database/test-cluster";
import { bundleBaseline, bundleFunction, measureImports } from "../deploy/bundle.ts";
import type { Figure } from "./figures.ts";
import { median } from "./processes.ts";
import type { Note } from "./requests.ts";

/** Compares size and import time of each function with the libraries that all of them use. */
export async function bundleFigures(_cluster: TestCluster, note: Note): Promise<Figure[]> {
  note("bundles");
  const baseline = await bundleBaseline();
  const bundles = await Promise.all(GROUPS.map(async ({ name }) => ({ name, bundle: await bundleFunction(name) })));
  const [baselineMs = Number.NaN, ...times] = measureImports(
    [baseline.entry, ...bundles.map(({ bundle }) => bundle.entry)],
    15,
  );
  for (const { remove } of [baseline, ...bundles.map(({ bundle }) => bundle)]) await remove();
  const sizes = bundles.map(({ bundle }) => bundle.eagerBytesGz / baseline.eagerBytesGz);
  const imports = times.map((time) => time / baselineMs);
  const libraries = "Hono + zod + pg + kysely + jose";
  return [
    {
      name: `eager bundle (gz), median of ${GROUPS.length} functions / ${libraries}`,
      ratio: median(sizes),
      bar: { atMost: 1.1 },
      measured: `${kilobytes(median(bundles.map(({ bundle }) => bundle.eagerBytesGz)))} / ${kilobytes(baseline.eagerBytesGz)}`,
    },
    {
      name: `eager bundle (gz), largest of ${GROUPS.length} functions / ${libraries}`,
      ratio: Math.max(...sizes),
      bar: { atMost: 1.3 },
      measured: `${kilobytes(Math.max(...bundles.map(({ bundle }) => bundle.eagerBytesGz)))} / ${kilobytes(baseline.eagerBytesGz)}`,
    },
    {
      name: `import time, median of ${GROUPS.length} functions / ${libraries}`,
      ratio: median(imports),
      bar: { atMost: 1.1 },
      measured: `${median(times).toFixed(0)} / ${baselineMs.toFixed(0)} ms`,
    },
    {
      name: `import time, slowest of ${GROUPS.length} functions / ${libraries}`,
      ratio: Math.max(...imports),
      bar: { atMost: 1.3 },
      measured: `${Math.max(...times).toFixed(0)} / ${baselineMs.toFixed(0)} ms`,
    },
    ...bundles.map(({ name, bundle }, index) => ({
      name: `  ${name}: size, and import time behind it`,
      ratio: sizes[index] ?? Number.NaN,
      measured: `${kilobytes(bundle.eagerBytesGz)}; import ${(imports[index] ?? Number.NaN).toFixed(2)}`,
    })),
  ];
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KB`;
}
