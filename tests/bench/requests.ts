import type { TestCluster, TestDatabase } from "#local/database/test-cluster";
import { TEST_JWT_SECRET } from "#tests/people";
import { ROUTER_SECRET } from "../deploy/function-url-event.ts";
import { smallDatabase } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { load } from "./load.ts";
import { compareRates } from "./load-figures.ts";
import { startServer } from "./processes.ts";

/** Prints what is being measured. */
export type Note = (what: string) => void;

/** So many connections load a server, which has as many connections to the database. */
export const CONNECTIONS = 8;

/** Compares the health check, which is a request without a query, with a bare node:http server. */
export async function healthFigures(cluster: TestCluster, note: Note): Promise<Figure[]> {
  const environment = environmentOf(await smallDatabase(cluster, note));
  const api = await startServer("api", environment);
  const bare = await startServer("bare", environment);
  try {
    const figures: Figure[] = [];
    for (const [name, path, bar] of [
      ["/health / node:http", "/health", { atLeast: 0.75 }],
      ["/health / node:http that sends the same headers", "/health-with-headers", undefined],
    ] as const) {
      note(name);
      const loading = (url: string) => () => load(url, { connections: CONNECTIONS, until: { seconds: 3 } });
      figures.push(
        await compareRates({
          name,
          bar,
          rounds: 7,
          ours: loading(`${api.url}/health`),
          theirs: loading(bare.url + path),
        }),
      );
    }
    return figures;
  } finally {
    await Promise.all([api.stop(), bare.stop()]);
  }
}

/** The environment of an API server over a database. */
export function environmentOf(database: Pick<TestDatabase, "apiUrl">): Record<string, string> {
  return {
    DATABASE_URL: database.apiUrl,
    DATABASE_POOL_SIZE: String(CONNECTIONS),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
    SUPABASE_JWT_ISSUER: "none",
    ROUTER_SECRET,
  };
}
