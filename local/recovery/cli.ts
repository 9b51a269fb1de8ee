import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { InvalidEnvironment, readOperatorConfig } from "#config/config";
import type { DatabaseAddress } from "#database/connection-config";
import { runOnDatabase, runPostgresProgram } from "#ops/backup/postgres-program";
import { withAdminConnection } from "#ops/migrate/admin-connection";
import { MigrationProblem } from "#ops/migrate/migration-problem";
import { databaseOf, startTestCluster } from "../database/test-cluster.ts";
import { withConnection } from "../support/connection.ts";
import { compareFacts, findLedgerProblems, listTables, readFacts } from "./checks.ts";

// npm run restore:drill saves a database as docs/recovery.md does, restores it into a new cluster, and compares the two.
// The folder contains what users wrote, so it is removed also when the drill is interrupted.
const folder = mkdtempSync(join(tmpdir(), "nectar-drill-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

try {
  const { admin } = readOperatorConfig();
  const problems = await withAdminConnection(admin, async (live) => {
    await checkPrograms(live);
    const { cluster, stop } = await startTestCluster();
    return restore(live, admin, databaseOf(cluster, cluster.template).adminUrl).finally(stop);
  });
  if (problems.length > 0) throw new MigrationProblem(problems.join("\n"));
  console.log("The restored database is complete.");
} catch (error) {
  if (!(error instanceof MigrationProblem || error instanceof InvalidEnvironment)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** @throws MigrationProblem if pg_dump is older than the server, or pg_restore older than pg_dump */
async function checkPrograms(live: pg.ClientBase): Promise<void> {
  const { rows } = await live.query<{ server_version: string }>("show server_version");
  let needed = Number.parseInt(rows[0]?.server_version ?? "", 10);
  for (const program of ["pg_dump", "pg_restore"]) {
    const found = Number(/\d+/.exec(await runPostgresProgram(folder, program, "--version").catch(() => "0"))?.[0]);
    const problem = `The server is PostgreSQL ${rows[0]?.server_version}, and ${program} is ${found || "missing"}.`;
    if (found < needed) throw new MigrationProblem(`${problem} Install postgresql-client-${needed} or a newer one.`);
    needed = found;
  }
}

/** Saves a database and restores it in another. @returns what is wrong there */
async function restore(live: pg.ClientBase, source: DatabaseAddress, url: string): Promise<string[]> {
  // The connection waits for pg_dump, which reads the same snapshot.
  const wait = "set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0";
  await live.query(`${wait}; begin isolation level repeatable read read only`);
  const { rows } = await live.query<{ snapshot: string; columns: string }>(`
    select pg_export_snapshot() as snapshot,
      string_agg(format('add column if not exists %I %s', attname, format_type(atttypid, atttypmod)), ', ') as columns
    from pg_attribute where attrelid = 'auth.users'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`);
  const what = ["--data-only", "--table=nectar.*", "--table=private.*", "--table=auth.users"];
  await runOnDatabase(
    source,
    folder,
    "pg_dump",
    ...what,
    "--format=custom",
    "--file=nectar.dump",
    `--snapshot=${rows[0]?.snapshot}`,
  );
  // Triggers and foreign keys do not run: what triggers would write was saved too.
  const target = `${url}?options=-csession_replication_role%3Dreplica`;
  return withConnection(target, async (restored) => {
    // Migrations have inserted rows, and a newer Supabase Auth has more columns.
    const deletes = (await listTables(restored)).map((table) => `delete from ${table};`);
    await restored.query(`${deletes.join("")} alter table auth.users ${rows[0]?.columns}`);
    await runOnDatabase({ url: target }, folder, "pg_restore", "--data-only", "--single-transaction", "nectar.dump");
    return [...compareFacts(await readFacts(live), await readFacts(restored)), ...(await findLedgerProblems(restored))];
  });
}
