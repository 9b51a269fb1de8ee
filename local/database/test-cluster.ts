import { channel } from "node:diagnostics_channel";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "#ops/migrate/migrate";
import { LOCAL_DATABASE_PASSWORD } from "../settings/local-defaults.ts";
import { withConnection } from "../support/connection.ts";
import { freePort } from "../support/ports.ts";
import { allowApiLogin, apiUrlOf } from "./api-login.ts";
import { ownAsHostedProject } from "./hosted-project.ts";
import { createSupabaseSchemas } from "./local-migrations.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

/** The facts that a test process needs about the cluster that serves the run; plain data, so that it can be handed over. */
export interface TestCluster {
  /** Port on 127.0.0.1. */
  port: number;
  /** Superuser connection URL of the maintenance database. */
  adminUrl: string;
  /** The migrated database that every test database is a copy of. No connection to it may stay open. */
  template: string;
}

/** A cluster together with the way to end it. */
export interface RunningTestCluster {
  cluster: TestCluster;
  /** Ends the server and removes all its files. */
  stop(): Promise<void>;
}

/** One test database. */
export interface TestDatabase {
  name: string;
  /** Signs in as the superuser: for setting scenes up and looking behind the API. */
  adminUrl: string;
  /** Signs in as the login role that the API uses. */
  apiUrl: string;
}

/** Where each new database is published, for those who count them. */
export const DATABASE_CREATED = "nectar.database.created";
const created = channel(DATABASE_CREATED);
const TEMPLATE = "nectar_template";
/** Another one than that of `npm run dev`, with which deployed functions refuse to start. */
const API_PASSWORD = "nectar-api-test";

/**
 * Starts a throwaway PostgreSQL with one migrated template database, for one test run.
 * @param programs folder of PostgreSQL's programs; default: those that come with npm
 */
export async function startTestCluster(programs?: string): Promise<RunningTestCluster> {
  const server = await startThrowawayPostgres(programs);
  try {
    const cluster = { port: server.port, adminUrl: server.urlOf("postgres"), template: TEMPLATE };
    await createMigratedDatabase(server, TEMPLATE);
    return { cluster, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Starts a fresh PostgreSQL on a free port and in a temporary folder. The server ends with this process, however that
 * ends, and its files are removed.
 * @throws Error if PostgreSQL does not start
 */
export async function startThrowawayPostgres(programs?: string): Promise<PostgresServer> {
  return startPostgres({
    dataFolder: await mkdtemp(join(tmpdir(), "nectar-test-")),
    port: await freePort(),
    password: LOCAL_DATABASE_PASSWORD,
    durability: "throwaway",
    programs,
  });
}

/**
 * Creates a database like that of a new Supabase project.
 * @returns the address of the role that a hosted project calls `postgres`
 */
export async function createHostedProject(server: Pick<PostgresServer, "urlOf">, name: string): Promise<string> {
  await withConnection(server.urlOf("postgres"), (client) =>
    client.query(`create database ${pg.escapeIdentifier(name)}`),
  );
  created.publish(name);
  await createSupabaseSchemas(server.urlOf(name));
  return ownAsHostedProject(server.urlOf(name));
}

/** Creates a database like that of a new Supabase project, with our schema and a role that may log in. */
export async function createMigratedDatabase(server: PostgresServer, name: string): Promise<TestDatabase> {
  // With the role that runs them in production, so that every test also shows that its rights are enough.
  await migrate(await createHostedProject(server, name));
  const adminUrl = server.urlOf(name);
  await allowApiLogin(adminUrl, API_PASSWORD);
  return { name, adminUrl, apiUrl: apiUrlOf(adminUrl, API_PASSWORD) };
}

/** Copies the template into a new database. `name` is made of lower-case letters, digits and underscores. */
export async function cloneDatabase(cluster: TestCluster, name: string): Promise<TestDatabase> {
  const quoted = pg.escapeIdentifier(name);
  await withConnection(cluster.adminUrl, (client) =>
    // Copying files takes half as long as copying pages through the log, because nothing waits for the disk here.
    client.query(`create database ${quoted} template ${pg.escapeIdentifier(cluster.template)} strategy file_copy`),
  );
  created.publish(name);
  return databaseOf(cluster, name);
}

/** The addresses of a database of the cluster. The password of the API's role is that of the whole cluster. */
export function databaseOf(cluster: TestCluster, name: string): TestDatabase {
  const url = new URL(cluster.adminUrl);
  url.pathname = `/${name}`;
  return { name, adminUrl: url.href, apiUrl: apiUrlOf(url.href, API_PASSWORD) };
}

/** Removes a test database and ends its connections. No error when it is gone already. */
export async function dropDatabase(cluster: TestCluster, name: string): Promise<void> {
  await withConnection(cluster.adminUrl, (client) =>
    client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  );
}
