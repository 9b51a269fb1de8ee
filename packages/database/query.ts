import { sql } from "kysely";
import type { Tx } from "./transaction.ts";

/** A query written as a template, with values and parts of SQL in it, as in kysely's `sql`. */
type Template<Result> = (query: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** Reads all rows of a query: `await all<Team>(tx)`select ...``. */
export function all<Row>(tx: Tx): Template<Row[]> {
  return async (query, ...values) => (await sql<Row>(query, ...values).execute(tx)).rows;
}

/** Reads the row of a query that always has one, such as a sum or the call of a function. @throws Error otherwise */
export function one<Row>(tx: Tx): Template<Row> {
  return async (query, ...values) => {
    const rows = await all<Row>(tx)(query, ...values);
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw new Error(`Expected exactly one row, got ${rows.length}.`);
    return row;
  };
}

/** Reads the row of a query that has one or none, which is undefined. @throws Error when there are more */
export function maybeOne<Row>(tx: Tx): Template<Row | undefined> {
  return async (query, ...values) => {
    const rows = await all<Row>(tx)(query, ...values);
    if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}.`);
    return rows[0];
  };
}
