import { withConnection } from "#local/support/connection";
import { tokenFor } from "#tests/people";
import { type ReplicatedDatabase, startReplicatedDatabase } from "#tests/standby";
import { cpuTimes } from "./costs.ts";
import { MIXED_REQUESTS, mixedRequests } from "./crowds.ts";
import { fillMixed, personWithNumber } from "./data.ts";
import { CONNECTIONS, environmentOf } from "./databases.ts";
import { alternate, type Figure, figureOf, type Run, sized } from "./figures.ts";
import { get, type LoadOptions, load } from "./load.ts";
import { type BenchServer, startServer } from "./processes.ts";

const REQUESTS = sized(1_000, 100);
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
    return await compareServers(run, database);
  } finally {
    await database.stop();
  }
}

async function compareServers(run: Run, { primary, replica }: ReplicatedDatabase): Promise<Figure[]> {
  const variables = environmentOf(primary);
  const reading = { ...variables, DATABASE_READ_URL: replica.apiUrl };
  await using alone = await startServer("api", variables);
  await using own = await startServer("api", reading);
  await using shared = await startServer("api", { ...reading, DATABASE_READ_SHARED: "on" });
  const send = ({ url }: BenchServer, connections: number, requestsOf: LoadOptions["requestsOf"]) =>
    load(url, { connections, until: { requests: REQUESTS }, requestsOf });

  run.note("the primary's part of mixed requests");
  const mixed = await mixedRequests(CONNECTIONS, MIXED_REQUESTS, ANYWHERE);
  const cpuOfPrimary = (server: BenchServer) => async () => {
    const { cpu } = await cpuTimes(
      primary,
      () => 0,
      () => send(server, CONNECTIONS, mixed),
    );
    return cpu["PostgreSQL, ms"] ?? Number.NaN;
  };
  const [withShared, withOwn, without] = await alternate([shared, own, alone].map(cpuOfPrimary));
  const what = `CPU of the primary for ${REQUESTS} mixed requests, 80 % reads`;
  const figures = [
    figureOf(`${what}, all reads from a replica / without replicas`, { atMost: 0.6 }, withShared, without),
    figureOf(`${what}, without what is shared / without replicas`, { atMost: 1 }, withOwn, without),
  ];

  const headers = { authorization: `Bearer ${await tokenFor({ sub: personWithNumber(1_000) })}`, ...ANYWHERE };
  for (const path of READS) {
    run.note(path);
    const p50Of = (server: BenchServer) => async () => (await send(server, 1, () => [get(path, headers)])).p50;
    const [fromReplica, fromPrimary] = await alternate([shared, alone].map(p50Of));
    const name = `GET ${path}: p50 from a replica / from the primary`;
    figures.push(figureOf(name, { atMost: 1.1 }, fromReplica, fromPrimary));
  }
  return figures;
}
