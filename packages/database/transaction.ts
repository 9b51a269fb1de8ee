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
  readonly #executor: QueryExecutor;

  constructor(connection: DatabaseConnection) {
    const executor = new DefaultQueryExecutor(new PostgresQueryCompiler(), new PostgresAdapter(), {
      provideConnection: (consumer) => consumer(connection),
    });
    super({ executor });
    this.#executor = executor;
  }

  /** For kysely's `sql`. */
  getExecutor(): QueryExecutor {
    return this.#executor;
  }
}

/** The queries of a transaction. @param names of prepared statements; without it, no statement is prepared */
export function transactionOn(client: pg.ClientBase, names?: StatementNames): Tx {
  return new Tx(new BoundConnection(client, names));
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
    const statement = { text: sql, values: [...parameters], ...(name === undefined ? {} : { name }) };
    const result = await send<Row & pg.QueryResultRow>(this.#client, statement);
    return result.command === "SELECT"
      ? { rows: result.rows }
      : { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return refuseToStream();
  }
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

/** A connection's way to refuse to stream. */
// biome-ignore lint/correctness/useYield: the interface asks for a generator, and this one only refuses.
export async function* refuseToStream(): AsyncIterableIterator<never> {
  throw new Error("Results are read in pages, never streamed.");
}
