import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type PostgresServer, postmasterPid, startPostgres } from "#local/database/postgres";
import { clusterFolder, postgresAccount } from "#local/database/postgres-files";
import { createMigratedDatabase, type TestDatabase } from "#local/database/test-cluster";
import { LOCAL_DATABASE_PASSWORD } from "#local/settings/local-defaults";
import { freePort } from "#local/support/ports";
import { closeSuperuser, query } from "./people.ts";

/** A database, and a streaming replica of it on a server of its own. */
export interface ReplicatedDatabase {
  readonly primary: TestDatabase;
  readonly replica: TestDatabase;
  /** Waits until the replica has all that the primary has. */
  caughtUp(): Promise<void>;
  /** Delays by so many milliseconds what the replica shows. */
  delay(ms: number): Promise<void>;
  /** Stops showing anything new on the replica, or goes on with it. */
  replay(what: "paused" | "resumed"): Promise<void>;
  /** Makes the replica a server of its own, which no longer follows the primary. */
  promote(): Promise<void>;
  /** The process id of a server. */
  pidOf(which: "primary" | "replica"): Promise<number>;
  /** Ends a server as a power cut does. */
  kill(which: "primary" | "replica"): Promise<void>;
  /** Starts a server that was killed. */
  restart(which: "primary" | "replica"): Promise<void>;
  stop(): Promise<void>;
}

/** Starts two servers: the replica's cluster is a copy of that of the stopped primary. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "nectar-replicas-"));
  // PostgreSQL's user may enter it, so its files stay in memory.
  await chmod(folder, 0o755);
  const account = await postgresAccount();
  const plans = { primary: await plan("primary"), replica: await plan("replica") };
  async function plan(name: string) {
    return {
      dataFolder: join(folder, name),
      port: await freePort(),
      password: LOCAL_DATABASE_PASSWORD,
      durability: "durable",
    } as const;
  }
  const first = await startPostgres(plans.primary);
  const primary = await createMigratedDatabase(first, "replicated");
  const replica = {
    ...primary,
    adminUrl: onPort(primary.adminUrl, plans.replica.port),
    apiUrl: onPort(primary.apiUrl, plans.replica.port),
  };
  await first.stop();
  await mkdir(plans.replica.dataFolder);
  const source = join(await clusterFolder(plans.primary.dataFolder, account), "data");
  const target = join(await clusterFolder(plans.replica.dataFolder, account), "data");
  await promisify(execFile)("cp", ["-a", source, target]);
  await promisify(execFile)("cp", ["-p", join(target, "PG_VERSION"), join(target, "standby.signal")]);
  const primaryAddress = `host=127.0.0.1 port=${plans.primary.port} user=postgres password=${LOCAL_DATABASE_PASSWORD}`;
  await writeFile(join(target, "postgresql.auto.conf"), `primary_conninfo = '${primaryAddress}'\n`);

  const servers: Record<"primary" | "replica", PostgresServer> = {
    primary: await startPostgres(plans.primary),
    replica: await startPostgres(plans.replica),
  };
  const pidOf = (which: "primary" | "replica") => postmasterPid(which === "primary" ? source : target);
  const onReplica = (text: string) => query(replica.adminUrl, text);

  return {
    primary,
    replica,
    async caughtUp() {
      const [row] = await query<{ position: string }>(
        primary.adminUrl,
        "select pg_current_wal_flush_lsn()::text as position",
      );
      const reached = () =>
        query(replica.adminUrl, "select where pg_last_wal_replay_lsn() >= $1::pg_lsn", [row?.position]);
      while ((await reached()).length === 0);
    },
    async delay(ms) {
      await onReplica(`alter system set recovery_min_apply_delay = ${ms}`);
      await onReplica("select pg_reload_conf()");
    },
    async replay(what) {
      await onReplica(`select pg_wal_replay_${what === "paused" ? "pause" : "resume"}()`);
    },
    async promote() {
      await onReplica("select pg_promote()");
    },
    pidOf,
    async kill(which) {
      process.kill(await pidOf(which), "SIGKILL");
      await servers[which].stop();
    },
    async restart(which) {
      servers[which] = await startPostgres(plans[which]);
    },
    async stop() {
      for (const { adminUrl } of [primary, replica]) await closeSuperuser(adminUrl);
      await Promise.all([servers.primary.stop(), servers.replica.stop()]);
      for (const data of [source, target]) await rm(data, { recursive: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function onPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}
