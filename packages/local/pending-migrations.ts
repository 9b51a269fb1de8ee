import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { withConnection } from "./connection.ts";
import { StartupProblem } from "./startup-problem.ts";
import { MIGRATIONS_FOLDER } from "./supabase-project.ts";

/**
 * Whether a file of supabase/migrations has not been applied to the database yet, by the history that Supabase keeps. This
 * costs a query; if Supabase Lite checked it, every `npm run dev` would start one more program.
 * @throws StartupProblem if the database was made with other migrations than those of this checkout
 */
export async function hasPendingMigrations(adminUrl: string): Promise<boolean> {
  const files = await readMigrations();
  const applied = await readHistory(adminUrl);
  const outdated = [...applied].find(([version, statements]) => files.get(version) !== statements);
  if (outdated !== undefined) {
    throw new StartupProblem(
      `The local data was written with other migrations than those of this checkout (${outdated[0]} has changed or is gone), and cannot be updated. Start over with \`npm run dev -- --fresh\`, which deletes the local data.`,
    );
  }
  return applied.size < files.size;
}

/** The SQL of each migration in the repository, by version. */
async function readMigrations(): Promise<Map<string, string>> {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith(".sql"));
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => {
        const [version = name] = name.split("_");
        return [version, comparable(await readFile(join(MIGRATIONS_FOLDER, name), "utf8"))];
      }),
    ),
  );
}

/** The SQL of each migration that was applied to the database, by version. */
function readHistory(adminUrl: string): Promise<Map<string, string>> {
  return withConnection(adminUrl, async (client) => {
    const table = await client.query<{ exists: boolean }>(
      "select to_regclass('supabase_migrations.schema_migrations') is not null as exists",
    );
    if (!table.rows[0]?.exists) return new Map();
    const { rows } = await client.query<{ version: string; statements: string[] }>(
      "select version, statements from supabase_migrations.schema_migrations",
    );
    return new Map(rows.map(({ version, statements }) => [version, comparable(statements.join(""))]));
  });
}

/** The history has the statements of a file one by one, so white space and semicolons between them do not count. */
function comparable(sql: string): string {
  return sql.replaceAll(/[\s;]+/g, "");
}
