import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { startPostgres } from "#local/database/postgres";
import { startSupabase } from "#local/settings/supabase";
import { freePort } from "#local/support/ports";
import { readMigrationFiles } from "#ops/migrate/migration-files";
import { LONG } from "#tests/long";
import { asSuperuser, closeSuperuser, query } from "#tests/people";

const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "nectar-packed-"));
const app = join(folder, "app");
const KEYS = {
  publishableKey: "sb_publishable_packed",
  secretKey: "sb_secret_packed",
  jwtSecret: "signs-the-tokens-of-one-server-of-a-test",
};
const PASSWORDS = {
  NECTAR_API_PASSWORD: "api-of-a-test",
  AUTH_PASSWORD: "auth-of-a-test",
  REALTIME_PASSWORD: "realtime-of-a-test",
  POSTGRES_PASSWORD: "of-a-test",
};
const stops: (() => Promise<unknown>)[] = [];
let adminUrl = "";
let supabaseUrl = "";

/** Copies what the build stage of the Dockerfile gets, and builds there what the image contains. */
function packImage(): void {
  const source = join(folder, "source");
  const lines = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
  for (const path of lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1))) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    cpSync(join(root, path), join(source, path), {
      recursive: true,
      filter: (file) => !file.split("/").includes("node_modules") || !file.startsWith(join(root, path)),
    });
  }
  symlinkSync(join(root, "node_modules"), join(source, "node_modules"), "dir");
  execFileSync(process.execPath, ["tools/build-server.ts", "--to", app], { cwd: source, stdio: "pipe" });
}

/** A program may read its own folder and write nowhere, as in a container with a read-only file system. */
const PERMISSIONS = ["--permission", `--allow-fs-read=${app}`, "--allow-worker", "--allow-addons"];

