-- Why: once on each game date a person shows with a photo that they did what they planned. What everybody may see of it (who,
-- when, how many chips) is one table; what only its owner and admins may see (where, and how the photo looks to a computer)
-- is another. Both are written by one function in one transaction, so that chips, notifications and the photo's row never
-- disagree.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.checkin_status as enum ('pending', 'verified', 'rejected');
create type nectar.chain_status as enum ('continued', 'broken');

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.photo_bands(perceptual_hash bit(64)) returns integer[]
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select array[
      substring(perceptual_hash from 1 for 13)::bit(13)::integer,
      substring(perceptual_hash from 14 for 13)::bit(13)::integer + 8192,
      substring(perceptual_hash from 27 for 13)::bit(13)::integer + 16384,
      substring(perceptual_hash from 40 for 13)::bit(13)::integer + 24576,
      substring(perceptual_hash from 53 for 12)::bit(12)::integer + 32768
    ]
  $$;
comment on function private.photo_bands(bit) is
  'Five parts of a perceptual hash, each with its place. Two hashes that differ in at most four bits agree in one of them, so that an index finds near-same photos.';

create function private.chip_breakdown(
  p_status nectar.checkin_status, p_chain_status nectar.chain_status, p_is_early boolean, p_has_streak boolean
) returns jsonb
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select jsonb_build_object('base', parts.base, 'chain', parts.chain, 'early', parts.early, 'streak', parts.streak,
      'raw', parts.base + parts.chain + parts.early + parts.streak,
      'earned', floor(parts.base + parts.chain + parts.early + parts.streak)::integer)
    from (
      select 1 as base, (p_chain_status = 'continued')::integer as chain,
        case when p_is_early then 0.5 else 0 end as early, case when p_has_streak then 2 else 0 end as streak
      where p_status <> 'rejected'
      union all
      select 0, 0, 0, 0 where p_status = 'rejected'
    ) parts
  $$;
comment on function private.chip_breakdown(nectar.checkin_status, nectar.chain_status, boolean, boolean) is
  'The chips of a check-in: 1, plus 1 if the chain continues, 0.5 if it is early, 2 with a streak; earned is the sum rounded down. A rejected check-in has none. The only place of this rule: the columns of a check-in are generated from it.';

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.workout_checkins (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  chain_id uuid references nectar.chains (id) on delete set null,
  date date not null,
  activity_type nectar.activity_type not null,
  photo_timestamp timestamptz(3),
  status nectar.checkin_status not null default 'pending',
  chain_status nectar.chain_status not null,
  is_early boolean not null default false,
  has_streak boolean not null default false,
  battle_chips_earned integer not null generated always as (
    (private.chip_breakdown(status, chain_status, is_early, has_streak) ->> 'earned')::integer
  ) stored,
  chip_breakdown jsonb not null generated always as (
    private.chip_breakdown(status, chain_status, is_early, has_streak)
  ) stored,
  team_color nectar.team_color,
  battle_week_start date not null,
  created_at timestamptz(3) not null default now(),
  verified_at timestamptz(3),
  is_counted boolean not null default false,
  reviewed_at timestamptz(3),
  reviewed_by uuid references nectar.profiles (id) on delete set null,
  review_reason text,
  constraint workout_checkins_one_per_date unique (user_id, date),
  constraint workout_checkins_week_is_monday check (extract(isodow from battle_week_start) = 1),
  constraint workout_checkins_verified_has_moment check (status <> 'verified' or verified_at is not null),
  constraint workout_checkins_reason_length check (char_length(review_reason) between 1 and 1000)
);

