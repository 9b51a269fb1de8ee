import pg from "pg";
import type { Database, Tx } from "#database/database";
import { type DatabaseRole, translateDatabaseError } from "#database/errors";
import { StatementNames } from "#database/statement-names";
import { transactionOn } from "#database/transaction";

/** Checks the deferred constraints now. @throws pg.DatabaseError */
export async function checkAsAtCommit(client: pg.ClientBase): Promise<void> {
  await client.query("set constraints all immediate; set constraints all deferred");
}

/**
 * A database whose transactions are savepoints of one outer transaction, so that a whole world can be rolled back. Requests
 * run as the same roles under the same policies as always.
 */
export function withinOneTransaction(client: pg.ClientBase): Database {
  const names = new StatementNames();
  async function part<Result>(role: DatabaseRole, claims: object, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const encoded = pg.escapeLiteral(JSON.stringify(claims));
    await client.query(
      `savepoint request; select set_config('role', '${role}', true), set_config('request.jwt.claims', ${encoded}, true),` +
        " set_config('search_path', 'nectar', true), set_config('timezone', 'UTC', true)," +
        " set_config('nectar.settled_entries', '0', true)",
    );
    try {
      const result = await work(transactionOn(client, names));
      await client.query("release savepoint request; set local role none");
      return result;
    } catch (error) {
      await client.query("rollback to savepoint request; release savepoint request; set local role none");
      throw translateDatabaseError(error, role);
    }
  }
  return {
    asUser: (userId, work, _, program) =>
      part("nectar_user", { sub: userId, role: "authenticated", ...(program && { client_id: null }) }, work),
    async useToken(hash) {
      const found = await client.query('select id, user_id as "userId", scopes from private.use_token($1)', [hash]);
      return found.rows[0] ?? null;
    },
    asService: (work) => part("nectar_service", {}, work),
    ping: async () => void (await client.query("select 1")),
    connections: () => ({ inUse: 1, idle: 0, waiting: 0 }),
    close: async () => {},
  };
}
