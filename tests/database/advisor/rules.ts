/** One rule about the schema: a query that returns a line for each offender, and an offender that proves that it looks. */
export interface Rule {
  readonly name: string;
  /** Returns one row per offender with its name in `offender`. */
  readonly query: string;
  /** SQL that creates something which breaks the rule, and the offender's name that must then be found. */
  readonly provocation: string;
  readonly caught: string;
}

const OURS = "('nectar', 'private')";

/** Functions of ours that clients of Supabase's data API may call on purpose and that ask who calls, as a list for SQL. */
const DELIBERATE_OPENINGS = "('public.get_user_token_usage_monthly')";

/** Policies of ours with their expressions, as the catalog prints them. */
const POLICIES = `
  select format('%I.%I: %s', p.schemaname, p.tablename, p.policyname) as offender,
         p.schemaname, p.tablename, p.policyname, p.permissive, p.roles, p.cmd,
         concat_ws(' ', p.qual, p.with_check) as expression
  from pg_catalog.pg_policies p where p.schemaname in ${OURS}`;

const FUNCTIONS = `
  select format('%I.%I', n.nspname, p.proname) as offender, p.*, n.nspname
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ${OURS} or format('%I.%I', n.nspname, p.proname) in ${DELIBERATE_OPENINGS}`;

const RELATIONS = `
  select format('%I.%I', n.nspname, c.relname) as offender, c.*
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ${OURS}`;

