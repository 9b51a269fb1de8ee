import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PostgresAccount } from "./postgres-account.ts";
import { messageOf, StartupProblem } from "./startup-problem.ts";

const run = promisify(execFile);

/** `durable`: a commit survives a power cut. `throwaway`: fast, for data that may be lost. */
export type Durability = "durable" | "throwaway";

/** What a new cluster is made from. */
export interface ClusterPlan {
  /** Absolute path of the program. */
  initdb: string;
  /** The folder of the cluster; it must not exist. */
  cluster: string;
  /** The password of the superuser `postgres`. */
  password: string;
  /** The system user that owns it, if that is not the current one. */
  account: PostgresAccount | undefined;
  durability: Durability;
}

/**
 * Creates a cluster that is the same on every machine: UTF-8, PostgreSQL's own C.UTF-8 collation (no locale of the
 * system is involved), a password for every connection.
 * @throws StartupProblem with what initdb said.
 */
export async function createCluster(plan: ClusterPlan): Promise<void> {
  // Built under another name and renamed at the end: an interrupted initdb never looks like a cluster.
  const unfinished = `${plan.cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const secretFolder = await mkdtemp(join(plan.account ? "/var/tmp" : tmpdir(), "nectar-initdb-"));
  try {
    const passwordFile = join(secretFolder, "password");
    await writeFile(passwordFile, `${plan.password}\n`, { mode: 0o600 });
    if (plan.account) {
      for (const path of [unfinished, secretFolder, passwordFile]) {
        await chown(path, plan.account.uid, plan.account.gid);
      }
    }
    const flags = [
      `--pgdata=${unfinished}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      `--auth=${plan.durability === "durable" ? "scram-sha-256" : "md5"}`,
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
    ];
    if (plan.durability === "throwaway") flags.push("--no-sync");
    const env = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
    await run(plan.initdb, flags, { ...plan.account, cwd: "/", env }).catch((error: unknown) => {
      // The message contains what the program wrote to standard error.
      throw new StartupProblem(`initdb failed: ${messageOf(error)}`);
    });
    await rename(unfinished, plan.cluster);
  } finally {
    await rm(secretFolder, { recursive: true, force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}
