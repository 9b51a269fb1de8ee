import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawMosaic, type MosaicPiece, mosaicLayout } from "@nectar/core/game/mosaic";
import { startFileStore } from "@nectar/local/stand-ins/file-store";
import { cloneDatabase, type TestCluster } from "@nectar/local/test-cluster";
import { encodePng } from "@nectar/providers/png";
import { z } from "zod";
import { crowd } from "../api/workout-window/game-days.ts";
import type { Figure } from "./figures.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const MANY = 100_000;
const FEW = 100;
const DATE = "2026-11-18";
const MEGABYTE = 1_000_000;

/** What a mosaic costs when a thousand times as many people are in it. */
export async function mosaicFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  note("mosaic: the picture");
  const [many, few] = await alternate(15, [() => pictureOf(MANY), () => pictureOf(FEW)]);
  note(`mosaic: the whole job with ${MANY.toLocaleString("en")} people`);
  const whole = await wholeJob(cluster, MANY);
  const base = await wholeJob(cluster, FEW);
  return [
    {
      name: "mosaic, laid out, drawn and encoded: 100,000 / 100 people",
      ratio: medianRatio(many ?? [], few ?? []),
      bar: { atMost: 2 },
      measured: `${median(many ?? []).toFixed(0)} / ${median(few ?? []).toFixed(0)} ms`,
    },
    {
      name: "mosaic of 100,000 people, peak memory of the process / 300 MB",
      ratio: whole.peakBytes / (300 * MEGABYTE),
      bar: { atMost: 1 },
      measured: `${(whole.peakBytes / MEGABYTE).toFixed(0)} / 300 MB (with 100 people ${(base.peakBytes / MEGABYTE).toFixed(0)} MB)`,
    },
    {
      name: "mosaic of 100,000 people, largest answer / 6 MB",
      ratio: whole.largestAnswerBytes / (6 * MEGABYTE),
      bar: { atMost: 1 },
      measured: `${(whole.largestAnswerBytes / MEGABYTE).toFixed(1)} / 6 MB in ${whole.pages} pages`,
    },
    {
      name: "  the whole job, rows read and written and image stored: 100,000 / 100 people",
      ratio: whole.jobMs / base.jobMs,
      measured: `${whole.jobMs.toFixed(0)} / ${base.jobMs.toFixed(0)} ms`,
    },
  ];
}

/** Milliseconds that the picture of so many people takes. */
async function pictureOf(people: number): Promise<number> {
  const states = ["completed", "failed", "pending"] as const;
  // Neighbours differ, so that nothing is easier to encode than it is.
  const pieces = Array.from(
    { length: people },
    (_, index): MosaicPiece => ({
      status: states[((index * 2_654_435_761) >>> 7) % 3] ?? "pending",
      teamColor: ((index * 2_654_435_761) >>> 11) % 2 === 0 ? "red" : "blue",
    }),
  );
  const from = performance.now();
  const layout = mosaicLayout(people);
  await encodePng(drawMosaic(layout, pieces), { width: layout.side, height: layout.side });
  return performance.now() - from;
}

const Measured = z.object({
  jobMs: z.number(),
  peakBytes: z.number(),
  largestAnswerBytes: z.number(),
  pages: z.number(),
});

/** Runs the job and reads the mosaic page by page, in a process that does nothing else. */
async function wholeJob(cluster: TestCluster, people: number): Promise<z.infer<typeof Measured>> {
  const database = await cloneDatabase(cluster, `bench_mosaic_${people}`);
  await crowd(database, people, DATE);
  const folder = await mkdtemp(join(tmpdir(), "nectar-bench-mosaic-"));
  const store = await startFileStore({ folder });
  try {
    const script = fileURLToPath(new URL("./mosaic-process.ts", import.meta.url));
    const child = spawn(process.execPath, [script, DATE], {
      env: {
        PATH: process.env.PATH,
        ...environmentOf(database),
        S3_BUCKET: store.bucket,
        S3_ENDPOINT: store.url,
        S3_ACCESS_KEY_ID: store.accessKeyId,
        S3_SECRET_ACCESS_KEY: store.secretAccessKey,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (code !== 0) throw new Error(`The process that draws the mosaic ended with ${String(code)}.`);
    return Measured.parse(JSON.parse(said));
  } finally {
    await store.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
