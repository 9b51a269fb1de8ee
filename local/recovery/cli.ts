import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { InvalidEnvironment, readOperatorConfig } from "#config/config";
import { connectionConfig, type DatabaseAddress } from "#database/connection-config";
import { withAdminConnection } from "#ops/migrate/admin-connection";
import { setApiPassword } from "#ops/migrate/api-password";
import { MigrationProblem } from "#ops/migrate/migration-problem";
import { listS3Files } from "#providers/private-files";
import { TONE_PACK_BUCKET, TONE_PACK_FOLDER } from "#providers/public-images";
import { apiUrlOf } from "../database/api-login.ts";
import { cloneDatabase, startTestCluster } from "../database/test-cluster.ts";
import { LOCAL_API_PASSWORD } from "../settings/local-defaults.ts";
import { withConnection } from "../support/connection.ts";
import { checkFiles, countRows, findBrokenReferences, findWrongBalances, LIST_TABLES, STORES } from "./checks.ts";

// npm run restore:drill saves a database with the commands of docs/recovery.md, restores it into a new cluster, and checks
// the result. Nothing is written to the source.

const folder = await mkdtemp(join(tmpdir(), "nectar-drill-"));
// Also when the drill is interrupted: the folder contains what users wrote.
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const dump = join(folder, "nectar.dump");

