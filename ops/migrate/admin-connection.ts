import pg from "pg";
import { connectionConfig, type DatabaseAddress } from "#database/connection-config";
import { MigrationProblem } from "./migration-problem.ts";

const TRANSACTION_POOLER_PORT = "6543";
const MIN_SERVER_VERSION = 150_000;

/**
 * Runs work with one connection of an administrator and closes it.
 * @throws MigrationProblem if the address is not usable or the server does not accept it
 */
export async function withAdminConnection<Result>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  if (URL.parse(address.url)?.port === TRANSACTION_POOLER_PORT) {
    throw new MigrationProblem(
      "Port 6543 is the transaction pooler, where a lock does not outlive a transaction. Use the session pooler (port 5432) or the direct connection.",
    );
  }
  const client = new pg.Client({ ...connectionConfig(address), connectionTimeoutMillis: 15_000, keepAlive: true });
  // A connection that is lost between two queries emits an error; the next query fails as well.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new MigrationProblem(`The database cannot be reached (${codeOf(error)}).`);
  }
  try {
    await resetSession(client);
    await refuseOldServer(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Forgets all settings of the connection but these: a statement may take as long as it needs, and a session whose client
 * is gone ends after a minute, with its locks.
 */
export async function resetSession(client: pg.ClientBase): Promise<void> {
  await client.query(`
    reset all;
    set statement_timeout = 0;
    set idle_in_transaction_session_timeout = '1min';
    set idle_session_timeout = '1min'`);
}

/** The code of an error, because its message may contain an address. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "timeout";
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  if ((rows[0]?.version ?? 0) < MIN_SERVER_VERSION) throw new MigrationProblem("Nectar needs PostgreSQL 15 or newer.");
}
