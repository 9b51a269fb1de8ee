-- Why: Check-ins are written as a set, whether a person sends one with a photo or a job writes those of synthetic
-- users. Chips, notifications and the photo's row are written in the same transaction, so that they never disagree.

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.lock_for_check_ins(p_days jsonb) returns void
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  -- Profiles first, as account deletion does: of everyone whose chain row is locked or who may be notified.
  perform private.lock_profiles(array(
    select o.id
    from jsonb_to_recordset(p_days) n (user_id uuid, date date)
    left join nectar.chains c on c.user_id = n.user_id and c.date = n.date
    left join nectar.squads q on q.id = c.squad_id
    cross join lateral (
      values (n.user_id), (c.before_user_id), (c.after_user_id), (q.user_1_id), (q.user_2_id), (q.user_3_id)
    ) o (id)
    where o.id is not null
  ));
  -- In the order of the chain: neighbors often check in at the same time, and each lost deadlock would cost a second.
  perform
  from nectar.chains c
  where c.id in (
    select own.id
    from jsonb_to_recordset(p_days) n (user_id uuid, date date)
    join nectar.chains own on own.user_id = n.user_id and own.date = n.date
    union all
    select b.id
    from jsonb_to_recordset(p_days) n (user_id uuid, date date)
    join nectar.chains own on own.user_id = n.user_id and own.date = n.date
    join nectar.chains b on b.user_id = own.before_user_id and b.date = own.date
  )
  order by c.date, c.window_starts_at, c.user_id
  for no key update;
end
$$;
comment on function private.lock_for_check_ins(jsonb) is
  'Locks what check-ins of people on dates depend on: the profiles of everyone involved, then the chain rows of the people and of those before them. Every change of a check-in''s status locks the chain row of its date, so a check-in and the result of the previous person see each other.';

create function private.notify_of_check_ins(p_checkin_ids uuid[], p_moment timestamptz, p_grace_minutes integer)
  returns table (user_id uuid, is_next boolean)
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
#variable_conflict use_column
begin
  return query
    with recorded as (
      select k.*, c.after_user_id, c.squad_id, coalesce(nullif(p.full_name, ''), 'Your neighbor') as name,
        jsonb_build_object('checkin_id', k.id, 'date', k.date) as data
      from nectar.workout_checkins k
      join nectar.chains c on c.user_id = k.user_id and c.date = k.date
      join nectar.profiles p on p.id = k.user_id
      where k.id = any ((select p_checkin_ids)::uuid[])
    ), messages as (
      select r.after_user_id as user_id, 'baton_pass'::nectar.notification_type as type, 'The baton is yours' as title,
        r.name || ' has checked in. You are next.' as body, r.data
      from recorded r
      join nectar.profiles p on p.id = r.after_user_id and not p.is_ai
      join nectar.chains n on n.user_id = p.id and n.date = r.date
      where not exists (select from nectar.workout_checkins k where k.user_id = p.id and k.date = r.date)
        and private.day_state(null, n.window_starts_at, n.window_ends_at, n.day_ends_at, p_moment, p_grace_minutes)
          <> 'failed'
      union all
      select p.id, 'battle_update', 'Chips for your team',
        r.name || ' brought ' || r.battle_chips_earned || ' for your team.',
        r.data || jsonb_build_object('week_start_date', r.battle_week_start)
      from recorded r
      join nectar.squads q on q.id = r.squad_id
      join nectar.profiles p on p.id in (q.user_1_id, q.user_2_id, q.user_3_id) and p.id <> r.user_id and not p.is_ai
      where r.status = 'verified'
    ), sent as (
      insert into nectar.notifications (user_id, type, title, body, data)
      select m.user_id, m.type, m.title, m.body, m.data from messages m
      returning user_id, type
    )
    select s.user_id, s.type = 'baton_pass' from sent s;
end
$$;
comment on function private.notify_of_check_ins(uuid[], timestamptz, integer) is
  'Notifies the next person of each check-in unless they have checked in or their day has failed, and the squad of a verified one how many chips it brought; synthetic users are left out.';

create function private.record_check_ins(p_check_ins jsonb, p_moment timestamptz, p_grace_minutes integer)
  returns table (checkin_ids uuid[], notified uuid[], is_next_notified boolean)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_recorded uuid[];
  v_added uuid[];
