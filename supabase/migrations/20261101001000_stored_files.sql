-- Why: pictures live in object stores, their rows here, and no transaction spans both. Whoever stores a file first leaves
-- a note that it may be removed; keeping it takes the note away in the transaction that writes its row. A crash in
-- between leaves the note, and the housekeeping job removes what nobody kept. A file whose row goes is noted again.

-- Tables ----------------------------------------------------------------------------------------------------------------
create table private.stored_files_to_remove (
  store text not null,
  path text not null,
  remove_after timestamptz(3) not null,
  primary key (store, path),
  constraint stored_files_to_remove_store check (store in ('private', 'tone-packs')),
  constraint stored_files_to_remove_path_length check (char_length(path) between 1 and 1024)
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index stored_files_to_remove_due on private.stored_files_to_remove (remove_after);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.expect_file(store text, path text) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    insert into private.stored_files_to_remove (store, path, remove_after)
    values (expect_file.store, expect_file.path, now() + interval '1 hour')
  $$;
comment on function private.expect_file(text, text) is
  'Called before a file is stored: unless private.keep_file follows within the hour, the file is removed. An error for a path that is expected already.';

create function private.keep_file(store text, path text) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    delete from private.stored_files_to_remove f where f.store = keep_file.store and f.path = keep_file.path
  $$;
comment on function private.keep_file(text, text) is 'Called in the transaction that writes the row of a stored file: the file stays.';

create function private.discard_file(store text, path text) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    insert into private.stored_files_to_remove (store, path, remove_after)
    values (discard_file.store, discard_file.path, now())
    on conflict on constraint stored_files_to_remove_pkey do update set remove_after = now()
  $$;
comment on function private.discard_file(text, text) is
  'Called by triggers of tables that own files: the file of a row that is gone is removed by the housekeeping job.';

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table private.stored_files_to_remove enable row level security;

create policy "the service sees what is to be removed" on private.stored_files_to_remove
  for select to nectar_service using (true);
create policy "the service crosses out what is removed" on private.stored_files_to_remove
  for delete to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select, delete on private.stored_files_to_remove to nectar_service;

revoke execute on all functions in schema private from public;
grant execute on function private.expect_file(text, text), private.keep_file(text, text) to nectar_user;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table private.stored_files_to_remove is 'Files in the object stores that no row owns, and from when on they may be removed.';