create table nectar.workout_checkin_photos (
  checkin_id uuid primary key references nectar.workout_checkins (id) on delete cascade,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  file_id uuid not null,
  photo_key text not null generated always as ('checkins/' || user_id::text || '/' || file_id::text || '.jpg') stored,
  perceptual_hash bit(64) not null,
  hash_bands integer[] not null generated always as (private.photo_bands(perceptual_hash)) stored,
  location_lat numeric(10, 8),
  location_lng numeric(11, 8),
  flags text[] not null default '{}',
  taken_offset text,
  constraint workout_checkin_photos_one_per_file unique (file_id),
  constraint workout_checkin_photos_whole_location check ((location_lat is null) = (location_lng is null)),
  constraint workout_checkin_photos_lat_range check (location_lat between -90 and 90),
  constraint workout_checkin_photos_lng_range check (location_lng between -180 and 180),
  constraint workout_checkin_photos_flags_known check (
    flags <@ array['seen_before', 'edited', 'screenshot', 'late_upload', 'far_away', 'no_photo_time']
  ),
  constraint workout_checkin_photos_offset_shape check (taken_offset ~ '^[+-][0-9]{2}:[0-9]{2}$')
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index workout_checkins_of_date on nectar.workout_checkins (date, created_at desc, id desc);
create index workout_checkins_newest on nectar.workout_checkins (created_at desc, id desc);
-- Two small ones, because a status is no condition of an index under row-level security; nearly all others are verified.
create index workout_checkins_pending on nectar.workout_checkins (created_at desc, id desc) where status = 'pending';
create index workout_checkins_rejected on nectar.workout_checkins (created_at desc, id desc) where status = 'rejected';
create index workout_checkins_of_week on nectar.workout_checkins (battle_week_start, date)
  include (user_id, team_color, battle_chips_earned) where status = 'verified';
create index workout_checkins_of_chain on nectar.workout_checkins (chain_id);
create index workout_checkins_of_reviewer on nectar.workout_checkins (reviewed_by);
create index workout_checkin_photos_of_user on nectar.workout_checkin_photos (user_id);
create index workout_checkin_photos_alike on nectar.workout_checkin_photos using gin (hash_bands);

-- Functions about check-ins ---------------------------------------------------------------------------------------------
create function private.lock_check_in(person uuid) returns void
  language sql volatile security invoker
  set search_path = ''
  as $$
    select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('check-in of ' || person::text, 0))
  $$;
comment on function private.lock_check_in(uuid) is 'Lets one check-in of a person be written at a time.';

create function private.has_streak(p_user_id uuid, p_date date) returns boolean
  language sql stable security invoker
  set search_path = ''
  as $$
    select count(*) = 6
    from nectar.workout_checkins k
    where k.user_id = p_user_id and k.date between p_date - 6 and p_date - 1 and k.status = 'verified'
  $$;
comment on function private.has_streak(uuid, date) is
  'Whether a check-in on a date is at least the seventh in a row: the six dates before it have verified check-ins.';

create function private.judge_check_ins(
  p_user_ids uuid[], p_dates date[], p_moments timestamptz[], p_grace_minutes integer
) returns table (user_id uuid, date date, chain_status nectar.chain_status, has_streak boolean)
  language sql stable security invoker
  set search_path = ''
  as $$
    with check_ins as (
      select * from unnest(p_user_ids, p_dates, p_moments) n (user_id, date, moment)
    )
    select n.user_id, n.date,
      case
        when b.id is null
          or b.closed_at is null and b.window_ends_at + make_interval(mins => p_grace_minutes) >= n.moment
          or together.user_id is not null
          or exists (
            select from nectar.workout_checkins k
            where k.user_id = b.user_id and k.date = b.date and k.status <> 'rejected'
          )
        then 'continued'
        else 'broken'
      end::nectar.chain_status,
      private.has_streak(n.user_id, n.date)
    from check_ins n
    left join nectar.chains c on c.user_id = n.user_id and c.date = n.date
    left join nectar.chains b on b.user_id = c.before_user_id and b.date = c.date
    left join check_ins together on together.user_id = b.user_id and together.date = b.date
  $$;
comment on function private.judge_check_ins(uuid[], date[], timestamptz[], integer) is
  'What the chips of new check-ins depend on, at the moment of each. The chain is broken only when the previous person can no longer check in and has no verified or pending check-in; those that are written together count. private.recount_check_ins corrects it once the result of the previous person is final.';

