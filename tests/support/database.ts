import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, inject } from "vitest";
import { cloneDatabase, dropDatabase, type TestDatabase } from "#local/database/test-cluster";
import { clusterFilledWith, type Filling } from "./filled-database.ts";
import { allowAnyMoment } from "./moments.ts";
import { asSuperuser, closeSuperuser, type Person, type PersonOptions, query as queryAt, signUp } from "./people.ts";
import { type Queries, queriesOf } from "./sql.ts";

/** How a test database differs from a real one. */
export interface DatabaseOptions {
  /** Whether people's requests may act at any moment, so that the test can hold the clock, or only now as in production. */
  readonly moments?: "any" | "now";
  /** What the database holds at first; nothing if left out. */
  readonly filling?: Filling;
}

export interface DatabaseOfFile extends Pick<TestDatabase, "adminUrl" | "apiUrl">, Queries {
  /** Signs a new person up. */
  person(options?: PersonOptions): Promise<Person>;
  /** Works in a transaction of another superuser connection, which ends without an effect unless the work commits it. */
  inTransaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Ends the API's connections and its claims, as a crash of its process does. */
  cutConnections(): Promise<void>;
  /** Waits until so many connections wait for a lock of another, or some work is done. */
  untilWaiting(count?: number, work?: Promise<unknown>): Promise<void>;
}

/**
 * Gives the calling test file (or describe block) a database of its own, freshly migrated. Call it at the top level; the
 * addresses can be read from the first hook on.
 */
export function useDatabase({ moments = "any", filling }: DatabaseOptions = {}): DatabaseOfFile {
  const cluster = inject("testCluster");
  const poolerPort = inject("poolerPort");
  const name = `test_${randomBytes(8).toString("hex")}`;
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await cloneDatabase(filling ? await clusterFilledWith(cluster, filling) : cluster, name);
    if (moments === "any") await allowAnyMoment(database.adminUrl);
  });
  afterAll(async () => {
    if (database !== undefined) await closeSuperuser(database.adminUrl);
    await dropDatabase(cluster, name);
  });
  const ready = (): TestDatabase => {
    if (!database) throw new Error("The test database exists only inside hooks and tests.");
    return database;
  };
  const queries = queriesOf((text, values) => queryAt(ready().adminUrl, text, values));
  return {
    ...queries,
    person: (options) => signUp(ready().adminUrl, options),
    // Over a connection that was used before: a new one would take a tenth of a second to plan the deletion of an account.
    inTransaction: (work) =>
      asSuperuser(ready().adminUrl, async (client) => {
        await client.query("begin");
        try {
          return await work(queriesOf(async (text, values) => (await client.query(text, [...values])).rows));
        } finally {
          // A test may have ended the connection.
          await client.query("rollback").catch(() => undefined);
        }
      }),
    async cutConnections() {
      await queries.query`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'nectar_api'`;
      await queries.query`update private.work set due_at = '-infinity'`;
    },
    async untilWaiting(count = 1, work = new Promise(() => undefined)) {
      const isDone = work.then(
        () => true,
        () => true,
      );
      const waiting = () =>
        queries.query`
          select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
      while ((await waiting()).length < count && !(await Promise.race([isDone, sleep(10, false)])));
    },
    get adminUrl() {
      return ready().adminUrl;
    },
    get apiUrl() {
      const url = new URL(ready().apiUrl);
      if (poolerPort !== null) url.port = String(poolerPort);
      return url.href;
    },
  };
}
