import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type pg from "pg";
import type { StatementNames } from "./statement-names.ts";
import { refuseToStream, send, Tx } from "./transaction.ts";

/**
 * Runs transactions of one statement as a user, which is sent together with the opening and the end.
 * @throws Error if the work runs another statement, or none
 */
export type SingleReader = <Result>(userId: string, work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** Single reads on a connection without an open transaction. */
export function singleReaderOn(client: pg.Client, names?: StatementNames): SingleReader {
  const connection = new SingleReadConnection(client, names);
  const tx = new Tx(connection);
  return async (userId, work) => {
    connection.userId = userId;
    const result = await work(tx);
    if (connection.userId !== undefined) throw new Error("A single read has run no statement.");
    return result;
  };
}

const OPENING = "call private.begin_as_user($1, false)";

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
    const results: Promise<QueryResult<Row> | QueryResult<Row>[]> = send<Row & pg.QueryResultRow>(
      this.#client,
      statement,
    );
    stream.uncork();
    const rows = [await results].flat().at(-1)?.rows ?? [];
    return { rows };
  }

  #sendOpening(userId: string): void {
    const { connection } = this.#client;
    const name = this.#names === undefined ? "" : "single_read";
    if (!this.#openingIsPrepared) connection.parse({ name, text: OPENING, types: [] }, true);
    this.#openingIsPrepared = name !== "";
    connection.bind({ statement: name, values: [userId] }, true);
    connection.execute({}, true);
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return refuseToStream();
  }
}
