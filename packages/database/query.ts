import { sql } from "kysely";
import type { Tx } from "./transaction.ts";

/** A query as a template of kysely's `sql`, which may contain values and parts of SQL. */
type Template<Result> = (query: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** Reads all rows of a query: `await all<Team>(tx)`select ...``. */
export function all<Row>(tx: Tx): Template<Row[]> {
  return async (query, ...values) => (await sql<Row>(query, ...values).execute(tx)).rows;
}

/** Reads the row of a query that has exactly one, such as a sum. @throws Error if it has none or several */
export function one<Row>(tx: Tx): Template<Row> {
  return async (query, ...values) => {
    const rows = await all<Row>(tx)(query, ...values);
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw new Error(`Expected exactly one row, got ${rows.length}.`);
    return row;
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
