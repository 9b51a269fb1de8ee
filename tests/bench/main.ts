import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { startTestCluster } from "#local/database/test-cluster";
import { type Figure, printCells, printTable, type Run } from "./figures.ts";

type Bench = (run: Run) => Promise<Figure[]>;

/** The benches by name. The last one writes into the large database, which others read. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  reads: async () => (await import("./reads.ts")).readFigures,
  growth: async () => (await import("./growth.ts")).growthFigures,
  stats: async () => (await import("./growth.ts")).statsFigures,
  writes: async () => (await import("./writes.ts")).writeFigures,
  "round-trips": async () => (await import("./round-trips.ts")).roundTripFigures,
  health: async () => (await import("./health.ts")).healthFigures,
  audiences: async () => (await import("./audiences.ts")).audienceFigures,
  awards: async () => (await import("./awards.ts")).awardFigures,
  purchases: async () => (await import("./purchases.ts")).purchaseFigures,
  ledger: async () => (await import("./ledger.ts")).ledgerFigures,
  memory: async () => (await import("./memory.ts")).memoryFigures,
  badges: async () => (await import("./badges.ts")).badgeFigures,
  comments: async () => (await import("./comments.ts")).commentFigures,
  engagement: async () => (await import("./engagement.ts")).engagementFigures,
  days: async () => (await import("./game-days.ts")).gameDayFigures,
  mosaic: async () => (await import("./mosaic.ts")).mosaicFigures,
  chains: async () => (await import("./chains.ts")).chainFigures,
  photo: async () => (await import("./photo.ts")).photoFigures,
  workers: async () => (await import("./workers.ts")).workerFigures,
  bundles: async () => (await import("./bundles.ts")).bundleFigures,
  "cold-start": async () => (await import("./cold-start.ts")).coldStartFigures,
  "first-screen": async () => (await import("./first-screen.ts")).firstScreenFigures,
  overload: async () => (await import("./overload.ts")).overloadFigures,
  replicas: async () => (await import("./replicas.ts")).replicaFigures,
  capacity: async () => (await import("./capacity.ts")).capacityFigures,
  mixed: async () => (await import("./mixed.ts")).mixedFigures,
};

const startedAt = new Date();
const named = process.argv.slice(2).filter((argument) => argument !== "--small");
const wanted = named.length > 0 ? named : Object.keys(BENCHES);
const unknown = wanted.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`There is no bench named ${unknown.join(", ")}. The benches are: ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(1);
}
const loadBefore = loadavg();
const { cluster, stop } = await startTestCluster();
const figures: Figure[] = [];
const tables: Record<string, Parameters<Run["show"]>[1]> = {};
try {
  for (const name of wanted) {
    const note = (what: string) =>
      console.error(`${((Date.now() - startedAt.getTime()) / 1_000).toFixed(0)} s  ${name}: ${what}`);
    const show: Run["show"] = (table, rows) => {
      tables[`${name}: ${table}`] = rows;
      printCells([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]);
    };
    try {
      const bench = await BENCHES[name]?.();
      const measured = (await bench?.({ cluster, note, show })) ?? [];
      if (measured.length > 0) printTable(measured);
      figures.push(...measured);
    } catch (error) {
      // The others take most of an hour, so they are measured nevertheless.
      console.error(`${name} failed:`, error);
      process.exitCode = 1;
    }
  }
} finally {
  await stop();
}
mkdirSync("dist", { recursive: true });
const machine = { cores: cpus().length, model: cpus()[0]?.model ?? "unknown", node: process.version, loadBefore };
writeFileSync("dist/bench.json", `${JSON.stringify({ startedAt, machine, figures, tables }, null, 2)}\n`);
console.log("\nWritten to dist/bench.json");
