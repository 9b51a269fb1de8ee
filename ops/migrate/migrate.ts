import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { DatabaseAddress } from "#database/connection-config";
import { resetSession, withAdminConnection } from "./admin-connection.ts";
import { compareWithHistory, createHistory, readHistory, recordMigration } from "./history.ts";
import { readMigrationFiles, readRoles, readSeeds, type SqlFile, SUPABASE_FOLDER } from "./migration-files.ts";
import { MigrationProblem } from "./migration-problem.ts";

/** How to migrate. */
export interface MigrateOptions extends Pick<DatabaseAddress, "ca"> {
  /** Folder with `roles.sql`, `migrations` and `seeds`; default: `supabase` of this repository. */
  readonly folder?: string;
  /** Milliseconds that a statement of a migration waits for a lock before the file is rolled back; default: 4,000. */
  readonly lockTimeoutMs?: number;
  /** Called with a sentence for each step that an operator wants to see. */
  readonly report?: (step: string) => void;
}

/** The migrations that a call of migrate() found and applied. */
export interface Migrated {
  /** Names of the migrations that it applied, in their order. */
  readonly applied: readonly string[];
  /** Versions that a later release has applied; this release has no files for them. */
  readonly later: readonly string[];
}

const MAX_ATTEMPTS = 8;
const MAX_PAUSE_MS = 30_000;

/** The advisory lock that one migrating process has per database. Any number that nothing else uses. */
const LOCK_KEY = 6_323_117_001;

/**
 * Creates the roles, applies the migrations that the database does not have yet, each in one transaction together with its
 * row in Supabase's history, and inserts the rows that every installation needs. A database that a later release has
 * migrated stays as it is. Of several processes that do this at the same time one applies, and the others wait and find
 * nothing to do. A process that is killed leaves whole files behind, and the next call continues after them.
 * @param adminUrl address of a role that may create roles and schemas, as `postgres` on Supabase; a direct connection, or
 * a pooler in session mode
 * @throws MigrationProblem if the database cannot be reached, does not fit these files, or a file fails
 */
export async function migrate(adminUrl: string, options: MigrateOptions = {}): Promise<Migrated> {
  const { ca = null, folder = SUPABASE_FOLDER, lockTimeoutMs = 4_000, report = () => {} } = options;
  const [roles, files, seeds] = await Promise.all([readRoles(folder), readMigrationFiles(folder), readSeeds(folder)]);
  return withAdminConnection({ url: adminUrl, ca }, async (client) => {
    await lock(client, report);
    const { pending, later } = compareWithHistory(files, await readHistory(client));
    if (later.length > 0) return { applied: [], later };
    const apply = (file: SqlFile, record = async () => {}) =>
      applyWithRetries(client, file, record, lockTimeoutMs, report);
    for (const file of roles) await apply(file);
    if (pending.length > 0) await createHistory(client);
    for (const file of pending) {
      await apply(file, () => recordMigration(client, file));
      report(`Applied ${file.file}.`);
    }
    for (const file of seeds) await apply(file);
    return { applied: pending.map(({ file }) => file), later };
  });
}

/**
 * The names of the files that migrate() would apply. Changes nothing.
 * @throws MigrationProblem if the database cannot be reached or does not fit these files
 */
export async function listPending(
  adminUrl: string,
  { ca = null, folder = SUPABASE_FOLDER }: Pick<MigrateOptions, "ca" | "folder"> = {},
): Promise<string[]> {
  const files = await readMigrationFiles(folder);
  const history = await withAdminConnection({ url: adminUrl, ca }, readHistory);
  return compareWithHistory(files, history).pending.map(({ file }) => file);
}

/** Waits until no other process changes the database as its administrator. The connection has the lock until it is closed. */
export async function lock(client: pg.ClientBase, report: (step: string) => void = () => {}): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [LOCK_KEY]);
  if (rows[0]?.locked === true) return;
  report("Waiting for another process that is migrating this database.");
  await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
}

/** A migration that waits for a lock makes all later requests wait behind it, so it stops soon and tries again. */
async function applyWithRetries(
  client: pg.Client,
  file: SqlFile,
  record: () => Promise<void>,
  lockTimeoutMs: number,
  report: (step: string) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyOnce(client, file, record, lockTimeoutMs);
      return;
    } catch (error) {
      // On a lost connection there is nothing to roll back.
      await client.query("rollback").catch(() => {});
      if (!isBlocked(error) || attempt === MAX_ATTEMPTS) throw problemOf(file, error);
    }
    const pauseMs = Math.min(lockTimeoutMs * 2 ** (attempt - 1), MAX_PAUSE_MS);
    report(`${file.file} waited too long for a lock: trying again in ${pauseMs / 1000} s.`);
    await sleep(pauseMs);
  }
}

async function applyOnce(
  client: pg.Client,
  file: SqlFile,
  record: () => Promise<void>,
  lockTimeoutMs: number,
): Promise<void> {
  // Settings of an earlier file must not count for this one.
  await resetSession(client);
  await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`);
  await client.query(file.sql);
  if (client.getTransactionStatus() !== "T") {
    throw new MigrationProblem(`${file.file} ends its transaction, so it may be applied in part. Remove its commit.`);
  }
  await record();
  await client.query("commit");
}

/** Whether a statement waited too long for a lock, or lost a deadlock. */
function isBlocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "55P03" || error.code === "40P01");
}

/** Describes a failure without the values that are in a message about data (class 22) and in the details of all messages. */
function problemOf({ file, sql }: SqlFile, error: unknown): MigrationProblem {
  if (error instanceof MigrationProblem) return error;
  if (!(error instanceof pg.DatabaseError)) {
    return new MigrationProblem(
      `${file}: the connection was lost. The file is applied as a whole or not at all; run again.`,
    );
  }
  const line = error.position === undefined ? "" : `, line ${sql.slice(0, Number(error.position)).split("\n").length}`;
  const message = error.code?.startsWith("22") === true ? "invalid data" : error.message;
  return new MigrationProblem(`${file}${line}: ${message} (${error.code}). It was rolled back.`);
}