/** Starts a replica. */
function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, [...PERMISSIONS, "functions/start.mjs"], {
    cwd: app,
    env: {
      DATABASE_URL: `postgres://nectar_api:${PASSWORDS.NECTAR_API_PASSWORD}@${new URL(adminUrl).host}/postgres`,
      DATABASE_ADMIN_URL: adminUrl,
      SUPABASE_URL: supabaseUrl,
      SUPABASE_JWT_SECRET: KEYS.jwtSecret,
      SUPABASE_JWT_ISSUER: "none",
      SHUTDOWN_GRACE_SECONDS: "0",
      SCHEDULER: "off",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  children.push(child);
  return { child, output: () => output, ended: once(child, "close").then(() => child.exitCode ?? child.signalCode) };
}
const children: ChildProcess[] = [];

async function startReplica(environment: Record<string, string> = {}) {
  const port = String(await freePort());
  const replica = start({ PORT: port, ...environment });
  await expect.poll(replica.output).toContain("listening");
  return { ...replica, base: `http://127.0.0.1:${port}` };
}

async function signUp(email: string): Promise<string> {
  const response = await fetch(`${supabaseUrl}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: KEYS.publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: "a-long-password-of-a-test" }),
  });
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}

const applied = async (): Promise<number> => {
  const [{ exists } = { exists: false }] = await query<{ exists: boolean }>(
    adminUrl,
    "select to_regclass('supabase_migrations.schema_migrations') is not null as exists",
  );
  if (!exists) return 0;
  const [row] = await query<{ n: number }>(
    adminUrl,
    "select count(*)::int as n from supabase_migrations.schema_migrations",
  );
  return row?.n ?? 0;
};

beforeAll(async () => {
  packImage();
  await chmod(folder, 0o711);
  const postgres = await startPostgres({
    dataFolder: join(folder, "database"),
    port: await freePort(),
    password: PASSWORDS.POSTGRES_PASSWORD,
    durability: "throwaway",
  });
  stops.push(() => postgres.stop());
  adminUrl = postgres.urlOf("postgres");
  await asSuperuser(adminUrl, (client) => client.query(initialSql()));
  const supabase = await startSupabase({
    dataFolder: folder,
    databaseUrl: adminUrl,
    keys: KEYS,
    port: await freePort(),
  });
  stops.push(() => supabase.stop());
  supabaseUrl = supabase.url;
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(async () => {
  await closeSuperuser(adminUrl);
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What psql makes of the script of the first start. */
function initialSql(): string {
  const script = readFileSync(join(root, "docker/init-database.sql"), "utf8");
  const names = new Map(
    [...script.matchAll(/^\\getenv (\w+) (\w+)$/gm)].map(([, name = "", variable = ""]) => [name, variable]),
  );
  return script
    .replaceAll(/^\\getenv .*$/gm, "")
    .replaceAll(
      /:'(\w+)'/g,
      (_, name) => `'${Object.entries(PASSWORDS).find(([key]) => key === names.get(name))?.[1]}'`,
    );
}

describe("the files of the container image", () => {
  it("have the reference as OpenAPI 3.0", () => {
    const { openapi, paths } = JSON.parse(readFileSync(join(app, "openapi-3.0.json"), "utf8"));
    expect([openapi, Object.keys(paths)]).toEqual(["3.0.3", expect.arrayContaining(["/api/goals"])]);
  });

  it("have the licenses of the packages inside the bundles and beside them", () => {
    const notices = readFileSync(join(app, "THIRD_PARTY.md"), "utf8");
    for (const name of ["hono", "zod", "pg", "kysely", "jose", "pino", "@aws-sdk/client-s3", "web-push", "sharp"]) {
      const { version } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
      expect(notices).toMatch(new RegExp(`^# ${name} ${version} \\(.+\\)$`, "m"));
    }
    expect(notices).toContain("GNU LESSER GENERAL PUBLIC LICENSE");
    expect(notices).not.toMatch(/^# (vitest|sst|esbuild|typescript|node|ajv|playwright-core) /m);
  });

  it("say which Node they need, and do nothing under an older one", () => {
    const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })";
    for (const program of ["functions/start.mjs", "ops/migrate/cli.mjs", "ops/backup/cli.mjs"]) {
      const flags = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, program];
      const { status, stdout, stderr } = spawnSync(process.execPath, flags, { cwd: app, encoding: "utf8", env: {} });
      expect([status, stdout, stderr]).toEqual([1, "", "Nectar needs Node 24 or newer, and this is Node 20.1.0.\n"]);
    }
  });

  it("migrate an empty database, also after kill -9 during a migration, and with two replicas at the same time", async () => {
    const killed = start({ PORT: String(await freePort()) });
    const migrating = () =>
      query(adminUrl, "select from pg_stat_activity where state = 'active' and query like '-- Generated from%'");
    await expect.poll(migrating, { interval: 5 }).toHaveLength(1);
    killed.child.kill("SIGKILL");
    expect(await killed.ended).toBe("SIGKILL");

    const replicas = await Promise.all([startReplica(), startReplica()]);
    expect(await applied()).toBe((await readMigrationFiles(join(app, "supabase"))).length);
    for (const { base } of replicas) expect((await fetch(`${base}/health/ready`)).status).toBe(200);
    const published =
      "select tablename from pg_publication_tables where pubname = 'supabase_realtime' order by tablename";
    expect(await query(adminUrl, published)).toEqual([{ tablename: "notifications" }, { tablename: "team_messages" }]);
  });

  it("set the password of nectar_api with the administrator's address, also two at a time, and refuse to start without", async () => {
    await query(adminUrl, "alter role nectar_api password null");
    const refused = start({ PORT: String(await freePort()), DATABASE_ADMIN_URL: "" });
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain("npm run migrate -- --set-password");
    expect(refused.output()).not.toContain(PASSWORDS.NECTAR_API_PASSWORD);

    const replicas = await Promise.all([startReplica(), startReplica()]);
    for (const { base } of replicas) expect((await fetch(`${base}/health/ready`)).status).toBe(200);
    const later = await startReplica({ DATABASE_ADMIN_URL: "" });
    expect((await fetch(`${later.base}/health/ready`)).status).toBe(200);
  });

  it("find the migrations when they migrate without a server", () => {
    const output = execFileSync(process.execPath, [...PERMISSIONS, "ops/migrate/cli.mjs", "--allow-later"], {
      cwd: app,
      env: { DATABASE_ADMIN_URL: adminUrl },
      encoding: "utf8",
    });
    expect(output).toBe("Nothing to apply.\n");
  });

  it("serve the same data from two replicas, and one goes on while the other one stops", async () => {
    const [first, second] = await Promise.all([startReplica(), startReplica()]);
    const headers = {
      authorization: `Bearer ${await signUp("two@example.test")}`,
      "content-type": "application/json",
    };
    const created = await fetch(`${first.base}/api/journal`, {
      method: "POST",
      headers,
      body: JSON.stringify({ title: "A walk", content: "To the lake" }),
    });
    expect(created.status).toBe(201);
    const { entry } = z.object({ entry: z.object({ id: z.string() }) }).parse(await created.json());
    const read = async () => (await fetch(`${second.base}/api/journal/${entry.id}`, { headers })).json();
    expect(await read()).toMatchObject({ entry: { title: "A walk", content: "To the lake" } });
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    expect(await read()).toMatchObject({ entry: { title: "A walk" } });
  });

  it("decode photos with the packages beside the bundle", () => {
    const script = `await import("sharp"); await import("libheif-js/libheif-wasm/libheif-bundle.js");`;
    execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: join(app, "functions"),
      stdio: "pipe",
    });
  });

  // It waits for the scheduler, which tries again after a minute.
  it.runIf(LONG)("finish a job in the other replica when the one that runs it is killed with kill -9", async () => {
    const dueTimes = () =>
      query<{ due_at: string; succeeded: boolean | null }>(
        adminUrl,
        "select due_at::text, succeeded from private.job_runs where job = 'housekeeping' order by started_at",
      );
    await asSuperuser(adminUrl, async (client) => {
      await client.query("begin; lock table private.idempotency_keys in access exclusive mode");
      const killed = await startReplica({ SCHEDULER: "on" });
      await expect.poll(dueTimes, { interval: 20 }).toHaveLength(1);
      killed.child.kill("SIGKILL");
      expect(await killed.ended).toBe("SIGKILL");
      const other = await startReplica({ SCHEDULER: "on" });
      expect((await fetch(`${other.base}/health/ready`)).status).toBe(200);
      await client.query("rollback");
    });
    const [unfinished] = await dueTimes();
    expect(unfinished?.succeeded).toBeNull();
    // The survivor tries again after a minute, with the next tick after that.
    await expect.poll(dueTimes).toContainEqual({ due_at: expect.any(String), succeeded: true });
  });
});
