import { sql } from "kysely";
import { AppError, type ErrorCode } from "#core/errors";
import type { Tx } from "./transaction.ts";

/** A query as a template of kysely's `sql`, which may contain values and parts of SQL. */
type Template<Result> = (query: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** Reads all rows of a query: `await all<Team>(tx)`select ...``. */
export function all<Row>(tx: Tx): Template<Row[]> {
  return async (query, ...values) => (await sql<Row>(query, ...values).execute(tx)).rows;
}

/**
 * Reads the row of a query that has exactly one, such as a sum.
 * @param missing the error code if there is no row
 * @throws AppError with that code; Error if there are several rows, or none and no code
 */
export function one<Row>(tx: Tx, missing?: ErrorCode): Template<Row> {
  return async (query, ...values) => {
    const rows = await all<Row>(tx)(query, ...values);
    const [row] = rows;
    if (row !== undefined && rows.length === 1) return row;
    if (row === undefined && missing !== undefined) throw new AppError(missing);
    throw new Error(`Expected exactly one row, got ${rows.length}.`);
  };
}

/** Reads the row of a query that has at most one; undefined if it has none. @throws Error if it has several */
export function maybeOne<Row>(tx: Tx): Template<Row | undefined> {
  return async (query, ...values) => {
    const rows = await all<Row>(tx)(query, ...values);
    if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}.`);
    return rows[0];
  };
}

/** Reads the only value of a query with one row and one column, such as a call of a function. @throws Error for another number of either */
export function value<Value>(tx: Tx): Template<Value> {
  return async (query, ...values) => {
    const columns = Object.values(await one<Readonly<Record<string, Value>>>(tx)(query, ...values));
    const [only] = columns;
    if (only === undefined || columns.length > 1)
      throw new Error(`Expected exactly one column, got ${columns.length}.`);
    return only;
  };
}
