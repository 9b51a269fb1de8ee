import type pg from "pg";

/** The stores of files, as private.stored_files_to_remove names them. */
export const STORES = ["private", "tone-packs"] as const;

/** The rows that own files. */
export const FILE_OWNERS = `
  select 'private' as store, file_key as path from nectar.entry_backgrounds
  union all select 'private', file_key from nectar.entry_pictures
  union all select 'private', thumbnail_key from nectar.entry_pictures
  union all select 'private', background_file from nectar.trashed_entries where background_file is not null
  union all select 'private', photo_key from nectar.workout_checkin_photos
  union all select 'private', photo_key from nectar.moderation_decisions where photo_key is not null
  union all select 'private', image_key from nectar.mosaics
  union all select 'private', file_key from nectar.exports where status = 'ready'
  union all select 'tone-packs', file_path from nectar.tone_pack_images`;

export const LIST_TABLES =
  "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('nectar', 'private')";

/** How many rows each table has, also Supabase's table of users. */
export async function countRows(client: pg.ClientBase): Promise<Map<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(`${LIST_TABLES} union all select 'auth.users'`);
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`);
  const { rows } = await client.query<{ name: string; count: number }>(counts.join(" union all "));
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Accounts whose balance is not the sum of their movements. */
export async function findWrongBalances(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`
    select a.user_id as id
    from nectar.accounts a
    left join (select user_id, sum(amount) as sum from nectar.drop_transactions group by user_id) t using (user_id)
    where a.drops_balance <> coalesce(t.sum, 0)`);
  return rows.map(({ id }) => `The balance of account ${id} is not the sum of its movements.`);
}

/** Foreign keys with rows that refer to nothing. */
export async function findBrokenReferences(client: pg.ClientBase): Promise<string[]> {
  const { rows: keys } = await client.query<{ query: string }>(`
    select format(
      'select format(''%%s rows refer to nothing (%s).'', count(*)) as problem from %s c
       where %s and not exists (select from %s p where %s) having count(*) > 0',
      k.conname,
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
    group by k.oid, k.conname, k.conrelid, k.confrelid`);
  const { rows } = await client.query<{ problem: string }>(keys.map(({ query }) => query).join(" union all "));
  return rows.map(({ problem }) => problem);
}

/**
 * Compares the files of a store with the rows both ways: rows whose file is missing, and files that no row owns and that
 * housekeeping will not remove. A file that was stored or removed while the rows were read counts as neither.
 * @param before the paths of the files before the rows were read; undefined if the store is not configured
 * @param after their paths after that
 */
export async function checkFiles(
  client: pg.ClientBase,
  store: (typeof STORES)[number],
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): Promise<string[]> {
  if (before === undefined || after === undefined) {
    console.log(`The store ${store} is not configured, so its files are not compared.`);
    return [];
  }
  const { rows } = await client.query<{ problem: string }>(
    `with owned as (select path from (${FILE_OWNERS}) owner where store = $1),
          before as (select path from unnest($2::text[]) path),
          after as (select path from unnest($3::text[]) path)
     select format('%s rows have no file in the store %s.', count(*), $1::text) as problem from owned
     where path not in (select path from before) and path not in (select path from after)
     having count(*) > 0
     union all
     select format('%s files in the store %s have no row.', count(*), $1::text) from before
     where path in (select path from after)
       and path not in (select path from owned)
       and path not in (select n.path from private.stored_files_to_remove n where n.store = $1)
     having count(*) > 0`,
    [store, before, after],
  );
  return rows.map(({ problem }) => problem);
}
