import type { LambdaEvent } from "hono/aws-lambda";
import { workoutWindowApp } from "#functions/workout-window/app";
import { drawIfChanged } from "#functions/workout-window/mosaics/runs";
import { production } from "#http/services/production";
import { lambdaHandler } from "#lambda/lambda-handler";
import { peakMemory } from "#tests/peak-memory";
import { functionUrlEvent } from "../deploy/function-url-event.ts";

// Draws the mosaic of a date as a worker does, then reads the pages about that date as the user of the given token, and
// prints what that took.

/** Pages of check-ins are alike, so a few of them are enough. */
const MAX_PAGES = 6;
const [, , date = "", token = ""] = process.argv;
const services = { ...production(), clock: { now: () => new Date(`${date}T13:00:00Z`) } };
const handler = lambdaHandler(workoutWindowApp, services);
const { drawn } = await drawIfChanged(services, date);
if (drawn !== 1) throw new Error("The worker was to draw the mosaic.");
const peakMb = peakMemory() / 1_000_000;

const responses = [];
for (const [what, query] of [
  ["mosaic", ""],
  ["checkins", "limit=2000"],
  ["team-stats", ""],
] as const) {
  const read = { what, pages: 0, largestMb: 0, slowestMs: 0 };
  let cursor: unknown = null;
  do {
    const path = `/api/workout-window/${what}/${date}`;
    const parameters = [query, ...(typeof cursor === "string" ? [`cursor=${cursor}`] : [])].filter((one) => one !== "");
    const headers = { authorization: `Bearer ${token}` };
    const begun = performance.now();
    // The runtime passes events as JSON.
    const event: LambdaEvent = JSON.parse(
      JSON.stringify(functionUrlEvent({ path, query: parameters.join("&"), headers })),
    );
    const response = await handler(event);
    read.slowestMs = Math.max(read.slowestMs, performance.now() - begun);
    if (response.statusCode !== 200) throw new Error(`${path} responded with ${response.statusCode}.`);
    // The runtime sends the body as a string inside JSON.
    read.largestMb = Math.max(read.largestMb, Buffer.byteLength(JSON.stringify(response)) / 1_000_000);
    read.pages += 1;
    const body: unknown = JSON.parse(response.body);
    cursor = typeof body === "object" && body !== null && "nextCursor" in body ? body.nextCursor : null;
  } while (cursor !== null && read.pages < MAX_PAGES);
  responses.push(read);
}
await services.database.close();
console.log(JSON.stringify({ peakMb, responses }));