create function private.lock_for_check_ins(p_user_ids uuid[], p_dates date[]) returns void
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  -- Profiles first, as account deletion does: those of all people who are written about or whose chain row is locked.
  perform private.lock_profiles(array(
    select o.id
    from unnest(p_user_ids, p_dates) n (user_id, date)
    left join nectar.chains c on c.user_id = n.user_id and c.date = n.date
    left join nectar.squads q on q.id = c.squad_id
    cross join lateral (
      values (n.user_id), (c.before_user_id), (c.after_user_id), (q.user_1_id), (q.user_2_id), (q.user_3_id)
    ) o (id)
    where o.id is not null
  ));
  perform
  from nectar.chains c
  where c.id in (
    select own.id
    from unnest(p_user_ids, p_dates) n (user_id, date)
    join nectar.chains own on own.user_id = n.user_id and own.date = n.date
    union all
    select b.id
    from unnest(p_user_ids, p_dates) n (user_id, date)
    join nectar.chains own on own.user_id = n.user_id and own.date = n.date
    join nectar.chains b on b.user_id = own.before_user_id and b.date = own.date
  )
  order by c.date, c.window_starts_at, c.user_id
  for no key update;
end
$$;
comment on function private.lock_for_check_ins(uuid[], date[]) is
  'Locks what check-ins of people on dates depend on: the accounts of all people involved, then the chain rows of the people and of those before them, in the order of the chain. Each change of a check-in''s status locks the chain row of its date, so a check-in and the result of the previous person see each other.';

create function private.record_check_in(
  p_file_id uuid, p_date date, p_activity nectar.activity_type, p_taken_at timestamptz, p_taken_offset text,
  p_is_early boolean, p_hash bit(64), p_lat numeric, p_lng numeric, p_flags text[], p_moment timestamptz,
  p_grace_minutes integer
) returns table (notified uuid[], is_next_notified boolean)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  person constant uuid := private.actor_id();
  monday constant date := p_date - (extract(isodow from p_date)::integer - 1);
  chain nectar.chains;
  rejected nectar.workout_checkins;
  written nectar.workout_checkins;
  facts record;
  flags text[] := p_flags;
