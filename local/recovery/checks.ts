import type pg from "pg";

// Our objects, roles and migrations, but not the queries of views, which versions of PostgreSQL print differently, and
// not the grants to roles of others, which differ between Supabase's own servers and Supabase Lite.
const OBJECTS = `
  with ours as (select oid from pg_namespace where nspname in ('nectar', 'private')),
  relations as (select * from pg_class where relnamespace in (select oid from ours) and relkind in ('r', 'v')),
  objects (catalog, oid, part, definition, acl) as (
    select 'pg_class', oid, 0, concat('row security ', relrowsecurity, reloptions), relacl from relations
    union all select 'pg_class', attrelid, attnum, concat_ws(' ', format_type(atttypid, atttypmod),
      attnotnull, (select pg_get_expr(adbin, adrelid) from pg_attrdef where (adrelid, adnum) = (attrelid, attnum))), attacl
    from pg_attribute where attrelid in (select oid from relations) and attnum > 0 and not attisdropped
    union all select 'pg_class', indexrelid, 0, concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid), null
    from pg_index where indrelid in (select oid from relations)
    union all select 'pg_constraint', oid, 0, concat_ws(' ', pg_get_constraintdef(oid), convalidated), null
    from pg_constraint where conrelid in (select oid from relations) and contype <> 'n'
    union all select 'pg_policy', oid, 0, concat_ws(' ', polcmd, polpermissive, polroles::regrole[],
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)), null
    from pg_policy where polrelid in (select oid from relations)
    union all select 'pg_proc', oid, 0, concat_ws(' ', pg_get_function_result(oid), prosecdef, proconfig,
      md5(coalesce(pg_get_function_sqlbody(oid), prosrc))), coalesce(proacl, acldefault('f', proowner))
    from pg_proc where pronamespace in (select oid from ours)
    union all select 'pg_trigger', t.oid, 0, concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled), null
    from pg_trigger t join pg_proc p on p.oid = tgfoid where pronamespace in (select oid from ours)
    union all select 'pg_authid', oid, 0, concat_ws(' ', rolcanlogin, rolinherit, rolsuper, rolbypassrls,
      array(select roleid::regrole from pg_auth_members where member = r.oid order by 1)), null
    from pg_roles r where rolname like 'nectar\\_%'
  )
  select concat_ws(' ', type, identity) as name, concat_ws(' ', definition, (
    select string_agg(concat_ws(' ', privilege_type, 'to', coalesce(rolname, 'public')), ', ' order by privilege_type, rolname)
    from aclexplode(acl) left join pg_roles r on r.oid = grantee
    where grantee = 0 or rolname like 'nectar\\_%')) as fact
  from objects, pg_identify_object(catalog::regclass, oid, part)
  union all select 'migration ' || version, 'applied' from supabase_migrations.schema_migrations`;

/** The tables of the service and Supabase's table of users. */
export async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('nectar', 'private')
    union all select 'auth.users'`);
  return rows.map(({ name }) => name);
}

/** Reads by name how each object is defined, and how many rows each table has. */
export async function readFacts(client: pg.ClientBase): Promise<Map<string, string>> {
  // Names outside of the path are printed with their schema.
  await client.query("set search_path = ''");
  const counts = (await listTables(client)).map((name) => `select 'rows of ${name}', count(*)::text from ${name}`);
  const { rows } = await client.query<{ name: string; fact: string }>([OBJECTS, ...counts].join(" union all "));
  return new Map(rows.map(({ name, fact }) => [name, fact]));
}

/** Compares a database with the one that was restored from its backup. @returns the differences, as sentences */
export function compareFacts(saved: ReadonlyMap<string, string>, restored: ReadonlyMap<string, string>): string[] {
  return [...new Set([...saved.keys(), ...restored.keys()])]
    .filter((name) => saved.get(name) !== restored.get(name))
    .map((name) => `${name}: ${saved.get(name) ?? "none"} in the database, ${restored.get(name) ?? "none"} restored.`);
}

/** Compares the balances of the ledger with its movements. @returns what disagrees, as sentences */
export async function findLedgerProblems(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ problem: string }>(`
    select format('%s of account %s is %s instead of %s.', kind, user_id, found, expected) as problem
    from private.ledger_differences()
    union all select 'The ledger is not reconciled.' from private.reconcile_drops() where not ok`);
  return rows.map(({ problem }) => problem);
}
