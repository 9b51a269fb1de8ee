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

/**
 * Runs transactions of one statement as a user, which is sent together with the opening and the end.
 * @throws Error if the work runs another statement, or none
 */
export type SingleReader = <Result>(userId: string, work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** Single reads on a connection without an open transaction. */
export function singleReaderOn(client: pg.Client, names?: StatementNames): SingleReader {
  const connection = new SingleReadConnection(client, names);
  const tx = kyselyOn(connection);
  return async (userId, work) => {
    connection.userId = userId;
    const result = await work(tx);
    if (connection.userId !== undefined) throw new Error("A single read has run no statement.");
    return result;
  };
}

function kyselyOn(connection: DatabaseConnection): Tx {
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

const BEGIN_READ = "call private.begin_read($1)";

/**
 * PostgreSQL runs all messages before a Sync in one transaction, so the opening needs no statements that begin and commit:
 * everything is one packet in each direction.
 */
class SingleReadConnection implements DatabaseConnection {
  /** Whom the next statement runs as; undefined after it. */
  userId: string | undefined;
  readonly #client: pg.Client;
  readonly #names: StatementNames | undefined;
  #openingIsPrepared = false;

  constructor(client: pg.Client, names: StatementNames | undefined) {
    this.#client = client;
    this.#names = names;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { userId } = this;
    if (userId === undefined) throw new Error("A single read has run its only statement.");
    this.userId = undefined;
    const name = this.#names?.nameOf(sql);
    const statement = {
      text: sql,
      values: [...parameters],
      queryMode: "extended",
      ...(name === undefined ? {} : { name }),
    };
    const { stream } = this.#client.connection;
    stream.cork();
    this.#sendOpening(userId);
    // pg has a result for each of the two statements.
    const results: Promise<QueryResult<Row> | QueryResult<Row>[]> = this.#client.query<Row & pg.QueryResultRow>(
      statement,
    );
    stream.uncork();
    const rows = [await results].flat().at(-1)?.rows ?? [];
    return { rows };
  }

  #sendOpening(userId: string): void {
    const { connection } = this.#client;
    const name = this.#names === undefined ? "" : "begin_read";
    if (!this.#openingIsPrepared) connection.parse({ name, text: BEGIN_READ, types: [] }, true);
    this.#openingIsPrepared = name !== "";
    connection.bind({ statement: name, values: [userId] }, true);
    connection.execute({}, true);
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return refuseToStream();
  }
}

// biome-ignore lint/correctness/useYield: the interface asks for a generator, and this one only refuses.
async function* refuseToStream(): AsyncIterableIterator<never> {
  throw new Error("Results are read in pages, never streamed.");
}
