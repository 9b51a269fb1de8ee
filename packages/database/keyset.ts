import { type RawBuilder, type SqlBool, sql } from "kysely";

/** The last row of the previous page: its sort value and its id. */
export interface KeysetCursor {
  /** RFC 3339 timestamp with milliseconds. */
  readonly at: string;
  readonly id: string;
  /** The part of the list that the row belongs to, for lists that show several parts one after the other. */
  readonly part?: string | undefined;
}

/** The cursor of the first page of a list that is read newest first, for functions that always take a cursor. */
export const FIRST_PAGE: KeysetCursor = { at: "infinity", id: "00000000-0000-0000-0000-000000000000" };

/**
 * The condition that a row comes after a cursor. It compares rows, so that an index on both columns can serve it.
 * @param columns the timestamp and the tie-break that the list is ordered by, both in the same direction
 */
export function afterCursor(
  columns: readonly [at: string, id: string],
  cursor: KeysetCursor | undefined,
  order: "newest first" | "oldest first" = "newest first",
): RawBuilder<SqlBool> {
  if (cursor === undefined) return sql`true`;
  const comparison = sql.raw(order === "newest first" ? "<" : ">");
  const sortKey = sql`(${sql.ref(columns[0])}, ${sql.ref(columns[1])})`;
  return sql`${sortKey} ${comparison} (${cursor.at}::timestamptz, ${cursor.id}::uuid)`;
}