begin
  perform private.lock_for_check_ins(p_check_ins);
  with given as materialized (
    select n.*, private.week_start(n.date) as week, c.id as chain_id, c.before_user_id, c.team_color,
      coalesce(k.is_counted, false) as is_counted
    from jsonb_to_recordset(p_check_ins) n (
      user_id uuid, date date, activity_type nectar.activity_type, photo_timestamp timestamptz,
      status nectar.checkin_status, is_early boolean, checked_in_at timestamptz, replaced_id uuid
    )
    left join nectar.chains c on c.user_id = n.user_id and c.date = n.date
    left join nectar.workout_checkins k on k.user_id = n.user_id and k.date = n.date
    where (c.day_ends_at <= n.checked_in_at) is not true
      and (
        c.id is null
        or exists (
          select from private.open_days o
          where o.day_ends_at = c.day_ends_at and o.user_id = c.user_id and o.date = c.date
        )
      )
      and k.id is not distinct from n.replaced_id
  ), battles as materialized (
    select d.date, private.join_battle(d.date) as week
    from (select distinct g.date from given g where g.status = 'verified' and not g.is_counted) d
  ), written as (
    insert into nectar.workout_checkins as k (
      user_id, chain_id, date, activity_type, photo_timestamp, status, chain_status, is_early, has_streak, team_color,
      battle_week_start, verified_at
    )
    select g.user_id, g.chain_id, g.date, g.activity_type, g.photo_timestamp, g.status,
      private.chain_status(g.before_user_id, g.date, g.checked_in_at, p_grace_minutes), g.is_early,
      private.has_streak(g.user_id, g.date), coalesce(g.team_color, t.color),
      case when g.status = 'verified' then coalesce(b.week, g.week) else g.week end,
      case when g.status = 'verified' then g.checked_in_at end
    from given g
    left join battles b on b.date = g.date
    left join nectar.team_colors t on t.user_id = g.user_id and t.week_start_date = g.week
    -- A battle that ended with the chips of a rejected check-in keeps them, so what they follow from stays as well.
    on conflict (user_id, date) do update
      set activity_type = excluded.activity_type, photo_timestamp = excluded.photo_timestamp, status = excluded.status,
        chain_status = case when k.is_counted then k.chain_status else excluded.chain_status end,
        is_early = case when k.is_counted then k.is_early else excluded.is_early end,
        has_streak = case when k.is_counted then k.has_streak else excluded.has_streak end,
        battle_week_start = case when k.is_counted then k.battle_week_start else excluded.battle_week_start end,
        verified_at = coalesce(k.verified_at, excluded.verified_at),
        reviewed_at = null, reviewed_by = null, review_reason = null
    returning k.id
  )
  select array_agg(w.id),
      array_agg(w.id) filter (where w.id <> all (array(select g.replaced_id from given g where g.replaced_id is not null)))
    into v_recorded, v_added
  from written w;
  -- Others are notified of a check-in once, and were notified of the one that this replaces.
  return query
    select coalesce(v_recorded, '{}'), coalesce(array_agg(s.user_id), '{}'), coalesce(bool_or(s.is_next), false)
    from private.notify_of_check_ins(v_added, p_moment, p_grace_minutes) s;
end
$$;
comment on function private.record_check_ins(jsonb, timestamptz, integer) is
  'Writes check-ins, each at its checked_in_at, and notifies the next people and the squads. Leaves out a day that is closed and a date that has a check-in, unless replaced_id names it. Two that are written together see each other by the trigger that recounts. Returns the ids that were written and who was notified. Security definer: no role may write check-ins and notifications directly.';
grant execute on function private.record_check_ins(jsonb, timestamptz, integer) to nectar_service;

create function private.record_check_in(p_check_in jsonb, p_moment timestamptz, p_grace_minutes integer)
  returns table (notified uuid[], is_next_notified boolean)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_person constant uuid := private.actor_id();
  v_given record;
  v_existing record;
  v_recorded record;
