import { production } from "@nectar/http/production";
import { presentMosaic, readMosaic } from "../../functions/workout-window/mosaic.ts";
import { drawMosaics } from "../../functions/workout-window/mosaic-runs.ts";
import { MosaicQuery } from "../../functions/workout-window/mosaic-schema.ts";

/** Draws the mosaics of a date with the scheduled job, reads the date's mosaic page by page, and prints what that took. */
const date = process.argv[2] ?? "";
const services = { ...production(), clock: { now: () => new Date(`${date}T13:00:00Z`) } };
const from = performance.now();
const { results } = await drawMosaics(services);
const jobMs = performance.now() - from;
if (results?.drawn !== 1) throw new Error("The job was to draw one mosaic.");
const peakBytes = process.resourceUsage().maxRSS * 1_024;
let largestAnswerBytes = 0;
let pages = 0;
let cursor: string | undefined;
do {
  const query = MosaicQuery.parse(cursor === undefined ? {} : { cursor });
  const answer = await presentMosaic(services, await services.database.asService((tx) => readMosaic(tx, date, query)));
  largestAnswerBytes = Math.max(largestAnswerBytes, Buffer.byteLength(JSON.stringify(answer)));
  pages += 1;
  cursor = answer.nextCursor ?? undefined;
} while (cursor !== undefined);
await services.database.close();
console.log(JSON.stringify({ jobMs, peakBytes, largestAnswerBytes, pages }));
