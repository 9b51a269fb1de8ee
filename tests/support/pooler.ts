import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresAccount } from "#local/database/postgres-files";
import { databaseOf, type TestCluster } from "#local/database/test-cluster";
import { freePort } from "#local/support/ports";

/** A PgBouncer in front of the test cluster. It also stops when this process ends, however that happens. */
export interface Pooler {
  /** The port on 127.0.0.1 where the API signs in to any database of the cluster. */
  port: number;
  stop(): Promise<void>;
}

/** Becomes PgBouncer, and ends it when the standard input closes, which the system does when this process ends. */
const GUARDED = 'exec 3<&0; (cat <&3; kill $$) & exec "$0" "$1"';

/**
 * Starts PgBouncer in transaction mode, with fewer connections to each database than the API of a test file opens.
 * @param program the path of PgBouncer, or its name
 * @throws Error with what PgBouncer says if it does not start
 */
export async function startPooler(program: string, cluster: TestCluster): Promise<Pooler> {
  const port = await freePort();
  const login = new URL(databaseOf(cluster, "any").apiUrl);
  const folder = await mkdtemp(join(tmpdir(), "nectar-pooler-"));
  const settings = join(folder, "pgbouncer.ini");
  const users = join(folder, "users.txt");
  await writeFile(users, `"${login.username}" "${login.password}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${login.hostname} port=${login.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = md5
auth_file = ${users}
pool_mode = transaction
default_pool_size = 6
max_client_conn = 64
log_connections = 0
log_disconnections = 0
`,
  );
  // PgBouncer refuses to run as root, as PostgreSQL does.
  const account = await postgresAccount();
  if (account !== undefined) for (const path of [folder, settings, users]) await chown(path, account.uid, account.gid);
  const server = spawn("sh", ["-c", GUARDED, program, settings], {
    ...account,
    cwd: "/",
    stdio: ["pipe", "ignore", "pipe"],
  });
  const stopped = once(server, "exit").finally(() => rm(folder, { recursive: true, force: true }));
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (text) => {
      log += text;
      if (log.includes("process up")) resolve();
    });
    stopped.then(() => reject(new Error(`PgBouncer did not start:\n${log}`)), reject);
  });
  return {
    port,
    async stop() {
      server.stdin.end();
      await stopped;
    },
  };
}
