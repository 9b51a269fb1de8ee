import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "#local/database/postgres";
import { createMigratedDatabase, type TestDatabase } from "#local/database/test-cluster";
import { LOCAL_DATABASE_PASSWORD } from "#local/settings/local-defaults";
import { freePort } from "#local/support/ports";
import { tokenFor } from "#tests/people";
import { jobCosts } from "./capacity-jobs.ts";
import { counted, cpuTimes, share } from "./costs.ts";
import { cpuMsOf } from "./cpu.ts";
import { fillMixed, personWithNumber } from "./data.ts";
import { CONNECTIONS, environmentOf, filledDatabase } from "./databases.ts";
import { type Figure, type Run, sized } from "./figures.ts";
import { HOT_WRITES } from "./hot-writes.ts";
import { type LoadOptions, load } from "./load.ts";
import { MIXED_REQUESTS, requestsOf } from "./mixed.ts";
import { startServer } from "./processes.ts";
import { requestsOfWriters, writersDatabase } from "./writes.ts";

const REQUESTS = sized(2_000, 3 * CONNECTIONS);
/** Before the measurement, so that caches and plans are filled. */
const WARMING = sized(800, CONNECTIONS);

/**
 * What a request of each endpoint of `mixed` and of each frequent write costs, and what the jobs cost for a thousand people, on
 * a server whose commits survive a power cut. `docs/scale.md` does its arithmetic with this.
 */
export async function capacityFigures(run: Run): Promise<Figure[]> {
  const server = await startPostgres({
    dataFolder: await mkdtemp(join(tmpdir(), "nectar-bench-")),
    port: await freePort(),
    password: LOCAL_DATABASE_PASSWORD,
    durability: "durable",
  });
  try {
    const { name } = await createMigratedDatabase(server, "nectar_template");
    const cluster = { port: server.port, adminUrl: server.urlOf("postgres"), template: name };
    const durable = { ...run, cluster };
    run.show("a request", [...(await endpointCosts(durable)), ...(await writeCosts(durable))]);
    run.show("a thousand people", await jobCosts(durable));
    return [];
  } finally {
    await server.stop();
  }
}

async function endpointCosts(run: Run) {
  run.note("filling a database");
  const database = await filledDatabase(run, "mixed", fillMixed);
  const tokens = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) => tokenFor({ sub: personWithNumber(1_000 + index) })),
  );
  const costs = [];
  for (const [index, { method, path }] of MIXED_REQUESTS.entries()) {
    const what = `${method} ${path}`;
    run.note(what);
    const requests = (connection: number) => requestsOf(tokens[connection] ?? "", 0).slice(index, index + 1);
    costs.push({ what, ...(await requestCost(database, { warming: requests, measured: requests })) });
  }
  return costs;
}

/** Each person writes once. */
async function writeCosts(run: Run) {
  const database = await writersDatabase(run, WARMING + REQUESTS);
  const costs = [];
  for (const write of HOT_WRITES) {
    run.note(write.name);
    const sides = {
      warming: await requestsOfWriters(write, 1, WARMING),
      measured: await requestsOfWriters(write, 1 + WARMING, REQUESTS),
    };
    costs.push({ what: write.name, ...(await requestCost(database, sides, { preload: "./no-photo-work.ts" })) });
  }
  return costs;
}

type Requests = LoadOptions["requestsOf"];

/** What a request costs: CPU time once caches and plans are filled, and rows and bytes. */
async function requestCost(
  database: TestDatabase,
  { warming, measured }: { readonly warming: Requests; readonly measured: Requests },
  stored?: { readonly preload: `./${string}.ts` },
) {
  const environment = { ...environmentOf(database), ...(stored === undefined ? {} : { S3_BUCKET: "bench" }) };
  const { result: cpu, risen } = await counted(database, async () => {
    await using api = await startServer("api", environment, stored?.preload);
    const send = (requests: number, requestsOf: Requests) =>
      load(api.url, { connections: CONNECTIONS, until: { requests }, requestsOf });
    await send(WARMING, warming);
    return await cpuTimes(
      database,
      () => cpuMsOf(api.pid),
      () => send(REQUESTS, measured),
    );
  });
  return { ...share(cpu, 1 / REQUESTS), ...share(risen, 1 / (WARMING + REQUESTS)) };
}
