import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdir, readFile, realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { logTail, StartupProblem } from "../support/startup-problem.ts";
import { createCluster, type Durability, type Execute, POSTGRES_SETTINGS } from "./postgres-cluster.ts";
import { clusterFolder, postgresAccount, postgresPrograms } from "./postgres-files.ts";

const run = promisify(execFile);

/** How to run one PostgreSQL server. */
export interface PostgresOptions {
  /** Folder of this server, created if missing; the cluster is in `<dataFolder>/postgres`. */
  dataFolder: string;
  /** TCP port on 127.0.0.1, the only address it listens on. */
  port: number;
  /** Password of the superuser `postgres` for a new cluster. */
  password: string;
  /** The data folder of a throwaway server is removed at the end. */
  durability: Durability;
  /** Folder of PostgreSQL's programs; default: those that come with npm. */
  programs?: string | undefined;
}

/** A running PostgreSQL server. It also stops when this process ends, however that happens. */
export interface PostgresServer {
  port: number;
  logFile: string;
  /** The superuser's connection URL for one database. */
  urlOf(database: string): string;
  /** Ends connections, rolls back what is open, and keeps every commit of a durable cluster. */
  stop(): Promise<void>;
}

/** Waits until its standard input closes, which the system does when this process ends, then stops the server. */
const GUARD = {
  durable: 'cat; "$0" stop -D "$1" -m fast -t 30 || "$0" stop -D "$1" -m immediate',
  throwaway: 'cat; "$0" stop -D "$1" -m immediate; rm -rf "$2" "$3"',
};

/**
 * Starts PostgreSQL on the data folder, creating its cluster the first time. No server may be running there.
 * @throws StartupProblem with the end of the server's log if it does not come up
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { dataFolder, port, password, durability, programs } = options;
  const { account, folder, cluster, pgCtl, execute } = await preparePostgres(dataFolder, durability, programs);
  const collation = programs === undefined ? "builtin" : "libc";
  if (!existsSync(cluster)) await createCluster({ cluster, password, durability, account, collation, execute });

  const logFile = join(folder, "server.log");
  await rm(logFile, { force: true });
  const guard = spawn("sh", ["-c", GUARD[durability], pgCtl, cluster, folder, resolve(dataFolder)], {
    ...EXECUTION,
    ...account,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  const stopped = once(guard, "exit");
  const stop = async () => {
    guard.stdin.end();
    guard.ref();
    await stopped;
  };
  const flags = Object.entries({ port, ...POSTGRES_SETTINGS[durability] }).map(
    ([name, value]) => `-c ${name}='${value}'`,
  );
  try {
    await execute("pg_ctl", ["start", "-D", cluster, "-w", "-t", "60", "-s", "-l", logFile, "-o", flags.join(" ")]);
  } catch {
    const log = logTail(logFile);
    await stop();
    throw new StartupProblem(`PostgreSQL did not start:\n${log}`);
  }
  const urlOf = (database: string) =>
    `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  return { port, logFile, urlOf, stop };
}

/** Stops a server that a crash has left on the data folder, and removes its cluster. */
export async function removePostgres(dataFolder: string): Promise<void> {
  await stopLeftoverPostgres(dataFolder);
  const link = join(dataFolder, "postgres");
  if (existsSync(link)) await rm(await realpath(link), { recursive: true });
  await rm(link, { force: true });
}

/** Stops a server that a crash has left on the data folder. */
export async function stopLeftoverPostgres(dataFolder: string): Promise<void> {
  const data = join(dataFolder, "postgres", "data");
  const pid = await postmasterPid(data);
  if (Number.isNaN(pid)) return;
  const { cluster, execute } = await preparePostgres(dataFolder);
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8")
    .catch(async () => (await run("ps", ["-o", "command=", "-p", String(pid)])).stdout)
    .catch(() => "");
  if (command.includes(cluster)) await execute("pg_ctl", ["stop", "-D", cluster, "-m", "fast", "-s"]);
  // After a reboot another program may have the pid: PostgreSQL would take it for a server, and pg_ctl would signal it.
  else if (command !== "") await rm(join(data, POSTMASTER_FILE), { force: true });
}

/** The file in a cluster's data that a running server has, and one that was killed leaves behind. */
const POSTMASTER_FILE = "postmaster.pid";

/** The process id of the server that runs on a cluster, or was killed; NaN if there is none. @param data its data folder */
export async function postmasterPid(data: string): Promise<number> {
  return Number.parseInt(await readFile(join(data, POSTMASTER_FILE), "utf8").catch(() => ""), 10);
}

// PostgreSQL needs nothing of ours, and an inherited PG... or LC_... variable would change how it behaves.
const EXECUTION = { cwd: "/", env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" } };

async function preparePostgres(dataFolder: string, durability: Durability = "durable", named?: string) {
  const account = await postgresAccount();
  await mkdir(dataFolder, { recursive: true });
  // The guard removes a throwaway folder as this user.
  if (account !== undefined && durability === "throwaway") await chown(dataFolder, account.uid, account.gid);
  const programs = named ?? (await postgresPrograms(account));
  const folder = await clusterFolder(dataFolder, account);
  const execute: Execute = (program, args) => run(join(programs, program), args, { ...EXECUTION, ...account });
  return { account, folder, cluster: join(folder, "data"), pgCtl: join(programs, "pg_ctl"), execute };
}
