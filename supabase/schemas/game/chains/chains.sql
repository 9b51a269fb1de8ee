-- Why: On every date the players of an area form chains, each after the player whose window ends closest before theirs,
-- and squads of three from one team. A row keeps the window of its date as it was matched, so that later changes of the
-- window do not change a game that has begun.

create type nectar.team_color as enum ('red', 'blue');

-- Returns the Monday of the week of a date. weekStart in packages/core/time/calendar-date.ts is the same for requests
-- and matching; a test compares them.
create function private.week_start(p_date date) returns date
  language sql immutable parallel safe security invoker
  return p_date - (extract(isodow from p_date)::integer - 1);
grant execute on function private.week_start(date) to nectar_user, nectar_service;

create table nectar.squads (
  id uuid primary key default gen_random_uuid(),
  date date not null,
  user_1_id uuid references nectar.profiles (id) on delete set null,
  user_2_id uuid references nectar.profiles (id) on delete set null,
  user_3_id uuid references nectar.profiles (id) on delete set null,
  team_color nectar.team_color not null,
  created_at timestamptz(3) not null default now(),
  constraint squads_once unique (date, user_1_id, user_2_id, user_3_id),
  constraint squads_members_differ check (user_1_id <> user_2_id and user_1_id <> user_3_id and user_2_id <> user_3_id)
);
comment on table nectar.squads is
  'Three players of one team and area on a date. Once the squad plays, a member who leaves is replaced only when another player is free.';

create table nectar.chains (
  id uuid primary key default gen_random_uuid(),
  date date not null,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  before_user_id uuid references nectar.profiles (id) on delete set null,
  after_user_id uuid references nectar.profiles (id) on delete set null,
  team_color nectar.team_color not null,
  squad_id uuid references nectar.squads (id) on delete set null,
  area_key text not null,
  activity_type nectar.activity_type not null,
  custom_activity text,
  timezone text not null,
  window_start_time time(0) not null,
  window_end_time time(0) not null,
  window_starts_at timestamptz(3) not null,
  window_ends_at timestamptz(3) not null,
  day_ends_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  -- Its columns are all that private.count_players reads.
  constraint chains_one_a_day unique (date, user_id) include (team_color, window_ends_at, day_ends_at),
  constraint chains_other_is_named check ((activity_type = 'other') = (custom_activity is not null)),
  constraint chains_not_linked_to_self check (user_id <> before_user_id and user_id <> after_user_id),
  constraint chains_window_ends_after_its_start check (window_ends_at > window_starts_at),
  constraint chains_day_ends_after_the_window check (day_ends_at > window_ends_at)
)
-- Vacuumed after so many new rows, because private.count_players reads the index alone only where it has been.
with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000);
comment on table nectar.chains is
  'Who plays on a date: the neighbors in the chain, team, squad, and the window as it was matched. Written by private.write_chains.';
comment on column nectar.chains.before_user_id is 'The available player whose window ends closest before this one starts.';
comment on column nectar.chains.after_user_id is 'The available player whose window starts closest after this one ends.';
comment on column nectar.chains.area_key is
  'Players of the same area are matched. It says where a person lives, so only the service reads it.';
comment on column nectar.chains.custom_activity is 'Set if and only if the activity is other.';
comment on column nectar.chains.window_starts_at is 'The instant, with daylight saving of that date taken into account.';
comment on column nectar.chains.day_ends_at is
  'The end of the local day on which the window ends: a photo may be uploaded until then.';

create table private.open_days (
  day_ends_at timestamptz(3) not null,
  user_id uuid not null,
  chain_id uuid not null,
  primary key (day_ends_at, user_id, chain_id)
);
comment on table private.open_days is
  'The rows of nectar.chains whose end of the day was not processed yet. Not a column of the chains: changing it would write all their indexes, which took half of the time of ending a day. Kept by triggers.';

create table nectar.team_colors (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  week_start_date date not null,
  color nectar.team_color not null,
  primary key (week_start_date, user_id) include (color),
  constraint team_colors_week_starts_on_monday check (week_start_date = private.week_start(week_start_date))
);
comment on table nectar.team_colors is 'The team of a person in a calendar week.';

create index squads_of_user_1 on nectar.squads (user_1_id);
create index squads_of_user_2 on nectar.squads (user_2_id);
create index squads_of_user_3 on nectar.squads (user_3_id);
create index chains_of_user on nectar.chains (user_id, date);
create index chains_before on nectar.chains (before_user_id, date);
create index chains_after on nectar.chains (after_user_id);
create index chains_of_squad on nectar.chains (squad_id);
create index chains_of_area on nectar.chains (date, area_key);
create index chains_about_to_start on nectar.chains (window_starts_at);
create index team_colors_of_user on nectar.team_colors (user_id);

-- Deletes a squad once the accounts of all its members are deleted. Security definer: no role may delete squads
-- directly.
create function private.delete_empty_squad() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from nectar.squads s where s.id = new.id;
  return null;
end $$;

-- Opens the days of new rows. Security definer: no role may write open days directly.
create function private.open_days_of_chains() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.open_days (day_ends_at, user_id, chain_id) select n.day_ends_at, n.user_id, n.id from new_rows n;
  return null;
end $$;

-- Moves the open day of a changed row and closes that of a deleted one, which may queue its neighbors and squad for
-- matching. They are queued if the day was open and its account is deleted. Security definer: no role may write open
-- days and the queue directly.
create function private.sync_open_day() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    update private.open_days o set day_ends_at = new.day_ends_at
    where o.day_ends_at = old.day_ends_at and o.user_id = old.user_id and o.chain_id = old.id
      and new.day_ends_at <> old.day_ends_at;
    return null;
  end if;
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
end $$;

create trigger chains__open_days
  after insert on nectar.chains
  referencing new table as new_rows
  for each statement execute function private.open_days_of_chains();
create trigger chains__sync_open_day
  after update of day_ends_at or delete on nectar.chains
  for each row execute function private.sync_open_day();
create trigger squads__delete_empty
  after update of user_1_id, user_2_id, user_3_id on nectar.squads
  for each row when (num_nonnulls(new.user_1_id, new.user_2_id, new.user_3_id) = 0)
  execute function private.delete_empty_squad();

alter table nectar.squads enable row level security;
alter table nectar.chains enable row level security;
alter table private.open_days enable row level security;
alter table nectar.team_colors enable row level security;

create policy "everyone signed in sees the squads" on nectar.squads
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees the squads" on nectar.squads for select to nectar_service using (true);

create policy "everyone signed in sees the chains" on nectar.chains
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees the chains" on nectar.chains for select to nectar_service using (true);
create policy "the service sees the open days" on private.open_days for select to nectar_service using (true);

create policy "everyone signed in sees the teams" on nectar.team_colors
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees the teams" on nectar.team_colors for select to nectar_service using (true);

grant select on nectar.squads, nectar.team_colors to nectar_user;
-- Without area_key, which says where a person lives.
grant select (id, date, user_id, before_user_id, after_user_id, team_color, squad_id, activity_type, custom_activity,
    timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at)
  on nectar.chains to nectar_user;
grant select on nectar.squads, nectar.chains, nectar.team_colors, private.open_days to nectar_service;
