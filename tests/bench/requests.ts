import { encodeCursor } from "@nectar/http/paging";
import type { TestDatabase } from "@nectar/local/test-cluster";
import * as z from "zod";
import { asSuperuser, TEST_JWT_SECRET, tokenFor } from "../support/people.ts";
import { VIEWERS } from "./data.ts";
import type { Figure } from "./figures.ts";
import { alternate, type BenchServer, load, median, medianRatio, startServer } from "./processes.ts";
import { recordList } from "./recorded-list.ts";

/** Prints what is being measured. */
export type Note = (what: string) => void;
const CONNECTIONS = 8;
const PAGE = "/api/journal?limit=20";

/** Compares the list and the health check with the same work behind a bare node:http server. */
export async function overheadFigures(database: TestDatabase, note: Note): Promise<Figure[]> {
  const list = await recordList(database.adminUrl, VIEWERS.calm, 20);
  const environment = environmentOf(database);
  const api = await startServer("api", environment);
  const bare = await startServer("bare", { ...environment, BENCH_LIST: JSON.stringify(list) });
  const token = await tokenFor({ sub: VIEWERS.calm, email: "calm@bench.test" });
  try {
    const figures: Figure[] = [];
    for (const [name, path, barePath, bar] of [
      ["journal list of 20 / the same SQL behind node:http", PAGE, PAGE, { atLeast: 0.8 }],
      ["/health / node:http", "/health", "/health", { atLeast: 0.8 }],
      ["/health / node:http that sends the same headers", "/health", "/health-with-headers", undefined],
    ] as const) {
      note(name);
      const rates = await alternate(7, [
        () => load(api.url + path, { connections: CONNECTIONS, seconds: 3, token }),
        () => load(bare.url + barePath, { connections: CONNECTIONS, seconds: 3, token }),
      ]);
      const [ours, theirs] = rates.map((round) => round.map((one) => one.requestsPerSecond));
      figures.push({
        name,
        ratio: medianRatio(ours ?? [], theirs ?? []),
        ...(bar === undefined ? {} : { bar }),
        measured: `${median(ours ?? []).toFixed(0)} / ${median(theirs ?? []).toFixed(0)} requests/s, ${CONNECTIONS} connections`,
      });
    }
    return figures;
  } finally {
    await Promise.all([api.stop(), bare.stop()]);
  }
}

/** How much slower the list is with a thousand times as many entries of others, and on pages far down. */
export async function growthFigures(small: TestDatabase, large: TestDatabase, note: Note): Promise<Figure[]> {
  const onSmall = await startServer("api", environmentOf(small));
  const onLarge = await startServer("api", environmentOf(large));
  try {
    const figures: Figure[] = [];
    for (const [viewer, id] of [
      ["in 3 teams", VIEWERS.calm],
      ["in 500 teams", VIEWERS.busy],
    ] as const) {
      for (const [what, query, bar] of [
        ["list", "", { atMost: 1.5 }],
        ["list with q", "&q=walk", undefined],
        ["list with tag", "&tag=tag3", undefined],
      ] as const) {
        const name = `${what}, reader ${viewer}: 1,000,000 / 1,000 entries`;
        note(name);
        const path = `${PAGE}${query}`;
        const figure = await p50Ratio(name, id, [onLarge, path], [onSmall, path]);
        figures.push(bar === undefined ? figure : { ...figure, bar });
      }
    }
    const deep = `${PAGE}&cursor=${await cursorAtDepth(large, 100_000)}`;
    const name = "page at depth 100,000 / first page";
    note(name);
    const figure = await p50Ratio(name, VIEWERS.diarist, [onLarge, deep], [onLarge, PAGE]);
    figures.push({ ...figure, bar: { atMost: 1.2 } });
    return figures;
  } finally {
    await Promise.all([onSmall.stop(), onLarge.stop()]);
  }
}

async function p50Ratio(
  name: string,
  viewerId: string,
  measured: readonly [BenchServer, string],
  against: readonly [BenchServer, string],
): Promise<Figure> {
  const token = await tokenFor({ sub: viewerId });
  for (const [server, path] of [measured, against]) await requireFullPage(server.url + path, token);
  const rounds = await alternate(5, [
    () => load(measured[0].url + measured[1], { connections: 1, seconds: 2, token }),
    () => load(against[0].url + against[1], { connections: 1, seconds: 2, token }),
  ]);
  const [ours, theirs] = rounds.map((round) => round.map((one) => one.p50));
  return {
    name,
    ratio: medianRatio(ours ?? [], theirs ?? []),
    measured: `${median(ours ?? []).toFixed(2)} / ${median(theirs ?? []).toFixed(2)} ms (p50)`,
  };
}

/** A page with fewer rows would be faster than a full one. */
async function requireFullPage(url: string, token: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { entries } = z.object({ entries: z.array(z.unknown()) }).parse(await response.json());
  if (entries.length !== 20) throw new Error(`${url} has only ${entries.length} entries`);
}

async function cursorAtDepth(database: TestDatabase, depth: number): Promise<string> {
  const rows = await asSuperuser(database.adminUrl, (client) =>
    client.query(
      `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, id
       from nectar.journal_entries where user_id = $1
       order by created_at desc, id desc offset $2 limit 1`,
      [VIEWERS.diarist, depth],
    ),
  );
  return encodeCursor(z.object({ at: z.string(), id: z.string() }).parse(rows.rows[0]));
}

/** The environment of an API server over a database. */
export function environmentOf(database: TestDatabase): Record<string, string> {
  return {
    DATABASE_URL: database.apiUrl,
    DATABASE_POOL_SIZE: String(CONNECTIONS),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
    SUPABASE_JWT_ISSUER: "none",
  };
}
