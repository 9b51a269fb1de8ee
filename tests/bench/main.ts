import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { startTestCluster } from "#local/database/test-cluster";
import { type Figure, printTable, type Run, rowsOf } from "./figures.ts";

type Bench = (run: Run) => Promise<Figure[]>;

/** The benches by name. The last one of these writes into the large database, which others read. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  reads: async () => (await import("./reads.ts")).readFigures,
  growth: async () => (await import("./growth.ts")).growthFigures,
  stats: async () => (await import("./growth.ts")).statsFigures,
  writes: async () => (await import("./writes.ts")).writeFigures,
  pushes: async () => (await import("./pushes.ts")).pushFigures,
  memory: async () => (await import("./memory.ts")).memoryFigures,
  workers: async () => (await import("./workers.ts")).workerFigures,
  "cold-start": async () => (await import("./cold-start.ts")).coldStartFigures,
  replicas: async () => (await import("./replicas.ts")).replicaFigures,
  overload: async () => (await import("./crowds.ts")).overloadFigures,
  mixed: async () => (await import("./crowds.ts")).mixedFigures,
};
/** Measured when it is named, because it has no bar. */
const CAPACITY = { capacity: async () => (await import("./capacity.ts")).capacityFigures };

const startedAt = new Date();
const ALL: typeof BENCHES = { ...BENCHES, ...CAPACITY };
const named = process.argv.slice(2).filter((argument) => argument !== "--small");
const wanted = named.length > 0 ? named : Object.keys(BENCHES);
const unknown = wanted.filter((name) => !(name in ALL));
if (unknown.length > 0) {
  console.error(`There is no bench named ${unknown.join(", ")}. The benches are: ${Object.keys(ALL).join(", ")}.`);
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
      printTable(rows);
    };
    try {
      const bench = await ALL[name]?.();
      const measured = (await bench?.({ cluster, note, show })) ?? [];
      if (measured.length > 0) printTable(rowsOf(measured));
      figures.push(...measured);
    } catch (error) {
      // The others take many minutes, so they are measured nevertheless.
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
