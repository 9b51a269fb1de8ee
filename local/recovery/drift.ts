import type pg from "pg";

/** Every object of the service's schemas with its definition and its grants. Names of owners are left out. */
const OBJECTS = `
  with own as (select oid, nspname from pg_namespace where nspname in ('nectar', 'private'))
  select format('column %s.%I', a.attrelid::regclass, a.attname) as name,
    concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
      pg_get_expr(d.adbin, d.adrelid), grants.text) as definition
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'v')
  join own on own.oid = c.relnamespace
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  cross join lateral (
    select string_agg(format('%s:%s', g.grantee::regrole, g.privilege_type), ',' order by g.grantee::regrole::text, g.privilege_type) as text
    from aclexplode(a.attacl) g
  ) grants
  where a.attnum > 0 and not a.attisdropped
  union all
  select format('table %s', c.oid::regclass), concat_ws(' ', c.relrowsecurity, grants.text)
  from pg_class c
  join own on own.oid = c.relnamespace
  cross join lateral (
    select string_agg(format('%s:%s', g.grantee::regrole, g.privilege_type), ',' order by g.grantee::regrole::text, g.privilege_type) as text
    from aclexplode(c.relacl) g where g.grantee <> c.relowner
  ) grants
  where c.relkind in ('r', 'v')
  union all
  select format('index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
  from pg_index i join pg_class c on c.oid = i.indrelid join own on own.oid = c.relnamespace
  union all
  select format('constraint %s on %s', k.conname, k.conrelid::regclass), pg_get_constraintdef(k.oid)
  from pg_constraint k join own on own.oid = k.connamespace
  union all
  select format('trigger %s on %s', t.tgname, t.tgrelid::regclass), pg_get_triggerdef(t.oid)
  from pg_trigger t
  join pg_proc p on p.oid = t.tgfoid
  join own on own.oid = p.pronamespace
  where not t.tgisinternal
  union all
  select format('type %s', e.enumtypid::regtype), string_agg(e.enumlabel, ',' order by e.enumsortorder)
  from pg_enum e join pg_type t on t.oid = e.enumtypid join own on own.oid = t.typnamespace
  group by e.enumtypid
  union all
  select format('sequence %s', s.seqrelid::regclass),
    concat_ws(' ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcycle, grants.text)
  from pg_sequence s
  join pg_class c on c.oid = s.seqrelid
  join own on own.oid = c.relnamespace
  cross join lateral (
    select string_agg(format('%s:%s', g.grantee::regrole, g.privilege_type), ',' order by g.grantee::regrole::text, g.privilege_type) as text
    from aclexplode(c.relacl) g where g.grantee <> c.relowner
  ) grants
  union all
  select format('policy %s on %s.%s', p.policyname, p.schemaname, p.tablename),
    concat_ws(' ', p.permissive, p.roles::text, p.cmd, p.qual, p.with_check)
  from pg_policies p where p.schemaname in ('nectar', 'private')
  union all
  select format('function %s', p.oid::regprocedure), concat_ws(' ', md5(pg_get_functiondef(p.oid)), grants.text)
  from pg_proc p
  join own on own.oid = p.pronamespace
  cross join lateral (
    select string_agg(format('%s:%s', g.grantee::regrole, g.privilege_type), ',' order by g.grantee::regrole::text) as text
    from aclexplode(p.proacl) g where g.grantee <> p.proowner
  ) grants
  where p.prokind in ('f', 'p')`;

/**
 * Compares the schemas of two databases.
 * @returns a sentence for each object that only one of them has, or that is not the same in both
 */
export async function findDrift(live: pg.ClientBase, fresh: pg.ClientBase): Promise<string[]> {
  const [there, here] = await Promise.all([readObjects(live), readObjects(fresh)]);
  const names = [...new Set([...there.keys(), ...here.keys()])].sort();
  return names.flatMap((name) => {
    if (!here.has(name)) return [`The database has the ${name}, which the migrations do not make.`];
    if (!there.has(name)) return [`The database lacks the ${name}.`];
    return there.get(name) === here.get(name) ? [] : [`The ${name} is not as the migrations make it.`];
  });
}

async function readObjects(client: pg.ClientBase): Promise<Map<string, string>> {
  // Definitions leave out the schemas of the search path, which is not the same for all roles.
  await client.query("set search_path = ''");
  const { rows } = await client.query<{ name: string; definition: string }>(OBJECTS);
  await client.query("reset search_path");
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}
