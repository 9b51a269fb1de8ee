import { migrate } from "#ops/migrate/migrate";
import { HistoryProblem, MigrationProblem } from "#ops/migrate/migration-problem";
import { withConnection } from "../support/connection.ts";
import { StartupProblem } from "../support/startup-problem.ts";

/**
 * Brings a local database up to date: creates Supabase's own schemas (auth, storage) if they are missing, then applies the
 * pending files of supabase/migrations.
 * @param adminUrl a superuser's address
 * @throws StartupProblem if the database was made with other migrations than those of this checkout, or one fails
 */
export async function migrateLocally(adminUrl: string): Promise<void> {
  await createSupabaseSchemas(adminUrl);
  try {
    const { later } = await migrate(adminUrl);
    if (later.length > 0) throw new HistoryProblem(`This checkout does not have the migrations ${later.join(", ")}.`);
  } catch (error) {
    if (!(error instanceof MigrationProblem)) throw error;
    throw new StartupProblem(
      error instanceof HistoryProblem
        ? `The local data was written with other migrations than those of this checkout. ${error.message} Start over with \`npm run dev -- --fresh\`, which deletes the local data.`
        : error.message,
    );
  }
}

/** Creates the schemas as Supabase Lite would at its start, for migrations that refer to them. */
export async function createSupabaseSchemas(adminUrl: string): Promise<void> {
  await withConnection(adminUrl, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>("select to_regclass('auth.users') is not null as exists");
    if (rows[0]?.exists === true) return;
    // Loaded for a new database only: it takes nearly half a second.
    const { getAuthSchemaSql, getStorageSchemaSql, SUPABASE_AUTH_HELPERS_SQL } = await import("@supabase/lite");
    await client.query(`${getAuthSchemaSql()}; ${SUPABASE_AUTH_HELPERS_SQL}; ${getStorageSchemaSql()}`);
  });
}

/**
 * Publishes what open apps get in real time, as a hosted project does.
 * @param adminUrl the address of a database that Supabase Lite has opened
 */
export async function openToRealtime(adminUrl: string): Promise<void> {
  await withConnection(adminUrl, async (client) => {
    const { rows } = await client.query("select from pg_publication where pubname = 'supabase_realtime'");
    if (rows.length === 0) await client.query("create publication supabase_realtime");
    // Supabase Lite grants whole tables to its roles; Realtime sends the columns that a role may read.
    await client.query("revoke all on all tables in schema nectar from anon, authenticated");
    await client.query("select private.open_tables_to_realtime()");
  });
}
