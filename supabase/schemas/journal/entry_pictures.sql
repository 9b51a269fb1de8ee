-- Why: The pictures of an entry belong to its content: whoever may read the text sees them, and nobody else. Their files
-- are in the private store under keys that follow from the row; when the row is deleted, they are too. A picture stays the
-- same row when its entry goes to the trash and comes back.

create table nectar.entry_pictures (
  id uuid primary key,
  thumbnail_id uuid not null,
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  entry_id uuid references nectar.journal_entries (id) on delete cascade,
  trashed_entry_id uuid references nectar.trashed_entries (id) on delete cascade,
  position integer not null,
  caption text,
  width integer not null,
  height integer not null,
  size_bytes integer not null,
  file_key text not null generated always as ('pictures/' || user_id::text || '/' || id::text || '.jpg') stored,
  thumbnail_key text not null generated always as ('pictures/' || user_id::text || '/' || thumbnail_id::text || '.jpg') stored,
  created_at timestamptz(3) not null default now(),
  version xid8 not null default pg_current_xact_id(),
  constraint entry_pictures_one_per_position unique (entry_id, position) deferrable,
  constraint entry_pictures_one_entry check (num_nonnulls(entry_id, trashed_entry_id) = 1),
  constraint entry_pictures_position check (position between 0 and 19),
  constraint entry_pictures_caption_length check (char_length(caption) between 1 and 500),
  constraint entry_pictures_width check (width between 1 and 2048),
  constraint entry_pictures_height check (height between 1 and 2048),
  constraint entry_pictures_size check (size_bytes > 0)
);
comment on table nectar.entry_pictures is 'The pictures of entries, in the order of their positions from 0.';
comment on column nectar.entry_pictures.id is 'Also the name of the file.';
comment on column nectar.entry_pictures.thumbnail_id is 'The name of the file with the small picture.';
comment on column nectar.entry_pictures.trashed_entry_id is 'Set instead of entry_id while the entry is in the trash.';
comment on column nectar.entry_pictures.size_bytes is 'Of both files.';
comment on column nectar.entry_pictures.version is 'The transaction that last changed what a client sees of the picture itself, for its etag and the feed of changes.';

create index entry_pictures_own on nectar.entry_pictures (user_id, created_at desc, id desc) include (size_bytes);
create index entry_pictures_version on nectar.entry_pictures (user_id, version, id);
create index entry_pictures_trashed on nectar.entry_pictures (trashed_entry_id);

-- Counts the pictures of an entry whose pictures change, and closes the gap that a deleted one leaves. Security
-- definer: no role may write the count directly.
create function private.count_pictures() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- In a statement of its own, because one that waits counts what was there before.
  perform from nectar.journal_entry_contents c where c.entry_id in (old.entry_id, new.entry_id) for no key update;
  update nectar.journal_entry_contents c
  set picture_count = (select count(*) from nectar.entry_pictures p where p.entry_id = c.entry_id)
  where c.entry_id in (old.entry_id, new.entry_id);
  if tg_op = 'DELETE' then
    update nectar.entry_pictures p set position = p.position - 1
    where p.entry_id = old.entry_id and p.position > old.position;
  end if;
  return null;
end $$;

create trigger entry_pictures__count
  after insert or delete or update of entry_id on nectar.entry_pictures
  for each row execute function private.count_pictures();
create trigger entry_pictures__stamp_version
  before update on nectar.entry_pictures
  for each row when ((old.entry_id, old.position, old.caption) is distinct from (new.entry_id, new.position, new.caption))
  execute function private.stamp_version();
create trigger entry_pictures__sync_files
  after insert or delete on nectar.entry_pictures
  for each row execute function private.sync_file_of_row('private', 'file_key', 'thumbnail_key');
create trigger entry_pictures__record_removal
  after delete on nectar.entry_pictures
  for each row execute function private.record_removal('picture');
create trigger entry_pictures__delete_stored_responses
  after delete on nectar.entry_pictures
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.entry_pictures enable row level security;

-- The sub-select applies the policy of the contents, so the two cannot differ.
create policy "a picture is seen by its owner and by readers of the content" on nectar.entry_pictures
  for select to nectar_user using (
    user_id = (select private.actor_id())
    or exists (select from nectar.journal_entry_contents c where c.entry_id = entry_pictures.entry_id)
  );
create policy "a person adds pictures to their own entries" on nectar.entry_pictures
  for insert to nectar_user with check (
    user_id = (select private.actor_id())
    and exists (
      select from nectar.journal_entries e where e.id = entry_pictures.entry_id and e.user_id = (select private.actor_id())
    )
  );
create policy "the owner changes a picture" on nectar.entry_pictures
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "the owner deletes a picture" on nectar.entry_pictures
  for delete to nectar_user using (user_id = (select private.actor_id()));

