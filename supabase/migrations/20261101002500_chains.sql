-- Why: for every date the players of a place form chains, each after the one whose window ends closest before theirs, and
-- squads of three of one team. A row keeps the window of its date as it was matched, so that nothing that happens to the
-- window later changes a game that has begun. Who is matched with whom is worked out in memory; here is where it is read
-- from and written to, each in one go.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.team_color as enum ('red', 'blue');

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.squads (
  id uuid primary key default gen_random_uuid(),
  date date not null,
  user_1_id uuid references nectar.profiles (id) on delete set null,
  user_2_id uuid references nectar.profiles (id) on delete set null,
  user_3_id uuid references nectar.profiles (id) on delete set null,
  team_color nectar.team_color not null,
  created_at timestamptz(3) not null default now(),
  constraint squads_once unique (date, user_1_id, user_2_id, user_3_id),
  constraint squads_members_differ check (
    user_1_id <> user_2_id and user_1_id <> user_3_id and user_2_id <> user_3_id
  )
);

create table nectar.chains (
  id uuid primary key default gen_random_uuid(),
  date date not null,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  before_user_id uuid references nectar.profiles (id) on delete set null,
  after_user_id uuid references nectar.profiles (id) on delete set null,
  team_color nectar.team_color not null,
  squad_id uuid references nectar.squads (id) on delete set null,
  place_key text not null,
  activity_type nectar.activity_type not null,
  timezone text not null,
  window_start_time time(0) not null,
  window_end_time time(0) not null,
  window_starts_at timestamptz(3) not null,
  window_ends_at timestamptz(3) not null,
  closed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint chains_one_a_day unique (date, user_id),
  constraint chains_nobody_is_linked_to_themselves check (user_id <> before_user_id and user_id <> after_user_id),
  constraint chains_window_ends_after_its_start check (window_ends_at > window_starts_at)
);

create table nectar.team_colors (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  week_start_date date not null,
  color nectar.team_color not null,
  primary key (week_start_date, user_id),
  constraint team_colors_week_starts_on_monday check (extract(isodow from week_start_date) = 1)
);

create table private.player_places (
  user_id uuid primary key references nectar.workout_windows (user_id) on delete cascade,
  place_key text not null
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index squads_of_user_1 on nectar.squads (user_1_id);
create index squads_of_user_2 on nectar.squads (user_2_id);
create index squads_of_user_3 on nectar.squads (user_3_id);
create index chains_of_user on nectar.chains (user_id, date);
create index chains_before on nectar.chains (before_user_id);
create index chains_after on nectar.chains (after_user_id);
create index chains_of_squad on nectar.chains (squad_id);
create index chains_of_place on nectar.chains (date, place_key);
create index chains_open on nectar.chains (window_ends_at) where closed_at is null;
create index team_colors_of_user on nectar.team_colors (user_id);
create index player_places_players on private.player_places (place_key);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.place_player() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into private.player_places as p (user_id, place_key)
  select w.user_id, private.place_key(l.city, l.region, w.timezone)
  from nectar.workout_windows w
  left join nectar.user_locations l on l.user_id = w.user_id
  where w.user_id = coalesce(new.user_id, old.user_id)
  on conflict (user_id) do update set place_key = excluded.place_key where p.place_key <> excluded.place_key;
  return null;
end
$$;
comment on function private.place_player() is
  'Trigger: keeps the place of everybody with a window where an index finds it. Definer: nobody writes places by themselves.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger workout_windows_place_player
  after insert or update of timezone on nectar.workout_windows
  for each row execute function private.place_player();
create trigger user_locations_place_player
  after insert or delete or update of city, region on nectar.user_locations
  for each row execute function private.place_player();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.squads enable row level security;
alter table nectar.chains enable row level security;
alter table nectar.team_colors enable row level security;
alter table private.player_places enable row level security;

create policy "anyone signed in sees the squads" on nectar.squads
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees the squads" on nectar.squads
  for select to nectar_service using (true);
create policy "anyone signed in sees the chains" on nectar.chains
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees the chains" on nectar.chains
  for select to nectar_service using (true);
create policy "the service closes chains" on nectar.chains
  for update to nectar_service using (true) with check (true);
create policy "anyone signed in sees the teams" on nectar.team_colors
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees the teams" on nectar.team_colors
  for select to nectar_service using (true);
create policy "the service sees who plays where" on private.player_places
  for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.squads, nectar.chains, nectar.team_colors to nectar_user, nectar_service;
grant update (closed_at) on nectar.chains to nectar_service;
grant select on private.player_places to nectar_service;
revoke execute on all functions in schema private from public;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.squads is 'Three of one team and place on a date. Somebody who leaves a squad that has begun leaves a gap until somebody is free.';
comment on table nectar.chains is 'Who plays on a date: the neighbours in the chain, team, squad, and the window as it was matched. Written by private.write_chains.';
comment on column nectar.chains.before_user_id is 'Whose window ends closest before this one starts, of those who are not taken.';
comment on column nectar.chains.after_user_id is 'Whose window starts closest after this one ends, of those who are not taken.';
comment on column nectar.chains.place_key is 'Whom they are matched with: everybody of the same place.';
comment on column nectar.chains.window_starts_at is 'The moment, after what daylight saving does to that date.';
comment on column nectar.chains.closed_at is 'When the end of this day was processed.';
comment on table nectar.team_colors is 'The team of a person, for a week of the calendar.';
comment on table private.player_places is 'The place of everybody with a window, as private.place_key says it.';
