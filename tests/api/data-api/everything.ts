import type pg from "pg";

/** All tables of our schemas with their columns; generated ones come last. */
export async function ourTables(
  admin: pg.Client,
): Promise<{ schema: string; table: string; columns: string[]; writable: boolean }[]> {
  const { rows } = await admin.query(
    `select table_schema as schema, table_name as table, array_agg(
       column_name::text
       order by coalesce(identity_generation = 'ALWAYS', false) or is_generated = 'ALWAYS', ordinal_position
     ) as columns, bool_or(is_updatable = 'YES') as writable
     from information_schema.columns where table_schema in ('nectar', 'private')
     group by table_schema, table_name order by 1, 2`,
  );
  return rows;
}

export async function ourFunctions(
  admin: pg.Client,
): Promise<{ schema: string; name: string; parameters: string[] }[]> {
  const { rows } = await admin.query(
    `select n.nspname as schema, p.proname as name, coalesce(p.proargnames, '{}') as parameters
     from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('nectar', 'private') and p.prorettype <> 'trigger'::regtype order by 1, 2`,
  );
  return rows;
}

/** The rows of all our tables, to compare them before and after. */
export async function everything(admin: pg.Client): Promise<Record<string, unknown>> {
  const contents: Record<string, unknown> = {};
  for (const { schema, table } of await ourTables(admin)) {
    const { rows } = await admin.query(`select t::text as row from ${schema}.${table} t order by 1`);
    contents[`${schema}.${table}`] = rows.map(({ row }) => row);
  }
  return contents;
}

/** Privileges on our schemas, tables, columns and functions. */
export async function privileges(admin: pg.Client): Promise<unknown[]> {
  const { rows } = await admin.query(
    `with ours as (select oid, nspname, nspacl from pg_catalog.pg_namespace where nspname in ('nectar', 'private'))
     select 'schema ' || n.nspname as object, n.nspacl::text as acl from ours n
     union all
     select 'table ' || c.oid::regclass, c.relacl::text || ' ' || c.relrowsecurity
     from pg_catalog.pg_class c join ours n on n.oid = c.relnamespace
     union all
     select 'column ' || c.oid::regclass || '.' || a.attname, a.attacl::text
     from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join ours n on n.oid = c.relnamespace
     where a.attacl is not null
     union all
     select 'function ' || p.oid::regprocedure, p.proacl::text
     from pg_catalog.pg_proc p join ours n on n.oid = p.pronamespace
     order by 1`,
  );
  return rows;
}
