import { setTimeout as sleep } from "node:timers/promises";
import { withConnection } from "#local/support/connection";
import { tokenFor } from "#tests/people";
import { type ReplicatedDatabase, startReplicatedDatabase } from "#tests/standby";
import { cpuMsOf } from "./cpu.ts";
import { fillMixed, personWithNumber } from "./data.ts";
import { CONNECTIONS, environmentOf } from "./databases.ts";
import { alternate, type Figure, figureOf, none, type Run, rounded, sized } from "./figures.ts";
import { type LoadOptions, load, loadTolerantly } from "./load.ts";
import { requestsOf } from "./mixed.ts";
import { type BenchServer, startServer } from "./processes.ts";

const ROUNDS = 7;
const REQUESTS = sized(1_000, 100);
const OUTAGE_SECONDS = sized(60, 8);
/** Read by the caller's id alone, and a list whose policies decide. */
const READS = ["/api/drops/balance", "/api/journal?limit=20"];
/** Lets replicas serve the request. */
const ANYWHERE = { "x-nectar-position": "" };

/** What a replica takes off the primary, and what it costs who reads from it. */
export async function replicaFigures(run: Run): Promise<Figure[]> {
  const database = await startReplicatedDatabase();
  try {
    run.note("filling the primary");
    await withConnection(database.primary.adminUrl, async (client) => {
      await client.query("set session_replication_role = replica");
      await fillMixed(client);
      await client.query("vacuum analyze");
    });
    await database.caughtUp();
    const variables = environmentOf(database.primary);
    const reading = { ...variables, DATABASE_READ_URL: database.replica.apiUrl };
    await using alone = await startServer("api", variables);
    await using own = await startServer("api", reading);
    await using shared = await startServer("api", { ...reading, DATABASE_READ_SHARED: "on" });
    return [
      ...(await primaryFigures(run, database, { alone, own, shared })),
      ...(await latencyFigures(run, { alone, shared })),
      ...(await outageFigures(run, database, shared)),
    ];
  } finally {
    await database.stop();
  }
}

async function primaryFigures(
  run: Run,
  database: ReplicatedDatabase,
  { alone, own, shared }: Readonly<Record<"alone" | "own" | "shared", BenchServer>>,
): Promise<Figure[]> {
  run.note("the primary's part of mixed requests");
  const pid = await database.pidOf("primary");
  const options = await mixedLoad({ requests: REQUESTS });
  const cpuOf = (server: BenchServer) => async () => {
    const before = await cpuMsOf(pid);
    await load(server.url, options);
    return (await cpuMsOf(pid)) - before;
  };
  const [withShared = [], withOwn = [], without = []] = await alternate(ROUNDS, [
    cpuOf(shared),
    cpuOf(own),
    cpuOf(alone),
  ]);
  const what = `CPU of the primary for ${REQUESTS} mixed requests, 80 % reads`;
  return [
    figureOf(`${what}, all reads from a replica / without replicas`, { atMost: 0.6 }, withShared, without),
    figureOf(`${what}, without what is shared / without replicas`, { atMost: 1 }, withOwn, without),
  ];
}

async function latencyFigures(
  run: Run,
  { alone, shared }: Readonly<Record<"alone" | "shared", BenchServer>>,
): Promise<Figure[]> {
  run.note("latencies");
  const token = await tokenFor({ sub: personWithNumber(1_000) });
  const headers = { authorization: `Bearer ${token}`, ...ANYWHERE };
  const figures: Figure[] = [];
  for (const path of READS) {
    const latencyOf =
      ({ url }: BenchServer) =>
      async () =>
        (
          await load(url, {
            connections: 1,
            until: { requests: REQUESTS },
            requestsOf: () => [{ method: "GET", path, headers }],
          })
        ).p50;
    const [replica = [], primary = []] = await alternate(ROUNDS, [latencyOf(shared), latencyOf(alone)]);
    figures.push(figureOf(`GET ${path}: p50 from a replica / from the primary`, { atMost: 1.1 }, replica, primary));
  }
  return figures;
}

/** Kills the replica under load, and starts it again. */
async function outageFigures(run: Run, database: ReplicatedDatabase, server: BenchServer): Promise<Figure[]> {
  run.note("a replica that is killed");
  const options = await mixedLoad({ seconds: OUTAGE_SECONDS });
  const calm = await loadTolerantly(server.url, options);
  const loaded = loadTolerantly(server.url, options);
  await sleep((OUTAGE_SECONDS * 1_000) / 4);
  await database.kill("replica");
  await sleep((OUTAGE_SECONDS * 1_000) / 4);
  await database.restart("replica");
  const { p99, failures, requestsPerSecond } = await loaded;
  const what = `mixed load for ${OUTAGE_SECONDS} s while the replica is killed and comes back`;
  return [
    none(`${what}: errors`, failures, `${rounded(requestsPerSecond)} requests/s`),
    figureOf(`${what}: p99 / without`, { atMost: 2 }, [p99], [calm.p99]),
  ];
}

async function mixedLoad(until: LoadOptions["until"]): Promise<LoadOptions> {
  const tokens = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) => tokenFor({ sub: personWithNumber(1_000 + index) })),
  );
  return {
    connections: CONNECTIONS,
    until,
    requestsOf: (connection) => requestsOf(tokens[connection] ?? "", connection, ANYWHERE),
  };
}
