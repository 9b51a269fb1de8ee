import assert from "node:assert/strict";
import * as z from "zod";
import type { TestDatabase } from "#local/database/test-cluster";
import { query, tokenFor } from "#tests/people";
import { cpuOfRequests, share } from "./costs.ts";
import { environmentOf, largeDatabase } from "./databases.ts";
import { alternate, type Figure, figureOf, type Run } from "./figures.ts";
import { HOT_READS } from "./hot-reads.ts";
import { reading } from "./load.ts";
import { type BenchServer, startServer } from "./processes.ts";

/** Further requests of a person would wait for these. */
const AT_ONCE = { connections: 3 };
/** After so long V8 has compiled what a request runs. A list is three times as fast then as in the first second. */
const WARM_UP = { ...AT_ONCE, seconds: 5 };

/**
 * Compares the hottest reads with bare SQL behind node:http that sends its rows, without row-level security, and shows what
 * each hot read costs.
 */
export async function readFigures(run: Run): Promise<Figure[]> {
  const database = await largeDatabase(run);
  await liftQuotaOfChanges(database);
  const environment = environmentOf(database);
  await using api = await startServer("api", environment);
  await using unprepared = await startServer("api", { ...environment, DATABASE_PREPARED_STATEMENTS: "off" });
  await using bare = await startServer("bare", { ...environment, DATABASE_URL: database.adminUrl });
  const figures: Figure[] = [];
  const costs: Record<string, string>[] = [];
  for (const { name, path: given, sub, twin, prepare } of HOT_READS) {
    run.note(name);
    const token = await tokenFor({ sub });
    const { path = given, headers } =
      (await prepare?.((of, more) =>
        fetch(api.url + of, { headers: { authorization: `Bearer ${token}`, ...more } }),
      )) ?? {};
    const servers = twin === undefined ? [api, unprepared] : [api, unprepared, bare];
    if (twin !== undefined) await requireRows(api.url + path, bare.url + path, token);
    for (const { url } of servers) await reading(url, path, token, WARM_UP, headers);
    const measure = (server: BenchServer) => () =>
      cpuOfRequests(database, server, () => reading(server.url, path, token, AT_ONCE, headers));
    const [ours = [], oursUnprepared = [], theirs = []] = await alternate(servers.map(measure));
    for (const [how, side] of [
      ["", ours],
      [", DATABASE_PREPARED_STATEMENTS=off", oursUnprepared],
      [", bare SQL", theirs],
    ] as const) {
      if (side.length === 0) continue;
      const cpu = side.map((load) => load.cpu);
      costs.push({ what: name + how, ...share(cpu, 1) });
      if (twin === undefined || side === theirs) continue;
      const [rates, bareRates] = [side, theirs].map((loads) => loads.map(({ requestsPerSecond }) => requestsPerSecond));
      const what = `${name}${how} / bare prepared SQL behind node:http`;
      figures.push(figureOf(what, { atLeast: twin.atLeast }, rates, bareRates, "requests/s"));
    }
  }
  run.show("a request", costs);
  return figures;
}

/** Lets a person ask for changes as often as a measurement does. They are counted as before. */
async function liftQuotaOfChanges({ adminUrl }: TestDatabase): Promise<void> {
  const [quotas] = await query<{ sql: string }>(
    adminUrl,
    "select pg_get_functiondef('private.quotas'::regproc) as sql",
  );
  await query(adminUrl, (quotas?.sql ?? "").replace(/(?<=\('changes', )\d+/, "1000000000"));
}

/** Checks that the bare SQL finds at least as many rows as the service lists. */
async function requireRows(url: string, bareUrl: string, token: string): Promise<void> {
  const [body, rows] = await Promise.all(
    [url, bareUrl].map(async (one) => {
      const response = await fetch(one, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(response.status, 200, one);
      return response.json();
    }),
  );
  const list = Object.values(z.looseObject({}).parse(body)).find(Array.isArray) ?? [body];
  const found = z.array(z.unknown()).parse(rows).length;
  assert.ok(found >= list.length && list.length > 0, `The bare SQL for ${url} gives ${found} rows.`);
}
