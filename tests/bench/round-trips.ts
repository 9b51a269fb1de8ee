import { readConfig } from "#config/config";
import { routeToGroups } from "#functions/all";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import type { TestCluster } from "#local/database/test-cluster";
import { startDatabaseProxy } from "#tests/database-proxy";
import { tokenFor } from "#tests/people";
import { personWithNumber, VIEWERS } from "./data.ts";
import { largeDatabase } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { HOT_READS } from "./hot-reads.ts";
import { environmentOf, type Note } from "./requests.ts";

/** How long each direction takes, in milliseconds. */
const DELAY_MS = 2;

const WRITES = [
  ["creating an entry", "/api/journal", { title: "A walk", content: "Along the lake and back." }],
  ["creating a goal", "/api/goals", { title: "Walk every day" }],
  ["sending a drop", "/api/encouragement-drops/send", { recipient_id: personWithNumber(7), content: "Well done" }],
  ["marking notifications as read", "/api/notifications/read-all", undefined],
] as const;

/** Counts the round trips to the database of hot reads and of some writes. */
export async function roundTripFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const database = await largeDatabase(cluster, note);
  note("round trips to the database");
  const proxy = await startDatabaseProxy(database.apiUrl, DELAY_MS);
  const services = servicesFor(readConfig(environmentOf({ apiUrl: proxy.url })), { logger: createLogger("error") });
  const fetch = routeToGroups(services);
  const token = await tokenFor({ sub: VIEWERS.calm });
  const send = async (path: string, method: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(new Request(`http://nectar.bench${path}`, init));
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  };
  const counted = async (work: () => Promise<void>) => {
    // The first time opens a connection.
    await work();
    proxy.take();
    await work();
    return proxy.take();
  };
  try {
    const reads: [string, number][] = [];
    for (const { name, path } of HOT_READS) reads.push([name, (await counted(() => send(path, "GET"))).roundTrips]);
    const writes: [string, number][] = [];
    for (const [name, path, body] of WRITES) {
      const { roundTrips, statements } = await counted(() => send(path, "POST", body));
      writes.push([name, roundTrips - statements]);
    }
    return [
      figure(`round trips to the database of a hot read, the most of ${reads.length}`, 2, reads),
      figure(`round trips of a write beyond its statements, the most of ${writes.length}`, 1, writes),
    ];
  } finally {
    await services.database.close();
    await proxy.stop();
  }
}

function figure(name: string, atMost: number, counts: readonly [string, number][]): Figure {
  return {
    name,
    ratio: Math.max(...counts.map(([, count]) => count)),
    bar: { atMost },
    measured: counts.map(([what, count]) => `${what} ${count}`).join(", "),
  };
}
