import { type RawBuilder, sql } from "kysely";

/** The whole hours since a time in a column, such as `r.created_at`. */
export function ageHours(column: string, now: Date): RawBuilder<number> {
  return sql<number>`greatest(0, floor(extract(epoch from ${now}::timestamptz - ${sql.ref(column)}) / 3600))::int`;
}