try {
  const { admin: source, s3 } = readOperatorConfig();
  const { cluster, stop } = await startTestCluster();
  try {
    const restored = await cloneDatabase(cluster, "restored");
    console.log("A new cluster is migrated.");
    const drift = await findDrift(source, { url: restored.adminUrl });
    const problems = await withAdminConnection(source, async (live) => {
      const filesBefore = await listFiles(live, s3);
      const counts = await save(live, source);
      const filesAfter = await listFiles(live, s3);
      console.log("Its rows are saved.");
      await withConnection(restored.adminUrl, (client) => empty(client, live));
      await run("pg_restore", ["--data-only", "--no-owner", "--single-transaction", dump], { url: restored.adminUrl });
      console.log("They are restored.");
      return withConnection(restored.adminUrl, async (client) => {
        const found = await countRows(client);
        const missing = [...counts].filter(([table, count]) => found.get(table) !== count);
        return [
          ...missing.map(([table, count]) => `${table} has ${found.get(table)} rows instead of ${count}.`),
          ...(await findWrongBalances(client)),
          ...(await findBrokenReferences(client)),
          ...(
            await Promise.all(STORES.map((store) => checkFiles(client, store, filesBefore[store], filesAfter[store])))
          ).flat(),
        ];
      });
    });
    await signIn(restored.adminUrl);
    console.log("nectar_api signs in with its new password.");
    const all = [...drift, ...problems];
    console.log(all.length === 0 ? "The restored database is complete." : all.join("\n"));
    process.exitCode = all.length === 0 ? 0 : 1;
  } finally {
    await stop();
  }
} catch (error) {
  if (!(error instanceof MigrationProblem || error instanceof InvalidEnvironment)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Saves the rows of the service and its users. @returns how many rows each table had at that moment */
async function save(live: pg.ClientBase, source: DatabaseAddress): Promise<Map<string, number>> {
  // The connection waits for pg_dump and pg_restore.
  await live.query("set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0");
  await live.query("begin isolation level repeatable read read only");
  const { rows } = await live.query<{ snapshot: string }>("select pg_export_snapshot() as snapshot");
  const tables = ["nectar.*", "private.*", "auth.users"].map((pattern) => `--table=${pattern}`);
  const options = ["--format=custom", "--no-owner", "--data-only", `--snapshot=${rows[0]?.snapshot}`, `--file=${dump}`];
  await run("pg_dump", [...options, ...tables], source);
  const counts = await countRows(live);
  await live.query("commit");
  return counts;
}

/** Removes the rows that migrations have inserted, and makes room for columns of a newer Supabase Auth. */
async function empty(client: pg.ClientBase, live: pg.ClientBase): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(LIST_TABLES);
  await client.query(`
    set session_replication_role = replica;
    truncate ${tables.map(({ name }) => name).join()};
    delete from auth.users`);
  const { rows: columns } = await live.query<{ definition: string }>(
    `select format('%I %s', attname, format_type(atttypid, atttypmod)) as definition from pg_attribute
     where attrelid = 'auth.users'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  for (const { definition } of columns) {
    await client.query(`alter table auth.users add column if not exists ${definition}`);
  }
}

/** Compares the schema of a database with the one that the migrations make, and names what is not the same. */
async function findDrift(live: DatabaseAddress, migrated: DatabaseAddress): Promise<string[]> {
  const [there, here] = [await objectsOf(live), await objectsOf(migrated)];
  return [...new Set([...there.keys(), ...here.keys()])].sort().flatMap((name) => {
    if (!here.has(name)) return [`The database has ${name}, which the migrations do not make.`];
    if (!there.has(name)) return [`The database lacks ${name}.`];
    return there.get(name) === here.get(name) ? [] : [`${name} is not as the migrations make it.`];
  });
}

/** The objects of our schemas with their definitions and grants, each under its type and name. */
async function objectsOf(address: DatabaseAddress): Promise<Map<string, string>> {
  const options = ["--schema-only", "--no-owner", "--schema=nectar", "--schema=private"];
  const text = (await run("pg_dump", options, address)).replaceAll(/^\\(un)?restrict .*$/gm, "");
  // Each object begins with a comment: "-- Name: profiles; Type: TABLE; Schema: nectar; Owner: -".
  return new Map(
    text.split(/^-- (?=Name: .*; Owner: )/m).map((object) => {
      const [, name, type, schema] = /^Name: (.*); Type: (.*); Schema: (.*); Owner: /.exec(object) ?? [];
      return [`${type} ${schema}.${name}`, object];
    }),
  );
}

/** The paths of the files in each store; undefined for a store that is not configured. */
async function listFiles(live: pg.ClientBase, s3: Parameters<typeof listS3Files>[0] | null) {
  const keys = s3 === null ? undefined : await listS3Files(s3);
  // Without Supabase Storage, the images are in the bucket too.
  const images = keys
    ?.filter((key) => key.startsWith(TONE_PACK_FOLDER))
    .map((key) => key.slice(TONE_PACK_FOLDER.length));
  return {
    private: keys?.filter((key) => !key.startsWith(TONE_PACK_FOLDER)),
    "tone-packs": (await listToneImages(live)) ?? images,
  };
}

/** The images in Supabase Storage, by its own table of them; undefined where there is no Supabase Storage. */
async function listToneImages(live: pg.ClientBase): Promise<string[] | undefined> {
  const { rows: tables } = await live.query("select where to_regclass('storage.objects') is not null");
  if (tables.length === 0) return undefined;
  const { rows } = await live.query<{ name: string }>("select name from storage.objects where bucket_id = $1", [
    TONE_PACK_BUCKET,
  ]);
  return rows.map(({ name }) => name);
}

/** Sets the password of the functions' role, and reads with it as the functions do. */
async function signIn(adminUrl: string): Promise<void> {
  const url = apiUrlOf(adminUrl, LOCAL_API_PASSWORD);
  await setApiPassword({ url: adminUrl }, url);
  await withConnection(url, (client) => client.query("set role nectar_service; select from nectar.profiles limit 1"));
}

/**
 * Runs one of PostgreSQL's client programs on a database.
 * @returns what it printed
 * @throws MigrationProblem if the program is missing or fails
 */
async function run(program: "pg_dump" | "pg_restore", args: string[], address: DatabaseAddress): Promise<string> {
  const url = new URL(connectionConfig(address).connectionString ?? "");
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, PGPASSWORD: decodeURIComponent(url.password) };
  // Other users of this machine can read the arguments of a program.
  url.password = "";
  if (typeof address.ca === "string") {
    env.PGSSLMODE = "verify-full";
    env.PGSSLROOTCERT = join(folder, "ca.pem");
    await writeFile(env.PGSSLROOTCERT, address.ca);
  }
  // Triggers and foreign keys do not run while rows are restored: what triggers would write was saved too.
  if (program === "pg_restore") env.PGOPTIONS = "-c session_replication_role=replica";
  try {
    const options = { env, maxBuffer: Number.POSITIVE_INFINITY };
    return (await promisify(execFile)(program, [...args, `--dbname=${url.href}`], options)).stdout;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ("code" in error && error.code === "ENOENT") {
      throw new MigrationProblem(`${program} is not in the PATH. It comes with PostgreSQL's client programs.`);
    }
    throw new MigrationProblem("stderr" in error ? String(error.stderr) : error.message);
  }
}
