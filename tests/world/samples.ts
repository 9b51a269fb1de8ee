import type pg from "pg";
import { TABLES } from "#core/tables/all";
import type { Card } from "#core/tables/card";

/** Rows for each person in tables that grow with time. */
const ROWS_WITH_TIME = 10;

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

/** Gives one person a row of each sample. */
export async function insertSamples(admin: pg.ClientBase, person: string): Promise<void> {
  for (const [table] of sampledTables()) await insertSample(admin, table, person);
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

/**
 * Gives every person of the temporary table `people` rows of each sample: one in tables that grow with people, several in
 * those that grow with time, at different moments.
 */
export async function insertManySamples(admin: pg.ClientBase): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'created_at' and not a.attisdropped and c.relkind = 'r'`,
  );
  const dated = rows.map(({ name }) => name);
  for (const [table, card, sample] of sampledTables()) {
    const isDated = dated.includes(table) && !("created_at" in sample);
    const columns = [card.person ?? "user_id", ...(isDated ? ["created_at"] : []), ...Object.keys(sample)];
    const created = isDated ? ["now() - (k * 1000 + p.n % 1000) * interval '1 minute'"] : [];
    const values = ["p.id", ...created, ...Object.values(sample).map((value) => literal(value, "p.id", "k"))];
    await admin.query(
      `insert into ${table} (${columns.join(", ")})
       select ${values.join(", ")} from people p, generate_series(1, $1::int) k`,
      [card.grows === "with people" ? 1 : ROWS_WITH_TIME],
    );
  }
}
