import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { startTestCluster, type TestCluster } from "#local/database/test-cluster";
import { audienceFigures } from "./audiences.ts";
import { awardFigures } from "./awards.ts";
import { badgeFigures } from "./badges.ts";
import { bundleFigures } from "./bundles.ts";
import { chainFigures } from "./chains.ts";
import { coldStartFigures } from "./cold-start.ts";
import { engagementFigures } from "./engagement.ts";
import { exportFigures } from "./exports.ts";
import { type Figure, printTable } from "./figures.ts";
import { firstScreenFigures } from "./first-screen.ts";
import { gameDayFigures } from "./game-days.ts";
import { growthFigures } from "./growth.ts";
import { ledgerFigures } from "./ledger.ts";
import { mixedFigures } from "./mixed.ts";
import { moodFigures } from "./moods.ts";
import { mosaicFigures } from "./mosaic.ts";
import { overloadFigures } from "./overload.ts";
import { photoFigures } from "./photo.ts";
import { purchaseFigures } from "./purchases.ts";
import { readFigures } from "./reads.ts";
import { healthFigures, type Note } from "./requests.ts";
import { roundTripFigures } from "./round-trips.ts";
import { statsFigures } from "./stats.ts";
import { walkerFigures } from "./walkers.ts";
import { writeFigures } from "./writes.ts";

/** The parts that can be measured alone. */
const PARTS: Readonly<Record<string, (cluster: TestCluster, note: Note) => Promise<Figure[]>>> = {
  reads: readFigures,
  growth: growthFigures,
  stats: statsFigures,
  writes: writeFigures,
  "round-trips": roundTripFigures,
  health: healthFigures,
  audiences: audienceFigures,
  awards: awardFigures,
  purchases: purchaseFigures,
  ledger: ledgerFigures,
  exports: exportFigures,
  moods: moodFigures,
  badges: badgeFigures,
  engagement: engagementFigures,
  days: gameDayFigures,
  mosaic: mosaicFigures,
  chains: chainFigures,
  photo: photoFigures,
  walkers: walkerFigures,
  bundles: bundleFigures,
  "cold-start": coldStartFigures,
  "first-screen": firstScreenFigures,
  overload: overloadFigures,
  // Last, because it writes into the large database.
  mixed: mixedFigures,
};

/**
 * `npm run bench`: every figure is a ratio of two things measured side by side in this run. `npm run bench -- awards`
 * measures a part only.
 */
const startedAt = new Date();
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`There is no part named ${unknown.join(", ")}. The parts are: ${Object.keys(PARTS).join(", ")}.`);
  process.exit(1);
}
const loadBefore = loadavg();
const { cluster, stop } = await startTestCluster();
const figures: Figure[] = [];
try {
  const note = (what: string) => console.error(`${((Date.now() - startedAt.getTime()) / 1000).toFixed(0)} s  ${what}`);
  for (const name of wanted) figures.push(...((await PARTS[name]?.(cluster, note)) ?? []));
} finally {
  await stop();
}
printTable(figures);
mkdirSync("dist", { recursive: true });
const machine = { cores: cpus().length, model: cpus()[0]?.model ?? "unknown", node: process.version, loadBefore };
writeFileSync("dist/bench.json", `${JSON.stringify({ startedAt, machine, figures }, null, 2)}\n`);
console.log("\nWritten to dist/bench.json");
