-- Why: Check-ins are written as a set, whether a person sends one with a photo or a job writes those of synthetic
-- users. Chips, notifications and the photo's row are written in the same transaction, so that they never disagree.

create type private.check_in_facts as (
  user_id uuid, chain_id uuid, date date, activity_type nectar.activity_type, photo_timestamp timestamptz,
  status nectar.checkin_status, chain_status nectar.chain_status, is_early boolean, has_streak boolean,
  team_color nectar.team_color, week date, checked_in_at timestamptz, replaced_id uuid, is_counted boolean
);
comment on type private.check_in_facts is
  'A check-in that is about to be written, with what follows from its chain and the days before. replaced_id is the rejected check-in that it replaces; is_counted says whether a battle has ended with that one.';

create type private.matched_day as (
  date date, window_start_time time, window_end_time time, timezone text, window_starts_at text
);
create type private.home as (latitude float8, longitude float8);
create type private.expected_file as (id uuid, path text);
create type private.started_check_in as (
  home private.home, matched private.matched_day[], checked_in date[],
  wait_seconds integer, file private.expected_file
);
comment on type private.started_check_in is 'What a photo is compared with besides the window, and the file for it.';

-- Counts a photo of the caller against its quota, expects its file, and reads what the photo is compared with besides
-- the window. That is their home, and from a date on the days on which they are matched and the dates with a check-in
-- that is not rejected.
create function private.start_check_in(p_from date) returns private.started_check_in
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_person constant uuid := private.actor_id();
begin
  return row(
    (
      select row(l.latitude, l.longitude)::private.home from nectar.user_locations l
      where l.user_id = v_person and l.latitude is not null
    ),
    array(
      select row(
        c.date, c.window_start_time, c.window_end_time, c.timezone, private.rfc3339(c.window_starts_at)
      )::private.matched_day
      from nectar.chains c where c.user_id = v_person and c.date >= p_from order by c.date
    ),
    array(
      select k.date from nectar.workout_checkins k
      where k.user_id = v_person and k.date >= p_from and k.status <> 'rejected'
    ),
    private.consume_quota('photo_examination', 1),
    (select row(f.id, f.path)::private.expected_file from private.expect_new_file('checkins') f)
  )::private.started_check_in;
end $$;
grant execute on function private.start_check_in(date) to nectar_user;

