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

/** Absolute path of the folder of this repository's migrations. */
export const MIGRATIONS_FOLDER = resolve(import.meta.dirname, "../../supabase/migrations");

const FILE_NAME = /^(?<version>\d{14})_(?<name>\w+)\.sql$/;

/**
 * Reads all migrations of a folder, in the order of their versions.
 * @throws MigrationProblem if a file has another form of name, or two have the same version
 */
export async function readMigrationFiles(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const files = await Promise.all(names.map((file) => readMigrationFile(folder, file)));
  const repeated = files.find(({ version }, index) => version === files[index + 1]?.version);
  if (repeated !== undefined) throw new MigrationProblem(`Two migrations have the version ${repeated.version}.`);
  return files;
}

async function readMigrationFile(folder: string, file: string): Promise<MigrationFile> {
  const { version, name } = FILE_NAME.exec(file)?.groups ?? {};
  if (version === undefined || name === undefined) {
    throw new MigrationProblem(`${file} is not named like a migration: YYYYMMDDHHMMSS_topic.sql.`);
  }
  return { file, version, name, sql: await readFile(join(folder, file), "utf8") };
}
