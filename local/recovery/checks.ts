import type pg from "pg";
import type { RowCounts } from "./dump.ts";

/** The stores of files, as private.stored_files_to_remove names them. */
export type Store = "private" | "tone-packs";

/** The rows that own files. */
export const FILE_OWNERS = `
  select 'private' as store, file_key as path from nectar.entry_backgrounds
  union all select 'private', background_file from nectar.trashed_entries where background_file is not null
  union all select 'private', photo_key from nectar.workout_checkin_photos
  union all select 'private', image_key from nectar.mosaics
  union all select 'private', file_key from nectar.exports where status = 'ready'
  union all select 'tone-packs', file_path from nectar.tone_pack_images`;

/** Tables that do not have as many rows as expected. */
export async function checkCounts(client: pg.ClientBase, expected: RowCounts): Promise<string[]> {
  const problems: string[] = [];
  for (const [table, count] of Object.entries(expected)) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    if (rows[0]?.count !== count) problems.push(`${table} has ${rows[0]?.count} rows instead of ${count}.`);
  }
  return problems;
}

/** Accounts whose balance is not the sum of their movements. */
export async function checkLedger(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`
    select a.user_id as id
    from nectar.accounts a
    left join (select user_id, sum(amount) as sum from nectar.drop_transactions group by user_id) t using (user_id)
    where a.drops_balance <> coalesce(t.sum, 0)`);
  return rows.map(({ id }) => `The balance of account ${id} is not the sum of its movements.`);
}

/** Foreign keys with rows that refer to nothing. */
export async function checkReferences(client: pg.ClientBase): Promise<string[]> {
  const { rows: keys } = await client.query<{ name: string; query: string }>(`
    select k.conname as name,
      format(
        'select count(*)::int as count from %s c where %s and not exists (select from %s p where %s)',
        k.conrelid::regclass,
        string_agg(format('c.%I is not null', child.attname), ' and '),
        k.confrelid::regclass,
        string_agg(format('p.%I = c.%I', parent.attname, child.attname), ' and ')
      ) as query
    from pg_constraint k
    cross join unnest(k.conkey, k.confkey) as pair (child, parent)
    join pg_attribute child on child.attrelid = k.conrelid and child.attnum = pair.child
    join pg_attribute parent on parent.attrelid = k.confrelid and parent.attnum = pair.parent
    where k.contype = 'f' and k.connamespace in ('nectar'::regnamespace, 'private'::regnamespace)
    group by k.oid, k.conname, k.conrelid, k.confrelid
    order by k.conname`);
  const problems: string[] = [];
  for (const { name, query } of keys) {
    const { rows } = await client.query<{ count: number }>(query);
    if (rows[0]?.count !== 0) problems.push(`${rows[0]?.count} rows refer to nothing (${name}).`);
  }
  return problems;
}

/**
 * Compares the files of a store with the rows both ways: rows whose file is missing, and files that no row owns and that
 * housekeeping will not remove. A file that was stored or removed while the rows were read counts as neither.
 * @param before the paths of the files before the rows were read
 * @param after their paths after that
 */
export async function checkFiles(
  client: pg.ClientBase,
  store: Store,
  before: readonly string[],
  after: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ missing: number; unowned: number }>(
    `with owned as (select path from (${FILE_OWNERS}) owner where store = $1),
          before as (select path from unnest($2::text[]) path),
          after as (select path from unnest($3::text[]) path)
     select
       (select count(*)::int from owned
        where path not in (select path from before) and path not in (select path from after)) as missing,
       (select count(*)::int from before
        where path in (select path from after)
          and path not in (select path from owned)
          and path not in (select n.path from private.stored_files_to_remove n where n.store = $1)) as unowned`,
    [store, before, after],
  );
  const { missing = 0, unowned = 0 } = rows[0] ?? {};
  return [
    ...(missing === 0 ? [] : [`${missing} rows have no file in the store ${store}.`]),
    ...(unowned === 0 ? [] : [`${unowned} files in the store ${store} have no row.`]),
  ];
}