-- Deletes the note about the file of a photo of the caller that was refused and is not stored. The file of a check-in
-- that was replaced is still removed. Security definer: no role may write the notes directly.
create function private.delete_photo_note(p_file_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.stored_files_to_remove f
  where f.store = 'private' and f.path = 'checkins/' || private.actor_id() || '/' || p_file_id || '.jpg'
    and f.remove_after > now();
end $$;
grant execute on function private.delete_photo_note(uuid) to nectar_user;

-- Locks what check-ins of people on dates depend on: profiles, then the chain rows of the people and of those before
-- them. Every change of a check-in's status locks the chain row of its date, so a check-in and the result of the
-- previous person see each other.
create function private.lock_for_check_ins(p_days jsonb) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- Profiles first, as account deletion does: of everyone whose chain row is locked or who may be notified.
  perform
  from nectar.profiles p
  where p.id = any (array(
    select unnest(array[n.user_id, c.before_user_id, c.after_user_id, q.user_1_id, q.user_2_id, q.user_3_id])
    from jsonb_to_recordset(p_days) n (user_id uuid, date date)
    left join lateral (select c.* from nectar.chains c where c.user_id = n.user_id and c.date = n.date limit 1) c on true
    left join lateral (select q.* from nectar.squads q where q.id = c.squad_id limit 1) q on true
  ))
  for key share;
  -- In the order of the chain: neighbors often check in at the same time, and each lost deadlock would cost a second.
  perform
  from nectar.chains c
  where c.id = any (array(
    select unnest(array[own.id, b.id]) from jsonb_to_recordset(p_days) n (user_id uuid, date date)
    cross join lateral (select c.* from nectar.chains c where c.user_id = n.user_id and c.date = n.date limit 1) own
    left join lateral (
      select c.id from nectar.chains c where c.user_id = own.before_user_id and c.date = own.date limit 1
    ) b on true
  ))
  order by c.date, c.window_starts_at, c.user_id for no key update;
end $$;

-- Notifies the next person of each check-in, and the squad of a verified one, and returns the next people. The next
-- person is not notified if they have checked in or their day has failed; the squad is told how many chips it brought;
-- synthetic users are left out. The result includes those who get no notification because of a block, so that the
-- response to a check-in does not reveal it.
create function private.notify_of_check_ins(p_checkin_ids uuid[], p_moment timestamptz, p_grace_minutes integer)
  returns table (user_id uuid, is_next boolean)
  language plpgsql volatile security invoker set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    with recipients as (
      select m.user_id, m.type, m.data || jsonb_build_object(
          'checkin_id', r.id, 'date', r.date,
          'full_name', (select p.full_name from nectar.profiles p where p.id = r.user_id)
        ) as data,
        r.user_id as caused_by
      from (
        select k.*, c.after_user_id, c.squad_id from nectar.workout_checkins k
        join nectar.chains c on c.user_id = k.user_id and c.date = k.date
        where k.id = any ((select p_checkin_ids)::uuid[])
      ) r
      cross join lateral (
        select n.user_id, 'baton_pass'::nectar.notification_type as type, '{}'::jsonb as data from nectar.chains n
        where n.user_id = r.after_user_id and n.date = r.date
          and not exists (select from nectar.workout_checkins k where k.user_id = n.user_id and k.date = n.date)
          and private.day_state(null, n.window_starts_at, n.window_ends_at, n.day_ends_at, p_moment, p_grace_minutes)
            <> 'failed'
        union all
        select o.id, 'battle_update',
          jsonb_build_object('week_start_date', r.battle_week_start, 'chips', r.battle_chips_earned)
        from nectar.squads q
        cross join lateral unnest(array[q.user_1_id, q.user_2_id, q.user_3_id]) o (id)
        where q.id = r.squad_id and o.id <> r.user_id and r.status = 'verified'
      ) m
      where (select not p.is_ai from nectar.profiles p where p.id = m.user_id)
    ), sent as (
      insert into nectar.notifications (user_id, type, data, caused_by)
      select r.user_id, r.type, r.data, r.caused_by from recipients r
    )
    select r.user_id, r.type = 'baton_pass' from recipients r;
end $$;

-- Returns what follows for check-ins that are about to be written. Closed days, and dates that have another check-in,
-- are left out. Called under the locks of private.record_check_ins.
create function private.facts_of_check_ins(p_check_ins jsonb, p_grace_minutes integer) returns private.check_in_facts[]
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return array(
    select row(
      n.user_id, c.id, n.date, n.activity_type, n.photo_timestamp, n.status, s.chain_status, n.is_early,
      private.has_streak(n.user_id, n.date), coalesce(c.team_color, t.color), private.week_start(n.date), n.checked_in_at,
      n.replaced_id, coalesce(k.is_counted, false)
    )::private.check_in_facts
    from jsonb_to_recordset(p_check_ins) n (
      user_id uuid, date date, activity_type nectar.activity_type, photo_timestamp timestamptz,
      status nectar.checkin_status, is_early boolean, checked_in_at timestamptz, replaced_id uuid
    )
    left join lateral (
      select c.* from nectar.chains c where c.user_id = n.user_id and c.date = n.date limit 1
    ) c on true
    left join lateral (
      select k.id, k.is_counted from nectar.workout_checkins k where k.user_id = n.user_id and k.date = n.date limit 1
    ) k on true
    left join lateral (
      select t.color from nectar.team_colors t
      where c.id is null and t.user_id = n.user_id and t.week_start_date = private.week_start(n.date) limit 1
    ) t on true
    left join lateral (
      select true as is_open from private.open_days o
      where o.day_ends_at = c.day_ends_at and o.user_id = c.user_id and o.chain_id = c.id limit 1
    ) o on true
    cross join lateral private.chain_status(c.before_user_id, n.date, n.checked_in_at, p_grace_minutes) s (chain_status)
    where (c.id is null or o.is_open) and (c.day_ends_at <= n.checked_in_at) is not true
      and k.id is not distinct from n.replaced_id
  );
end $$;

-- Writes check-ins and notifies the next people and the squads; returns the ids that were written and how many
-- notifications. Each is written at its checked_in_at. A day that is closed and a date that has a check-in, unless
-- replaced_id names it, are left out. Two that are written together see each other, because they are recounted.
-- Security definer: no role may write check-ins and notifications directly.
create function private.record_check_ins(p_check_ins jsonb, p_moment timestamptz, p_grace_minutes integer)
  returns table (checkin_ids uuid[], notified integer, is_next_notified boolean)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_facts private.check_in_facts[];
  v_date date;
  v_battles jsonb := '{}';
  v_added uuid[];
  v_replaced uuid[];
begin
  perform private.lock_for_check_ins(p_check_ins);
  v_facts := private.facts_of_check_ins(p_check_ins, p_grace_minutes);
  for v_date in select distinct f.date from unnest(v_facts) f where f.status = 'verified' and not f.is_counted loop
    v_battles := v_battles || jsonb_build_object(v_date, private.join_battle(v_date));
  end loop;
  with written as (
    insert into nectar.workout_checkins as k (
      user_id, chain_id, date, activity_type, photo_timestamp, status, chain_status, is_early, has_streak, team_color,
      battle_week_start, verified_at
    )
    select f.user_id, f.chain_id, f.date, f.activity_type, f.photo_timestamp, f.status, f.chain_status, f.is_early,
      f.has_streak, f.team_color,
      case when f.status = 'verified' then (v_battles ->> f.date::text)::date else f.week end,
      case when f.status = 'verified' then f.checked_in_at end
    from unnest(v_facts) f where f.replaced_id is null
    on conflict (user_id, date) do nothing returning k.id
  )
  select array_agg(w.id) into v_added from written w;
  if exists (select from unnest(v_facts) f where f.replaced_id is not null) then
    -- A battle that ended with the chips of a rejected check-in keeps them, so what they follow from stays as well.
    with written as (
      update nectar.workout_checkins k
      set activity_type = f.activity_type, photo_timestamp = f.photo_timestamp, status = f.status,
        chain_status = case when k.is_counted then k.chain_status else f.chain_status end,
        is_early = case when k.is_counted then k.is_early else f.is_early end,
        has_streak = case when k.is_counted then k.has_streak else f.has_streak end,
        battle_week_start = case
          when k.is_counted then k.battle_week_start
          when f.status = 'verified' then (v_battles ->> f.date::text)::date
          else f.week
        end,
        verified_at = coalesce(k.verified_at, case when f.status = 'verified' then f.checked_in_at end),
        reviewed_at = null, reviewed_by = null, review_reason = null
      from unnest(v_facts) f where k.id = f.replaced_id returning k.id
    )
    select array_agg(w.id) into v_replaced from written w;
  end if;
  perform private.recount_check_ins(
    (select jsonb_agg(jsonb_build_object('user_id', f.user_id, 'date', f.date)) from unnest(v_facts) f),
    p_moment, p_grace_minutes
  );
  -- Others are notified of a check-in once, and were notified of the one that this replaces.
  return query
    select coalesce(v_added || v_replaced, v_added, v_replaced, '{}'), count(*)::integer, coalesce(bool_or(s.is_next), false)
    from private.notify_of_check_ins(v_added, p_moment, p_grace_minutes) s;
end $$;
grant execute on function private.record_check_ins(jsonb, timestamptz, integer) to nectar_service;

-- Returns whether a photo like this belongs to a check-in: its perceptual hash differs in at most four bits.
create function private.is_photo_seen(p_perceptual_hash bit(64)) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (
    select from nectar.workout_checkin_photos p
    where p.hash_bands && private.photo_bands(p_perceptual_hash)
      and bit_count(p.perceptual_hash # p_perceptual_hash) <= 4
  );
end $$;

-- Takes the photo of a rejected check-in of the caller out of it, before another one takes its place. The photo stays
-- with the rejection while that can be appealed or its appeal is open.
create function private.replace_photo(p_checkin_id uuid, p_moment timestamptz) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_photo_key text;
begin
  delete from nectar.workout_checkin_photos p where p.checkin_id = p_checkin_id returning p.photo_key into v_photo_key;
  -- After the trigger of the deletion, because the one of this row keeps the file.
  update nectar.moderation_decisions d set photo_key = v_photo_key
  where d.target_id = p_checkin_id and d.target_type = 'checkin' and d.decision = 'reject' and d.photo_key is null
    and d.owner_id = private.actor_id() and private.appeal_until(d.decided_at) >= p_moment
    and d.decided_at = (
      select max(l.decided_at) from nectar.moderation_decisions l
      where l.owner_id = d.owner_id and l.target_id = d.target_id and l.target_type = 'checkin' and l.decision = 'reject'
    )
    and not exists (select from nectar.moderation_appeals a where a.decision_id = d.id and a.status <> 'open');
end $$;

-- Writes the caller's check-in with its photo, whose file stays; verified if it has no flags. Replaces a rejected
-- check-in while the day is open: its photo is discarded and its review cleared. Security definer: no role may write
-- check-ins and notifications directly.
create function private.record_check_in(p_check_in jsonb, p_moment timestamptz, p_grace_minutes integer)
  returns table (checkin_id uuid, is_next_notified boolean)
  language plpgsql volatile security definer set search_path = '' as $$
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
  if private.is_photo_seen(v_given.perceptual_hash) then v_given.flags := 'seen_before'::text || v_given.flags; end if;
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
  if v_existing.id is not null then perform private.replace_photo(v_existing.id, p_moment); end if;
  insert into nectar.workout_checkin_photos (
    checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng, flags, taken_offset
  ) values (
    v_recorded.checkin_ids[1], v_person, v_given.file_id, v_given.perceptual_hash, v_given.location_lat, v_given.location_lng,
    v_given.flags, v_given.taken_offset
  );
  perform private.keep_file('private', 'checkins/' || v_person || '/' || v_given.file_id || '.jpg');
  return query select v_recorded.checkin_ids[1], v_recorded.is_next_notified;
end $$;
grant execute on function private.record_check_in(jsonb, timestamptz, integer) to nectar_user;

create type private.recorded_check_in as (check_in private.seen_check_in, is_next_notified boolean);
comment on type private.recorded_check_in is 'A new check-in, and whether the next person was notified of it.';

-- Writes the caller's check-in (private.record_check_in) and returns it.
create function private.check_in(p_check_in jsonb, p_moment timestamptz, p_grace_minutes integer)
  returns private.recorded_check_in
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_recorded record;
begin
  select r.* into v_recorded from private.record_check_in(p_check_in, p_moment, p_grace_minutes) r;
  return (
    select row(s, v_recorded.is_next_notified)::private.recorded_check_in
    from private.seen_check_ins(array[v_recorded.checkin_id]) s
  );
end $$;
grant execute on function private.check_in(jsonb, timestamptz, integer) to nectar_user;

-- Locks the profiles and chain rows that change with the status of a check-in before it is reviewed. They are the
-- profiles of its owner and of the next person, and the owner's chain rows of the dates whose chips can follow.
-- Security definer: it locks rows that the service may not change.
create function private.lock_for_review(p_checkin_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_owner uuid;
  v_played_on date;
begin
  select k.user_id, k.date into v_owner, v_played_on from nectar.workout_checkins k where k.id = p_checkin_id;
  if not found then return; end if;
  -- As a check-in locks, and in its order.
  perform private.lock_check_in(v_owner);
  perform private.lock_profiles(array(
    select v_owner
    union
    select c.after_user_id from nectar.chains c where c.user_id = v_owner and c.date = v_played_on
  ));
  perform
  from nectar.chains c where c.user_id = v_owner and c.date between v_played_on and v_played_on + 6 order by c.date
  for no key update;
end $$;
grant execute on function private.lock_for_review(uuid) to nectar_service;

-- Gives a check-in another status, and recounts the check-ins that depend on it. While the battle is open, the chips
-- change with the status. If a check-in is verified after its battle has ended, its chips count for the next battle,
-- unless the battle ended with them. A rejection is a decision that can be appealed. Called after
-- private.lock_for_review. Security definer: no role may write decisions and these columns directly.
create function private.review_check_in(
  p_checkin_id uuid, p_status nectar.checkin_status, p_reason text, p_admin_id uuid, p_moment timestamptz,
  p_grace_minutes integer
) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_current nectar.workout_checkins;
  v_week date;
  v_is_over boolean := false;
begin
  select * into v_current from nectar.workout_checkins k where k.id = p_checkin_id;
  v_week := v_current.battle_week_start;
  -- The row itself is locked after its battle, the order in which check-ins lock. The shared lock keeps the battle from
  -- ending before this transaction does.
  if v_current.status = 'verified' then
    perform private.share_battle(v_week);
    select b.battle_status = 'completed' into v_is_over from nectar.battles b where b.week_start_date = v_week;
  end if;
  if p_status = 'verified' and not v_current.is_counted then v_week := private.join_battle(v_week); end if;
  update nectar.workout_checkins k
  set status = p_status, battle_week_start = v_week,
    -- Chips that a battle ended with stay in it and never count for another battle.
    is_counted = k.is_counted or coalesce(v_is_over, false),
    verified_at = coalesce(k.verified_at, case when p_status = 'verified' then p_moment end),
    reviewed_at = p_moment, reviewed_by = p_admin_id, review_reason = p_reason
  where k.id = p_checkin_id;
  if p_status = 'rejected' then
    insert into nectar.moderation_decisions (owner_id, target_type, target_id, decision, reason, decided_by, decided_at)
    values (v_current.user_id, 'checkin', p_checkin_id, 'reject', p_reason, p_admin_id, p_moment);
  end if;
  perform private.recount_check_ins(
    jsonb_build_array(jsonb_build_object('user_id', v_current.user_id, 'date', v_current.date)), p_moment, p_grace_minutes
  );
end $$;
grant execute on function private.review_check_in(uuid, nectar.checkin_status, text, uuid, timestamptz, integer)
  to nectar_service;
