-- Why: What a day counts as, what a streak is and when a chain breaks is asked by responses, jobs and notifications
-- alike. Each rule is written here once.

create type nectar.day_state as enum ('not_started', 'pending', 'completed', 'failed');

-- Returns the state of a person's game day: that of the check-in, or by the time if there is none (p_status is null).
-- Without a check-in the day is not started before the window, pending in it and until the end of the grace after it,
-- and failed from then on. It has also failed once the local day is over, which can be before the end of the grace if
-- the window ends shortly before midnight.
create function private.day_state(
  p_status nectar.checkin_status, p_window_starts_at timestamptz, p_window_ends_at timestamptz, p_day_ends_at timestamptz,
  p_moment timestamptz, p_grace_minutes integer
) returns nectar.day_state
  language sql stable parallel safe security invoker
  return case
    when p_status = 'verified' then 'completed'::nectar.day_state
    when p_status = 'pending' then 'pending'
    when p_status = 'rejected' then 'failed'
    when p_moment < p_window_starts_at then 'not_started'
    when p_moment < p_day_ends_at and p_moment <= p_window_ends_at + make_interval(mins => p_grace_minutes) then 'pending'
    else 'failed'
  end;
grant execute on function
  private.day_state(nectar.checkin_status, timestamptz, timestamptz, timestamptz, timestamptz, integer)
  to nectar_user, nectar_service;

create type private.days_in_state as (state nectar.day_state, is_checked_in boolean, days integer[]);
comment on type private.days_in_state is 'Dates with the same state, each as the number of days since 1970-01-01.';

-- Returns the dates on which the caller was matched or checked in, in any order, by the state of their day and whether
-- there is a check-in. A person has years of dates. Of those that are over only indexes are read, dates are sent as
-- numbers, and the plan is kept: for 1,100 dates a call takes 2.6 ms, with dates as text and check-ins from their table
-- 3.6, with a new plan each time 3.7 (analyzed tables, on a slow machine).
create function private.read_days(p_moment timestamptz, p_grace_minutes integer) returns private.days_in_state[]
  language plpgsql stable security invoker set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_me constant uuid := private.actor_id();
  -- A window ends at most a day after its date, its day another day later, and no time zone is more than a day behind.
  v_maybe_open constant date := (p_moment at time zone 'UTC')::date - 3;
begin
  return array(
    select row(
      private.day_state(d.status, null, null, null, p_moment, p_grace_minutes), d.status is not null,
      array_agg(d.date - date '1970-01-01')
    )::private.days_in_state
    from (
      select coalesce(k.date, c.date) as date, k.status
      from (select k.date, k.status from nectar.workout_checkins k where k.user_id = v_me) k
      full join (select c.date from nectar.chains c where c.user_id = v_me and c.date < v_maybe_open) c on c.date = k.date
    ) d
    group by d.status
    union all
    select row(
      private.day_state(null, c.window_starts_at, c.window_ends_at, c.day_ends_at, p_moment, p_grace_minutes), false,
      array[c.date - date '1970-01-01']
    )::private.days_in_state
    from nectar.chains c
    where c.user_id = v_me and c.date >= v_maybe_open
      and not exists (select from nectar.workout_checkins k where k.user_id = v_me and k.date = c.date)
  );
end $$;
grant execute on function private.read_days(timestamptz, integer) to nectar_user;

-- Returns the lengths of a person's runs of consecutive dates with a verified check-in, between two dates (both
-- included).
create function private.verified_streaks(p_user_id uuid, p_from date, p_to date) returns table (days bigint)
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    select count(*)
    from (
      select k.date - row_number() over (order by k.date)::integer as streak from nectar.workout_checkins k
      where k.user_id = p_user_id and k.date between p_from and p_to and k.status = 'verified'
    ) day
    group by day.streak;
end $$;
grant execute on function private.verified_streaks(uuid, date, date) to nectar_user;

-- Returns whether a check-in on a date is at least the seventh in a row: the six dates before it have verified
-- check-ins.
create function private.has_streak(p_user_id uuid, p_date date) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select count(*) = 6 from nectar.workout_checkins k
    where k.user_id = p_user_id and k.date between p_date - 6 and p_date - 1 and k.status = 'verified'
  );
end $$;

-- Returns whether the chain continues after the previous person on a date. It is broken if they have no verified or
-- pending check-in and can no longer check in at that moment; at infinity their result is final. A set of one row,
-- which the planner makes part of the query: ending a day asks for thousands, and calling a function for each took a
-- tenth of the time.
create function private.chain_status(p_before_user_id uuid, p_date date, p_moment timestamptz, p_grace_minutes integer)
  returns setof nectar.chain_status
  language sql stable security invoker rows 1
begin atomic
  select case when exists (
    select from nectar.chains b
    left join nectar.workout_checkins k on k.user_id = b.user_id and k.date = b.date and k.status <> 'rejected'
    where b.user_id = p_before_user_id and b.date = p_date and k.id is null
      and (
        private.day_state(null, b.window_starts_at, b.window_ends_at, b.day_ends_at, p_moment, p_grace_minutes) = 'failed'
        or not exists (
          select from private.open_days o
          where o.day_ends_at = b.day_ends_at and o.user_id = b.user_id and o.chain_id = b.id
        )
      )
    -- Makes this a search for each day, instead of a table of all broken days.
    offset 0
  ) then 'broken'::nectar.chain_status else 'continued' end;
end;
