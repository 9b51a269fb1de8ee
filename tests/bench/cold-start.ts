import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { TestCluster } from "#local/database/test-cluster";
import { tokenFor } from "#tests/people";
import { bundleEntry, bundleFunction } from "../deploy/bundle.ts";
import { functionUrlEvent } from "../deploy/function-url-event.ts";
import { VIEWERS } from "./data.ts";
import { smallDatabase } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { HOT_READS } from "./hot-reads.ts";
import { alternate, median, medianRatio } from "./processes.ts";
import { environmentOf, type Note } from "./requests.ts";

const [LIST] = HOT_READS;

/** Compares the time from the start of a process to its first list: of the bundled function, and of Hono and pg alone. */
export async function coldStartFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const database = await smallDatabase(cluster, note);
  note("cold start");
  const ours = await bundleFunction("journal");
  const theirs = await bundleEntry(fileURLToPath(new URL("./cold-start-baseline.ts", import.meta.url)));
  const event = JSON.stringify(
    functionUrlEvent({
      path: "/api/journal",
      query: "limit=20",
      headers: { authorization: `Bearer ${await tokenFor({ sub: VIEWERS.calm })}` },
    }),
  );
  const environment = {
    ...environmentOf(database),
    NODE_ENV: "production",
    BENCH_DATABASE_URL: database.adminUrl,
    BENCH_SQL: LIST?.sql ?? "",
    BENCH_READER: VIEWERS.calm,
  };
  try {
    const [one = [], other = []] = await alternate(15, [
      () => timeFirstList(ours.entry, event, environment),
      () => timeFirstList(theirs.entry, event, environment),
    ]);
    return [
      {
        name: "cold start: process start to the first list / the same of Hono + pg alone",
        ratio: medianRatio(one, other),
        bar: { atMost: 1.3 },
        measured: `${median(one).toFixed(0)} / ${median(other).toFixed(0)} ms`,
      },
    ];
  } finally {
    await Promise.all([ours.remove(), theirs.remove()]);
  }
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
