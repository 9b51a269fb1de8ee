import { randomBytes } from "node:crypto";
import { cloneDatabase, dropDatabase, type TestDatabase } from "@nectar/local/test-cluster";
import { afterAll, beforeAll, inject } from "vitest";
import { allowAnyMoment } from "./moments.ts";
import { closeSuperuser } from "./people.ts";

/** How a test database differs from a real one. */
export interface DatabaseOptions {
  /** Whether people's requests may act at any moment, so that the test can hold the clock, or only now as in production. */
  readonly moments?: "any" | "now";
}

/**
 * Gives the calling test file (or describe block) a database of its own, freshly migrated. Call it at the top level; the
 * addresses can be read from the first hook on.
 */
export function useDatabase({ moments = "any" }: DatabaseOptions = {}): Pick<TestDatabase, "adminUrl" | "apiUrl"> {
  const cluster = inject("testCluster");
  const name = `test_${randomBytes(8).toString("hex")}`;
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await cloneDatabase(cluster, name);
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
  return {
    get adminUrl() {
      return ready().adminUrl;
    },
    get apiUrl() {
      return ready().apiUrl;
    },
  };
}
