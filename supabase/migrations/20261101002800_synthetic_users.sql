-- Why: synthetic users fill teams and squads. Each is a person like any other - account, profile, window, place - so that
-- matching, squads and battles need no second way; what makes it play is one row here. A thousand come by one call, so
-- they are written as sets: one statement for each table. Nobody can sign in as one.

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.synthetic_users (
  user_id uuid primary key references nectar.profiles (id) on delete cascade,
  region text not null,
  city text not null,
  state text not null,
  timezone text not null,
  activity_type nectar.activity_type not null,
  window_start time not null,
  window_end time not null,
  check_in_probability numeric not null default 0.85,
  is_active boolean not null default true,
  seed text not null,
  created_at timestamptz(3) not null default now(),
  constraint synthetic_users_region_length check (char_length(region) between 1 and 100),
  constraint synthetic_users_city_length check (char_length(city) between 1 and 100),
  constraint synthetic_users_state_length check (char_length(state) between 1 and 50),
  constraint synthetic_users_timezone_length check (char_length(timezone) between 1 and 50),
  constraint synthetic_users_probability_in_range check (check_in_probability between 0 and 1),
  constraint synthetic_users_seed_length check (char_length(seed) between 1 and 100)
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index synthetic_users_newest_first on nectar.synthetic_users (created_at desc, user_id desc);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.insert_synthetic_users(ids uuid[], people jsonb, origin text) returns setof nectar.synthetic_users
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- As the system user: no address, no password, no instance. The mark makes the profile a synthetic one from the start;
  -- only who may write Auth's table can set it.
  insert into auth.users (
    id, aud, role, confirmation_token, recovery_token, email_change, email_change_token_new, raw_app_meta_data,
    raw_user_meta_data
  )
  select p.id, '', '', '', '', '', '', '{"nectar": "synthetic"}', jsonb_build_object('full_name', p.full_name)
  from rows from (unnest(ids), jsonb_to_recordset(people) as (full_name text)) as p (id, full_name);

  -- Places before windows: whoever gets a window is put where they are known to be.
  insert into nectar.user_locations (user_id, latitude, longitude, city, region, country, timezone)
  select p.id, p.latitude, p.longitude, p.city, p.state, 'US', p.timezone
  from rows from (
    unnest(ids),
    jsonb_to_recordset(people) as (latitude numeric, longitude numeric, city text, state text, timezone text)
  ) as p (id, latitude, longitude, city, state, timezone);

  insert into nectar.workout_windows (
    user_id, activity_type, custom_activity, window_start_time, window_end_time, timezone, effective_from
  )
  select p.id, p.activity_type, p.custom_activity, p.window_start, p.window_end, p.timezone,
    p.effective_from
  from rows from (
    unnest(ids),
    jsonb_to_recordset(people) as (
      activity_type nectar.activity_type, custom_activity text, window_start time, window_end time, timezone text,
      effective_from date
    )
  ) as p (id, activity_type, custom_activity, window_start, window_end, timezone, effective_from);

  return query
    insert into nectar.synthetic_users (
      user_id, region, city, state, timezone, activity_type, window_start, window_end, check_in_probability, seed
    )
    select p.id, p.region, p.city, p.state, p.timezone, p.activity_type, p.window_start, p.window_end,
      p.check_in_probability, origin
    from rows from (
      unnest(ids),
      jsonb_to_recordset(people) as (
        region text, city text, state text, timezone text, activity_type nectar.activity_type, window_start time,
        window_end time, check_in_probability numeric
      )
    ) as p (id, region, city, state, timezone, activity_type, window_start, window_end, check_in_probability)
    returning *;
end
$$;
comment on function private.insert_synthetic_users(uuid[], jsonb, text) is
  'Makes synthetic users, one for each id and element of the array, with everything that they need to be matched. Definer: it writes Auth''s table.';

create function private.create_synthetic_users(people jsonb, origin text) returns setof nectar.synthetic_users
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin makes synthetic users' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if (jsonb_array_length(people) <= 1000) is not true then
    raise exception 'number out of range' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  return query
    select *
    from private.insert_synthetic_users(
      array(select gen_random_uuid() from generate_series(1, jsonb_array_length(people))), people, origin
    );
end
$$;
comment on function private.create_synthetic_users(jsonb, text) is
  'Makes synthetic users, at most a thousand, for super admins (auth.forbidden). Security definer: no role may write accounts of others directly.';

create function private.delete_synthetic_user(synthetic uuid, moment timestamptz) returns uuid[]
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  linked uuid[];
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin deletes synthetic users' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  perform private.check_moment(moment);
  perform private.wait_for_account_deletions();
  -- Whoever is matching them now holds their profile: once that is written down, what follows sees it.
  perform from nectar.profiles p join nectar.synthetic_users s on s.user_id = p.id where p.id = synthetic for update of p;
  if not found then
    return null;
  end if;
  linked := array(
    select distinct o.id
    from nectar.chains c
    left join nectar.squads q on q.id = c.squad_id
    cross join lateral unnest(array[c.before_user_id, c.after_user_id, q.user_1_id, q.user_2_id, q.user_3_id]) as o (id)
    where c.user_id = synthetic and c.window_ends_at > moment and o.id <> synthetic
    order by o.id
  );
  delete from auth.users u where u.id = synthetic;
  return linked;
end
$$;
comment on function private.delete_synthetic_user(uuid, timestamptz) is
  'Deletes a synthetic user and everything of theirs, for super admins (auth.forbidden). Returns who was linked to them, or in a squad with them, on a day that is not over; null when there is no such synthetic user. Definer: it deletes from Auth''s table, from where all else follows.';

create function private.toggle_synthetic_user(synthetic uuid, active boolean) returns setof nectar.synthetic_users
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin switches synthetic users' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  -- The window with it: matching looks at windows alone.
  update nectar.workout_windows w set away = case when active then '{}' else '{(,)}' end::datemultirange
  where w.user_id = synthetic and exists (select from nectar.synthetic_users s where s.user_id = synthetic);
  return query update nectar.synthetic_users s set is_active = active where s.user_id = synthetic returning s.*;
end
$$;
comment on function private.toggle_synthetic_user(uuid, boolean) is
  'Lets a synthetic user play or rest, for super admins (auth.forbidden); nothing when it is none. Definer: the window is another''s.';

create function private.record_synthetic_check_ins(
  p_chain_ids uuid[], p_moments timestamptz[], p_early boolean[], p_moment timestamptz, p_grace_minutes integer
) returns table (checked_in integer, notified uuid[])
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  user_ids uuid[];
  dates date[];
  moments timestamptz[];
  early boolean[];
  written uuid[];
begin
  select array_agg(c.user_id), array_agg(c.date) into user_ids, dates from nectar.chains c where c.id = any (p_chain_ids);
  perform private.lock_for_check_ins(user_ids, dates);
  -- A day that was closed meanwhile, or has its check-in, is left alone.
  select array_agg(c.user_id order by c.id), array_agg(c.date order by c.id), array_agg(n.moment order by c.id),
      array_agg(n.is_early order by c.id)
    into user_ids, dates, moments, early
  from unnest(p_chain_ids, p_moments, p_early) n (chain_id, moment, is_early)
  join nectar.chains c on c.id = n.chain_id
  where c.closed_at is null
    and not exists (select from nectar.workout_checkins k where k.user_id = c.user_id and k.date = c.date);
  with weeks as materialized (
    -- The oldest date first, the order in which every transaction locks battles.
    select d.date, private.join_battle(d.date) as week
    from (select distinct u.date from unnest(dates) u (date) order by u.date) d
  ), new_check_ins as (
    insert into nectar.workout_checkins (
      user_id, chain_id, date, activity_type, status, chain_status, is_early, has_streak, team_color, battle_week_start,
      verified_at
    )
    select c.user_id, c.id, c.date, c.activity_type, 'verified', j.chain_status, n.is_early, j.has_streak, c.team_color,
      w.week, n.moment
    from unnest(user_ids, dates, moments, early) n (user_id, date, moment, is_early)
    join nectar.chains c on c.user_id = n.user_id and c.date = n.date
    join private.judge_check_ins(user_ids, dates, moments, p_grace_minutes) j on j.user_id = n.user_id and j.date = n.date
    join weeks w on w.date = n.date
    returning id
  )
  select array_agg(k.id) into written from new_check_ins k;
  return query
    select coalesce(cardinality(written), 0), coalesce(array_agg(t.recipient), '{}')
    from private.announce_check_ins(written, p_moment, p_grace_minutes) t;
end
$$;
comment on function private.record_synthetic_check_ins(uuid[], timestamptz[], boolean[], timestamptz, integer) is
  'Writes verified check-ins for chain rows, each at its moment, and notifies the next people and the squads. Returns how many were written and who was notified. Security definer: no role may write check-ins and notifications directly.';

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.synthetic_users enable row level security;

create policy "a super admin sees synthetic users" on nectar.synthetic_users
  for select to nectar_user using ((select private.is_super_admin()));
create policy "the service sees synthetic users" on nectar.synthetic_users
  for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.synthetic_users to nectar_user, nectar_service;
revoke execute on all functions in schema private from public;
grant execute on function
  private.create_synthetic_users(jsonb, text),
  private.delete_synthetic_user(uuid, timestamptz),
  private.toggle_synthetic_user(uuid, boolean) to nectar_user;
grant execute on function private.record_synthetic_check_ins(uuid[], timestamptz[], boolean[], timestamptz, integer)
  to nectar_service;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.synthetic_users is 'Who of the people is synthetic, and how they play. Their window and place are rows like everybody''s.';
comment on column nectar.synthetic_users.region is 'Part of the country by which shares are given, "West Coast" say; not the state.';
comment on column nectar.synthetic_users.check_in_probability is 'Share of days on which the window is used, 0 to 1.';
comment on column nectar.synthetic_users.seed is 'What the people of one call were drawn from; the same seed and shares draw the same people.';
