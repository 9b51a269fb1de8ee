import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresQueryCompiler,
  QueryCreator,
  type QueryExecutor,
  type QueryExecutorProvider,
  type QueryResult,
} from "kysely";
import type pg from "pg";
import type { StatementNames } from "./statement-names.ts";
import type { DB } from "./types.generated.ts";

/**
 * The queries of kysely, sent over a connection with an open transaction. They cannot commit it or roll it back:
 * `database.ts` does. The class `Kysely` would bring what creates tables as well, a tenth of a function's code.
 */
export class Tx extends QueryCreator<DB> implements QueryExecutorProvider {
  /** A moment after the end of a transaction that may have written, in microseconds, if the pool reports it. */
  endedAt: string | undefined;
  readonly #executor: QueryExecutor;

  constructor(connection: DatabaseConnection) {
    const executor = new DefaultQueryExecutor(new PostgresQueryCompiler(), new PostgresAdapter(), {
      provideConnection: (consumer) => consumer(connection),
    });
    super({ executor });
    this.#executor = executor;
  }

  /** Used by kysely's `sql`. */
  getExecutor(): QueryExecutor {
    return this.#executor;
  }
}

/** The queries of a transaction. @param names of prepared statements; without it, no statement is prepared */
export function transactionOn(client: pg.ClientBase, names?: StatementNames): Tx {
  return new Tx(new BoundConnection(client, names));
}

/** A connection of kysely that sends statements to PostgreSQL, and never streams. */
export abstract class Connection implements DatabaseConnection {
  abstract executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;

  // biome-ignore lint/correctness/useYield: the interface asks for a generator, and this one only refuses.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Results are read in pages, never streamed.");
  }
}

class BoundConnection extends Connection {
  readonly #client: pg.ClientBase;
  readonly #names: StatementNames | undefined;

  constructor(client: pg.ClientBase, names: StatementNames | undefined) {
    super();
    this.#client = client;
    this.#names = names;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await send<Row & pg.QueryResultRow>(this.#client, statementOf(query, this.#names));
    return result.command === "SELECT"
      ? { rows: result.rows }
      : { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }
}

/** A query as pg takes it, with its name if it is prepared. */
export function statementOf({ sql, parameters }: CompiledQuery, names: StatementNames | undefined): pg.QueryConfig {
  const name = names?.nameOf(sql);
  return { text: sql, values: [...parameters], ...(name === undefined ? {} : { name }) };
}

/**
 * Sends a statement by pg's callback. If pg makes the promise, the garbage collector takes a result for needed until it
 * looks through all memory: 35 KB for a list of 20 entries, which it moves about meanwhile.
 */
export async function send<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  try {
    return await new Promise((resolve, reject) => {
      client.query<Row>(statement, (error: Error | null, result) => (error ? reject(error) : resolve(result)));
    });
  } catch (error) {
    // From where the statement was sent, instead of where pg received the error.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
