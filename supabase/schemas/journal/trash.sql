-- Why: A deleted entry stays in the trash for a while, where only its author finds it. Its row moves to a table of its
-- own, so no policy, index or list has to know about deleted entries. It takes along all that hangs on it, and returns
-- with it.

-- Returns the time until when an entry stays in the trash.
create function private.trash_expires_at(p_deleted_at timestamptz) returns timestamptz
  language sql immutable parallel safe security invoker
  return (p_deleted_at at time zone 'UTC' + interval '30 days') at time zone 'UTC';

create table nectar.trashed_entries (
  id uuid primary key,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  notebook_id uuid,
  title text not null,
  content text,
  mood text,
  mood_source nectar.mood_source,
  tags text[] not null,
  entry_date date not null,
  ai_excluded boolean not null,
  is_imported boolean not null default false,
  comments_enabled boolean not null default true,
  metadata_visibility nectar.visibility not null,
  content_visibility nectar.visibility not null,
  inherit_visibility boolean not null,
  team_id uuid,
  org_id uuid,
  drop_ids uuid[] not null,
  background_id uuid,
  background_quality text,
  background_created_at timestamptz(3),
  background_file text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null generated always as (private.trash_expires_at(deleted_at)) stored,
  constraint trashed_entries_mood_source check ((mood is null) = (mood_source is null))
);
comment on table nectar.trashed_entries is
  'Entries that their authors deleted, as they were. Visible to the author alone, until housekeeping removes them.';
comment on column nectar.trashed_entries.notebook_id is 'No foreign key, and neither have the team and the organization: they may be gone when the entry returns.';
comment on column nectar.trashed_entries.drop_ids is 'The encouragement drops that were about the entry.';
comment on column nectar.trashed_entries.background_file is 'Path of the background in the private store.';

create index trashed_entries_newest_first on nectar.trashed_entries (user_id, deleted_at desc, id desc);
create index trashed_entries_expiry on nectar.trashed_entries (expires_at);

