import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type LoggedChild, logTail, startChild } from "./child.ts";
import { postgresAccount } from "./postgres-account.ts";
import { postgresBinaries } from "./postgres-binaries.ts";
import { createCluster } from "./postgres-cluster.ts";
import { stopLeftoverPostgres } from "./postgres-leftover.ts";
import { locateCluster } from "./postgres-location.ts";
import { type ProcessIdentity, signalProcess, stopProcess } from "./processes.ts";
import { StartupProblem } from "./startup-problem.ts";

/** How to run one PostgreSQL server. */
export interface PostgresOptions {
  /** Folder that belongs to this server; its cluster is kept in `<dataFolder>/postgres`. Made when missing. */
  dataFolder: string;
  /** TCP port on 127.0.0.1, the only address it listens on. */
  port: number;
  /** Password of the superuser `postgres`; set when the cluster is created. */
  password: string;
  /** `durable`: a commit survives a power cut. `throwaway`: fast, for data that may be lost. */
  durability: "durable" | "throwaway";
  /** Called as soon as the process has started, before it is ready. */
  onSpawn?: (identity: ProcessIdentity) => void;
}

/** A running PostgreSQL server. */
export interface PostgresServer {
  port: number;
  identity: ProcessIdentity;
  /** Whether this start created the cluster. */
  isNew: boolean;
  /** The pid of a server left over by a crash that was stopped first. */
  recoveredFrom: number | undefined;
  /** Set when the cluster had to be kept outside the data folder (see locateCluster). */
  outside: string | undefined;
  logFile: string;
  /** The superuser's connection URL for one database. */
  urlOf(database: string): string;
  /** Fast shutdown: ends connections, rolls back what is open, keeps every commit. Safe to call twice. */
  stop(): Promise<void>;
  /** Ends the server at once, without waiting for it; a durable cluster repairs itself at its next start. */
  kill(): void;
  /** Resolves when the server has ended for whatever reason. */
  exit: Promise<number | null>;
}

const startPatienceMs = 60_000;
const stopPatienceMs = 30_000;

// Every setting that initdb or the machine would otherwise choose by itself is fixed, so that all machines behave alike.
const settings: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  // Neither statements nor rejected rows may be logged: they contain people's texts.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/** How passwords are checked. SCRAM takes many milliseconds of each connection, and tests open thousands. */
const AUTHENTICATION = { durable: "scram-sha-256", throwaway: "md5" } as const;

const throwawaySettings: Record<string, string> = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  // Statistics come from the tests alone: what autovacuum does depends on how long a test takes.
  autovacuum: "off",
};

/**
 * Starts PostgreSQL on the data folder, creating its cluster the first time. A server or lock left by a crash is cleared
 * away first; the caller makes sure that no living process of ours uses the same data folder.
 * @throws StartupProblem with the end of the server's log when it does not come up.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = await postgresAccount();
  const binaries = await postgresBinaries(account);
  const { cluster, outside } = await locateCluster(options.dataFolder, account);
  const recoveredFrom = await stopLeftoverPostgres(cluster);
  const isNew = !existsSync(cluster);
  const authentication = AUTHENTICATION[options.durability];
  if (isNew) {
    await createCluster({
      initdb: binaries.initdb,
      cluster,
      password: options.password,
      account,
      synchronised: options.durability === "durable",
      authentication,
    });
  }

  const chosen = options.durability === "throwaway" ? { ...settings, ...throwawaySettings } : settings;
  const flags = Object.entries({ port: String(options.port), password_encryption: authentication, ...chosen }).flatMap(
    ([name, value]) => ["-c", `${name}=${value}`],
  );
  const logFile = join(resolve(options.dataFolder), "logs", "postgres.log");
  const child = await startChild(binaries.postgres, ["-D", cluster, ...flags], {
    ...account,
    cwd: cluster,
    env: serverEnvironment,
    logFile,
  });
  options.onSpawn?.(child.identity);
  const urlOf = (database: string) =>
    `postgresql://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${database}`;
  const stop = () => stopProcess(child.identity, "SIGINT", stopPatienceMs);
  try {
    await waitUntilReady(child, urlOf("postgres"));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port: options.port,
    identity: child.identity,
    isNew,
    recoveredFrom,
    outside,
    logFile,
    urlOf,
    stop,
    kill: () => {
      signalProcess(child.identity, "SIGQUIT");
    },
    exit: child.exit,
  };
}

// PostgreSQL needs nothing of ours, and an inherited PG... or LC_... variable would change how it behaves.
const serverEnvironment: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };

async function waitUntilReady(child: LoggedChild, url: string): Promise<void> {
  const deadline = Date.now() + startPatienceMs;
  for (;;) {
    if (child.hasExited())
      throw new StartupProblem(`PostgreSQL ended while it was starting:\n${logTail(child.logFile)}`);
    if (await accepts(url)) return;
    if (Date.now() > deadline) {
      throw new StartupProblem(`PostgreSQL is not ready after ${startPatienceMs / 1000} s:\n${logTail(child.logFile)}`);
    }
    await sleep(25);
  }
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
