import { spawn } from "node:child_process";
import { once } from "node:events";
import { tokenFor } from "#tests/people";
import { bundleEntry, bundleFunction } from "../deploy/bundle.ts";
import { functionUrlEvent } from "../deploy/function-url-event.ts";
import { VIEWERS } from "./data.ts";
import { environmentOf, smallDatabase } from "./databases.ts";
import { alternate, type Figure, figureOf, type Run } from "./figures.ts";
import { LIST } from "./hot-reads.ts";
import { pathOf } from "./processes.ts";

/** Compares the time from the start of a process to its first list: of the bundled function, and of Hono and pg alone. */
export async function coldStartFigures(run: Run): Promise<Figure[]> {
  const database = await smallDatabase(run);
  run.note("from the start of a process to its first list");
  const ours = await bundleFunction("journal");
  const theirs = await bundleEntry(pathOf("./cold-start-baseline.ts"));
  await using bundles = new AsyncDisposableStack();
  for (const { remove } of [ours, theirs]) bundles.defer(remove);
  const headers = { authorization: `Bearer ${await tokenFor({ sub: VIEWERS.calm })}` };
  const event = JSON.stringify(functionUrlEvent({ path: "/api/journal", query: "limit=20", headers }));
  const environment = {
    ...environmentOf(database),
    NODE_ENV: "production",
    BENCH_DATABASE_URL: database.adminUrl,
    BENCH_SQL: LIST.twin.sql,
    BENCH_READER: VIEWERS.calm,
  };
  const firstList =
    ({ entry }: { readonly entry: string }) =>
    () =>
      timeFirstList(entry, event, environment);
  const [one, other] = await alternate([ours, theirs].map(firstList), 15);
  const what = "cold start: process start to the first list / the same of Hono + pg alone";
  return [figureOf(what, { atMost: 2 }, one, other)];
}

/** Imports the bundle and calls its handler, as Lambda does. */
const INVOKE = `
const { pathToFileURL } = await import("node:url");
const { handler } = await import(pathToFileURL(process.argv[1]).href);
const { statusCode, body } = await handler(JSON.parse(process.argv[2]), { awsRequestId: "bench", functionName: "bench" });
process.stderr.write(statusCode + " " + JSON.parse(body).entries.length + " entries", () => process.exit());`;

/** Milliseconds. */
async function timeFirstList(entry: string, event: string, env: Record<string, string>): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, ["--input-type=module", "-e", INVOKE, entry, event], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  let at = Number.NaN;
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    at = performance.now();
  });
  await once(child, "close");
  if (said !== "200 20 entries") throw new Error(`${entry} did not give the list: ${said}`);
  return at - from;
}