export const RULES: readonly Rule[] = [
  {
    name: "row-level security is on for every table",
    query: `select offender from (${RELATIONS}) t where t.relkind in ('r', 'p') and not t.relrowsecurity`,
    provocation: "create table nectar.open_door (id int)",
    caught: "nectar.open_door",
  },
  {
    name: "every table has a policy",
    query: `select offender from (${RELATIONS}) t where t.relkind in ('r', 'p')
      and not exists (select from pg_catalog.pg_policy p where p.polrelid = t.oid)`,
    provocation: "create table nectar.walled_up (id int); alter table nectar.walled_up enable row level security",
    caught: "nectar.walled_up",
  },
  {
    name: "no policy asks for every row who is calling",
    // What is left of an expression once every "( SELECT ...)" that stands for itself is taken out must call none of these;
    // a function of ours that is given a column depends on the row, and the public audience is a constant.
    query: `select offender from (${POLICIES}) p
      where regexp_replace(p.expression, '\\( ?SELECT \\(?(private|auth)\\.\\w+\\(\\)( (=|<>) ''\\{\\}''::uuid\\[\\]\\))?( AS [^)]+)?\\)', '', 'g')
        ~ '(auth\\.(uid|jwt|role|email)|current_setting) ?\\(|private\\.(?!public_audience)\\w+ ?\\(\\)'`,
    provocation: `create policy "slow" on nectar.notebooks for select to nectar_service using (user_id = private.actor_id())`,
    caught: "nectar.notebooks: slow",
  },
  {
    name: "one policy for a table, command and role",
    query: `select format('%I.%I: %s for %s', p.schemaname, p.tablename, c.command, r.role) as offender
      from (${POLICIES}) p
      cross join lateral unnest(p.roles) as r (role)
      cross join lateral unnest(
        case p.cmd when 'ALL' then array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] else array[p.cmd] end) as c (command)
      where p.permissive = 'PERMISSIVE'
      group by p.schemaname, p.tablename, c.command, r.role having count(*) > 1`,
    provocation: `create policy "again" on nectar.teams for all to nectar_user using (false)`,
    caught: "nectar.teams: SELECT for nectar_user",
  },
  {
    name: "every policy names the roles that it is for, and only ours",
    query: `select offender from (${POLICIES}) p where not p.roles <@ array['nectar_user', 'nectar_service']::name[]`,
    provocation: `create policy "all comers" on nectar.teams for select using (false)`,
    caught: `nectar.teams: all comers`,
  },
  {
    name: "every foreign key has an index that begins with its first column",
    query: `select format('%s: %I', t.offender, k.conname) as offender
      from pg_catalog.pg_constraint k join (${RELATIONS}) t on t.oid = k.conrelid
      where k.contype = 'f' and not exists (
        select from pg_catalog.pg_index i
        where i.indrelid = k.conrelid and i.indisvalid
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$')
          and i.indkey[0] = k.conkey[1])`,
    provocation:
      "alter table nectar.teams add column mentor uuid constraint mentor_exists references nectar.profiles (id)",
    caught: "nectar.teams: mentor_exists",
  },
  {
    name: "no index repeats another, or its beginning",
    query: `select format('%s: %I', t.offender, c.relname) as offender
      from pg_catalog.pg_index i join (${RELATIONS}) t on t.oid = i.indrelid
      join pg_catalog.pg_class c on c.oid = i.indexrelid
      where not i.indisunique and exists (select from pg_catalog.pg_index o
        where o.indrelid = i.indrelid and o.indexrelid <> i.indexrelid
          and starts_with(o.indkey::text || ' ', i.indkey::text || ' ') and starts_with(o.indoption::text || ' ', i.indoption::text || ' ')
          and starts_with(o.indclass::text || ' ', i.indclass::text || ' ')
          and o.indpred is not distinct from i.indpred and o.indexprs is not distinct from i.indexprs)`,
    provocation: "create index twin on nectar.notebooks (user_id, created_at desc, id desc)",
    caught: "nectar.notebooks: twin",
  },
  {
    name: "every table has a primary key",
    query: `select offender from (${RELATIONS}) t where t.relkind in ('r', 'p')
      and not exists (select from pg_catalog.pg_index i where i.indrelid = t.oid and i.indisprimary)`,
    provocation: "create table nectar.nameless (id int)",
    caught: "nectar.nameless",
  },
  {
    name: "every function pins its search_path to nothing, unless its names were resolved when it was created",
    query: `select offender from (${FUNCTIONS}) f
      where not coalesce(f.proconfig @> array['search_path=""'], false)
        and (f.prosqlbody is null or f.prosecdef)`,
    provocation: "create function private.wanders() returns int language sql as 'select 1'",
    caught: "private.wanders",
  },
  {
    name: "no function is open to everyone or to clients of the data API",
    query: `select f.offender from (${FUNCTIONS}) f
      where f.offender not in ${DELIBERATE_OPENINGS} and exists (
        select from aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a
        left join pg_catalog.pg_roles r on r.oid = a.grantee
        where a.privilege_type = 'EXECUTE'
          and (a.grantee = 0 or r.rolname in ('anon', 'authenticated', 'authenticator')))`,
    provocation: "create function private.open_to_all() returns int language sql set search_path = '' as 'select 1'",
    caught: "private.open_to_all",
  },
  {
    name: "no table, view or sequence is granted to everyone or to clients of the data API",
    query: `select distinct t.offender from (${RELATIONS}) t
      cross join lateral aclexplode(t.relacl) a
      left join pg_catalog.pg_roles r on r.oid = a.grantee
      where a.grantee = 0 or r.rolname in ('anon', 'authenticated', 'authenticator')`,
    provocation: "grant select on nectar.teams to public",
    caught: "nectar.teams",
  },
  {
    name: "a function that runs with its owner's rights lives in private",
    query: `select format('%I.%I', n.nspname, p.proname) as offender
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname in ('nectar', 'public')
        and format('%I.%I', n.nspname, p.proname) not in ${DELIBERATE_OPENINGS}`,
    provocation:
      "create function nectar.too_powerful() returns int language sql security definer set search_path = '' as 'select 1'",
    caught: "nectar.too_powerful",
  },
  {
    name: "a definer function that a person may call with a moment, and that may write, checks the moment",
    query: `select offender from (${FUNCTIONS}) f
      where f.prosecdef and has_function_privilege('nectar_user', f.oid, 'execute')
        and 'timestamptz'::regtype = any (f.proargtypes) and f.provolatile = 'v'
        and f.prosrc !~ 'perform private\\.check_moment\\('`,
    provocation: `create function private.at_any_moment(p_moment timestamptz) returns int
        language sql security definer set search_path = '' as 'select 1';
      grant execute on function private.at_any_moment(timestamptz) to nectar_user`,
    caught: "private.at_any_moment",
  },
  {
    name: "a view asks the policies of who is looking",
    query: `select offender from (${RELATIONS}) t where t.relkind = 'm'
      or (t.relkind = 'v' and not coalesce(t.reloptions @> array['security_invoker=true'], false))`,
    provocation: "create view nectar.peephole as select 1 as one",
    caught: "nectar.peephole",
  },
  {
    name: "every table and view has a comment",
    query: `select offender from (${RELATIONS}) t
      where t.relkind in ('r', 'p', 'v', 'm') and obj_description(t.oid, 'pg_class') is null`,
    provocation: "create table nectar.unexplained (id int)",
    caught: "nectar.unexplained",
  },
  {
    name: "every function has a comment",
    query: `select offender from (${FUNCTIONS}) f where obj_description(f.oid, 'pg_proc') is null`,
    provocation: "create function private.unexplained() returns int language sql set search_path = '' as 'select 1'",
    caught: "private.unexplained",
  },
  {
    name: "the comment of a function is a sentence of at most 160 characters",
    query: `select offender from (${FUNCTIONS}) f
      where obj_description(f.oid, 'pg_proc') !~ '^[A-Z].{1,158}\\.$'`,
    provocation: `create function private.wordy() returns int language sql set search_path = '' as 'select 1';
      do $$ begin
        execute format('comment on function private.wordy() is %L', 'Returns ' || repeat('very ', 40) || 'much.');
      end $$`,
    caught: "private.wordy",
  },
  {
    name: "a trigger is named after its table and task",
    query: `select t.tgname as offender
      from pg_catalog.pg_trigger t
      join pg_catalog.pg_class c on c.oid = t.tgrelid
      join (${FUNCTIONS}) f on f.oid = t.tgfoid
      where not t.tgisinternal and t.tgname !~ ('^' || c.relname || '__[a-z]')`,
    provocation:
      "create trigger touches before update on nectar.teams for each row execute function private.touch_updated_at()",
    caught: "touches",
  },
  {
    name: "both schemas and every role of ours have a comment",
    query: `select n.nspname as offender from pg_catalog.pg_namespace n
      where n.nspname in ${OURS} and obj_description(n.oid, 'pg_namespace') is null
      union all
      select r.rolname from pg_catalog.pg_roles r
      where r.rolname ~ '^nectar_' and shobj_description(r.oid, 'pg_authid') is null`,
    provocation: "comment on schema nectar is null",
    caught: "nectar",
  },
  {
    name: "no role of ours stands above the policies",
    query: `select rolname as offender from pg_catalog.pg_roles
      where rolname ~ '^nectar_' and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolinherit)`,
    provocation: "alter role nectar_service bypassrls",
    caught: "nectar_service",
  },
];
