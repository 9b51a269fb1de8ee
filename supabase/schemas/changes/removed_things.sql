-- Why: A device that was offline learns what was deleted meanwhile, so the id of a deleted thing is remembered for a
-- while, and nothing else of it. Everything else about changes is in the rows themselves: each has the transaction that
-- last changed it.

create type nectar.thing_type as enum (
  'entry', 'notebook', 'goal', 'goal_check_in', 'wellness_entry', 'picture', 'profile'
);
comment on type nectar.thing_type is 'What the feed of a person''s own changes shows.';

create table private.removed_things (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  type nectar.thing_type not null,
  id uuid not null,
  version xid8 not null default pg_current_xact_id(),
  removed_at timestamptz(3) not null default now(),
  primary key (user_id, type, id)
);
comment on table private.removed_things is 'What a person deleted, or moved to the trash, without its content.';
comment on column private.removed_things.version is 'The transaction that deleted it.';

create index removed_things_version on private.removed_things (user_id, version, id);
create index removed_things_age on private.removed_things (removed_at);

-- Remembers that a thing was deleted, unless its account is being erased. The argument is its type. Security definer: no
-- role may write removed things directly.
create function private.record_removal() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.removed_things (user_id, type, id)
  select p.id, tg_argv[0]::nectar.thing_type, old.id
  from nectar.profiles p join nectar.accounts a on a.user_id = p.id
  where p.id = old.user_id and a.erasing_since is null
  on conflict (user_id, type, id) do update set version = excluded.version, removed_at = excluded.removed_at;
  return null;
end $$;

alter table private.removed_things enable row level security;

create policy "the service sees the age of removed things" on private.removed_things
  for select to nectar_service using (true);
create policy "the service forgets old removed things" on private.removed_things
  for delete to nectar_service using (true);

grant select (user_id, type, id, removed_at), delete on private.removed_things to nectar_service;
