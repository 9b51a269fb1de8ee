import { randomBytes } from "node:crypto";
import { inject, onTestFinished } from "vitest";
import { dropDatabase } from "#local/database/test-cluster";
import { withConnection } from "#local/support/connection";
import { type Queries, queriesOf } from "#tests/sql";

/** A database for one test that has nothing in it. */
export interface EmptyDatabase extends Queries {
  /** The superuser's address. */
  readonly adminUrl: string;
}

/** Creates an empty database in the cluster of the run, which is removed when the test has ended. */
export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const cluster = inject("testCluster");
  const name = `empty_${randomBytes(8).toString("hex")}`;
  await withConnection(cluster.adminUrl, (client) => client.query(`create database ${name} template template0`));
  onTestFinished(() => dropDatabase(cluster, name));
  const url = new URL(cluster.adminUrl);
  url.pathname = `/${name}`;
  const queries = queriesOf((text, values) =>
    withConnection(url.href, async (client) => (await client.query(text, [...values])).rows),
  );
  return { ...queries, adminUrl: url.href };
}
