import { createHash } from "node:crypto";
import type pg from "pg";

/** A row of a table: the names of its columns, and values that PostgreSQL reads from JSON. */
type Row = Readonly<Record<string, unknown>>;

/**
 * Inserts rows in one statement. A column that no row has gets its default, one that only some rows have is null in the others.
 * @param rowOf the row of an item, or several
 * @param onConflict the clause, if rows may exist
 */
export async function insertRows<Item>(
  client: pg.Client,
  table: string,
  items: readonly Item[],
  rowOf: (item: Item) => Row | readonly Row[],
  onConflict = "",
): Promise<void> {
  const rows = items.flatMap(rowOf);
  const columns = [...new Set(rows.flatMap(Object.keys))].join(", ");
  await client.query(
    `insert into ${table} (${columns})
     select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb) ${onConflict}`,
    [JSON.stringify(rows)],
  );
}

/** The same UUID (version 8) for the same name on every machine, so that examples can name rows of the demo data. */
export function stableId(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * A time of day up to `withinMinutes` after the given one, the same on every machine for the same name: real events do not
 * all happen at the full hour.
 * @param time HH:MM; the result must be on the same day
 * @returns HH:MM:SS
 */
export function timeOfDay(time: string, name: string, withinMinutes = 1): string {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const seconds = createHash("sha256").update(name).digest().readUInt32BE() % (withinMinutes * 60);
  const total = (hours * 60 + minutes) * 60 + seconds;
  return [total / 3600, (total / 60) % 60, total % 60]
    .map((part) => String(Math.floor(part)).padStart(2, "0"))
    .join(":");
}
