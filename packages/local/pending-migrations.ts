import { readdir } from "node:fs/promises";
import pg from "pg";
import { migrationsFolder } from "./supabase-project.ts";

/**
 * Whether a file of supabase/migrations has not been applied to the database yet, by the history that Supabase keeps.
 * Asking costs a query; letting Supabase Lite find out costs the start of a program at every `npm run dev`.
 */
export async function hasPendingMigrations(adminUrl: string): Promise<boolean> {
  const files = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql"));
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const history = await client.query<{ exists: boolean }>(
      "select to_regclass('supabase_migrations.schema_migrations') is not null as exists",
    );
    if (!history.rows[0]?.exists) return true;
    const applied = await client.query<{ version: string }>(
      "select version from supabase_migrations.schema_migrations",
    );
    const versions = new Set(applied.rows.map((row) => row.version));
    return files.some((name) => !versions.has(name.split("_")[0] ?? name));
  } finally {
    await client.end();
  }
}