begin
  perform private.check_moment(p_moment);
  -- A day is over everywhere within two, and tomorrow has begun at most fourteen hours ahead of UTC.
  if (p_date between (p_moment at time zone 'UTC')::date - 2 and (p_moment at time zone 'UTC' + interval '14 hours')::date)
    is not true
  then
    raise exception 'the date is not open' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  if (p_grace_minutes between 0 and 120) is not true then
    raise exception 'the grace is out of range' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  -- One check-in of a person at a time, and one photo at a time of those that may look alike.
  perform private.lock_check_in(person);
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('check-in photo ' || b.band::text, 0))
  from unnest(private.photo_bands(p_hash)) with ordinality b (band, n)
  order by b.n;
  perform private.lock_for_check_ins(array[person], array[p_date]);
  select k.* into rejected from nectar.workout_checkins k where k.user_id = person and k.date = p_date;
  if rejected.status <> 'rejected' then
    raise exception 'there is a check-in of this date' using errcode = 'NX000', detail = 'checkin.already_checked_in';
  end if;
  select c.* into chain from nectar.chains c where c.user_id = person and c.date = p_date;
  -- The day was closed while the photo was examined, and the next person has been notified.
  if chain.closed_at is not null or chain.day_ends_at <= p_moment then
    raise exception 'the day of the photo is closed' using errcode = 'NX000', detail = 'checkin.too_late';
  end if;
  -- Not "exists": for a first row the planner would rather walk through all photos than ask the index.
  if (
    select bool_or(bit_count(p.perceptual_hash # p_hash) <= 4)
    from nectar.workout_checkin_photos p
    where p.hash_bands && private.photo_bands(p_hash)
  ) then
    flags := 'seen_before'::text || flags;
  end if;
  written.status := case when cardinality(flags) = 0 then 'verified' else 'pending' end;
  written.verified_at := coalesce(rejected.verified_at, case when written.status = 'verified' then p_moment end);
  if rejected.is_counted then
    written.battle_week_start := rejected.battle_week_start;
  elsif written.status = 'verified' then
    written.battle_week_start := private.join_battle(p_date);
  else
    written.battle_week_start := monday;
  end if;
  select j.chain_status, j.has_streak into facts
  from private.judge_check_ins(array[person], array[p_date], array[p_moment], p_grace_minutes) j;
  if rejected.id is null then
    insert into nectar.workout_checkins as k (
      user_id, chain_id, date, activity_type, photo_timestamp, status, chain_status, is_early, has_streak, team_color,
      battle_week_start, verified_at
    ) values (
      person, chain.id, p_date, p_activity, p_taken_at, written.status, facts.chain_status, p_is_early, facts.has_streak,
      coalesce(chain.team_color, (
        select t.color from nectar.team_colors t where t.user_id = person and t.week_start_date = monday
      )),
      written.battle_week_start, written.verified_at
    )
    returning k.id into written.id;
  else
    -- A battle that ended with its chips keeps them, so what they follow from stays as well.
    update nectar.workout_checkins k
    set activity_type = p_activity, photo_timestamp = p_taken_at, status = written.status,
      chain_status = case when k.is_counted then k.chain_status else facts.chain_status end,
      is_early = case when k.is_counted then k.is_early else p_is_early end,
      has_streak = case when k.is_counted then k.has_streak else facts.has_streak end,
      battle_week_start = written.battle_week_start, verified_at = written.verified_at,
      reviewed_at = null, reviewed_by = null, review_reason = null
    where k.id = rejected.id
    returning k.id into written.id;
    delete from nectar.workout_checkin_photos p where p.checkin_id = written.id;
  end if;
  insert into nectar.workout_checkin_photos (
    checkin_id, user_id, file_id, perceptual_hash, location_lat, location_lng, flags, taken_offset
  ) values (written.id, person, p_file_id, p_hash, p_lat, p_lng, flags, p_taken_offset);
  perform private.keep_file('private', 'checkins/' || person || '/' || p_file_id || '.jpg');
  -- Others are notified of a check-in once, and were of the one that this replaces.
  return query
    select coalesce(array_agg(t.recipient), '{}'), coalesce(bool_or(t.is_next), false)
    from private.announce_check_ins(array[written.id], p_moment, p_grace_minutes) t
    where rejected.id is null;
end
$$;
comment on function private.record_check_in(uuid, date, nectar.activity_type, timestamptz, text, boolean, bit, numeric, numeric, text[], timestamptz, integer) is
  'Writes the caller''s check-in with its photo, whose file stays, and notifies the next person and the squad; verified when it has no flags. Replaces a rejected check-in while the day is open: its photo is discarded and its review cleared. Security definer: no role may write check-ins and notifications directly.';

create function private.announce_check_ins(p_checkin_ids uuid[], p_moment timestamptz, p_grace_minutes integer)
  returns table (recipient uuid, is_next boolean)
  language sql volatile security invoker
  set search_path = ''
  as $$
    with written as (
      select k.*, c.after_user_id, c.squad_id, coalesce(nullif(p.full_name, ''), 'Your neighbour') as name,
        jsonb_build_object('checkin_id', k.id, 'date', k.date) as data
      from nectar.workout_checkins k
      join nectar.chains c on c.user_id = k.user_id and c.date = k.date
      join nectar.profiles p on p.id = k.user_id
      where k.id = any (p_checkin_ids)
    ), messages as (
      select w.after_user_id as recipient, 'baton_pass'::nectar.notification_type as type, 'The baton is yours' as title,
        w.name || ' has checked in. You are next.' as body, w.data
      from written w
      join nectar.profiles p on p.id = w.after_user_id and not p.is_ai
      join nectar.chains n on n.user_id = p.id and n.date = w.date
      where n.window_ends_at + make_interval(mins => p_grace_minutes) >= p_moment
        and not exists (select from nectar.workout_checkins k where k.user_id = p.id and k.date = w.date)
      union all
      select p.id, 'battle_update', 'Chips for your team',
        w.name || ' brought ' || w.battle_chips_earned || ' for your team.',
        w.data || jsonb_build_object('week_start_date', w.battle_week_start)
      from written w
      join nectar.squads q on q.id = w.squad_id
      join nectar.profiles p on p.id in (q.user_1_id, q.user_2_id, q.user_3_id) and p.id <> w.user_id and not p.is_ai
      where w.status = 'verified'
    ), sent as (
      insert into nectar.notifications (user_id, type, title, body, data)
      select m.recipient, m.type, m.title, m.body, m.data from messages m
      returning user_id, type
    )
    select s.user_id, s.type = 'baton_pass' from sent s
  $$;
comment on function private.announce_check_ins(uuid[], timestamptz, integer) is
  'Notifies the next person of each new check-in unless they have checked in or their window is over, and the squad of a verified one how many chips it brought; synthetic users are left out.';

create function private.lock_for_review(p_checkin_id uuid) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  owner uuid;
  played_on date;
begin
  select k.user_id, k.date into owner, played_on from nectar.workout_checkins k where k.id = p_checkin_id;
  if not found then
    return;
  end if;
  -- In the order in which a check-in locks.
  perform private.lock_check_in(owner);
  perform private.lock_profiles(array(
    select owner
    union
    select c.after_user_id from nectar.chains c where c.user_id = owner and c.date = played_on
  ));
  perform
  from nectar.chains c
  where c.user_id = owner and c.date between played_on and played_on + 6
  order by c.date
  for no key update;
end
$$;
comment on function private.lock_for_review(uuid) is
  'Locks what changes with the status of a check-in before it is reviewed: the accounts of its owner and of the next person, and the owner''s chain rows of the dates whose chips can follow. Security definer: it locks rows that the service may not change.';

create function private.is_checked_in(p_file_id uuid) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.lock_check_in(private.actor_id());
  return exists (select from nectar.workout_checkin_photos p where p.file_id = p_file_id and p.user_id = private.actor_id());
end
$$;
comment on function private.is_checked_in(uuid) is
  'Whether the caller''s check-in with a photo was written; waits for one that is about to be. Security definer: only the caller''s own check-ins are locked.';

create function private.check_in_details(p_checkin_ids uuid[])
  returns table (
    checkin_id uuid, photo_key text, location_lat numeric, location_lng numeric, flags text[], review_reason text
  )
  language sql stable security definer
  set search_path = ''
  as $$
    with viewer as (
      select private.actor_id() as id, exists (
        select from nectar.user_roles r where r.user_id = private.actor_id() and r.role in ('admin', 'super_admin')
      ) as is_admin
    ), seen as (
      select k.id, k.review_reason, p.*, v.is_admin or k.user_id = v.id as is_whole
      from nectar.workout_checkins k
      left join nectar.workout_checkin_photos p on p.checkin_id = k.id
      cross join viewer v
      left join nectar.chains theirs on theirs.user_id = k.user_id and theirs.date = k.date
      left join nectar.chains mine on mine.user_id = v.id and mine.date = k.date
      where k.id = any (p_checkin_ids) and (
        v.is_admin
        or k.user_id = v.id
        or k.user_id in (mine.before_user_id, mine.after_user_id)
        or v.id in (theirs.before_user_id, theirs.after_user_id)
        or mine.squad_id = theirs.squad_id
      )
    )
    select s.id, s.photo_key, case when s.is_whole then s.location_lat end, case when s.is_whole then s.location_lng end,
      case when s.is_whole then coalesce(s.flags, '{}') end, case when s.is_whole then s.review_reason end
    from seen s
  $$;
comment on function private.check_in_details(uuid[]) is
  'What only some people may see of check-ins. The photo''s path: the owner, their chain neighbours, their squad and admins. Coordinates, flags (null for others) and the reason of a review: the owner and admins. Security definer: the rest of these rows is hidden from its reader.';

create function private.discard_check_in_photo() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.discard_file('private', old.photo_key);
  return null;
end
$$;
comment on function private.discard_check_in_photo() is
  'Trigger: the file of a photo goes with its row. Definer: also when an account takes the row with it.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger workout_checkin_photos_discard_file
  after delete on nectar.workout_checkin_photos
  for each row execute function private.discard_check_in_photo();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.workout_checkins enable row level security;
alter table nectar.workout_checkin_photos enable row level security;

create policy "check-ins are seen by everybody signed in" on nectar.workout_checkins
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "a person sees where their own photos are from" on nectar.workout_checkin_photos
  for select to nectar_user using (user_id = (select private.actor_id()));

create policy "the service sees check-ins" on nectar.workout_checkins for select to nectar_service using (true);
create policy "the service reviews check-ins" on nectar.workout_checkins
  for update to nectar_service using (true) with check (true);
create policy "the service sees photos" on nectar.workout_checkin_photos for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
-- What an admin wrote about a check-in, and who it was, is not among what everybody reads.
grant select (id, user_id, chain_id, date, activity_type, photo_timestamp, status, battle_chips_earned, chip_breakdown,
  chain_status, team_color, battle_week_start, created_at, verified_at, reviewed_at) on nectar.workout_checkins to nectar_user;
grant select on nectar.workout_checkins to nectar_service;
grant select on nectar.workout_checkin_photos to nectar_user, nectar_service;
grant update (status, battle_week_start, verified_at, is_counted, reviewed_at, reviewed_by, review_reason)
  on nectar.workout_checkins to nectar_service;

revoke execute on all functions in schema private from public;
grant execute on function
  private.record_check_in(uuid, date, nectar.activity_type, timestamptz, text, boolean, bit, numeric, numeric, text[], timestamptz, integer),
  private.is_checked_in(uuid),
  private.check_in_details(uuid[]) to nectar_user;
-- A review changes the status, from which the columns of the chips are generated.
grant execute on function
  private.lock_for_review(uuid),
  private.chip_breakdown(nectar.checkin_status, nectar.chain_status, boolean, boolean) to nectar_service;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.workout_checkins is 'One for each person and game date: that they did it, and what it earned. Everybody signed in may read it, but for what admins wrote of it.';
comment on column nectar.workout_checkins.date is 'The game date: the local date on which the window began.';
comment on column nectar.workout_checkins.photo_timestamp is 'When the photo says that it was taken; null without a photo or without a moment in it.';
comment on column nectar.workout_checkins.chain_status is 'continued or broken, by the result of the previous person in the chain; follows it until a battle has ended with the chips of this check-in.';
comment on column nectar.workout_checkins.is_early is 'Whether it was within the first 30 minutes of the window, or in the grace before it.';
comment on column nectar.workout_checkins.has_streak is 'Whether it is at least the seventh verified day in a row; follows reviews of the days before as chain_status follows the previous person.';
comment on column nectar.workout_checkins.battle_chips_earned is 'Counts for the battle only while the status is verified.';
comment on column nectar.workout_checkins.chip_breakdown is '{base, chain, early, streak, raw, earned}: earned is raw rounded down.';
comment on column nectar.workout_checkins.battle_week_start is 'Monday of the battle that the chips count for: the week of the date, or a later one when that battle was over.';
comment on column nectar.workout_checkins.verified_at is 'When it was verified for the first time.';
comment on column nectar.workout_checkins.is_counted is 'Whether its battle had ended with its chips when it was rejected; if it is verified again, they stay there.';
comment on column nectar.workout_checkins.reviewed_at is 'When an admin changed the status for the last time.';
comment on table nectar.workout_checkin_photos is 'The photo of a check-in: its file, where it was taken, how it looks, and what is odd about it. Its owner and admins only.';
comment on column nectar.workout_checkin_photos.file_id is 'Names the file; a check-in that replaces a rejected one has another.';
comment on column nectar.workout_checkin_photos.photo_key is 'Where the photo lies in the private store.';
comment on column nectar.workout_checkin_photos.perceptual_hash is 'dHash: the same picture in another size or quality differs in few bits.';
comment on column nectar.workout_checkin_photos.flags is 'Why an admin should look at it; empty when nothing is odd.';
comment on column nectar.workout_checkin_photos.taken_offset is 'Offset from UTC that the photo names, such as +02:00.';
