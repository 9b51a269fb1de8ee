import { readConfig } from "#config/config";
import type { Services } from "#http/services/services";
import { servicesFor } from "#http/services/services-for";
import { createLogger } from "#http/telemetry/logging";
import { cloneDatabase, type TestDatabase } from "#local/database/test-cluster";
import { type Connection, withConnection } from "#local/support/connection";
import { TEST_JWT_SECRET } from "#tests/people";
import { ROUTER_SECRET } from "../deploy/function-url-event.ts";
import { fillEntries, fillMixed } from "./data.ts";
import { type Run, sized } from "./figures.ts";

/** Connections of a server to its database, and of the load generator to a server. */
export const CONNECTIONS = 8;

/**
 * A new database. Triggers are off while it is filled, so the rows are written as triggers would have left them.
 * @param name made of lower-case letters, digits and underscores
 */
export async function filledDatabase(
  { cluster, note }: Run,
  name: string,
  fill: (client: Connection) => Promise<unknown>,
): Promise<TestDatabase> {
  note(`filling the database ${name}`);
  const database = await cloneDatabase(cluster, `bench_${name}`);
  await withConnection(database.adminUrl, async (client) => {
    await client.query("set session_replication_role = replica; set maintenance_work_mem = '1GB'");
    await fill(client);
    await client.query("vacuum analyze");
  });
  return database;
}

let small: Promise<TestDatabase> | undefined;
let large: Promise<TestDatabase> | undefined;

/** The database with 1,000 entries of 100 people, which several benches read. */
export function smallDatabase(run: Run): Promise<TestDatabase> {
  const size = { people: 100, entries: 1_000, teams: 500, diary: 100 };
  small ??= filledDatabase(run, "small", (client) => fillEntries(client, size));
  return small;
}

/** The database with 1,000,000 entries of 20,000 people and what the hot reads read. */
export function largeDatabase(run: Run): Promise<TestDatabase> {
  large ??= filledDatabase(run, "large", (client) => fillMixed(client, sized(1_000_000), sized(110_000)));
  return large;
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
