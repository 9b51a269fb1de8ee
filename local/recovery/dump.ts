import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import pg from "pg";

/** How many rows each table has, by its full name, such as `nectar.profiles`. */
export type RowCounts = Readonly<Record<string, number>>;

/** Schemas whose tables are saved with all their columns; both sides have them from the same migrations. */
const OWN_SCHEMAS = ["nectar", "private"];
/** The table of Supabase that our rows refer to. Its columns differ between versions of Auth, so they go by name. */
const USERS = "auth.users";
const ROWS_PER_BATCH = 1_000;

/**
 * Writes all rows of the service and its users into a folder, as they are at one moment: a file for each table with a row
 * in each line. Reads only.
 */
export async function dump(client: pg.ClientBase, folder: string): Promise<RowCounts> {
  await client.query("begin isolation level repeatable read read only");
  const counts: Record<string, number> = {};
  for (const table of [USERS, ...(await listTables(client))]) counts[table] = await dumpTable(client, table, folder);
  await client.query("commit");
  return counts;
}

async function dumpTable(client: pg.ClientBase, table: string, folder: string): Promise<number> {
  // The text of a whole row is exact for every type, and null is not the same as an empty text.
  const row = table === USERS ? "to_jsonb(t)::text" : "t::text";
  await client.query(`declare dump_rows no scroll cursor for select ${row} as line from ${table} t`);
  const file = createWriteStream(fileOf(folder, table));
  let count = 0;
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_PER_BATCH} from dump_rows`);
    if (rows.length === 0) break;
    count += rows.length;
    // As JSON, because a row may contain line breaks.
    if (!file.write(rows.map(({ line }) => `${JSON.stringify(line)}\n`).join(""))) await once(file, "drain");
  }
  file.end();
  await finished(file);
  await client.query("close dump_rows");
  return count;
}

/**
 * Replaces all rows of a newly migrated database by those of a folder, in one transaction. Triggers and foreign keys do not
 * run meanwhile: what they would write is in the folder too.
 * @param client of a role that may set session_replication_role
 */
export async function restore(client: pg.ClientBase, folder: string): Promise<void> {
  await client.query("begin; set local session_replication_role = replica");
  await client.query(`truncate ${(await listTables(client)).join(", ")}`);
  // Not truncated, because tables of Auth refer to it. The migrations made one user.
  await client.query(`delete from ${USERS}`);
  for (const name of await readdir(folder)) await restoreTable(client, name.replace(/\.jsonl$/, ""), folder);
  await continueIdentities(client);
  await client.query("commit");
}

async function restoreTable(client: pg.ClientBase, table: string, folder: string): Promise<void> {
  const columns = await listColumns(client, table);
  const names = columns.map((name) => pg.escapeIdentifier(name)).join(", ");
  const values = columns.map((name) => `(r.whole).${pg.escapeIdentifier(name)}`).join(", ");
  const whole = table === USERS ? `jsonb_populate_record(null::${table}, line::jsonb)` : `line::${table}`;
  // Offset 0 keeps the planner from parsing the row again for each column.
  const insert = `
    insert into ${table} (${names}) overriding system value
    select ${values} from (select ${whole} as whole from unnest($1::text[]) line offset 0) r`;
  let lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(fileOf(folder, table)) })) {
    lines.push(JSON.parse(line));
    if (lines.length < ROWS_PER_BATCH) continue;
    await client.query(insert, [lines]);
    lines = [];
  }
  if (lines.length > 0) await client.query(insert, [lines]);
}

/** Lets each identity column continue after its largest value. */
async function continueIdentities(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.oid::regclass::text as table, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attidentity <> '' and c.relkind = 'r' and c.relnamespace = any ($1::regnamespace[])`,
    [OWN_SCHEMAS],
  );
  for (const { table, column } of rows) {
    const name = pg.escapeIdentifier(column);
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${name}), 0) + 1, false) from ${table}`,
      [table, column],
    );
  }
}

async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any ($1) order by 1`,
    [OWN_SCHEMAS],
  );
  return rows.map(({ name }) => name);
}

/** The columns that are stored, without those that are generated. */
async function listColumns(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}

function fileOf(folder: string, table: string): string {
  return join(folder, `${table}.jsonl`);
}
