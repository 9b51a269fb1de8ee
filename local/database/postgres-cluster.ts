import { chown, mkdir, rename, rm, writeFile } from "node:fs/promises";
import type { Account } from "./postgres-files.ts";

/** `durable`: a commit survives a power cut. `throwaway`: fast, for data that may be lost. */
export type Durability = "durable" | "throwaway";

/** Runs one of PostgreSQL's programs to its end. */
export type Execute = (program: string, args: readonly string[]) => Promise<unknown>;

interface ClusterPlan {
  /** The folder of the cluster; it must not exist. */
  cluster: string;
  password: string;
  durability: Durability;
  /** The user that owns it, if that is not the current one. */
  account: Account | undefined;
  collation: Collation;
  execute: Execute;
}

/** All that could depend on the machine is fixed, so that all machines behave alike. */
const COMMON = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  // Realtime reads the changes of rows from the log.
  wal_level: "logical",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  // Neither statements nor rejected rows may be logged: they contain users' texts.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/** The settings of a server. */
export const POSTGRES_SETTINGS = {
  durable: { ...COMMON, password_encryption: "scram-sha-256" },
  throwaway: {
    ...COMMON,
    // SCRAM takes many milliseconds of each connection, and tests open thousands.
    password_encryption: "md5",
    // Commits are not asynchronous: vacuum does not mark a page as visible to all while a commit in it waits for the WAL
    // writer, and a plan that reads an index alone then reads the table as well.
    fsync: "off",
    full_page_writes: "off",
    // Tests analyze themselves: what autovacuum does depends on how long a test takes.
    autovacuum: "off",
  },
};

/** Both sort by code point: PostgreSQL's own, the same on every machine, and the machine's, for 15 and 16 have no own. */
export const COLLATIONS = {
  builtin: "--locale=C --locale-provider=builtin --builtin-locale=C.UTF-8",
  libc: "--locale=C.UTF-8 --locale-provider=libc",
};

export type Collation = keyof typeof COLLATIONS;

/** A password for every connection. */
const AUTHENTICATION = { durable: ["--auth=scram-sha-256"], throwaway: ["--auth=md5", "--no-sync"] };

/** Creates a cluster whose superuser is `postgres`. */
export async function createCluster(plan: ClusterPlan): Promise<void> {
  const { cluster, password, durability, account, collation, execute } = plan;
  // Built under another name and renamed at the end: an interrupted initdb never looks like a cluster.
  const unfinished = `${cluster}.unfinished`;
  const passwordFile = `${cluster}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== undefined) for (const path of [unfinished, passwordFile]) await chown(path, account.uid, account.gid);
  const flags = [`--pgdata=${unfinished}`, `--pwfile=${passwordFile}`, "--username=postgres", "--encoding=UTF8"];
  const locale = COLLATIONS[collation].split(" ");
  await execute("initdb", [...flags, ...locale, ...AUTHENTICATION[durability]]).finally(() => rm(passwordFile));
  await rename(unfinished, cluster);
}
