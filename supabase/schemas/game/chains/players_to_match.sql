-- Why: Who has to be matched again is queued in the transaction of the change, so that neither load nor a crash can
-- lose it. The area of each player is stored where an index finds it.

-- Tables --------------------------------------------------------------------------------------------------------------
create table private.player_areas (
  user_id uuid primary key references nectar.workout_windows (user_id) on delete cascade,
  area_key text not null
);
comment on table private.player_areas is 'The area of everyone who has a window, as private.area_key computes it.';

create table private.players_to_match (
  id bigint generated always as identity primary key,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  created_at timestamptz(3) not null default now()
);
comment on table private.players_to_match is
  'Players to match again on current and coming dates because their window or area changed, a neighbor is gone, or they blocked a player of their area. Queued by the change itself, removed once matched.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create index player_areas_players on private.player_areas (area_key);
create index players_to_match_of_user on private.players_to_match (user_id);

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.update_player_area() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_person constant uuid := coalesce(new.user_id, old.user_id);
begin
  if new is not distinct from old then
    return null;
  end if;
  -- If a window and a location are written at the same time, the later transaction sees the earlier one.
  perform from nectar.profiles p where p.id = v_person for no key update;
  if not found then
    return null;
  end if;
  insert into private.player_areas as p (user_id, area_key)
  select w.user_id, private.area_key(l.city, l.region, w.timezone)
  from nectar.workout_windows w
  left join nectar.user_locations l on l.user_id = w.user_id
  where w.user_id = v_person
  on conflict (user_id) do update set area_key = excluded.area_key where p.area_key <> excluded.area_key;
  insert into private.players_to_match (user_id)
  select w.user_id from nectar.workout_windows w where w.user_id = v_person;
  return null;
end
$$;
comment on function private.update_player_area() is
  'Trigger: keeps the area of everyone with a window where an index finds it, and queues them for matching. Security definer: no role may write either directly.';

create function private.queue_linked_players() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  delete from private.open_days o
  where o.day_ends_at = old.day_ends_at and o.user_id = old.user_id and o.chain_id = old.id;
  -- Matching deletes rows too, of people who keep their account; it has matched their neighbors already.
  if found and not exists (select from nectar.profiles p where p.id = old.user_id) then
    insert into private.players_to_match (user_id)
    select o.user_id
    from (
      select unnest(array[old.before_user_id, old.after_user_id])
      union
      select unnest(array[s.user_1_id, s.user_2_id, s.user_3_id]) from nectar.squads s where s.id = old.squad_id
    ) o (user_id)
    where exists (select from nectar.profiles p where p.id = o.user_id);
  end if;
  return null;
end
$$;
comment on function private.queue_linked_players() is
  'Trigger: a deleted day is not open any more; if it was and its account is deleted, queues the neighbors and the squad for matching. Security definer: no role may write open days and the queue directly.';

create function private.queue_blocked_players() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into private.players_to_match (user_id)
  select mine.user_id
  from private.player_areas mine
  join private.player_areas other on other.user_id = new.blocked_id and other.area_key = mine.area_key
  where mine.user_id = new.user_id;
  return null;
end
$$;
comment on function private.queue_blocked_players() is
  'Trigger: a person who blocks a player of their area is queued for matching, which separates the two on all days that have not begun. Security definer: no role may write the queue directly.';

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger workout_windows__update_area
  after insert or update on nectar.workout_windows
  for each row execute function private.update_player_area();
create trigger user_locations__set_area
  after insert or delete on nectar.user_locations
  for each row execute function private.update_player_area();
-- Synthetic users play only where they have coordinates.
create trigger user_locations__update_area
  after update on nectar.user_locations
  for each row when (
    old.city is distinct from new.city or old.region is distinct from new.region
    or (old.latitude is null) <> (new.latitude is null)
  )
  execute function private.update_player_area();
create trigger blocks__queue_players
  after insert on nectar.blocks
  for each row execute function private.queue_blocked_players();
create trigger chains__queue_linked_players
  after delete on nectar.chains
  for each row execute function private.queue_linked_players();

-- Row-level security --------------------------------------------------------------------------------------------------
alter table private.player_areas enable row level security;
alter table private.players_to_match enable row level security;

create policy "the service sees the areas of players" on private.player_areas
  for select to nectar_service using (true);

create policy "the service sees the players to match" on private.players_to_match
  for select to nectar_service using (true);
create policy "the service removes matched players" on private.players_to_match
  for delete to nectar_service using (true);

-- Grants --------------------------------------------------------------------------------------------------------------
grant select on private.player_areas to nectar_service;
grant select, delete on private.players_to_match to nectar_service;
