import pg from "pg";

/** A connection to a database. */
export type Connection = pg.Client;

/**
 * Opens a pool of connections. One that is lost while it is idle emits an error, which would end the process without a
 * listener: dropping a database ends them. The next query of a lost connection fails as well.
 */
export function openConnections(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, ...options });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Runs work with a connection of its own and closes it, which also rolls back a transaction that is still open. */
export async function withConnection<Result>(
  url: string,
  work: (client: Connection) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
