import { routeToGroups } from "#functions/all";
import { startDatabaseProxy } from "#tests/database-proxy";
import { tokenFor } from "#tests/people";
import { personWithNumber, VIEWERS } from "./data.ts";
import { largeDatabase, servicesOn } from "./databases.ts";
import type { Figure, Run } from "./figures.ts";
import { HOT_READS } from "./hot-reads.ts";

/** How long each direction takes, in milliseconds. */
const DELAY_MS = 2;

const WRITES = [
  ["creating an entry", "/api/journal", { title: "A walk", content: "Along the lake and back." }],
  ["creating a goal", "/api/goals", { title: "Walk every day" }],
  ["sending a drop", "/api/encouragement-drops/send", { recipient_id: personWithNumber(7), content: "Well done" }],
  ["marking notifications as read", "/api/notifications/read-all", undefined],
] as const;

/** Counts the round trips to the database of hot reads and of some writes. */
export async function roundTripFigures(run: Run): Promise<Figure[]> {
  const database = await largeDatabase(run);
  run.note("round trips to the database");
  const proxy = await startDatabaseProxy(database.apiUrl, DELAY_MS);
  await using proxied = new AsyncDisposableStack();
  proxied.defer(() => proxy.stop());
  await using services = servicesOn({ apiUrl: proxy.url });
  const fetch = routeToGroups(services);
  const headers = {
    authorization: `Bearer ${await tokenFor({ sub: VIEWERS.calm })}`,
    "content-type": "application/json",
  };
  const count = async (path: string, method: string, body?: object) => {
    // The first time opens a connection.
    for (const _ of ["first", "counted"]) {
      proxy.take();
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(new Request(`http://nectar.bench${path}`, init));
      if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    }
    return proxy.take();
  };
  const reads: [string, number][] = [];
  for (const { name, path } of HOT_READS) reads.push([name, (await count(path, "GET")).roundTrips]);
  const writes: [string, number][] = [];
  for (const [name, path, body] of WRITES) {
    const { roundTrips, statements } = await count(path, "POST", body);
    writes.push([name, roundTrips - statements]);
  }
  return [
    figure(`round trips to the database of a hot read, the most of ${reads.length}`, 2, reads),
    figure(`round trips of a write beyond its statements, the most of ${writes.length}`, 1, writes),
  ];
}

function figure(name: string, atMost: number, counts: readonly [string, number][]): Figure {
  const measured = counts.map(([what, count]) => `${what} ${count}`).join(", ");
  return { name, ratio: Math.max(...counts.map(([, count]) => count)), bar: { atMost }, measured };
}
