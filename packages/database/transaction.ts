import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type pg from "pg";
import type { StatementNames } from "./statement-names.ts";
import type { DB } from "./types.generated.ts";

/** An open transaction: kysely on its connection. */
export type Tx = Kysely<DB>;

/**
 * Kysely on a connection with an open transaction, which it cannot commit or roll back: `database.ts` does.
 * @param names of prepared statements; without it, no statement is prepared
 */
export function transactionOn(client: pg.ClientBase, names?: StatementNames): Tx {
  return kyselyOn(new BoundConnection(client, names));
}

/** Kysely that sends every query over a connection. */
export function kyselyOn(connection: DatabaseConnection): Tx {
  const driver = new BoundDriver(connection);
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

class BoundDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw new Error("This transaction is already open; pass it on instead of opening another.");
  }

  async commitTransaction(): Promise<void> {
    throw new Error("The transaction is committed by the code that opened it.");
  }

  async rollbackTransaction(): Promise<void> {
    throw new Error("The transaction is rolled back by throwing.");
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class BoundConnection implements DatabaseConnection {
  readonly #client: pg.ClientBase;
  readonly #names: StatementNames | undefined;

  constructor(client: pg.ClientBase, names: StatementNames | undefined) {
    this.#client = client;
    this.#names = names;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const name = this.#names?.nameOf(sql);
    const statement = name === undefined ? sql : { text: sql, name };
    const result = await this.#client.query<Row & pg.QueryResultRow>(statement, [...parameters]);
    return result.command === "SELECT"
      ? { rows: result.rows }
      : { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return refuseToStream();
  }
}

/** A connection's way to refuse to stream. */
// biome-ignore lint/correctness/useYield: the interface asks for a generator, and this one only refuses.
export async function* refuseToStream(): AsyncIterableIterator<never> {
  throw new Error("Results are read in pages, never streamed.");
}
