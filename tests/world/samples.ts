import type pg from "pg";
import { TABLES } from "#core/tables/all";
import type { Card } from "#core/tables/card";

/** A value of a sample as SQL. @param person SQL of the person's id @param n SQL of the number of the row */
export function literal(value: string | number | boolean | null, person = "''", n = "1"): string {
  if (typeof value !== "string") return String(value);
  const text = `'${value.replaceAll("'", "''")}'`;
  if (!/:(n|person)\b/.test(value)) return text;
  return `replace(replace(${text}, ':person', (${person})::text), ':n', (${n})::text)`;
}

/** The tables whose cards have a sample. */
export function sampledTables(): (readonly [table: string, card: Card, sample: NonNullable<Card["sample"]>])[] {
  return Object.entries(TABLES).flatMap(([table, card]) =>
    card.sample === undefined ? [] : [[table, card, card.sample] as const],
  );
}

/** Gives one person the sample of a table. @returns its id, if it has one */
export async function insertSample(admin: pg.ClientBase, table: string, person: string): Promise<string> {
  const { person: owner = "user_id", sample = {} } = TABLES[table] ?? {};
  const id = `'${person}'::uuid`;
  const columns = [owner, ...Object.keys(sample)];
  const values = [id, ...Object.values(sample).map((value) => literal(value, id))];
  const { rows } = await admin.query<{ row: { id?: string } }>(
    `insert into ${table} as r (${columns.join(", ")}) select ${values.join(", ")} returning to_jsonb(r) as row`,
  );
  return rows[0]?.row.id ?? "";
}
