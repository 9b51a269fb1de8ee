import type pg from "pg";
import type { MigrationFile } from "./migration-files.ts";
import { HistoryProblem } from "./migration-problem.ts";

/** A row of supabase_migrations.schema_migrations. */
export interface AppliedMigration {
  readonly version: string;
  /** The SQL in one or several parts; null if the program that applied it did not store it. */
  readonly statements: readonly string[] | null;
}

/** How the files of a release compare with the history of a database. */
export interface Comparison {
  /** The files to apply, in their order. */
  readonly pending: readonly MigrationFile[];
  /** Versions in the database that are later than all files: it was migrated by a later release. */
  readonly later: readonly string[];
}

/** Creates the table that the Supabase CLI creates, unless it exists. */
export async function createHistory(client: pg.ClientBase): Promise<void> {
  if (await hasHistory(client)) return;
  await client.query(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (
      version text not null primary key, statements text[], name text
    )`);
}

/** The migrations that were applied to the database, by any program that uses Supabase's table, in their order. */
export async function readHistory(client: pg.ClientBase): Promise<AppliedMigration[]> {
  if (!(await hasHistory(client))) return [];
  const { rows } = await client.query<AppliedMigration>(
    // As JSON: parsing an array of texts of a megabyte takes pg's client a second.
    "select version, to_json(statements) as statements from supabase_migrations.schema_migrations order by version",
  );
  return rows;
}

async function hasHistory(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null as exists",
  );
  return rows[0]?.exists === true;
}

/** Records a migration in the transaction that applies it. */
export async function recordMigration(client: pg.ClientBase, { version, name, sql }: MigrationFile): Promise<void> {
  await client.query(
    "insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)",
    [version, name, [sql]],
  );
}

/**
 * Compares files with a history, both in the order of their versions.
 * @throws HistoryProblem if applied files have changed or are gone, or if a file would be applied after a later one
 */
export function compareWithHistory(files: readonly MigrationFile[], history: readonly AppliedMigration[]): Comparison {
  const known = new Map(files.map((file) => [file.version, file]));
  const applied = new Map(history.map((row) => [row.version, row]));
  const lastFile = files.at(-1)?.version ?? "";
  const lastApplied = history.at(-1)?.version ?? "";

  const unknown = history.map(({ version }) => version).filter((version) => !known.has(version));
  refuse(
    unknown.filter((version) => version < lastFile),
    "The database has migrations that this release does not have",
  );
  refuse(
    files.filter((file) => hasChanged(file, applied.get(file.version))).map(({ file }) => file),
    "Migrations have changed after they were applied",
  );
  const pending = files.filter(({ version }) => !applied.has(version));
  refuse(
    pending.filter(({ version }) => version < lastApplied).map(({ file }) => file),
    `Migrations are missing that are older than the last applied one (${lastApplied})`,
  );
  return { pending, later: unknown };
}

function refuse(found: readonly string[], sentence: string): void {
  if (found.length > 0) throw new HistoryProblem(`${sentence}: ${found.join(", ")}. Nothing was applied.`);
}

function hasChanged({ sql }: MigrationFile, applied: AppliedMigration | undefined): boolean {
  const statements = applied?.statements ?? null;
  return statements !== null && comparable(statements.join("")) !== comparable(sql);
}

/** The Supabase CLI stores a file as statements without the white space and semicolons between them. */
function comparable(sql: string): string {
  return sql.replaceAll(/[\s;]+/g, "");
}
