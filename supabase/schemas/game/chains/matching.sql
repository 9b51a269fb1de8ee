-- Why: Matching runs in memory, by area. It reads its input and writes its result in one call each.

-- Returns the advisory lock of matching the players of a date. It is that of the week, because the dates of a week
-- share its teams.
create function private.matching_lock(p_date date) returns bigint
  language sql stable security invoker
  return hashtextextended('chains ' || private.week_start(p_date), 0);
grant execute on function private.matching_lock(date) to nectar_service;

-- Returns who may play on a date or has a row of it: all, or those in the areas where the given people play or were to
-- play.
create function private.players_around(p_date date, p_around uuid[], out areas text[], out players uuid[])
  language plpgsql stable security invoker set search_path = '' as $$
begin
  if p_around is null then
    players := array(
      select w.user_id from nectar.workout_windows w where not private.is_off(w, p_date)
      union
      select c.user_id from nectar.chains c where c.date = p_date
    );
  else
    areas := array(
      select h.area_key from private.player_areas h where h.user_id = any (p_around)
      union
      select c.area_key from nectar.chains c where c.date = p_date and c.user_id = any (p_around)
    );
    players := array(
      select h.user_id from private.player_areas h where h.area_key = any (areas)
      union
      select c.user_id from nectar.chains c where c.date = p_date and c.area_key = any (areas)
    );
  end if;
end $$;

-- Returns everyone who plays on a date or has a row of it, in all areas or in those of the given people, and locks
-- their profiles. The areas are those where the people play or were to play. Window and row are objects with instants
-- in milliseconds since 1970; there are also the people that they blocked. People whose account is closing do not play.
-- The lock keeps a matched account from being deleted before the result is written. Security definer: it reads
-- everyone's windows and areas.
create function private.read_matching(p_date date, p_around uuid[] default null) returns table (
  user_id uuid, is_ai boolean, area_key text, is_area_in_scope boolean, color nectar.team_color, left_out boolean,
  has_checkin boolean, has_left boolean, play_window json, chain json, former json,
  is_chain_in_scope boolean, blocked uuid[]
)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_areas text[];
  v_players uuid[];
begin
  select a.areas, a.players into v_areas, v_players from private.players_around(p_date, p_around) a;
  return query
  -- Materialized, so that the few blocks are found once and not for each player.
  with apart as materialized (
    select b.user_id, array_agg(b.blocked_id) as blocked from nectar.blocks b
    where b.user_id = any ((select v_players)::uuid[]) group by b.user_id
  ), closing as materialized (select a.user_id from nectar.accounts a where a.erases_at is not null)
  select p.id, p.is_ai, h.area_key, p_around is null or h.area_key = any (v_areas), t.color,
    y.id is not null and y.squad_id is null, k.id is not null,
    not p.is_ai and coalesce(private.is_off(w, p_date), false),
    case when e.timezone is not null then json_build_object(
      'activity', e.activity_type, 'custom_activity', e.custom_activity, 'timezone', e.timezone,
      'window_start', e.window_start_time, 'window_end', e.window_end_time
    ) end,
    case when c.id is not null then json_build_object(
      'before', c.before_user_id, 'after', c.after_user_id, 'squadId', c.squad_id, 'area_key', c.area_key,
      'activity', c.activity_type, 'custom_activity', c.custom_activity, 'timezone', c.timezone,
      'window_start', c.window_start_time, 'window_end', c.window_end_time,
      'starts_at', extract(epoch from c.window_starts_at) * 1000, 'ends_at', extract(epoch from c.window_ends_at) * 1000,
      'day_ends_at', extract(epoch from c.day_ends_at) * 1000
    ) end,
    f.match, p_around is null or c.area_key = any (v_areas), a.blocked
  from unnest(v_players) as n (id)
  join nectar.profiles p on p.id = n.id
  left join private.player_areas h on h.user_id = p.id
  left join nectar.workout_windows w on w.user_id = p.id
  left join nectar.user_locations l on l.user_id = p.id
  left join lateral (
    select w.* where w.effective_from <= p_date
    union all
    select o.* from jsonb_populate_record(w, w.previous) o where w.effective_from > p_date and w.previous is not null
  ) e on not private.is_off(w, p_date) and (not p.is_ai or l.latitude is not null) and p.id not in (select g.user_id from closing g)
  left join nectar.chains c on c.date = p_date and c.user_id = p.id
  left join nectar.chains y on y.date = p_date - 1 and y.user_id = p.id
  -- Their neighbors and their squad on the last date before it.
  left join lateral (
    select json_build_object(
      'before', b.before_user_id, 'after', b.after_user_id,
      'members', array_remove(array[s.user_1_id, s.user_2_id, s.user_3_id], null)
    ) as match
    from nectar.chains b
    left join nectar.squads s on s.id = b.squad_id
    where b.user_id = p.id and b.date < p_date order by b.date desc limit 1
  ) f on true
  left join nectar.team_colors t on t.week_start_date = private.week_start(p_date) and t.user_id = p.id
  left join nectar.workout_checkins k on k.date = p_date and k.user_id = p.id
  left join apart a on a.user_id = p.id
  for key share of p;
end $$;
grant execute on function private.read_matching(date, uuid[]) to nectar_service;

