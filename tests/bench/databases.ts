import { cloneDatabase, type TestCluster, type TestDatabase } from "#local/database/test-cluster";
import { closeSuperuser } from "#tests/people";
import { fill } from "./data.ts";
import { fillReads } from "./read-data.ts";

type Note = (what: string) => void;

/** The databases of this run, which several parts read. */
const filled = new Map<string, Promise<TestDatabase>>();

/** A database with 1,000 entries of 100 people. */
export function smallDatabase(cluster: TestCluster, note: Note): Promise<TestDatabase> {
  return filledOnce(cluster, "bench_small", async ({ adminUrl }) => {
    note("filling the small database: 1,000 entries of 100 people");
    await fill(adminUrl, { people: 100, entries: 1_000, teams: 500, diary: 100 });
  });
}

/** A database with 1,000,000 entries of 20,000 people, and with what the hot reads read. */
export function largeDatabase(cluster: TestCluster, note: Note): Promise<TestDatabase> {
  return filledOnce(cluster, "bench_large", async ({ adminUrl }) => {
    note("filling the large database: 1,000,000 entries of 20,000 people");
    await fill(adminUrl, { people: 20_000, entries: 1_000_000, teams: 2_000, diary: 110_000 });
    await fillReads(adminUrl);
  });
}

/** Copies a database that was filled. */
export async function copyDatabase(cluster: TestCluster, source: TestDatabase, name: string): Promise<TestDatabase> {
  // A database that is copied must have no open connection.
  await closeSuperuser(source.adminUrl);
  return cloneDatabase({ ...cluster, template: source.name }, name);
}

function filledOnce(
  cluster: TestCluster,
  name: string,
  work: (database: TestDatabase) => Promise<void>,
): Promise<TestDatabase> {
  const known = filled.get(name);
  if (known !== undefined) return known;
  const database = cloneDatabase(cluster, name).then(async (cloned) => {
    await work(cloned);
    return cloned;
  });
  filled.set(name, database);
  return database;
}
