-- Why: Who has to be matched again is queued in the transaction of the change, so that neither load nor a crash can
-- lose it. The area of each player is stored where an index finds it.

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

create index player_areas_players on private.player_areas (area_key);
create index players_to_match_of_user on private.players_to_match (user_id);

-- Queues a person who blocks a player of their area for matching, which separates the two on all days that have not
-- begun.
create function private.queue_blocked_players(p_block nectar.blocks) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.players_to_match (user_id)
  select mine.user_id from private.player_areas mine
  join private.player_areas other on other.user_id = p_block.blocked_id and other.area_key = mine.area_key
  where mine.user_id = p_block.user_id;
end $$;

alter table private.player_areas enable row level security;
alter table private.players_to_match enable row level security;

create policy "the service sees the areas of players" on private.player_areas for select to nectar_service using (true);

create policy "the service sees the players to match" on private.players_to_match
  for select to nectar_service using (true);
create policy "the service removes matched players" on private.players_to_match
  for delete to nectar_service using (true);

grant select on private.player_areas to nectar_service;
grant select, delete on private.players_to_match to nectar_service;
