import { randomBytes } from "node:crypto";
import type pg from "pg";
import { TABLES } from "#core/cards/all";
import type { Services } from "#http/services/services";
import { asSuperuser } from "./people.ts";

/** Unique texts by where they are, such as `nectar.goals.title`, or the path of a file. */
export type Canaries = ReadonlyMap<string, string>;

/** The canaries of a person, and the text columns whose constraints take none. */
export interface Planted {
  readonly canaries: Canaries;
  readonly untouched: readonly string[];
}

interface TextColumn {
  readonly table: string;
  readonly column: string;
  readonly type: "text" | "json" | "text[]";
  /** The column that names whose a row is. */
  readonly owner: string;
}

/** Where constraints want a certain shape. */
const SHAPES: readonly ((canary: string) => string)[] = [
  (canary) => canary,
  (canary) => `https://example.test/${canary}`,
  (canary) => `${canary}@example.test`,
];

/** Columns whose values have a shape that readers rely on, although no constraint says so. */
const SHAPED =
  /\.timezone$|^nectar\.(badge_milestones\.stats|notification_settings\.push|trashed_entries\.background_file)$|^private\.idempotency_keys\./;

/**
 * Puts a unique text into every text column of every row of a person, JSON and arrays included, as far as constraints allow
 * it. Triggers do not run, so what is derived from a column stays as it was.
 */
export function plantCanaries(adminUrl: string, personId: string): Promise<Planted> {
  return asSuperuser(adminUrl, async (client) => {
    const canaries = new Map<string, string>();
    const untouched: string[] = [];
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    for (const column of await textColumns(client)) {
      const place = `${column.table}.${column.column}`;
      const canary = newCanary();
      const rows = await plant(client, column, personId, canary);
      if (rows === "refused") untouched.push(place);
      else if (rows > 0) canaries.set(place, canary);
    }
    await client.query("commit");
    return { canaries, untouched };
  });
}

/** Stores every file of a person, with a unique text in its bytes. */
export async function plantFiles(services: Services, adminUrl: string, personId: string): Promise<Canaries> {
  const canaries = new Map<string, string>();
  const { privateFiles, publicImages } = services;
  if (privateFiles === null || publicImages === null) throw new Error("There are no stores.");
  const { rows } = await asSuperuser(adminUrl, (client) =>
    client.query<{ store: string; path: string }>(
      `select 'private' as store, file_key as path from nectar.entry_backgrounds where user_id = $1
       union all select 'private', photo_key from nectar.workout_checkin_photos where user_id = $1
       union all select 'private', file_key from nectar.entry_pictures where user_id = $1
       union all select 'private', background_file from nectar.trashed_entries
         where user_id = $1 and background_file is not null
       union all select 'tone-packs', file_path from nectar.tone_pack_images where owner_id = $1`,
      [personId],
    ),
  );
  for (const { store, path } of rows) {
    const canary = newCanary();
    await (store === "private" ? privateFiles : publicImages).upload(path, Buffer.from(canary), "image/png");
    canaries.set(path, canary);
  }
  return canaries;
}

/** Which of the canaries are in some bytes, by their places. */
export function foundIn(bytes: Iterable<Uint8Array>, canaries: Canaries): string[] {
  const text = [...bytes].map((part) => Buffer.from(part).toString("latin1")).join("\n");
  return [...canaries].filter(([, canary]) => text.includes(canary)).map(([place]) => place);
}

function newCanary(): string {
  return `canary${randomBytes(8).toString("hex")}`;
}

async function textColumns(client: pg.ClientBase): Promise<TextColumn[]> {
  const { rows } = await client.query<Omit<TextColumn, "owner"> & { readonly all: string[] }>(
    `select c.table_schema || '.' || c.table_name as table, c.column_name as column,
       case when c.data_type = 'ARRAY' then 'text[]' when c.data_type in ('json', 'jsonb') then 'json' else 'text' end as type,
       (
         select array_agg(o.column_name::text) from information_schema.columns o
         where o.table_schema = c.table_schema and o.table_name = c.table_name
       ) as all
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.table_schema in ('nectar', 'private', 'auth')
       and c.is_generated = 'NEVER'
       and (c.data_type in ('text', 'character varying', 'json', 'jsonb') or c.udt_name in ('_text', '_varchar'))
     order by 1, 2`,
  );
  return rows
    .map(({ all, ...column }) => ({ ...column, all, owner: TABLES[column.table]?.person ?? "user_id" }))
    .filter(({ table, column, all, owner }) => all.includes(owner) && !SHAPED.test(`${table}.${column}`));
}

/** @returns how many rows have the canary now */
async function plant(
  client: pg.ClientBase,
  { table, column, type, owner }: TextColumn,
  personId: string,
  canary: string,
): Promise<number | "refused"> {
  const values =
    type === "json"
      ? [JSON.stringify({ note: canary }), JSON.stringify([canary])]
      : SHAPES.map((shape) => (type === "text[]" ? [shape(canary)] : shape(canary)));
  const rows = await client.query<{ row: string }>(`select ctid::text as row from ${table} where ${owner}::text = $1`, [
    personId,
  ]);
  if (rows.rows.length === 0) return 0;
  // Constraints may take the text in some of the rows only.
  for (const scope of [rows.rows, ...rows.rows.map((row) => [row])]) {
    for (const value of values) {
      await client.query("savepoint planting");
      try {
        const sql = `update ${table} set "${column}" = $1 where ctid = any ($2::tid[])`;
        const { rowCount } = await client.query(sql, [value, scope.map(({ row }) => row)]);
        return rowCount ?? 0;
      } catch {
        await client.query("rollback to planting");
      }
    }
  }
  return "refused";
}
