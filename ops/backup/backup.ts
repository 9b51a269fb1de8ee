import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { BACKUP_JOB } from "#core/time/late-jobs";
import type { DatabaseAddress } from "#database/connection-config";
import type { ListedFile, PrivateFiles } from "#providers/private-files";
import { withAdminConnection } from "../migrate/admin-connection.ts";
import { MigrationProblem } from "../migrate/migration-problem.ts";
import { backupsToKeep } from "./nights.ts";
import { runOnDatabase, runPostgresProgram } from "./postgres-program.ts";
import type { BackupStore } from "./stores.ts";

/** The rows that the migrations do not make, as docs/recovery.md restores them. */
const ROWS = ["--data-only", "--table=nectar.*", "--table=private.*", "--table=auth.users", "--table=auth.identities"];
const DUMP = ".dump";
const FILES = ".files.jsonl";
const UNFINISHED = ".unfinished";
/** Any number; it is the same for all who make a backup of the database. */
const LOCK = 5_160_872_331;

export interface BackupPlan {
  /** How to reach the database as a role that reads all of it. */
  readonly admin: DatabaseAddress;
  /** The files of the service, which are listed with their sizes; null if it has none. */
  readonly files: Pick<PrivateFiles, "list"> | null;
  /** The folder in which the dump is written before it is stored. */
  readonly folder: string;
  readonly store: BackupStore;
  readonly clock: { now(): Date };
}

/**
 * Saves the database, records that in it, and removes the backups that are not kept. What a crash leaves is neither counted
 * nor kept.
 * @returns the name of the backup and what is in it
 * @throws MigrationProblem if the backup cannot be made, or cannot be read to its end
 */
export async function backUp(
  plan: BackupPlan,
): Promise<{ name: string; bytes: number; tables: number; files: number }> {
  const { admin, store, clock } = plan;
  // The programs run in the folder, so its path is no longer relative for them.
  const folder = resolve(plan.folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return withAdminConnection(admin, async (client) => {
    await takeTurn(client);
    const startedAt = clock.now();
    const name = `nectar-${stampOf(startedAt)}`;
    await removeUnfinished(folder);
    const dump = join(folder, name + DUMP + UNFINISHED);
    const list = join(folder, name + FILES + UNFINISHED);
    try {
      // pg_dump keeps the mode of a file that is there, and lets every user of the machine read a new one.
      await writeFile(dump, "", { mode: 0o600 });
      await runOnDatabase(admin, folder, "pg_dump", ...ROWS, "--format=custom", `--file=${dump}`);
      const tables = await checkDump(folder, dump);
      const { size: bytes } = await stat(dump);
      const files = plan.files === null ? 0 : await writeList(plan.files.list(""), list);
      // A backup is complete when its dump is there.
      if (plan.files !== null) await store.add(name + FILES, list);
      await store.add(name + DUMP, dump);
      await record(client, startedAt, clock.now(), { bytes, tables, files });
      await prune(store);
      return { name, bytes, tables, files };
    } catch (error) {
      await removeUnfinished(folder);
      throw error;
    }
  });
}

/** When the last backup that succeeded began; null if there is none. */
export async function readLastBackup(admin: DatabaseAddress): Promise<Date | null> {
  return withAdminConnection(admin, async (client) => {
    const { rows } = await client.query<{ at: Date | null }>(
      "select max(started_at) as at from private.job_runs where job = $1 and succeeded",
      [BACKUP_JOB],
    );
    return rows[0]?.at ?? null;
  });
}

/** Waits for no other backup: it would make the same. The connection stays open until the end. */
async function takeTurn(client: pg.ClientBase): Promise<void> {
  await client.query("set idle_session_timeout = 0");
  const { rows } = await client.query<{ ours: boolean }>("select pg_try_advisory_lock($1) as ours", [LOCK]);
  if (rows[0]?.ours !== true) throw new MigrationProblem("Another backup of this database is being made.");
}

async function removeUnfinished(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("nectar-") && name.endsWith(UNFINISHED));
  for (const name of names) await rm(join(folder, name), { force: true });
}

/**
 * Reads a dump to its end. Its list alone says nothing about that, because it stands before the rows.
 * @returns how many tables it has
 */
async function checkDump(folder: string, dump: string): Promise<number> {
  const list = await runPostgresProgram(folder, "pg_restore", "--list", dump);
  await runPostgresProgram(folder, "pg_restore", "--file=/dev/null", dump);
  const tables = list.match(/ TABLE DATA /g)?.length ?? 0;
  if (tables === 0) throw new MigrationProblem("The dump has no tables.");
  return tables;
}

/** Writes one line of JSON for each file. @returns how many */
async function writeList(files: AsyncIterable<ListedFile>, path: string): Promise<number> {
  let count = 0;
  async function* lines() {
    for await (const file of files) {
      count += 1;
      yield `${JSON.stringify(file)}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }));
  return count;
}

async function record(client: pg.ClientBase, startedAt: Date, finishedAt: Date, results: object): Promise<void> {
  await client.query(
    `insert into private.job_runs (job, key, started_at, finished_at, succeeded, results) values ($1, 'all', $2, $3, true, $4)`,
    [BACKUP_JOB, startedAt, finishedAt, results],
  );
}

/** Removes the backups that are not kept, and lists of files whose dump is missing. */
async function prune(store: BackupStore): Promise<void> {
  const names = await store.list();
  const backups = names.filter((name) => name.endsWith(DUMP)).flatMap((name) => dateIn(name) ?? []);
  const kept = new Set(backupsToKeep(backups).map(stampOf));
  const isOld = (name: string) => {
    const date = dateIn(name);
    return date !== null && !kept.has(stampOf(date));
  };
  const old = names.filter(isOld);
  if (old.length > 0) await store.remove(old);
}

/** A moment as it stands in names: `20261129T020000Z`. */
function stampOf(at: Date): string {
  return `${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
}

/** When the backup that a file belongs to began; null if it is no file of a backup. */
function dateIn(name: string): Date | null {
  const [, ...parts] = /^nectar-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(?:dump|files\.jsonl)$/.exec(name) ?? [];
  if (parts.length === 0) return null;
  const [year, month, day, hour, minute, second] = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
