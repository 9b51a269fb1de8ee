import { readConfig } from "#config/config";
import type { Services } from "#http/services/services";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { cloneDatabase, dropDatabase, type TestDatabase } from "#local/database/test-cluster";
import { type Connection, withConnection } from "#local/support/connection";
import { TEST_JWT_SECRET } from "#tests/people";
import { ROUTER_SECRET } from "../deploy/function-url-event.ts";
import { fillEntries, fillReads } from "./data.ts";
import { type Run, sized } from "./figures.ts";

/** Connections of a server to its database, and of the load generator to a server. */
export const CONNECTIONS = 8;

/**
 * A new database. Triggers are off while it is filled, so the rows are written as triggers would have left them.
 * @param name made of lower-case letters, digits and underscores
 */
export async function filledDatabase(
  { cluster }: Run,
  name: string,
  fill: (client: Connection) => Promise<unknown>,
): Promise<TestDatabase> {
  const database = await cloneDatabase(cluster, `bench_${name}`);
  await withConnection(database.adminUrl, async (client) => {
    await client.query("set session_replication_role = replica; set maintenance_work_mem = '1GB'");
    await fill(client);
    await client.query("vacuum analyze");
  });
  return database;
}

/** Works with a copy of a database, to which no connection may be open. */
export async function onCopy<Result>(
  { cluster }: Run,
  source: TestDatabase,
  work: (copy: TestDatabase) => Promise<Result>,
): Promise<Result> {
  const copy = await cloneDatabase({ ...cluster, template: source.name }, `${source.name}_copy`);
  try {
    return await work(copy);
  } finally {
    await dropDatabase(cluster, copy.name);
  }
}

const shared = new Map<string, Promise<TestDatabase>>();

function sharedDatabase(run: Run, name: string, fill: (client: Connection) => Promise<unknown>) {
  const known = shared.get(name) ?? filledDatabase(run, name, fill);
  shared.set(name, known);
  return known;
}

/** The database with 1,000 entries of 100 people, which several benches read. */
export function smallDatabase(run: Run): Promise<TestDatabase> {
  return sharedDatabase(run, "small", (client) =>
    fillEntries(client, { people: 100, entries: 1_000, teams: 500, diary: 100 }),
  );
}

/** The database with 1,000,000 entries of 20,000 people and what the hot reads read. */
export function largeDatabase(run: Run): Promise<TestDatabase> {
  return sharedDatabase(run, "large", async (client) => {
    run.note("filling the large database");
    const size = { people: sized(20_000, 2_000), entries: sized(1_000_000), diary: sized(110_000) };
    await fillEntries(client, { ...size, teams: sized(2_000, 500) });
    await fillReads(client);
  });
}

/** The environment of an API server over a database. */
export function environmentOf({ apiUrl }: Pick<TestDatabase, "apiUrl">): Record<string, string> {
  return {
    DATABASE_URL: apiUrl,
    DATABASE_POOL_SIZE: String(CONNECTIONS),
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_JWT_SECRET: TEST_JWT_SECRET,
    SUPABASE_JWT_ISSUER: "none",
    ROUTER_SECRET,
  };
}

/** The services over a database, to be closed with `await using`. @param now their clock, if not the real one */
export function servicesOn(
  database: Pick<TestDatabase, "apiUrl">,
  environment: Record<string, string> = {},
  now = () => new Date(),
): Services & AsyncDisposable {
  const config = readConfig({ ...environmentOf(database), ...environment });
  const services = servicesFor(config, { logger: createLogger("error"), clock: { now } });
  return { ...services, [Symbol.asyncDispose]: () => services.database.close() };
}
