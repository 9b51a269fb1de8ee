-- Why: People bring in what they wrote elsewhere. An archive may have thousands of entries, so it is uploaded to the store
-- and read by a task in batches. Each batch is one call of private.import_entries, which creates its entries and counts them
-- in one transaction: an import that dies at any point begins again and skips what it has created.

create type nectar.import_source as enum ('nectar', 'day_one', 'markdown');
create type nectar.import_status as enum ('waiting', 'running', 'done', 'failed');

create table nectar.journal_imports (
  id uuid primary key,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  source nectar.import_source not null,
  size integer not null,
  path text not null,
  version text,
  status nectar.import_status not null default 'waiting',
  dry_run boolean not null default false,
  found integer not null default 0,
  created integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  problems jsonb not null default '[]',
  is_checked boolean not null default false,
  created_at timestamptz(3) not null default now(),
  constraint journal_imports_size check (size between 1 and 209715200),
  constraint journal_imports_version check (status <> 'running' or version is not null),
  constraint journal_imports_problem_count check (jsonb_array_length(problems) <= 100)
);
comment on table nectar.journal_imports is 'Archives of entries that people import, and how far each has come.';
comment on column nectar.journal_imports.path is 'The archive in the private store.';
comment on column nectar.journal_imports.version is 'The ETag that the archive had when the import was started: what is uploaded afterwards is not imported.';
comment on column nectar.journal_imports.is_checked is 'Whether the whole archive was read without a problem, so that entries are being created.';

create table private.imported_entries (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  source nectar.import_source not null,
  external_id bytea not null,
  primary key (user_id, source, external_id),
  constraint imported_entries_external_id check (octet_length(external_id) = 32)
);
comment on table private.imported_entries is 'What a person has imported once is not imported again, also after the entry was deleted.';
comment on column private.imported_entries.external_id is 'SHA-256 of what identifies the entry in its source.';

create index journal_imports_own on nectar.journal_imports (user_id);
create unique index journal_imports_one_running on nectar.journal_imports (user_id) where status = 'running';
create index journal_imports_created on nectar.journal_imports (created_at);

-- Keeps the archive of an import until a time, from when on housekeeping removes it; false if it was removed before.
create function private.keep_archive(p_path text, p_until timestamptz) returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.stored_files_to_remove f set remove_after = p_until where f.store = 'private' and f.path = p_path;
  return found;
end $$;

-- Lets the archive of an import be removed once nothing more can be uploaded to its address.
create function private.discard_archive(p_import nectar.journal_imports) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- Until an hour after the import was created, an upload to its address may begin.
  perform private.keep_archive(p_import.path, greatest(now(), p_import.created_at + interval '2 hours'));
end $$;

-- Discards the archive of a deleted import, and the stored responses that contain it. Security definer: no role may
-- write the notes directly.
create function private.discard_import() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.discard_archive(old);
  delete from private.idempotency_keys k where k.resource_id = old.id;
  delete from private.work w where w.kind = 'import' and w.key = old.id::text;
  return null;
end $$;

-- Creates an import of the caller, whose archive is expected in the store. Security definer: the path is built here,
-- because files are removed by it.
create function private.create_import(p_source nectar.import_source, p_size integer) returns nectar.journal_imports
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_import nectar.journal_imports;
begin
  insert into nectar.journal_imports (id, user_id, source, size, path)
  select f.id, private.actor_id(), p_source, p_size, f.path from private.expect_new_file('imports') f
  returning * into v_import;
  perform private.keep_archive(v_import.path, now() + interval '1 day');
  return v_import;
end $$;
grant execute on function private.create_import(nectar.import_source, integer) to nectar_user;

-- Returns the archive of an import of the caller that may be started. Raises import.not_found, or import.ended if there
-- was more than a dry run.
create function private.archive_to_import(p_id uuid) returns text
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_import nectar.journal_imports;
begin
  select * into v_import from nectar.journal_imports i where i.id = p_id and i.user_id = private.actor_id();
  if not found then
    raise exception 'no such import of the caller' using errcode = 'NX000', detail = 'import.not_found';
  end if;
  if v_import.status in ('done', 'failed') and not v_import.dry_run then
    raise exception 'it has ended' using errcode = 'NX000', detail = 'import.ended';
  end if;
  return v_import.path;
