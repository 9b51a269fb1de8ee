import type pg from "pg";
import { cloneDatabase, databaseOf, dropDatabase, type TestCluster } from "#local/database/test-cluster";
import { withConnection } from "#local/support/connection";

/** The rows that several test files begin with. */
export interface Filling {
  /** Lower-case letters; each filling has its own. */
  readonly name: string;
  /** Writes the rows as the superuser. It runs once in a test run, and each of the files copies the result. */
  readonly fill: (admin: pg.Client, adminUrl: string) => Promise<unknown>;
}

/** Makes the database with these rows, unless a file of this run already did. @returns the cluster with that template */
export async function clusterFilledWith(cluster: TestCluster, { name, fill }: Filling): Promise<TestCluster> {
  const template = `filled_${name}`;
  const unfinished = `${template}_unfinished`;
  await withConnection(cluster.adminUrl, async (client) => {
    // Files in other processes wait until it is there.
    await client.query("select pg_advisory_lock(hashtext($1))", [template]);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [template]);
    if (rowCount === 1) return;
    await dropDatabase(cluster, unfinished);
    await cloneDatabase(cluster, unfinished);
    const { adminUrl } = databaseOf(cluster, unfinished);
    await withConnection(adminUrl, (admin) => fill(admin, adminUrl));
    await client.query(`alter database ${unfinished} rename to ${template}`);
  });
  return { ...cluster, template };
}
