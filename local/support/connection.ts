import pg from "pg";

/** A connection to a database. */
export type Connection = pg.Client;

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