grant select, delete,
  insert (id, thumbnail_id, entry_id, position, caption, width, height, size_bytes),
  update (position, caption) on nectar.entry_pictures to nectar_user;

-- Returns the position of the next picture of an entry of the caller, if it has room for one; null if the caller has no
-- such entry. Raises picture.too_many or picture.storage_full. Until the transaction ends no other picture is added to
-- the entry, or to another one of the caller.
create function private.require_picture_room(p_entry_id uuid, p_bytes integer, p_max_bytes bigint) returns integer
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_count integer;
begin
  select c.picture_count into v_count from nectar.journal_entry_contents c
  where c.entry_id = p_entry_id and c.user_id = v_actor for no key update;
  if v_count >= 20 then raise exception 'too many pictures' using errcode = 'NX000', detail = 'picture.too_many'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('pictures of ' || v_actor::text, 0));
  if (select coalesce(sum(p.size_bytes), 0) from nectar.entry_pictures p where p.user_id = v_actor) + p_bytes > p_max_bytes then
    raise exception 'no room for pictures' using errcode = 'NX000', detail = 'picture.storage_full';
  end if;
  return v_count;
end $$;
grant execute on function private.require_picture_room(uuid, integer, bigint) to nectar_user;

-- Claims an upload of the caller, because it becomes a picture; false if it was used before or is too old. Security
-- definer: no role may write the notes directly.
create function private.claim_picture_upload(p_path text) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.stored_files_to_remove f set claimed_at = now()
  where f.store = 'private' and f.path = p_path and f.remove_after > now() and f.claimed_at is null
    and starts_with(p_path, 'picture-uploads/' || private.actor_id() || '/');
  return found;
end $$;
grant execute on function private.claim_picture_upload(text) to nectar_user;

create type private.seen_picture as (
  id uuid, entry_id uuid, "position" integer, caption text, width integer, height integer, size_bytes integer,
  file_key text, thumbnail_key text, created_at text
);
comment on type private.seen_picture is 'A picture of an entry whose content the caller sees.';

-- Returns pictures of entries whose content the caller sees, one more than a response has, in the order of the entries
-- and their positions. In a transaction that writes, it logs what a super admin reads.
create function private.list_pictures(p_entry_ids uuid[]) returns setof private.seen_picture
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  if not current_setting('transaction_read_only')::boolean then
    perform private.log_reads(p_entry_ids, true);
  end if;
  return query
    select p.id, p.entry_id, p.position, p.caption, p.width, p.height, p.size_bytes, p.file_key, p.thumbnail_key,
      private.rfc3339(p.created_at)
    from unnest((select p_entry_ids)) with ordinality e (id, place)
    join nectar.entry_pictures p on p.entry_id = e.id
    order by e.place, p.position
    limit 401;
end $$;
grant execute on function private.list_pictures(uuid[]) to nectar_user;

-- Locks a picture of the caller with all others of its entry; returns the entry, or null if they have no such picture.
-- Whatever changes a picture locks the content of its entry first: the others of the entry change with it, and two
-- changes that begin with their pictures would wait for each other.
create function private.lock_picture(p_id uuid) returns uuid
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_entry_id constant uuid := (
    select p.entry_id from nectar.entry_pictures p where p.id = p_id and p.user_id = private.actor_id()
  );
begin
  perform from nectar.journal_entry_contents c where c.entry_id = v_entry_id for no key update;
  -- Read again, because it may have been deleted meanwhile.
  return (select p.entry_id from nectar.entry_pictures p where p.id = p_id and p.entry_id = v_entry_id);
end $$;
grant execute on function private.lock_picture(uuid) to nectar_user;

-- Moves a locked picture of the caller to a position, or to the last one, and shifts those between.
create function private.move_picture(p_id uuid, p_position integer) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_entry_id constant uuid := (select p.entry_id from nectar.entry_pictures p where p.id = p_id);
  v_last integer;
  v_from integer;
  v_to integer;
begin
  select c.picture_count - 1 into v_last from nectar.journal_entry_contents c where c.entry_id = v_entry_id;
  select p.position, least(p_position, v_last) into v_from, v_to from nectar.entry_pictures p where p.id = p_id;
  update nectar.entry_pictures p
  set position = case when p.id = p_id then v_to else p.position + sign(v_from - v_to) end
  where p.entry_id = v_entry_id and p.position between least(v_from, v_to) and greatest(v_from, v_to);
end $$;
grant execute on function private.move_picture(uuid, integer) to nectar_user;

-- Returns the entry of a picture; null if there is none. Security definer: who sees no more than the metadata of an
-- entry does not see its pictures.
create function private.entry_of_picture(p_id uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (select p.entry_id from nectar.entry_pictures p where p.id = p_id);
end $$;
grant execute on function private.entry_of_picture(uuid) to nectar_user;
