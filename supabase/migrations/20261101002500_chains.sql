-- Why: for every date the players of a place form chains, each after the one whose window ends closest before theirs, and
-- squads of three of one team. A row keeps the window of its date as it was matched, so that nothing that happens to the
-- window later changes a game that has begun. Who is matched with whom is worked out in memory; here is where it is read
-- from and written to, each in one go. That somebody has to be matched anew is noted with the change itself, so that
-- neither a busy moment nor a process that dies can lose it.

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
  custom_activity text,
  timezone text not null,
  window_start_time time(0) not null,
  window_end_time time(0) not null,
  window_starts_at timestamptz(3) not null,
  window_ends_at timestamptz(3) not null,
  day_ends_at timestamptz(3) not null,
  closed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint chains_one_a_day unique (date, user_id),
  constraint chains_other_is_named check ((activity_type = 'other') = (custom_activity is not null)),
  constraint chains_nobody_is_linked_to_themselves check (user_id <> before_user_id and user_id <> after_user_id),
  constraint chains_window_ends_after_its_start check (window_ends_at > window_starts_at),
  constraint chains_day_ends_after_the_window check (day_ends_at > window_ends_at)
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

create table private.players_to_match (
  id bigint generated always as identity primary key,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  created_at timestamptz(3) not null default now()
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index squads_of_user_1 on nectar.squads (user_1_id);
create index squads_of_user_2 on nectar.squads (user_2_id);
create index squads_of_user_3 on nectar.squads (user_3_id);
create index chains_of_user on nectar.chains (user_id, date);
create index chains_before on nectar.chains (before_user_id, date);
create index chains_after on nectar.chains (after_user_id);
create index chains_of_squad on nectar.chains (squad_id);
create index chains_of_place on nectar.chains (date, place_key);
create index chains_open on nectar.chains (day_ends_at, id) where closed_at is null;
create index team_colors_of_user on nectar.team_colors (user_id);
create index player_places_players on private.player_places (place_key);
create index players_to_match_of_user on private.players_to_match (user_id);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.place_player() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  person constant uuid := coalesce(new.user_id, old.user_id);
begin
  -- Of a window and a location that are written at the same time the later one sees the earlier one.
  perform from nectar.profiles p where p.id = person for no key update;
  if not found then
    return null;
  end if;
  insert into private.player_places as p (user_id, place_key)
  select w.user_id, private.place_key(l.city, l.region, w.timezone)
  from nectar.workout_windows w
  left join nectar.user_locations l on l.user_id = w.user_id
  where w.user_id = person
  on conflict (user_id) do update set place_key = excluded.place_key where p.place_key <> excluded.place_key;
  insert into private.players_to_match (user_id)
  select w.user_id from nectar.workout_windows w where w.user_id = person;
  return null;
end
$$;
comment on function private.place_player() is
  'Trigger: keeps the place of everybody with a window where an index finds it, and notes that they are to be matched. Definer: nobody writes either by themselves.';

create function private.note_deserted() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- Matching itself takes rows away too, of people who stay, and has matched the others by then.
  if not exists (select from nectar.profiles p where p.id = old.user_id) then
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
comment on function private.note_deserted() is
  'Trigger: notes that those are to be matched who were linked to, or in a squad with, somebody whose account is gone. Definer: nobody writes notes by themselves.';

create function private.remove_empty_squad() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  delete from nectar.squads s where s.id = new.id;
  return null;
end
$$;
comment on function private.remove_empty_squad() is
  'Trigger: a squad goes with the last account of its members. Definer: nobody removes squads by themselves.';

create function private.read_matching(game_date date, week_start date, around uuid[] default null)
  returns table (
    user_id uuid,
    is_ai boolean,
    home text,
    home_in_scope boolean,
    color nectar.team_color,
    left_out boolean,
    has_checkin boolean,
    has_left boolean,
    activity nectar.activity_type,
    custom_activity text,
    timezone text,
    window_start time,
    window_end time,
    row_place text,
    row_in_scope boolean,
    row_before uuid,
    row_after uuid,
    row_squad uuid,
    row_activity nectar.activity_type,
    row_custom_activity text,
    row_timezone text,
    row_start time,
    row_end time,
    row_starts_at timestamptz,
    row_ends_at timestamptz,
    row_day_ends_at timestamptz
  )
  language plpgsql volatile security definer
  set search_path = ''
  -- A plan that was made while the game was small walks through everything later; and the rows of a place are few.
  set plan_cache_mode = 'force_custom_plan'
  set random_page_cost = 1.1
  as $$
#variable_conflict use_column
declare
  places text[];
  players uuid[];
begin
  if around is null then
    players := array(
      select w.user_id from nectar.workout_windows w where not game_date <@ w.away
      union
      select c.user_id from nectar.chains c where c.date = game_date
    );
  else
    places := array(
      select h.place_key from private.player_places h where h.user_id = any (around)
      union
      select c.place_key from nectar.chains c where c.date = game_date and c.user_id = any (around)
    );
    players := array(
      select h.user_id from private.player_places h where h.place_key = any (places)
      union
      select c.user_id from nectar.chains c where c.date = game_date and c.place_key = any (places)
    );
  end if;
  return query
  select p.id, p.is_ai, h.place_key, around is null or h.place_key = any (places), t.color,
    y.id is not null and y.squad_id is null, k.id is not null,
    not p.is_ai and coalesce(game_date <@ w.away, false), e.activity_type, e.custom_activity, e.timezone, e.window_start_time, e.window_end_time,
    c.place_key, around is null or c.place_key = any (places), c.before_user_id, c.after_user_id, c.squad_id,
    c.activity_type, c.custom_activity, c.timezone, c.window_start_time, c.window_end_time, c.window_starts_at,
    c.window_ends_at, c.day_ends_at
  from unnest(players) as n (id)
  join nectar.profiles p on p.id = n.id
  left join private.player_places h on h.user_id = p.id
  left join nectar.workout_windows w on w.user_id = p.id
  left join nectar.user_locations l on l.user_id = p.id
  left join lateral (
    select w.activity_type, w.custom_activity, w.timezone, w.window_start_time, w.window_end_time
    where w.effective_from <= game_date
    union all
    select w.previous_activity_type, w.previous_custom_activity, w.previous_timezone, w.previous_window_start_time,
      w.previous_window_end_time
    where w.effective_from > game_date and w.previous_timezone is not null
  ) e on not game_date <@ w.away and (not p.is_ai or l.latitude is not null)
  left join nectar.chains c on c.date = game_date and c.user_id = p.id
  left join nectar.chains y on y.date = game_date - 1 and y.user_id = p.id
  left join nectar.team_colors t on t.week_start_date = week_start and t.user_id = p.id
  left join nectar.workout_checkins k on k.date = game_date and k.user_id = p.id
  for key share of p;
end
$$;
comment on function private.read_matching(date, date, uuid[]) is
  'Everybody who plays on a date, or has a row of it: of all places, or of those where some people play or were to play. Their accounts stay until the transaction ends, so that whoever is matched is still there when it is written down. Definer: it reads windows and places of everybody and holds their accounts.';

create function private.write_chains(
  game_date date, week_start date,
  squad_ids uuid[], squad_users_1 uuid[], squad_users_2 uuid[], squad_users_3 uuid[], squad_colors nectar.team_color[],
  removed_squads uuid[],
  player_ids uuid[], befores uuid[], afters uuid[], colors nectar.team_color[], squads_of_players uuid[],
  squad_numbers integer[], place_keys text[], activities nectar.activity_type[], custom_activities text[],
  timezones text[], window_starts time[], window_ends time[], starts timestamptz[], ends timestamptz[], day_ends timestamptz[],
  removed_players uuid[],
  told_players uuid[], told_titles text[], told_bodies text[]
) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  all_squads constant uuid[] := array(
    select coalesce(s.id, gen_random_uuid()) from unnest(squad_ids) with ordinality as s (id, n) order by s.n
  );
begin
  insert into nectar.squads as s (id, date, user_1_id, user_2_id, user_3_id, team_color)
  select n.id, game_date, n.user_1, n.user_2, n.user_3, n.color
  from unnest(all_squads, squad_users_1, squad_users_2, squad_users_3, squad_colors)
    as n (id, user_1, user_2, user_3, color)
  on conflict (id) do update
    set user_1_id = excluded.user_1_id, user_2_id = excluded.user_2_id, user_3_id = excluded.user_3_id;

  insert into nectar.team_colors (user_id, week_start_date, color)
  select n.user_id, week_start, n.color
  from unnest(player_ids, colors) as n (user_id, color)
  on conflict (week_start_date, user_id) do nothing;

  insert into nectar.chains as c (
    date, user_id, before_user_id, after_user_id, team_color, squad_id, place_key, activity_type, custom_activity,
    timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at
  )
  select game_date, n.user_id, n.before, n.after, n.color, coalesce(all_squads[n.squad_number], n.squad_id), n.place_key,
    n.activity, n.custom_activity, n.timezone, n.window_start, n.window_end, n.starts_at, n.ends_at, n.day_ends_at
  from unnest(
    player_ids, befores, afters, colors, squads_of_players, squad_numbers, place_keys, activities, custom_activities,
    timezones, window_starts, window_ends, starts, ends, day_ends
  ) as n (
    user_id, before, after, color, squad_id, squad_number, place_key, activity, custom_activity, timezone, window_start,
    window_end, starts_at, ends_at, day_ends_at
  )
  -- In the order in which check-ins lock the rows of a chain.
  order by n.starts_at, n.user_id
  on conflict on constraint chains_one_a_day do update
    set before_user_id = excluded.before_user_id, after_user_id = excluded.after_user_id,
      squad_id = excluded.squad_id, place_key = excluded.place_key, activity_type = excluded.activity_type,
      custom_activity = excluded.custom_activity, timezone = excluded.timezone, window_start_time = excluded.window_start_time,
      window_end_time = excluded.window_end_time, window_starts_at = excluded.window_starts_at,
      window_ends_at = excluded.window_ends_at, day_ends_at = excluded.day_ends_at;

  -- After the players have gone to other squads, so that nothing points to them any more.
  -- Planned anew each time: a plan that was made while the game was small walks through everything later.
  execute 'delete from nectar.squads s where s.id = any ($1)' using removed_squads;
  execute 'delete from nectar.chains c where c.date = $1 and c.user_id = any ($2)' using game_date, removed_players;
  -- A person who plays on no day of the week leaves its team.
  execute '
    delete from nectar.team_colors t
    where t.week_start_date = $1 and t.user_id = any ($2)
      and not exists (
        select from nectar.chains c
        where c.user_id = t.user_id and c.date between t.week_start_date and t.week_start_date + 6
      )' using week_start, removed_players;

  -- One notification per person and date in 15 minutes: a later change rewrites it, without another push. Runs of one date
  -- take turns (they lock their week), so two of them cannot both insert one.
  execute '
    with news as (
      select n.user_id, n.title, n.body, recent.id as recent_id
      from unnest($2, $3, $4) as n (user_id, title, body)
      left join lateral (
        select m.id
        from nectar.notifications m
        where m.user_id = n.user_id and m.created_at > now() - interval ''15 minutes'' and m.type = ''chain_update''
          and m.data -> ''date'' = to_jsonb($1)
        order by m.created_at desc
        limit 1
      ) recent on true
    ), rewritten as (
      update nectar.notifications m
      set title = n.title, body = n.body, read_at = null
      from news n
      where m.id = n.recent_id
    )
    insert into nectar.notifications (user_id, type, title, body, data)
    select n.user_id, ''chain_update'', n.title, n.body, jsonb_build_object(''date'', $1)
    from news n
    where n.recent_id is null' using game_date, told_players, told_titles, told_bodies;
end
$$;
comment on function private.write_chains(
  date, date, uuid[], uuid[], uuid[], uuid[], nectar.team_color[], uuid[], uuid[], uuid[], uuid[], nectar.team_color[],
  uuid[], integer[], text[], nectar.activity_type[], text[], text[], time[], time[], timestamptz[], timestamptz[],
  timestamptz[], uuid[], uuid[], text[], text[]
) is
  'Writes what matching changed on a date, each table in one go: squads (a new one without id; players point to it by its number), teams, chains, and what people are told. Definer: nobody writes these by themselves.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger workout_windows_place_player
  after insert on nectar.workout_windows
  for each row execute function private.place_player();
create trigger workout_windows_place_changed_player
  after update on nectar.workout_windows
  for each row when (old is distinct from new)
  execute function private.place_player();
create trigger user_locations_place_player
  after insert or delete on nectar.user_locations
  for each row execute function private.place_player();
-- Synthetic users play where they have coordinates.
create trigger user_locations_place_moved_player
  after update on nectar.user_locations
  for each row when (
    old.city is distinct from new.city or old.region is distinct from new.region
    or (old.latitude is null) <> (new.latitude is null)
  )
  execute function private.place_player();
create trigger chains_note_deserted
  after delete on nectar.chains
  for each row when (old.closed_at is null)
  execute function private.note_deserted();
create trigger squads_remove_empty
  after update of user_1_id, user_2_id, user_3_id on nectar.squads
  for each row when (num_nonnulls(new.user_1_id, new.user_2_id, new.user_3_id) = 0)
  execute function private.remove_empty_squad();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.squads enable row level security;
alter table nectar.chains enable row level security;
alter table nectar.team_colors enable row level security;
alter table private.player_places enable row level security;
alter table private.players_to_match enable row level security;

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
create policy "the service sees who is to be matched" on private.players_to_match
  for select to nectar_service using (true);
create policy "the service strikes out who was matched" on private.players_to_match
  for delete to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.squads, nectar.team_colors to nectar_user;
-- All but the place: it names where somebody lives.
grant select (
  id, date, user_id, before_user_id, after_user_id, team_color, squad_id, activity_type, custom_activity, timezone,
  window_start_time, window_end_time, window_starts_at, window_ends_at,
  day_ends_at
) on nectar.chains to nectar_user;
grant select on nectar.squads, nectar.chains, nectar.team_colors to nectar_service;
grant update (closed_at) on nectar.chains to nectar_service;
grant select on private.player_places to nectar_service;
grant select, delete on private.players_to_match to nectar_service;
revoke execute on all functions in schema private from public;
grant execute on function private.read_matching(date, date, uuid[]), private.write_chains(
  date, date, uuid[], uuid[], uuid[], uuid[], nectar.team_color[], uuid[], uuid[], uuid[], uuid[], nectar.team_color[],
  uuid[], integer[], text[], nectar.activity_type[], text[], text[], time[], time[], timestamptz[], timestamptz[],
  timestamptz[], uuid[], uuid[], text[], text[]
) to nectar_service;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.squads is 'Three of one team and place on a date. Somebody who leaves a squad that has begun leaves a gap until somebody is free.';
comment on table nectar.chains is 'Who plays on a date: the neighbours in the chain, team, squad, and the window as it was matched. Written by private.write_chains.';
comment on column nectar.chains.before_user_id is 'Whose window ends closest before this one starts, of those who are not taken.';
comment on column nectar.chains.after_user_id is 'Whose window starts closest after this one ends, of those who are not taken.';
comment on column nectar.chains.place_key is
  'Whom they are matched with: everybody of the same place. It names where somebody lives, so nobody reads that of others.';
comment on column nectar.chains.custom_activity is 'Only, and always, of the activity other.';
comment on column nectar.chains.window_starts_at is 'The moment, after what daylight saving does to that date.';
comment on column nectar.chains.day_ends_at is
  'The end of the local day on which the window ends, as the rules of time know it: until then a photo may be uploaded.';
comment on column nectar.chains.closed_at is 'When the end of this day was processed.';
comment on table nectar.team_colors is 'The team of a person, for a week of the calendar.';
comment on table private.player_places is 'The place of everybody with a window, as private.place_key says it.';
comment on table private.players_to_match is
  'Who is to be matched anew on the days that run or come, since their window or place changed, or a neighbour is gone. Written with the change itself, struck out when it was matched.';
