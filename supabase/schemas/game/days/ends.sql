-- Why: When the local day of a player is over, the result of the day becomes final: the check-ins that depend on it are
-- recounted and the next person is notified. Before a window opens its player is reminded. Both happen once, even if a
-- job runs twice.

create type private.ended_day as (
  chain_id uuid, user_id uuid, date date, after_user_id uuid, team_color nectar.team_color, state nectar.day_state
);
comment on type private.ended_day is 'A day of a player that is over, and what it counts as.';

-- Closes at most p_max days that are over where their players live, the oldest first, and returns what they count as.
create function private.close_days(p_moment timestamptz, p_max integer) returns private.ended_day[]
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_due nectar.chains[];
  v_next_people uuid[];
  v_leaving uuid[];
  v_ended private.ended_day[];
begin
  -- A check-in locks its chain row while it is written, so the statements after this one see those that were in time.
  -- Account deletion locks the profile and then its rows: profiles first here as well, and those that are locked are
  -- skipped.
  select array_agg(d.chain), array_agg(d.after_user_id) filter (where d.after_user_id is not null)
  into v_due, v_next_people
  from (
    select c as chain, c.after_user_id from private.open_days o
    join nectar.chains c on c.id = o.chain_id
    join nectar.profiles p on p.id = o.user_id
    where o.day_ends_at <= p_moment order by o.day_ends_at, o.user_id, o.chain_id limit p_max
    for key share of p skip locked for no key update of c skip locked for update of o skip locked
  ) d;
  v_leaving := array(
    select n.id from unnest(v_next_people) n (id)
    except
    select l.id from (select p.id from nectar.profiles p where p.id = any (v_next_people) for key share skip locked) l
  );
  v_ended := array(
    select row(
      c.id, c.user_id, c.date, c.after_user_id, c.team_color,
      private.day_state(k.status, c.window_starts_at, c.window_ends_at, c.day_ends_at, p_moment, 0)
    )::private.ended_day
    from unnest(v_due) c
    -- The limit makes this a search for each day; a join may read all check-ins for a batch of a few thousand.
    left join lateral (
      select k.status from nectar.workout_checkins k where k.user_id = c.user_id and k.date = c.date limit 1
    ) k on true
    -- A day whose next person is just being deleted is left to the next run.
    where (c.after_user_id = any (v_leaving)) is not true
  );
  delete from private.open_days o
  where o.day_ends_at <= p_moment and o.chain_id in (select e.chain_id from unnest(v_ended) e);
  return v_ended;
end $$;

-- Notifies everyone who completed one of these days how the battle of its week stands, if it is running; synthetic
-- users are left out.
create function private.notify_battle_progress(p_days private.ended_day[]) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  with running as materialized (
    select b.week_start_date as week, coalesce(sum(d.red_chips), 0)::integer as red,
      coalesce(sum(d.blue_chips), 0)::integer as blue
    from nectar.battles b
    left join lateral private.battle_days(b.week_start_date) d on true
    where b.battle_status = 'in_progress'
      and b.week_start_date in (select private.week_start(y.date) from unnest(p_days) y)
    group by b.week_start_date
  )
  insert into nectar.notifications (user_id, type, data)
  select y.user_id, 'battle_progress',
    jsonb_build_object('date', y.date, 'week_start_date', r.week, 'team_color', y.team_color, 'red_team_chips', r.red,
      'blue_team_chips', r.blue)
  from unnest(p_days) y
  join running r on r.week = private.week_start(y.date)
  join nectar.profiles p on p.id = y.user_id and not p.is_ai
  where y.state = 'completed';
end $$;

-- Ends at most p_max days that are over where their players live, the oldest first, with results and notifications. It
-- counts their results by week, recounts and notifies the next person of each player who did not check in, and notifies
-- those who played how the battle stands. Security definer: no role may write open days or notifications directly.
create function private.end_days(p_moment timestamptz, p_max integer) returns table (
  week date, people uuid[], closed integer, completed integer, pending integer, failed integer, notified integer
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_days constant private.ended_day[] := private.close_days(p_moment, p_max);
  v_broken_dates date[];
begin
  v_broken_dates := array(
    select r.date
    from private.recount_check_ins(
      (
        select jsonb_agg(jsonb_build_object('user_id', d.user_id, 'date', d.date)) from unnest(v_days) d
        where d.state = 'failed'
      ),
      'infinity', 0
    ) r
  );
  v_broken_dates := v_broken_dates || array(
    select b.date
    from private.notify_broken_chains((
      select jsonb_agg(jsonb_build_object('user_id', d.after_user_id, 'date', d.date)) from unnest(v_days) d
      where d.state = 'failed' and d.after_user_id is not null
        -- A check-in that a battle has ended with keeps the chain that it counted.
        and not exists (
          select from nectar.workout_checkins k
          where k.user_id = d.after_user_id and k.date = d.date and k.chain_status = 'continued'
        )
    )) b
  );
  perform private.notify_battle_progress(v_days);
  return query
    select d.week, array_agg(d.user_id), count(*)::integer,
      (count(*) filter (where d.state = 'completed'))::integer,
      (count(*) filter (where d.state = 'pending'))::integer,
      (count(*) filter (where d.state = 'failed'))::integer,
      (select count(*) from unnest(v_broken_dates) b (date) where private.week_start(b.date) = d.week)::integer
    from (select y.*, private.week_start(y.date) as week from unnest(v_days) y) d group by d.week;
end $$;
grant execute on function private.end_days(timestamptz, integer) to nectar_service;

-- Reminds at most p_max people who have not checked in and whose window opens soon, once for a window. Security
-- definer: no role may write notifications directly.
create function private.remind_players(p_moment timestamptz, p_max integer) returns integer
  language sql volatile security definer set search_path = '' as $$
    with due as (
      select c.user_id, c.date, c.window_starts_at from nectar.chains c
      join nectar.profiles p on p.id = c.user_id and not p.is_ai
      where c.window_starts_at > p_moment and c.window_starts_at <= p_moment + interval '30 minutes'
        and not exists (
          select from private.game_notices g
          where g.user_id = c.user_id and g.date = c.date and g.kind = 'checkin_reminder'
            and g.window_starts_at = c.window_starts_at
          -- Makes this a search for each player; a join may compare all players with all notices.
          offset 0
        )
        and not exists (select from nectar.workout_checkins k where k.user_id = c.user_id and k.date = c.date)
        -- A person who has just left may still have a row.
        and not exists (select from nectar.workout_windows w where w.user_id = c.user_id and private.is_off(w, c.date))
      limit p_max
      -- An account that is being deleted is skipped.
      for key share of p skip locked
    ), noticed as (
      -- A window may be moved to later that day after its player was reminded of the earlier one.
      insert into private.game_notices as g (user_id, date, kind, window_starts_at)
      select d.user_id, d.date, 'checkin_reminder', d.window_starts_at from due d
      on conflict (user_id, date, kind) do update set window_starts_at = excluded.window_starts_at
        where g.window_starts_at is distinct from excluded.window_starts_at
      returning user_id, date
    ), messages as (
      insert into nectar.notifications (user_id, type, data)
      select n.user_id, 'checkin_reminder',
        jsonb_build_object('date', n.date, 'window_start_time', to_char(c.window_start_time, 'HH24:MI'))
      from noticed n
      join nectar.chains c on c.user_id = n.user_id and c.date = n.date
      returning 1
    )
    select count(*)::integer from messages
  $$;
grant execute on function private.remind_players(timestamptz, integer) to nectar_service;
