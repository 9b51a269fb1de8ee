import type { CompiledQuery, QueryResult } from "kysely";
import type pg from "pg";
import type { StatementNames } from "./statement-names.ts";
import { Connection, send, statementOf, Tx } from "./transaction.ts";

/** The call that begins a transaction of one statement, always the same one over a connection. */
export interface SingleReadOpening {
  /** The name of the prepared statement. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/**
 * Runs a transaction of one statement, which is sent together with the opening and the end.
 * @param names of prepared statements; without it, no statement is prepared
 * @throws Error if the work runs another statement, or none
 */
export async function singleRead<Result>(
  client: pg.Client,
  names: StatementNames | undefined,
  opening: SingleReadOpening,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const connection = new SingleReadConnection(client, names, opening);
  const result = await work(new Tx(connection));
  if (!connection.isUsed) throw new Error("A single read has run no statement.");
  return result;
}

/** The connections that have prepared the opening. */
const PREPARED = new WeakSet<pg.Client>();

/**
 * PostgreSQL runs all messages before a Sync in one transaction, so the opening needs no statements that begin and commit:
 * everything is one packet in each direction.
 */
class SingleReadConnection extends Connection {
  isUsed = false;
  readonly #client: pg.Client;
  readonly #names: StatementNames | undefined;
  readonly #opening: SingleReadOpening;

  constructor(client: pg.Client, names: StatementNames | undefined, opening: SingleReadOpening) {
    super();
    this.#client = client;
    this.#names = names;
    this.#opening = opening;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.isUsed) throw new Error("A single read has run its only statement.");
    this.isUsed = true;
    const statement = { ...statementOf(query, this.#names), queryMode: "extended" };
    const { stream } = this.#client.connection;
    stream.cork();
    this.#sendOpening();
    // pg has a result for each of the two statements.
    const results: Promise<QueryResult<Row> | QueryResult<Row>[]> = send<Row & pg.QueryResultRow>(
      this.#client,
      statement,
    );
    stream.uncork();
    const rows = [await results].flat().at(-1)?.rows ?? [];
    return { rows };
  }

  #sendOpening(): void {
    const { connection } = this.#client;
    const { text, values } = this.#opening;
    const name = this.#names === undefined ? "" : this.#opening.name;
    if (name === "" || !PREPARED.has(this.#client)) connection.parse({ name, text, types: [] }, true);
    if (name !== "") PREPARED.add(this.#client);
    connection.bind({ statement: name, values: [...values] }, true);
    connection.execute({}, true);
  }
}
