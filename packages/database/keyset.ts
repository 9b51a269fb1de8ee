import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Where the page before ended: the sort value and the id of its last row. */
export interface KeysetCursor {
  /** RFC 3339 timestamp with milliseconds. */
  readonly at: string;
  readonly id: string;
  /** Which part of the list that row belongs to, for lists that show several parts one after the other. */
  readonly part?: string | undefined;
}

/**
 * The condition on rows that come after a cursor. Row comparison, so that an index on both columns can serve it.
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