begin
  perform private.check_moment(p_moment);
  select * into v_given
  from jsonb_to_record(p_check_in) c (
    date date, activity_type nectar.activity_type, photo_timestamp timestamptz, taken_offset text, is_early boolean,
    file_id uuid, perceptual_hash bit(64), location_lat numeric, location_lng numeric, flags text[]
  );
  -- Two days after a date it is over everywhere, and a date begins at most fourteen hours before it does in UTC.
  if (
    v_given.date between (p_moment at time zone 'UTC')::date - 2
      and (p_moment at time zone 'UTC' + interval '14 hours')::date
  ) is not true then
    raise exception 'the date is not open' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  if (p_grace_minutes between 0 and 120) is not true then
    raise exception 'the grace is out of range' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  -- One check-in of a person at a time, and one photo at a time of those that may look alike.
  perform private.lock_check_in(v_person);
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('check-in photo ' || b.band::text, 0))
  from unnest(private.photo_bands(v_given.perceptual_hash)) b (band);
  select k.id, k.status into v_existing from nectar.workout_checkins k where k.user_id = v_person and k.date = v_given.date;
  if v_existing.status <> 'rejected' then
    raise exception 'there is a check-in of this date' using errcode = 'NX000', detail = 'checkin.already_checked_in';
  end if;
  if exists (
    select from nectar.workout_checkin_photos p
    where p.hash_bands && private.photo_bands(v_given.perceptual_hash)
      and bit_count(p.perceptual_hash # v_given.perceptual_hash) <= 4
  ) then
    v_given.flags := 'seen_before'::text || v_given.flags;
  end if;
  select r.* into v_recorded
  from private.record_check_ins(
    jsonb_build_array(jsonb_build_object(
      'user_id', v_person, 'date', v_given.date, 'activity_type', v_given.activity_type,
      'photo_timestamp', v_given.photo_timestamp, 'is_early', v_given.is_early, 'checked_in_at', p_moment,
      'status', case when cardinality(v_given.flags) = 0 then 'verified' else 'pending' end, 'replaced_id', v_existing.id
    )),
    p_moment, p_grace_minutes
  ) r;
  -- The day was closed while the photo was examined, and the next person has been notified.
  if cardinality(v_recorded.checkin_ids) = 0 then
    raise exception 'the day of the photo is closed' using errcode = 'NX000', detail = 'checkin.too_late';
  end if;
  delete from nectar.workout_checkin_photos p where p.checkin_id = v_existing.id;
  insert into nectar.workout_checkin_photos (
    checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng, flags, taken_offset
  ) values (
    v_recorded.checkin_ids[1], v_person, v_given.file_id, v_given.perceptual_hash, v_given.location_lat, v_given.location_lng,
    v_given.flags, v_given.taken_offset
  );
  perform private.keep_file('private', 'checkins/' || v_person || '/' || v_given.file_id || '.jpg');
  return query select v_recorded.notified, v_recorded.is_next_notified;
end
$$;
comment on function private.record_check_in(jsonb, timestamptz, integer) is
  'Writes the caller''s check-in with its photo, whose file stays; verified if it has no flags. Replaces a rejected check-in while the day is open: its photo is discarded and its review cleared. Security definer: no role may write check-ins and notifications directly.';
grant execute on function private.record_check_in(jsonb, timestamptz, integer) to nectar_user;

create function private.lock_for_review(p_checkin_id uuid) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_owner uuid;
  v_played_on date;
begin
  select k.user_id, k.date into v_owner, v_played_on from nectar.workout_checkins k where k.id = p_checkin_id;
  if not found then
    return;
  end if;
  -- As a check-in locks, and in its order.
  perform private.lock_check_in(v_owner);
  perform private.lock_profiles(array(
    select v_owner
    union
    select c.after_user_id from nectar.chains c where c.user_id = v_owner and c.date = v_played_on
  ));
  perform
  from nectar.chains c
  where c.user_id = v_owner and c.date between v_played_on and v_played_on + 6
  order by c.date
  for no key update;
end
$$;
comment on function private.lock_for_review(uuid) is
  'Locks what changes with the status of a check-in before it is reviewed: the profiles of its owner and of the next person, and the owner''s chain rows of the dates whose chips can follow. Security definer: it locks rows that the service may not change.';
grant execute on function private.lock_for_review(uuid) to nectar_service;
