import pg from "pg";
import { connectionConfig, type DatabaseAddress } from "./connection-config.ts";
import {
  type DatabaseRole,
  isReadOnlyRefusal,
  isStaleStatement,
  translateDatabaseError,
  unavailable,
} from "./errors.ts";
import { singleRead } from "./single-read.ts";
import { StatementNames } from "./statement-names.ts";
import { type Tx, transactionOn } from "./transaction.ts";
import { valueTypes } from "./value-types.ts";

export type { Tx } from "./transaction.ts";

/** How to reach the database: the address of the login role `nectar_api`, and its pool. */
export interface DatabaseOptions extends DatabaseAddress {
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** Whether statements are prepared, so that a connection parses and plans each once; default: false. */
  readonly preparedStatements?: boolean;
}

/**
 * What a user's transaction does. One that writes locks the account, so that it is not deleted before the end. In one that
 * reads, PostgreSQL refuses to write, and the caller does not wait for its end. `read once` has exactly one statement,
 * which costs the least; another one, or none, is an error. A statement that reads may take 4 seconds (see
 * `private.begin_as_user`), in the background and where it writes 15. Suspended people may read, and write only where it is
 * said; so may people whose account is closing, in fewer places.
 */
export type Purpose =
  | "read once"
  | "read"
  | "read in the background"
  | "write"
  | "write while suspended"
  | "write while closing";

/**
 * The only access to the data. Every transaction runs as one of two roles, to which row-level security applies, and is
 * rolled back if it throws.
 */
export interface Database {
  /**
   * Runs a transaction as a user: role `nectar_user`, with the user's id where the policies read it.
   * @param purpose default: "write"
   * @throws AppError 401 if the account does not exist any more; 403 if it is suspended or closing; 403, 503 or a code raised in SQL, as in errors.ts
   */
  asUser<Result>(userId: string, work: (tx: Tx) => Promise<Result>, purpose?: Purpose): Promise<Result>;
  /**
   * Runs a transaction as the service: role `nectar_service`. Only for jobs, tasks, webhooks, admin routes, and the few
   * others that tests/architecture/imports.test.ts lists.
   */
  asService<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Checks that the database responds. @throws AppError 503 */
  ping(): Promise<void>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Creates a pool of connections; the first one is opened for the first transaction. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...connectionConfig(options),
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    // Idle connections are closed early: a function that Lambda freezes does not notice that they are lost.
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    allowExitOnIdle: true,
    types: valueTypes,
    pipeline: true,
  });
  // A connection that is lost emits an error, which would end the process without a listener. The pool replaces an idle one;
  // in a transaction, the next query fails.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const names = options.preparedStatements === true ? new StatementNames() : undefined;

  async function connect(role: DatabaseRole): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      throw translateDatabaseError(error, role);
    }
  }

  async function transaction<Result>(
    role: DatabaseRole,
    opening: string,
    work: (tx: Tx) => Promise<Result>,
    purpose: Purpose,
  ): Promise<Result> {
    const client = await connect(role);
    const reads = isRead(purpose);
    // The first statement is sent without waiting for the opening. If the opening fails, so do all statements after it.
    const opened = client.query(opening);
    let result: Result;
    try {
      result = await afterOpening(opened, () => work(transactionOn(client, names)));
      if (!reads) await client.query("commit");
    } catch (error) {
      // The server has become a standby. A new connection may reach the one that took over.
      const isStandby = !reads && isReadOnlyRefusal(error);
      if (isStaleStatement(error)) names?.forget();
      await rollBack(client, { close: isStandby || isStaleStatement(error) });
      throw isStandby ? unavailable(error) : translateDatabaseError(error, role);
    }
    // The end of a transaction that only read can make no difference to its result, so the caller does not wait for it. The
    // connection may be used at once: the next transaction is sent after the commit, which fails only if the connection is
    // lost.
    if (reads) client.query("commit").catch(() => {});
    client.release();
    return result;
  }

  async function readOnce<Result>(userId: string, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const client = await connect("nectar_user");
    try {
      const result = await singleRead(client, names, userId, work);
      client.release();
      return result;
    } catch (error) {
      // Nothing to roll back: PostgreSQL has ended the transaction.
      if (isStaleStatement(error)) names?.forget();
      client.release(isStaleStatement(error));
      throw translateDatabaseError(error, "nectar_user");
    }
  }

  return {
    asUser: (userId, work, purpose = "write") =>
      purpose === "read once"
        ? readOnce(userId, work)
        : transaction("nectar_user", beginAsUser(userId, purpose), work, purpose),
    asService: (work) => transaction("nectar_service", BEGIN_AS_SERVICE, work, "write"),
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

/** Runs the work while the opening is on its way. If both fail, the error of the opening says why. */
async function afterOpening<Result>(opened: Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  const [opening, outcome] = await Promise.allSettled([opened, (async () => work())()]);
  if (opening.status === "rejected") throw opening.reason;
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

/** Rolls a transaction back and releases its connection. @param close whether to close it; also done if that fails */
async function rollBack(client: pg.PoolClient, { close }: { close: boolean }): Promise<void> {
  try {
    await client.query("rollback");
    client.release(close);
  } catch {
    client.release(true);
  }
}

const BEGIN_AS_SERVICE = "begin; set local role nectar_service; set local request.jwt.claims = '{}'";

function isRead(purpose: Purpose): boolean {
  return purpose === "read" || purpose === "read in the background";
}

function beginAsUser(userId: string, purpose: Purpose): string {
  const whileClosing = purpose === "write while closing";
  const whileSuspended = whileClosing || purpose === "write while suspended";
  const opening = `begin; call private.begin_as_user(${pg.escapeLiteral(userId)}, ${!isRead(purpose)}, ${whileSuspended}, ${whileClosing})`;
  return purpose === "read in the background" ? `${opening}; set local statement_timeout = '15s'` : opening;
}