end $$;
grant execute on function private.archive_to_import(uuid) to nectar_user;

-- Starts an import of the caller, of a version of its archive: one that waits, or one of which there was a dry run
-- only. Raises what private.archive_to_import raises, import.not_uploaded, or import.in_progress if this or another one
-- of the caller runs. Security definer: no role may write imports directly.
create function private.start_import(p_id uuid, p_version text, p_dry_run boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_path text;
begin
  -- One that ends meanwhile must not be started again.
  perform from nectar.journal_imports i where i.id = p_id and i.user_id = private.actor_id() for no key update;
  v_path := private.archive_to_import(p_id);
  update nectar.journal_imports i
  set status = 'running', version = p_version, dry_run = p_dry_run, found = 0, created = 0, skipped = 0, failed = 0,
    problems = '[]'
  where i.id = p_id and i.status <> 'running';
  if not found then raise exception 'it runs' using errcode = 'NX000', detail = 'import.in_progress'; end if;
  if not private.keep_archive(v_path, now() + interval '1 day') then
    raise exception 'the archive was removed' using errcode = 'NX000', detail = 'import.not_uploaded';
  end if;
  perform private.add_work('import', p_id);
exception when unique_violation then
  raise exception 'another one runs' using errcode = 'NX000', detail = 'import.in_progress';
end $$;
grant execute on function private.start_import(uuid, text, boolean) to nectar_user;

-- Returns what work on a running import needs to know; no row if it does not run any more. first_day and last_day are
-- the days that an entry can be about. Security definer: the service does not read the imports of people.
create function private.import_to_do(p_id uuid) returns table (
  id uuid, user_id uuid, source nectar.import_source, path text, version text, dry_run boolean, is_checked boolean,
  time_zone text, first_day date, last_day date
)
  language sql stable security definer rows 1 set search_path = '' as $$
    select i.id, i.user_id, i.source, i.path, i.version, i.dry_run, i.is_checked, a.timezone, private.first_entry_day(),
      private.last_entry_day(i.user_id)
    from nectar.journal_imports i join nectar.accounts a on a.user_id = i.user_id
    where i.id = p_id and i.status = 'running'
  $$;
grant execute on function private.import_to_do(uuid) to nectar_service;

-- Records how many entries of a running import were found so far, and returns the external ids that its person has
-- already. It creates nothing. Raises what private.lock_importer raises. Security definer: no role may write imports
-- directly.
create function private.check_import_batch(p_id uuid, p_found integer, p_entries jsonb) returns text[]
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_import nectar.journal_imports;
begin
  perform private.lock_importer(p_id);
  -- What is imported is compared as well, from the beginning of the archive again.
  update nectar.journal_imports i set found = greatest(i.found, p_found) where i.id = p_id and i.status = 'running'
  returning * into v_import;
  return array(
    select e.external_id from jsonb_to_recordset(p_entries) e (external_id text, exported_id uuid)
    where private.is_imported(v_import, e.external_id, e.exported_id)
  );
end $$;
grant execute on function private.check_import_batch(uuid, integer, jsonb) to nectar_service;

-- Remembers that the archive of a running import was checked, and counts the pictures of its new entries; false if
-- these are too many. The pictures are counted in the transaction that remembers it, so that an import that dies counts
-- them once. Those of a dry run are only compared with the quota of a day. Raises what private.lock_importer raises.
-- Security definer: no role may write imports directly.
create function private.accept_import(p_id uuid, p_pictures integer) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_import nectar.journal_imports;
begin
  perform private.lock_importer(p_id);
  update nectar.journal_imports i set is_checked = not i.dry_run where i.id = p_id and i.status = 'running'
  returning * into v_import;
  if not found or p_pictures = 0 then return true; end if;
  if v_import.dry_run then
    return p_pictures <= (select q.max_units from private.quotas() q where q.name = 'import_picture');
  end if;
  return private.consume_quota_of(v_import.user_id, 'import_picture', p_pictures) = 0;
end $$;
grant execute on function private.accept_import(uuid, integer) to nectar_service;

-- Imports a batch: creates the entries that are new, and counts what was found up to it; false if the import does not
-- run. Raises what private.lock_importer raises. Security definer: no role may write imports directly, or say when an
-- entry was created.
create function private.import_entries(p_id uuid, p_batch jsonb) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_import nectar.journal_imports;
  v_new jsonb;
  v_created integer;
  v_found constant integer := p_batch ->> 'found';
  v_failed constant integer := p_batch ->> 'failed';
  v_max_problems constant integer := 100;
begin
  if not private.lock_importer(p_id) then return false; end if;
  select * into v_import from nectar.journal_imports i where i.id = p_id and i.status = 'running' and not i.dry_run
  for no key update;
  if not found then return false; end if;
  with given as materialized (
    select distinct on (e.entry ->> 'external_id') e.entry
    from jsonb_array_elements(p_batch -> 'entries') with ordinality e (entry, n) order by e.entry ->> 'external_id', e.n
  ), claimed as (
    insert into private.imported_entries (user_id, source, external_id)
    select v_import.user_id, v_import.source, decode(g.entry ->> 'external_id', 'hex') from given g
    where not private.is_imported(v_import, g.entry ->> 'external_id', (g.entry ->> 'exported_id')::uuid)
    on conflict do nothing returning encode(external_id, 'hex') as external_id
  )
  select coalesce(jsonb_agg(g.entry || jsonb_build_object('id', gen_random_uuid())), '[]') into v_new
  from given g join claimed c on c.external_id = g.entry ->> 'external_id';
  v_created := jsonb_array_length(v_new);
  perform private.insert_imported(v_import.user_id, v_new);
  update nectar.journal_imports i
  set created = i.created + v_created,
    -- After an interruption, they are counted from the beginning of the archive again.
    skipped = greatest(i.skipped, v_found - v_failed - i.created - v_created),
    failed = greatest(i.failed, v_failed),
    problems = jsonb_path_query_array(
      i.problems || (p_batch -> 'picture_problems')
        || case when v_failed > i.failed then p_batch -> 'problems' else '[]' end,
      '$[0 to $last]', jsonb_build_object('last', v_max_problems - 1)
    )
  where i.id = p_id;
  if v_created > 0 then
    update private.work w set attempts = 0 where w.kind = 'import' and w.key = p_id::text;
  end if;
  return true;
end $$;
grant execute on function private.import_entries(uuid, jsonb) to nectar_service;

-- Writes imported entries: private, excluded from AI, and in the notebooks of their names, which are created if they
-- are missing.
create function private.insert_imported(p_user_id uuid, p_entries jsonb) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_created uuid[];
begin
  with created as (
    insert into nectar.notebooks (user_id, name, description, ai_excluded_default)
    select distinct on (e.notebook) p_user_id, e.notebook, e.notebook_description, e.notebook_ai_excluded_default
    from jsonb_to_recordset(p_entries) e (
      notebook text, notebook_description text, notebook_ai_excluded_default boolean
    )
    where e.notebook is not null
      and not exists (select from nectar.notebooks n where n.user_id = p_user_id and n.name = e.notebook)
    order by e.notebook, e.notebook_description, e.notebook_ai_excluded_default desc
    returning id
  )
  select array_agg(c.id) into v_created from created c;
  update nectar.notebook_contents c set template = e.notebook_template
  from nectar.notebooks n
  join (
    select distinct on (o.notebook) o.notebook, o.notebook_template
    from jsonb_to_recordset(p_entries) o (notebook text, notebook_description text, notebook_template text)
    order by o.notebook, o.notebook_description, o.notebook_template
  ) e on e.notebook = n.name
  where n.id = any (v_created) and c.notebook_id = n.id and e.notebook_template is not null;
  perform private.insert_rows('nectar.journal_entries', (
    select jsonb_agg(e.entry || jsonb_build_object(
      'user_id', p_user_id, 'notebook_id', n.id, 'ai_excluded', true, 'is_imported', true, 'inherit_visibility', false,
      'created_at', least((e.entry ->> 'created_at')::timestamptz, now()),
      'updated_at', least((e.entry ->> 'updated_at')::timestamptz, now())
    ))
    from jsonb_array_elements(p_entries) e (entry)
    left join (
      select distinct on (o.name) o.name, o.id from nectar.notebooks o where o.user_id = p_user_id
      order by o.name, o.created_at, o.id
    ) n on n.name = e.entry ->> 'notebook'
  ));
  insert into nectar.journal_entry_contents (entry_id, content)
  select e.id, e.content from jsonb_to_recordset(p_entries) e (id uuid, content text);
  insert into nectar.entry_pictures (id, thumbnail_id, user_id, entry_id, position, caption, width, height, size_bytes)
  select p.id, p.thumbnail_id, p_user_id, e.id, p.position, p.caption, p.width, p.height, p.size_bytes
  from jsonb_to_recordset(p_entries) e (id uuid, pictures jsonb)
  cross join jsonb_to_recordset(e.pictures) p (
    id uuid, thumbnail_id uuid, position integer, caption text, width integer, height integer, size_bytes integer
  );
end $$;

-- Ends a running import, with the counts and problems of the result if it has any. The archive of a dry run stays, so
-- that it can be imported without another upload. Security definer: no role may write imports directly.
create function private.end_import(p_id uuid, p_result jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_import nectar.journal_imports;
begin
  update nectar.journal_imports i
  set status = (p_result ->> 'status')::nectar.import_status,
    found = coalesce((p_result ->> 'found')::integer, i.found),
    created = coalesce((p_result ->> 'created')::integer, i.created),
    skipped = coalesce((p_result ->> 'skipped')::integer, i.skipped),
    failed = coalesce((p_result ->> 'failed')::integer, i.failed),
    problems = coalesce(p_result -> 'problems', i.problems)
  where i.id = p_id and i.status = 'running' returning * into v_import;
  if found and not v_import.dry_run then perform private.discard_archive(v_import); end if;
end $$;
grant execute on function private.end_import(uuid, jsonb) to nectar_service;

-- Locks the profile of the person of a running import; false if the import does not run, or the account is gone. Raises
-- auth.suspended or account.closing: an import writes for its person.
create function private.lock_importer(p_id uuid) returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_user_id uuid;
begin
  select i.user_id into v_user_id from nectar.journal_imports i where i.id = p_id and i.status = 'running';
  return found and private.lock_writer(v_user_id, false, false);
end $$;

-- Returns whether a person has an entry of an archive already: imported before, the exported entry itself, or one in
-- the trash.
create function private.is_imported(p_import nectar.journal_imports, p_external_id text, p_exported_id uuid)
  returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (
    select from private.imported_entries e
    where e.user_id = p_import.user_id and e.source = p_import.source
      and e.external_id = decode(p_external_id, 'hex')
  ) or exists (
    select from nectar.journal_entries j where j.id = p_exported_id and j.user_id = p_import.user_id
  ) or exists (select from nectar.trashed_entries t where t.id = p_exported_id and t.user_id = p_import.user_id);
end $$;

create trigger journal_imports__discard
  after delete on nectar.journal_imports
  for each row execute function private.discard_import();

alter table nectar.journal_imports enable row level security;
alter table private.imported_entries enable row level security;

create policy "a person sees their imports" on nectar.journal_imports
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees imports" on nectar.journal_imports for select to nectar_service using (true);
create policy "the service deletes old imports" on nectar.journal_imports
  for delete to nectar_service using (created_at < now() - interval '30 days');
create policy "no role reads what was imported" on private.imported_entries for select to nectar_service using (false);

grant select on nectar.journal_imports to nectar_user;
grant select (id, status, created_at), delete on nectar.journal_imports to nectar_service;
