import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { chown, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { postmasterPid } from "../database/postgres.ts";
import { postgresAccount } from "../database/postgres-files.ts";
import { freePort } from "../support/ports.ts";
import { messageOf, StartupProblem } from "../support/startup-problem.ts";
import { until } from "./until.ts";

/** Debian's programs, with the package of each. */
const PACKAGES = {
  "/usr/lib/postgresql/15/bin/postgres": "postgresql-15",
  "/usr/bin/patroni": "patroni",
  "/usr/bin/etcd": "etcd-server",
  "/usr/sbin/haproxy": "haproxy",
  "/usr/bin/pgbackrest": "pgbackrest",
};
const POSTGRES_PROGRAMS = "/usr/lib/postgresql/15/bin";
const HOST = "127.0.0.1";

/** When its input closes, which the system does when the drill ends, kills all programs that name the folder, and removes it. */
const GUARD =
  'cat; printf %s "$FOLDER" | grep -lsFf - /proc/[0-9]*/cmdline | cut -d/ -f3 | xargs -r kill -9; sleep 1; rm -rf "$FOLDER"';

/** One of the two servers, with its Patroni. */
export interface Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  /** Folder of PostgreSQL's data. */
  readonly data: string;
  /** File with the settings of pgBackRest. */
  readonly backups: string;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const Members = z.object({ members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })) });

/** The missing Debian packages. */
export function missingPackages(): string[] {
  return Object.entries(PACKAGES).flatMap(([program, name]) => (existsSync(program) ? [] : [name]));
}

/**
 * Starts two PostgreSQL servers under Patroni with an etcd, a HAProxy and the settings in `settings/`, in a temporary folder
 * and on free ports of 127.0.0.1. They end with this process, however that happens.
 * @throws StartupProblem if a package is missing, or if they do not follow each other in time
 */
export async function startCluster() {
  const missing = missingPackages();
  if (missing.length > 0) throw new StartupProblem(`The drill needs: apt-get install ${missing.join(" ")}`);
  const account = await postgresAccount();
  const folder = await mkdtemp(join(tmpdir(), "nectar-failover-"));
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const env = { PATH: `/usr/bin:/bin:${POSTGRES_PROGRAMS}`, LC_ALL: "C", TZ: "UTC", FOLDER: folder };
  const guard = spawn("sh", ["-c", GUARD], { env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
  guard.unref();
  const [etcdPort, etcdPeerPort, entryPort] = [await freePort(), await freePort(), await freePort()];
  const [one, two] = [await planNode("one"), await planNode("two")];
  const nodes = [one, two];
  const password = randomBytes(16).toString("hex");
  const urlOf = (port: number) => `postgres://postgres:${password}@${HOST}:${port}/postgres`;
  const patronis = new Map<Node, ReturnType<typeof start>>();

  async function planNode(name: string): Promise<Node> {
    const [port, restPort] = [await freePort(), await freePort()];
    return { name, port, restPort, data: join(folder, name), backups: join(folder, `${name}.conf`) };
  }

  /** Writes a file of `settings/` into the folder, with values for what stands in angle brackets. */
  async function settle(template: string, file: string, values: Record<string, unknown>): Promise<void> {
    const text = await readFile(join(import.meta.dirname, "settings", template), "utf8");
    await writeFile(
      join(folder, file),
      text.replace(/<(\w+)>/g, (_, name: string) => String(values[name])),
    );
  }

  /** Starts a program whose arguments name the folder. */
  function start(program: string, args: readonly string[], log: string) {
    const output = openSync(join(folder, `${log}.log`), "a");
    return spawn(program, args, { ...account, cwd: folder, env, stdio: ["ignore", output, output] });
  }

  function startPatroni(node: Node): void {
    patronis.set(node, start("patroni", [join(folder, `${node.name}.yml`)], `patroni-${node.name}`));
  }

  async function members() {
    for (const { restPort } of nodes) {
      const response = await fetch(`http://${HOST}:${restPort}/cluster`).catch(() => null);
      if (response?.ok === true) return Members.parse(await response.json()).members;
    }
    return [];
  }

  async function leader(): Promise<Node | undefined> {
    const found = (await members()).find(({ role, state }) => role === "leader" && state === "running");
    return nodes.find(({ name }) => name === found?.name);
  }

  /** Waits until there is a primary and a synchronous standby. @returns the primary */
  async function ready(): Promise<Node> {
    let leading: Node | undefined;
    await until("one server leads and the other one follows", async () => {
      leading = await leader();
      return leading !== undefined && (await members()).some(({ role }) => role === "sync_standby");
    });
    if (leading === undefined) throw new Error("No server leads.");
    return leading;
  }

  async function stop(): Promise<void> {
    guard.stdin.end();
    guard.ref();
    await once(guard, "exit");
  }

  const common = { folder, password, host: HOST, network: `${HOST}/32`, programs: POSTGRES_PROGRAMS };
  for (const node of nodes) {
    const values = { ...common, ...node, etcd: `${HOST}:${etcdPort}`, localAccess: "trust" };
    await settle("patroni.yml", `${node.name}.yml`, values);
    await settle("pgbackrest.conf", `${node.name}.conf`, values);
  }
  await settle("haproxy.cfg", "haproxy.cfg", {
    entry: `${HOST}:${entryPort}`,
    one: `${HOST}:${one.port}`,
    restOne: one.restPort,
    two: `${HOST}:${two.port}`,
    restTwo: two.restPort,
  });
  try {
    const client = `client-urls=http://${HOST}:${etcdPort}`;
    const etcd = [`--data-dir=${folder}/etcd`, `--listen-${client}`, `--advertise-${client}`];
    start("etcd", [...etcd, `--listen-peer-urls=http://${HOST}:${etcdPeerPort}`], "etcd");
    start("/usr/sbin/haproxy", ["-db", "-f", join(folder, "haproxy.cfg")], "haproxy");
    for (const node of nodes) startPatroni(node);
    await ready();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    folder,
    /** The superuser's address at HAProxy. */
    adminUrl: urlOf(entryPort),
    /** The superuser's address of a server. */
    urlOf,
    ready,
    /** Waits until another server leads. */
    otherThan: (node: Node) => until("another server leads", async () => ((await leader()) ?? node) !== node),
    startPatroni,
    killPatroni: (node: Node) => patronis.get(node)?.kill("SIGKILL"),
    async killPostgres({ data }: Node) {
      process.kill(await postmasterPid(data), "SIGKILL");
    },
    async switchOver({ name, restPort }: Node) {
      const body = JSON.stringify({ leader: name });
      const response = await fetch(`http://${HOST}:${restPort}/switchover`, { method: "POST", body });
      if (!response.ok) throw new StartupProblem(`Patroni does not switch over: ${await response.text()}`);
    },
    /** Starts a PostgreSQL server on a folder inside of the cluster's. */
    startPostgres: (args: readonly string[]) => start("postgres", args, "postgres"),
    /** Runs pgBackRest to its end on the machine of a server. */
    async pgBackRest({ backups }: Node, args: readonly string[]): Promise<void> {
      const all = ["--stanza=nectar", `--config=${backups}`, ...args];
      await promisify(execFile)("pgbackrest", all, { ...account, cwd: folder, env }).catch((error: unknown) => {
        throw new StartupProblem(`pgBackRest failed: ${messageOf(error)}`);
      });
    },
    stop,
  };
}
