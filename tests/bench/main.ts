import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { cloneDatabase, startTestCluster } from "@nectar/local/test-cluster";
import { badgeFigures, engagementFigures } from "./badges.ts";
import { bundleFigures } from "./bundles.ts";
import { fill } from "./data.ts";
import { type Figure, printTable } from "./figures.ts";
import { growthFigures, overheadFigures } from "./requests.ts";

/** `npm run bench`: every figure is a ratio of two things measured side by side in this run. */
const startedAt = new Date();
const { cluster, stop } = await startTestCluster();
const figures: Figure[] = [];
try {
  const small = await cloneDatabase(cluster, "bench_small");
  const large = await cloneDatabase(cluster, "bench_large");
  const note = (what: string) => console.error(`${((Date.now() - startedAt.getTime()) / 1000).toFixed(0)} s  ${what}`);
  note("filling the small database: 1,000 entries of 100 people");
  await fill(small.adminUrl, { people: 100, entries: 1_000, teams: 500, diary: 100 });
  note("filling the large database: 1,000,000 entries of 20,000 people");
  await fill(large.adminUrl, { people: 20_000, entries: 1_000_000, teams: 2_000, diary: 110_000 });
  note("measuring requests");
  figures.push(...(await overheadFigures(large, note)));
  figures.push(...(await growthFigures(small, large, note)));
  figures.push(...(await badgeFigures(cluster, note)));
  figures.push(...(await engagementFigures(cluster, note)));
  note("measuring bundles");
  figures.push(...(await bundleFigures()));
} finally {
  await stop();
}
printTable(figures);
mkdirSync("dist", { recursive: true });
const machine = { cores: cpus().length, model: cpus()[0]?.model ?? "unknown", node: process.version };
writeFileSync("dist/bench.json", `${JSON.stringify({ startedAt, machine, figures }, null, 2)}\n`);
console.log("\nWritten to dist/bench.json");