-- Moves an entry of the caller to the trash; false if they have no such entry. Security definer: no role may delete
-- entries, or write to the trash directly.
create function private.trash_entry(p_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_background_file text;
begin
  -- Deleting the entry changes the drops about it.
  perform private.lock_profiles(array(
    select unnest(array[d.sender_id, d.recipient_id]) from nectar.encouragement_drops d where d.entry_id = p_id
  ));
  perform from nectar.journal_entries e where e.id = p_id and e.user_id = private.actor_id() for update;
  if not found then return false; end if;
  -- Before its pictures, as private.lock_picture does.
  perform from nectar.journal_entry_contents c where c.entry_id = p_id for update;
  select b.file_key into v_background_file from nectar.entry_backgrounds b where b.entry_id = p_id;
  perform private.insert_rows('nectar.trashed_entries', (
    select jsonb_build_array(to_jsonb(e) || jsonb_build_object(
      'content', c.content, 'drop_ids', array(select d.id from nectar.encouragement_drops d where d.entry_id = e.id),
      'background_id', b.id, 'background_quality', b.quality, 'background_created_at', b.created_at,
      'background_file', b.file_key
    ))
    from nectar.journal_entries e
    left join nectar.journal_entry_contents c on c.entry_id = e.id
    left join nectar.entry_backgrounds b on b.entry_id = e.id
    where e.id = p_id
  ));
  update nectar.entry_pictures p set entry_id = null, trashed_entry_id = p_id where p.entry_id = p_id;
  delete from nectar.journal_entries e where e.id = p_id;
  -- Deleting the background has discarded its file.
  perform private.keep_file('private', v_background_file);
  return true;
end $$;
grant execute on function private.trash_entry(uuid) to nectar_user;

-- Moves an entry of the caller from the trash back to the journal, unchanged; false if it is not in their trash.
-- Security definer: no role may choose when an entry was written.
create function private.restore_entry(p_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_trashed nectar.trashed_entries;
  v_notebook_id uuid;
  v_org_id uuid;
  v_team_id uuid;
  v_ended nectar.visibility[];
begin
  perform private.lock_profiles(array(
    select unnest(array[d.sender_id, d.recipient_id]) from nectar.encouragement_drops d
    where d.id = any (array(select unnest(t.drop_ids) from nectar.trashed_entries t where t.id = p_id))
    union all
    select m.sender_id from nectar.team_messages m where m.room_id = p_id
  ));
  select * into v_trashed from nectar.trashed_entries t where t.id = p_id and t.user_id = private.actor_id() for update;
  if not found then return false; end if;
  -- What is gone by now, or being deleted, has the effect on the entry that it has on entries in the journal
  -- (private.resolve_entry).
  select n.id into v_notebook_id from nectar.notebooks n where n.id = v_trashed.notebook_id for key share;
  select o.id into v_org_id from nectar.organizations o where o.id = v_trashed.org_id for key share;
  select t.id into v_team_id from nectar.teams t where t.id = v_trashed.team_id for key share;
  v_ended := array_remove(
    array[case when v_team_id is null then 'team' end, case when v_org_id is null then 'org' end]::nectar.visibility[], null
  );
  perform private.insert_rows('nectar.journal_entries', jsonb_build_array(to_jsonb(v_trashed) || jsonb_build_object(
    'notebook_id', v_notebook_id, 'team_id', v_team_id, 'org_id', v_org_id,
    'metadata_visibility', case when v_trashed.metadata_visibility = any (v_ended) then 'user' else v_trashed.metadata_visibility end,
    'content_visibility', case when v_trashed.content_visibility = any (v_ended) then 'user' else v_trashed.content_visibility end,
    'inherit_visibility', v_trashed.inherit_visibility
      and not array[v_trashed.metadata_visibility, v_trashed.content_visibility] && v_ended,
    'hidden_at', private.hidden_since(v_trashed.user_id, 'entry', v_trashed.id)
  )));
  insert into nectar.journal_entry_contents (entry_id, content, comment_count)
  select v_trashed.id, v_trashed.content,
    -- Locked, because a comment that is deleted meanwhile could not be counted any more.
    (select count(*) from (select from nectar.team_messages m where m.room_id = v_trashed.id for key share) c)
  where v_trashed.content is not null;
  update nectar.entry_pictures p set entry_id = v_trashed.id, trashed_entry_id = null where p.trashed_entry_id = v_trashed.id;
  delete from private.removed_things r where r.user_id = v_trashed.user_id and r.type = 'entry' and r.id = p_id;
  -- Before the background is written, because this discards its file.
  delete from nectar.trashed_entries t where t.id = p_id;
  insert into nectar.entry_backgrounds (id, user_id, entry_id, quality, created_at)
  select v_trashed.background_id, v_trashed.user_id, v_trashed.id, v_trashed.background_quality,
    v_trashed.background_created_at
  where v_trashed.background_id is not null;
  update nectar.encouragement_drops d set entry_id = v_trashed.id where d.id = any ((select v_trashed.drop_ids)::uuid[]);
  return true;
end $$;
grant execute on function private.restore_entry(uuid) to nectar_user;

create trigger trashed_entries__delete_comments
  before delete on nectar.trashed_entries
  for each row execute function private.delete_comments();
create trigger trashed_entries__discard_background
  after delete on nectar.trashed_entries
  for each row when (old.background_file is not null)
  execute function private.sync_file_of_row('private', 'background_file');

alter table nectar.trashed_entries enable row level security;

create policy "a person sees their own trash" on nectar.trashed_entries
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person deletes from their own trash" on nectar.trashed_entries
  for delete to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees when trashed entries expire" on nectar.trashed_entries
  for select to nectar_service using (true);
create policy "the service removes expired entries" on nectar.trashed_entries
  for delete to nectar_service using (expires_at <= now());

grant select, delete on nectar.trashed_entries to nectar_user;
grant select (id, expires_at), delete on nectar.trashed_entries to nectar_service;
