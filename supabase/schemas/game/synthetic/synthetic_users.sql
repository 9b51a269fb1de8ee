-- Why: Synthetic users fill teams and squads. Each has an account, profile, window and location like any person, so
-- that matching, squads and battles treat them alike; what makes it play is one row here. A call creates up to a
-- thousand, one statement per table. No one can sign in as one.

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
comment on table nectar.synthetic_users is
  'Which people are synthetic, and how they play. Their window and location are rows like everyone''s.';
comment on column nectar.synthetic_users.region is
  'Part of the country by which shares are given, such as West Coast; not the state.';
comment on column nectar.synthetic_users.check_in_probability is 'Share of days on which the window is used, 0 to 1.';
comment on column nectar.synthetic_users.seed is
  'What the users of one call were drawn from; the same seed and shares draw the same users.';

create index synthetic_users_newest_first on nectar.synthetic_users (created_at desc, user_id desc);

-- Creates a synthetic user for each element of the array, which names its id, with everything that is needed to be
-- matched.
create function private.insert_synthetic_users(p_people jsonb, p_seed text) returns setof nectar.synthetic_users
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- Like the system user: no address, no password, no instance. The mark makes the profile synthetic from the start;
  -- only a role that may write Auth's table can set it.
  insert into auth.users (
    id, aud, role, confirmation_token, recovery_token, email_change, email_change_token_new, raw_app_meta_data,
    raw_user_meta_data
  )
  select p.id, '', '', '', '', '', '', '{"nectar": "synthetic"}', jsonb_build_object('full_name', p.full_name)
  from jsonb_to_recordset(p_people) p (id uuid, full_name text);

  -- Locations before windows, so that a new window is assigned to the right area.
  insert into nectar.user_locations (user_id, latitude, longitude, city, region, country, timezone)
  select p.id, p.latitude, p.longitude, p.city, p.state, 'US', p.timezone
  from jsonb_to_recordset(p_people) p (
    id uuid, latitude numeric, longitude numeric, city text, state text, timezone text
  );

  insert into nectar.workout_windows (
    user_id, activity_type, custom_activity, window_start_time, window_end_time, timezone, effective_from
  )
  select p.id, p.activity_type, p.custom_activity, p.window_start, p.window_end, p.timezone, p.effective_from
  from jsonb_to_recordset(p_people) p (
    id uuid, activity_type nectar.activity_type, custom_activity text, window_start time, window_end time, timezone text,
    effective_from date
  );

  return query
    insert into nectar.synthetic_users (
      user_id, region, city, state, timezone, activity_type, window_start, window_end, check_in_probability, seed
    )
    select p.id, p.region, p.city, p.state, p.timezone, p.activity_type, p.window_start, p.window_end,
      p.check_in_probability, p_seed
    from jsonb_to_recordset(p_people) p (
      id uuid, region text, city text, state text, timezone text, activity_type nectar.activity_type, window_start time,
      window_end time, check_in_probability numeric
    )
    returning *;
end $$;

-- Creates synthetic users, at most a thousand, for super admins only. Raises auth.forbidden. Security definer: no role
-- may write accounts of others directly.
create function private.create_synthetic_users(p_people jsonb, p_seed text) returns setof nectar.synthetic_users
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin creates synthetic users' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if (jsonb_array_length(p_people) <= 1000) is not true then
    raise exception 'number out of range' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  return query
    select *
    from private.insert_synthetic_users(
      (
        select jsonb_agg(p.person || jsonb_build_object('id', gen_random_uuid()))
        from jsonb_array_elements(p_people) p (person)
      ),
      p_seed
    );
end $$;
grant execute on function private.create_synthetic_users(jsonb, text) to nectar_user;

-- Deletes a synthetic user with all their rows, for super admins only, and returns who was linked to them. The result
-- has the neighbors and the squads of days that are not over; it is null if there is no such synthetic user. Raises
-- auth.forbidden. Security definer: it deletes from Auth's table, and the rest follows by cascade.
create function private.delete_synthetic_user(p_user_id uuid, p_moment timestamptz) returns uuid[]
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_linked uuid[];
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin deletes synthetic users' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  perform private.check_moment(p_moment);
  perform private.wait_for_account_deletions();
  -- Matching locks profiles: this waits until a run has been written, so that the next statement sees its result.
  perform from nectar.profiles p join nectar.synthetic_users s on s.user_id = p.id where p.id = p_user_id for update of p;
  if not found then return null; end if;
  v_linked := array(
    select distinct o.id from nectar.chains c
    left join nectar.squads q on q.id = c.squad_id
    cross join lateral unnest(array[c.before_user_id, c.after_user_id, q.user_1_id, q.user_2_id, q.user_3_id]) as o (id)
    where c.user_id = p_user_id and c.window_ends_at > p_moment and o.id <> p_user_id order by o.id
  );
  delete from auth.users u where u.id = p_user_id;
  return v_linked;
end $$;
grant execute on function private.delete_synthetic_user(uuid, timestamptz) to nectar_user;

-- Lets a synthetic user play or rest, for super admins only; nothing if there is no such synthetic user. Raises
-- auth.forbidden. Security definer: the window belongs to another account.
create function private.toggle_synthetic_user(p_user_id uuid, p_is_active boolean) returns setof nectar.synthetic_users
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.is_super_admin() then
    raise exception 'only a super admin switches synthetic users' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  -- The window as well: matching looks only at windows.
  update nectar.workout_windows w set away = case when p_is_active then '{}' else '{(,)}' end::datemultirange
  where w.user_id = p_user_id and exists (select from nectar.synthetic_users s where s.user_id = p_user_id);
  return query update nectar.synthetic_users s set is_active = p_is_active where s.user_id = p_user_id returning s.*;
end $$;
grant execute on function private.toggle_synthetic_user(uuid, boolean) to nectar_user;

-- Returns at most p_max dates of active synthetic users whose window has opened and who have not checked in. They come
-- after the given end of a window and chain, in the order in which windows end: a player comes after the previous one
-- in the chain.
create function private.open_synthetic_turns(
  p_moment timestamptz, p_after_end timestamptz, p_after_chain_id uuid, p_max integer
) returns table (
  chain_id uuid, user_id uuid, date date, activity_type nectar.activity_type, window_starts_at timestamptz,
  window_ends_at timestamptz, check_in_probability numeric
)
  language sql stable security invoker set search_path = '' as $$
    select c.id, c.user_id, c.date, c.activity_type, c.window_starts_at, c.window_ends_at, s.check_in_probability
    from private.open_days o
    join nectar.synthetic_users s on s.user_id = o.user_id and s.is_active
    join nectar.chains c on c.id = o.chain_id
    where c.window_starts_at <= p_moment and (c.window_ends_at, c.id) > (p_after_end, p_after_chain_id)
      -- A day ends less than two days after its window opens: not all days of the future are read.
      and o.day_ends_at <= p_moment + interval '2 days'
      and not exists (select from nectar.workout_checkins k where k.user_id = c.user_id and k.date = c.date)
    order by c.window_ends_at, c.id limit p_max
  $$;
grant execute on function private.open_synthetic_turns(timestamptz, timestamptz, uuid, integer) to nectar_service;

alter table nectar.synthetic_users enable row level security;

create policy "a super admin sees synthetic users" on nectar.synthetic_users
  for select to nectar_user using ((select private.is_super_admin()));
create policy "the service sees synthetic users" on nectar.synthetic_users for select to nectar_service using (true);

grant select on nectar.synthetic_users to nectar_user, nectar_service;