-- Notifies people (user_id, data) of what changed on a date; is_like_before says that it is now like the date before.
create function private.notify_of_chains(p_date date, p_notifications jsonb) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_rewritten uuid[];
begin
  -- One notification per person and date in 15 minutes: a later change rewrites it, without another push. Runs of one
  -- week take turns, so two of them cannot both insert one.
  -- They are looked up before any is inserted: a scan would go through those as well.
  with rewritten as (
    update nectar.notifications m set data = n.data, read_at = null
    from jsonb_to_recordset(p_notifications) n (user_id uuid, data jsonb)
    cross join lateral (
      select r.id from nectar.notifications r
      where r.user_id = n.user_id and r.created_at > now() - interval '15 minutes' and r.type = 'chain_update'
        and r.data -> 'date' = to_jsonb(p_date)
      order by r.created_at desc limit 1
    ) recent
    where m.id = recent.id returning m.user_id
  )
  select array_agg(r.user_id) into v_rewritten from rewritten r;
  -- A date like the one before is worth a notification only to people who were told that it is not.
  insert into nectar.notifications (user_id, type, data)
  select n.user_id, 'chain_update', n.data
  from jsonb_to_recordset(p_notifications) n (user_id uuid, data jsonb, is_like_before boolean)
  where n.user_id not in (select unnest(v_rewritten))
    and (not n.is_like_before or exists (
      select from nectar.notifications r
      where r.user_id = n.user_id and r.created_at > now() - interval '3 days' and r.type = 'chain_update'
        and r.data -> 'date' = to_jsonb(p_date)
    ));
end $$;

-- Writes what matching changed on a date, each table in one statement. p_changes has squads (a new one has no id,
-- players refer to it by its number from 1), removed_squads, players, removed_players and notifications. Security
-- definer: no role may write these directly.
create function private.write_chains(p_date date, p_changes jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_squad_ids constant uuid[] := array(
    select coalesce(s.id, gen_random_uuid())
    from rows from (jsonb_to_recordset(p_changes -> 'squads') as (id uuid)) with ordinality s (id, number)
    order by s.number
  );
  v_removed_squads constant uuid[] := array(select jsonb_array_elements_text(p_changes -> 'removed_squads'));
  v_removed_players constant uuid[] := array(select jsonb_array_elements_text(p_changes -> 'removed_players'));
begin
  insert into nectar.squads as s (id, date, user_1_id, user_2_id, user_3_id, team_color)
  select v_squad_ids[n.number], p_date, n.user_1_id, n.user_2_id, n.user_3_id, n.color
  from rows from (
    jsonb_to_recordset(p_changes -> 'squads')
      as (user_1_id uuid, user_2_id uuid, user_3_id uuid, color nectar.team_color)
  ) with ordinality n (user_1_id, user_2_id, user_3_id, color, number)
  on conflict (id) do update
    set user_1_id = excluded.user_1_id, user_2_id = excluded.user_2_id, user_3_id = excluded.user_3_id;

  insert into nectar.team_colors (user_id, week_start_date, color)
  select n.user_id, private.week_start(p_date), n.color
  from jsonb_to_recordset(p_changes -> 'players') n (user_id uuid, color nectar.team_color)
  on conflict (week_start_date, user_id) do nothing;

  insert into nectar.chains (
    date, user_id, before_user_id, after_user_id, team_color, squad_id, area_key, activity_type, custom_activity,
    timezone, window_start_time, window_end_time, window_starts_at, window_ends_at, day_ends_at
  )
  select p_date, n.user_id, n.before, n.after, n.color, coalesce(v_squad_ids[n.squad_number], n.squad_id), n.area_key,
    n.activity, n.custom_activity, n.timezone, n.window_start, n.window_end, n.starts_at, n.ends_at, n.day_ends_at
  from jsonb_to_recordset(p_changes -> 'players') n (
    user_id uuid, before uuid, after uuid, color nectar.team_color, squad_id uuid, squad_number integer, area_key text,
    activity nectar.activity_type, custom_activity text, timezone text, window_start time, window_end time,
    starts_at timestamptz, ends_at timestamptz, day_ends_at timestamptz
  )
  -- The order in which check-ins lock the rows of a chain.
  order by n.starts_at, n.user_id
  on conflict on constraint chains_one_a_day do update
    set before_user_id = excluded.before_user_id, after_user_id = excluded.after_user_id,
      squad_id = excluded.squad_id, area_key = excluded.area_key, activity_type = excluded.activity_type,
      custom_activity = excluded.custom_activity, timezone = excluded.timezone,
      window_start_time = excluded.window_start_time, window_end_time = excluded.window_end_time,
      window_starts_at = excluded.window_starts_at, window_ends_at = excluded.window_ends_at,
      day_ends_at = excluded.day_ends_at;

  -- After the players have joined other squads, so that no row refers to these any more.
  delete from nectar.squads s where s.id = any (v_removed_squads);
  delete from nectar.chains c where c.date = p_date and c.user_id = any (v_removed_players);
  -- A person who plays on no day of the week leaves its team.
  delete from nectar.team_colors t
  where t.week_start_date = private.week_start(p_date) and t.user_id = any (v_removed_players)
    and not exists (
      select from nectar.chains c
      where c.user_id = t.user_id and c.date between t.week_start_date and t.week_start_date + 6
    );
  perform private.notify_of_chains(p_date, p_changes -> 'notifications');
end $$;
grant execute on function private.write_chains(date, jsonb) to nectar_service;
