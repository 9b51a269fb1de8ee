-- Why: Pictures live in object stores, their rows here, and no transaction spans both. So before a file is stored, a
-- note is written that it may be removed; the transaction that writes the file's row deletes the note. After a crash in
-- between, the note is left, and the housekeeping job removes the file. When a row is deleted, its file is noted again.
-- Noted files are removed, so a person's request can only note paths that contain the person's id: they are built here,
-- or checked where the API fixes them. Only triggers and other security definer functions delete notes.

create table private.stored_files_to_remove (
  store text not null,
  path text not null,
  remove_after timestamptz(3) not null,
  claimed_at timestamptz(3),
  primary key (store, path),
  constraint stored_files_to_remove_store check (store in ('private', 'tone-packs')),
  constraint stored_files_to_remove_path_length check (char_length(path) between 1 and 1024)
);
comment on table private.stored_files_to_remove is 'Files in the object stores that no row owns, and from when on they may be removed.';
comment on column private.stored_files_to_remove.claimed_at is 'When an upload was used. It is removed once more later, because its address can be used again.';

create index stored_files_to_remove_due on private.stored_files_to_remove (remove_after);

-- Records a file before it is stored: unless private.keep_file follows within the hour, it is removed. A path that is
-- expected already is an error. Only other functions call it, because it takes any path.
create function private.expect_file(p_store text, p_path text) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.stored_files_to_remove (store, path, remove_after)
  values (p_store, p_path, now() + interval '1 hour');
end $$;

-- Expects a new private file of the caller and returns its id and path. Raises service.unexpected for an unknown kind.
-- Security definer: no role may write the notes directly.
create function private.expect_new_file(p_kind text) returns table (id uuid, path text)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_ending constant text :=
    case p_kind
      when 'backgrounds' then '.png'
      when 'checkins' then '.jpg'
      when 'checkin-uploads' then ''
      when 'imports' then '.zip'
      when 'pictures' then '.jpg'
      when 'picture-uploads' then ''
    end;
begin
  if v_ending is null or v_actor is null then
    raise exception 'unknown kind of file, or no caller' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  id := gen_random_uuid();
  path := p_kind || '/' || v_actor || '/' || id || v_ending;
  perform private.expect_file('private', path);
  return next;
end $$;
grant execute on function private.expect_new_file(text) to nectar_user;

-- Expects an image of a tone pack of the caller; false if it is expected already. The API fixes the path, so it is
-- checked and not built. Raises service.unexpected for a path of another person. Security definer: no role may write
-- the notes directly.
create function private.expect_tone_image(p_path text) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if starts_with(p_path, private.actor_id() || '/') is not true then
    raise exception 'the path does not begin with the caller' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  insert into private.stored_files_to_remove as f (store, path, remove_after)
  values ('tone-packs', p_path, now() + interval '1 hour') on conflict do nothing;
  return found;
end $$;
grant execute on function private.expect_tone_image(text) to nectar_user;

-- Expects a new image of a mosaic and returns its path. Security definer: no role may write the notes directly.
create function private.expect_mosaic(p_date date) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_path constant text := 'mosaics/' || p_date || '/' || gen_random_uuid() || '.png';
begin
  perform private.expect_file('private', v_path);
  return v_path;
end $$;
grant execute on function private.expect_mosaic(date) to nectar_service;

-- Keeps a stored file whose row is written. Triggers and functions that write the row call it.
create function private.keep_file(p_store text, p_path text) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from private.stored_files_to_remove f where f.store = p_store and f.path = p_path;
end $$;

-- Lets the housekeeping job remove a file whose row is gone. Triggers of tables that own files call it.
create function private.discard_file(p_store text, p_path text) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.stored_files_to_remove (store, path, remove_after) values (p_store, p_path, now())
  on conflict on constraint stored_files_to_remove_pkey do update set remove_after = now();
end $$;

-- Keeps the files of a row, and discards those that the row no longer names. The arguments are the store and the
-- columns with the paths. Security definer: no role may write the notes directly.
create function private.sync_file_of_row() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_column text;
  v_old text;
  v_new text;
begin
  foreach v_column in array tg_argv[1:] loop
    v_old := to_jsonb(old) ->> v_column;
    v_new := to_jsonb(new) ->> v_column;
    if v_old is distinct from v_new and v_old is not null then perform private.discard_file(tg_argv[0], v_old); end if;
    if v_new is not null then perform private.keep_file(tg_argv[0], v_new); end if;
  end loop;
  return null;
end $$;

alter table private.stored_files_to_remove enable row level security;

create policy "the service reads which files to remove" on private.stored_files_to_remove
  for select to nectar_service using (true);
create policy "the service deletes the notes of removed files" on private.stored_files_to_remove
  for delete to nectar_service using (true);

grant select, delete on private.stored_files_to_remove to nectar_service;
