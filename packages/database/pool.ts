import pg from "pg";
import { connectionConfig, type DatabaseAddress } from "./connection-config.ts";
import {
  type DatabaseRole,
  isReadOnlyRefusal,
  isStaleStatement,
  translateDatabaseError,
  unavailable,
} from "./errors.ts";
import { type SingleReadOpening, singleRead } from "./single-read.ts";
import { StatementNames } from "./statement-names.ts";
import { type Tx, transactionOn } from "./transaction.ts";
import { valueTypes } from "./value-types.ts";

/** How to reach a database: the address of the login role `nectar_api`, and the pool of connections. */
export interface PoolOptions extends DatabaseAddress {
  /** The maximum number of connections. */
  readonly poolSize: number;
  /** Whether statements are prepared, so that a connection parses and plans each once; default: false. */
  readonly preparedStatements?: boolean;
  /** Milliseconds to wait for a connection; default: 5,000. */
  readonly connectionTimeoutMs?: number;
  /** Whether `tx.endedAt` is set at the end of each transaction that may write; default: false. */
  readonly reportsEnds?: boolean;
}

/** The statements that begin a transaction, and what they begin. */
export interface Opening {
  readonly text: string;
  readonly role: DatabaseRole;
  /** Whether it only reads. Then the caller does not wait for its end. */
  readonly reads: boolean;
}

/** How many connections of a pool there are, and how many transactions wait for one. */
export interface Connections {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Transactions over a pool of connections. */
export interface Pool {
  /** Runs a transaction, which is rolled back if the work throws. @throws what `translateDatabaseError` returns */
  transaction<Result>(opening: Opening, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs a transaction of exactly one statement, which reads. @throws what `translateDatabaseError` returns */
  singleRead<Result>(opening: SingleReadOpening, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs a statement as the login role. @returns its rows @throws what `translateDatabaseError` returns */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  connections(): Connections;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** The present moment by the clock of the server, in microseconds. */
export const MOMENT = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint::text as moment";

/** Creates a pool of connections; the first one is opened for the first transaction. */
export function openPool(options: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...connectionConfig(options),
    max: options.poolSize,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 5_000,
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

  /** Ends a transaction that may have written. The moment comes with the response, in the same packet. */
  async function end(client: pg.PoolClient, tx: Tx, how: "commit" | "rollback"): Promise<void> {
    if (options.reportsEnds !== true) {
      await client.query(how);
      return;
    }
    // pg has a result for each of the two statements.
    const results: pg.QueryResult<{ moment: string }> | pg.QueryResult<{ moment: string }>[] = await client.query(
      `${how}; ${MOMENT}`,
    );
    tx.endedAt = [results].flat().at(-1)?.rows[0]?.moment;
  }

  /** @param close whether to close the connection; also done if it cannot be rolled back */
  async function rollBack(client: pg.PoolClient, tx: Tx, { reads, close }: { reads: boolean; close: boolean }) {
    try {
      if (reads) await client.query("rollback");
      else await end(client, tx, "rollback");
      client.release(close);
    } catch {
      client.release(true);
    }
  }

  return {
    async transaction({ text, role, reads }, work) {
      const client = await connect(role);
      const tx = transactionOn(client, names);
      // The first statement is sent without waiting for the opening. If the opening fails, so do all statements after it.
      const opened = client.query(text);
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await afterOpening(opened, () => work(tx));
        if (!reads) await end(client, tx, "commit");
      } catch (error) {
        // The server has become a standby. A new connection may reach the one that took over.
        const isStandby = !reads && isReadOnlyRefusal(error);
        if (isStaleStatement(error)) names?.forget();
        await rollBack(client, tx, { reads, close: isStandby || isStaleStatement(error) });
        throw isStandby ? unavailable(error) : translateDatabaseError(error, role);
      }
      // The end of a transaction that only read can make no difference to its result, so the caller does not wait for it. The
      // connection may be used at once: the next transaction is sent after the commit, which fails only if the connection is
      // lost.
      if (reads) client.query("commit").catch(() => {});
      client.release();
      return result;
    },
    async singleRead(opening, work) {
      const client = await connect("nectar_user");
      try {
        const result = await singleRead(client, names, opening, work);
        client.release();
        return result;
      } catch (error) {
        // Nothing to roll back: PostgreSQL has ended the transaction.
        if (isStaleStatement(error)) names?.forget();
        client.release(isStaleStatement(error));
        throw translateDatabaseError(error, "nectar_user");
      }
    },
    async query(text, values = []) {
      try {
        return (await pool.query(text, [...values])).rows;
      } catch (error) {
        throw isReadOnlyRefusal(error) ? unavailable(error) : translateDatabaseError(error, "nectar_service");
      }
    },
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
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
