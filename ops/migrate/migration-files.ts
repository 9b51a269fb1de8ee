import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { MigrationProblem } from "./migration-problem.ts";

/** A file of supabase/migrations, `<version>_<name>.sql`. */
export interface MigrationFile {
  /** The name of the file. */
  readonly file: string;
  /** Fourteen digits; files are applied in this order. */
  readonly version: string;
  readonly name: string;
  readonly sql: string;
}

/** A file of SQL: its path below the folder that it was read from, and its text. */
export type SqlFile = Pick<MigrationFile, "file" | "sql">;

/** Absolute path of this repository's folder `supabase`. */
export const SUPABASE_FOLDER = resolve(import.meta.dirname, "../../supabase");

const FILE_NAME = /^(?<version>\d{14})_(?<name>\w+)\.sql$/;

/**
 * Reads the folder `migrations`, in the order of the versions.
 * @throws MigrationProblem if a file has another form of name, or two have the same version
 */
export async function readMigrationFiles(supabaseFolder: string): Promise<MigrationFile[]> {
  const files = (await readSqlFiles(join(supabaseFolder, "migrations"))).map(parseName);
  const repeated = files.find(({ version }, index) => version === files[index + 1]?.version);
  if (repeated !== undefined) throw new MigrationProblem(`Two migrations have the version ${repeated.version}.`);
  return files;
}

/** The roles, which belong to the whole server and not to a schema; run before the migrations. */
export async function readRoles(supabaseFolder: string): Promise<SqlFile[]> {
  return (await readSqlFiles(supabaseFolder)).filter(({ file }) => file === "roles.sql");
}

/** The rows that every installation needs, in the order of the files' names; run after the migrations. */
export function readSeeds(supabaseFolder: string): Promise<SqlFile[]> {
  return readSqlFiles(join(supabaseFolder, "seeds"));
}

async function readSqlFiles(folder: string): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(names.map(async (file) => ({ file, sql: await readFile(join(folder, file), "utf8") })));
}

function parseName({ file, sql }: SqlFile): MigrationFile {
  const { version, name } = FILE_NAME.exec(file)?.groups ?? {};
  if (version === undefined || name === undefined) {
    throw new MigrationProblem(`${file} is not named like a migration: YYYYMMDDHHMMSS_topic.sql.`);
  }
  return { file, version, name, sql };
}
