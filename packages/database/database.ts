import pg from "pg";
import { type DatabaseRole, translateDatabaseError } from "./errors.ts";

export type { Tx } from "./transaction.ts";

import { type Tx, transactionOn } from "./transaction.ts";
import { valueTypes } from "./value-types.ts";

/** How to reach the database. */
export interface DatabaseOptions {
  /** Address of the login role `nectar_api`. */
  readonly url: string;
  /** The largest number of connections. */
  readonly poolSize: number;
}

/** What a person's transaction is for. One that writes keeps the account from being deleted until it ends. */
export type Purpose = "read" | "write";

/**
 * The only way to the data. Every access is one transaction that runs as one of two roles, so that row-level security is
 * what decides; a transaction that throws leaves nothing behind.
 */
export interface Database {
  /**
   * Runs a transaction as a person: role `nectar_user`, with the person's id where the policies look for it.
   * @param purpose "write" unless given
   * @throws AppError 401 if the account does not exist any more; when the database refuses or cannot be reached
   */
  asUser<Result>(userId: string, work: (tx: Tx) => Promise<Result>, purpose?: Purpose): Promise<Result>;
  /** Runs a transaction as the service: role `nectar_service`. Only for webhooks, jobs and admin routes. */
  asService<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Checks that the database answers. @throws AppError when it does not */
  ping(): Promise<void>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Opens a pool of connections; none is made before the first transaction. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    // A frozen function does not notice that its connections died: idle ones are closed while it still runs.
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    allowExitOnIdle: true,
    types: valueTypes,
  });
  // A connection that dies while idle is simply replaced; without a listener it would end the process.
  pool.on("error", () => {});
  // One that dies between two queries of a transaction says so here too; its next query fails and is answered.
  pool.on("connect", (client) => client.on("error", () => {}));

  async function transaction<Result>(
    role: DatabaseRole,
    opening: string,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect().catch((error: unknown) => {
      throw translateDatabaseError(error, role);
    });
    let broken: Error | undefined;
    try {
      await client.query(opening);
      const result = await work(transactionOn(client));
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch((rollbackError: unknown) => {
        broken = rollbackError instanceof Error ? rollbackError : new Error("rollback failed");
      });
      throw translateDatabaseError(error, role);
    } finally {
      client.release(broken);
    }
  }

  return {
    asUser: (userId, work, purpose = "write") => transaction("nectar_user", openingAsUser(userId, purpose), work),
    asService: (work) => transaction("nectar_service", openingAs("nectar_service", {}), work),
    async ping() {
      try {
        await pool.query("select 1");
      } catch (error) {
        throw translateDatabaseError(error, "nectar_service");
      }
    },
    close: () => pool.end(),
  };
}

/** Opens the transaction and takes on role and identity in a single round trip. */
function openingAs(role: DatabaseRole, claims: Readonly<Record<string, string>>): string {
  const encoded = pg.escapeLiteral(JSON.stringify(claims));
  return (
    "begin;" +
    `select set_config('role', '${role}', true), set_config('request.jwt.claims', ${encoded}, true),` +
    " set_config('search_path', 'nectar', true), set_config('timezone', 'UTC', true)"
  );
}

/** The same for a person; checks in the same round trip that the account exists. */
function openingAsUser(userId: string, purpose: Purpose): string {
  const check = purpose === "read" ? "require_account" : "lock_account";
  const opening = openingAs("nectar_user", { sub: userId, role: "authenticated" });
  return `${opening}; select private.${check}(${pg.escapeLiteral(userId)})`;
}
