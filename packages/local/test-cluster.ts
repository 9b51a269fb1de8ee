import { rmSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "@nectar/migrate/migrate";
import pg from "pg";
import { allowApiLogin, apiUrlOf } from "./api-login.ts";
import { withConnection } from "./connection.ts";
import { startGuard } from "./guard.ts";
import { ownAsHostedProject } from "./hosted-project.ts";
import { LOCAL_DATABASE_PASSWORD } from "./local-defaults.ts";
import { createSupabaseSchemas } from "./local-migrations.ts";
import { freePort } from "./ports.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";
import { removeCluster } from "./postgres-location.ts";
import { killAndWait } from "./processes.ts";
import { claimTestFolder, sweepTestFolders } from "./test-folders.ts";

/** What a test process needs to know of the cluster that serves the run; plain data, so that it can be handed over. */
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
  /** Ends the server and removes all its files. Safe to call twice. */
  stop(): Promise<void>;
}

/** One test database. */
export interface TestDatabase {
  name: string;
  /** As the superuser: for setting scenes up and looking behind the API. */
  adminUrl: string;
  /** As the login role that the API uses. */
  apiUrl: string;
}

const TEMPLATE = "nectar_template";
/** Another one than that of `npm run dev`, with which deployed functions refuse to start. */
const API_PASSWORD = "nectar-api-test";
const INTERRUPTIONS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Starts a throwaway PostgreSQL with one migrated template database, for one test run. */
export async function startTestCluster(): Promise<RunningTestCluster> {
  const { server, stop } = await startThrowawayPostgres();
  try {
    const cluster = { port: server.port, adminUrl: server.urlOf("postgres"), template: TEMPLATE };
    // As the role that runs them in production, so that every test also shows that its rights are enough.
    await migrate(await createHostedProject(server, TEMPLATE));
    await allowApiLogin(server.urlOf(TEMPLATE), API_PASSWORD);
    return { cluster, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts a fresh PostgreSQL on a free port and in a temporary folder. The server ends with this process, however that
 * ends; files of a killed run are removed by the next one.
 * @throws Error if PostgreSQL does not start
 */
export async function startThrowawayPostgres(): Promise<{ server: PostgresServer; stop: () => Promise<void> }> {
  await sweepTestFolders();
  const folder = await mkdtemp(join(tmpdir(), "nectar-test-"));
  // mkdtemp closes the folder to everyone else, also to the user that PostgreSQL runs as under root.
  await chmod(folder, 0o711);
  claimTestFolder(folder);
  const server = await startPostgres({
    dataFolder: folder,
    port: await freePort(),
    password: LOCAL_DATABASE_PASSWORD,
    durability: "throwaway",
    onSpawn: (child) => startGuard().protect(child, "SIGQUIT"),
  });
  return { server, stop: stopOnce(server, folder) };
}

/**
 * Creates a database like that of a new Supabase project.
 * @returns the address of the role that a hosted project calls `postgres`
 */
export async function createHostedProject(server: PostgresServer, name: string): Promise<string> {
  await withConnection(server.urlOf("postgres"), (client) =>
    client.query(`create database ${pg.escapeIdentifier(name)}`),
  );
  await createSupabaseSchemas(server.urlOf(name));
  return ownAsHostedProject(server.urlOf(name));
}

/** Copies the template into a new database. `name` is made of lower-case letters, digits and underscores. */
export async function cloneDatabase(cluster: TestCluster, name: string): Promise<TestDatabase> {
  const quoted = pg.escapeIdentifier(name);
  await withConnection(cluster.adminUrl, (client) =>
    client.query(`create database ${quoted} template ${pg.escapeIdentifier(cluster.template)}`),
  );
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

/** The one way to end the server, for an orderly stop, Ctrl-C and an unexpected end of this process alike. */
function stopOnce(server: PostgresServer, folder: string): () => Promise<void> {
  const removeFiles = () => {
    removeCluster(folder);
    rmSync(folder, { recursive: true, force: true });
  };
  // Not only Ctrl-C: vitest may also end the process by itself before it has called the teardown.
  const atExit = () => {
    killAndWait(server.identity, "SIGQUIT");
    removeFiles();
  };
  const interrupted = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal]);
  process.once("exit", atExit);
  for (const signal of INTERRUPTIONS) process.once(signal, interrupted);

  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= (async () => {
      // Nothing in there is worth an orderly shutdown.
      server.kill();
      await server.exit;
      removeFiles();
      process.off("exit", atExit);
      for (const signal of INTERRUPTIONS) process.off(signal, interrupted);
    })();
    return stopping;
  };
}
