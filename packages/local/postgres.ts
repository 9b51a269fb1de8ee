import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { postgresAccount } from "./postgres-account.ts";
import { postgresBinaries } from "./postgres-binaries.ts";
import { createCluster, type Durability } from "./postgres-cluster.ts";
import { stopLeftoverPostgres } from "./postgres-leftover.ts";
import { locateCluster } from "./postgres-location.ts";
import type { ProcessIdentity } from "./processes.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

/** How to run one PostgreSQL server. */
export interface PostgresOptions {
  /** Folder of this server, created if missing; the cluster is in `<dataFolder>/postgres`. */
  dataFolder: string;
  /** TCP port on 127.0.0.1, the only address it listens on. */
  port: number;
  /** Password of the superuser `postgres` for a new cluster. */
  password: string;
  durability: Durability;
  /** Called as soon as the process has started, before it is ready. */
  onSpawn?: (identity: ProcessIdentity) => void;
}

/**
 * A running PostgreSQL server. `stop` is the fast shutdown: it ends connections, rolls back what is open and keeps every
 * commit. A durable cluster repairs itself after `kill`.
 */
export interface PostgresServer extends ServerProcess {
  port: number;
  /** Set if the cluster is outside the data folder (see locateCluster). */
  outside: string | undefined;
  /** The superuser's connection URL for one database. */
  urlOf(database: string): string;
}

// Settings that would otherwise depend on the machine are fixed, so that all machines behave alike.
const SETTINGS: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  password_encryption: "scram-sha-256",
  // Neither statements nor rejected rows may be logged: they contain users' texts.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

const THROWAWAY_SETTINGS: Record<string, string> = {
  // SCRAM takes many milliseconds of each connection, and tests open thousands.
  password_encryption: "md5",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  // Tests analyze themselves: what autovacuum does depends on how long a test takes.
  autovacuum: "off",
};

// PostgreSQL needs nothing of ours, and an inherited PG... or LC_... variable would change how it behaves.
const SERVER_ENVIRONMENT: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };

/**
 * Starts PostgreSQL on the data folder, creating its cluster the first time. A server or lock left by a crash is removed
 * first; the caller makes sure that no running process of ours uses the same data folder.
 * @throws StartupProblem with the end of the server's log if it does not come up
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { dataFolder, port, password, durability } = options;
  const account = await postgresAccount();
  const binaries = await postgresBinaries(account);
  const { cluster, outside } = await locateCluster(dataFolder, account);
  await stopLeftoverPostgres(cluster);
  if (!existsSync(cluster)) {
    await createCluster({ initdb: binaries.initdb, cluster, password, account, durability });
  }

  const settings = { port, ...SETTINGS, ...(durability === "throwaway" ? THROWAWAY_SETTINGS : {}) };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const logFile = join(resolve(dataFolder), "logs", "postgres.log");
  const urlOf = (database: string) =>
    `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  const server = await startServer({
    name: "PostgreSQL",
    command: [
      binaries.postgres,
      ["-D", cluster, ...flags],
      { ...account, cwd: cluster, env: SERVER_ENVIRONMENT, logFile },
    ],
    stopSignal: "SIGINT",
    killSignal: "SIGQUIT",
    startTimeoutMs: 60_000,
    stopTimeoutMs: 30_000,
    isReady: () => accepts(urlOf("postgres")),
    onSpawn: options.onSpawn,
  });
  return { ...server, port, outside, urlOf };
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // 28P01: the server is up but was created with another password; waiting would not help.
    if (error instanceof pg.DatabaseError && error.code === "28P01") throw error;
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
