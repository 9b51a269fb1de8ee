import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder like `supabase`, with migrations for one test. */
export interface MigrationFolder {
  readonly path: string;
  /** Writes a migration, or replaces it. */
  write(file: string, sql: string): void;
  remove(file: string): void;
}

export const FIRST = "20300101000000_first.sql";
export const SECOND = "20300102000000_second.sql";
export const THIRD = "20300103000000_third.sql";

/** Creates a folder with files that note in the table `steps` that they were applied. */
export function createMigrationFolder(): MigrationFolder {
  const path = mkdtempSync(join(tmpdir(), "nectar-migrations-test-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const folder: MigrationFolder = {
    path,
    write: (file, sql) => writeFileSync(join(path, "migrations", file), sql),
    remove: (file) => rmSync(join(path, "migrations", file)),
  };
  mkdirSync(join(path, "migrations"));
  mkdirSync(join(path, "seeds"));
  folder.write(FIRST, "create table public.steps (step text);\ninsert into public.steps values ('first');\n");
  folder.write(SECOND, "-- The second.\ninsert into public.steps values ('second');\n");
  return folder;
}
