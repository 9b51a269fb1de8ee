import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { StartupProblem } from "./startup-problem.ts";
import { migrationsFolder } from "./supabase-project.ts";

/**
 * Whether a file of supabase/migrations has not been applied to the database yet, by the history that Supabase keeps.
 * Asking costs a query; letting Supabase Lite find out costs the start of a program at every `npm run dev`.
 * @throws StartupProblem when the database was made with other migrations than those of this checkout
 */
export async function hasPendingMigrations(adminUrl: string): Promise<boolean> {
  const files = await readMigrations();
  const applied = await readHistory(adminUrl);
  const outdated = [...applied].find(([version, statements]) => files.get(version) !== statements);
  if (outdated !== undefined) {
    throw new StartupProblem(
      `The local data was made by another version of the migrations (${outdated[0]} differs or is gone), and no migration leads from there to this one. Start over with \`npm run dev -- --fresh\`; this removes the local data.`,
    );
  }
  return applied.size < files.size;
}

/** The SQL of each migration in the repository, by version. */
async function readMigrations(): Promise<Map<string, string>> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql"));
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => {
        const [version = name] = name.split("_");
        return [version, comparable(await readFile(join(migrationsFolder, name), "utf8"))];
      }),
    ),
  );
}

/** The SQL of each migration that was applied to the database, by version. */
async function readHistory(adminUrl: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const table = await client.query<{ exists: boolean }>(
      "select to_regclass('supabase_migrations.schema_migrations') is not null as exists",
    );
    if (!table.rows[0]?.exists) return new Map();
    const { rows } = await client.query<{ version: string; statements: string[] }>(
      "select version, statements from supabase_migrations.schema_migrations",
    );
    return new Map(rows.map(({ version, statements }) => [version, comparable(statements.join(""))]));
  } finally {
    await client.end();
  }
}

/** The history has the statements of a file one by one, so white space and semicolons between them do not count. */
function comparable(sql: string): string {
  return sql.replaceAll(/[\s;]+/g, "");
}
