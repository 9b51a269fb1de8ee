-- Why: once on each game date a person shows with a photo that they did what they planned. What everybody may see of it (who,
-- when, how many chips) is one table; what only its owner and admins may see (where, and how the photo looks to a computer)
-- is another. Both are written by one function in one transaction, so that chips, notifications and the photo's row never
-- disagree.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.checkin_status as enum ('pending', 'verified', 'rejected');

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

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.workout_checkins (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  chain_id uuid references nectar.chains (id) on delete set null,
  date date not null,
  activity_type nectar.activity_type not null,
  photo_timestamp timestamptz(3),
  status nectar.checkin_status not null default 'pending',
  battle_chips_earned integer not null default 1,
  chip_breakdown jsonb not null,
  chain_status text not null,
  team_color nectar.team_color,
  battle_week_start date not null,
  created_at timestamptz(3) not null default now(),
  verified_at timestamptz(3),
  is_counted boolean not null default false,
  reviewed_at timestamptz(3),
  reviewed_by uuid references nectar.profiles (id) on delete set null,
  review_reason text,
  constraint workout_checkins_one_per_date unique (user_id, date),
  constraint workout_checkins_chips_range check (battle_chips_earned between 0 and 100),
  constraint workout_checkins_breakdown_agrees check ((chip_breakdown ->> 'earned')::numeric = battle_chips_earned),
  constraint workout_checkins_chain_status_known check (chain_status in ('continued', 'broken')),
  constraint workout_checkins_week_is_monday check (extract(isodow from battle_week_start) = 1),
  constraint workout_checkins_verified_has_moment check (status <> 'verified' or verified_at is not null),
  constraint workout_checkins_reason_length check (char_length(review_reason) between 1 and 500)
);

create table nectar.workout_checkin_photos (
  checkin_id uuid primary key references nectar.workout_checkins (id) on delete cascade,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  photo_key text not null generated always as ('checkins/' || user_id::text || '/' || checkin_id::text || '.jpg') stored,
  perceptual_hash bit(64) not null,
  hash_bands integer[] not null generated always as (private.photo_bands(perceptual_hash)) stored,
  location_lat numeric(10, 8),
  location_lng numeric(11, 8),
  flags text[] not null default '{}',
  taken_offset text,
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

create function private.check_in_facts(on_date date, hash bit(64), moment timestamptz, grace_minutes integer)
  returns table (
    chain_id uuid, team_color nectar.team_color, is_continued boolean, streak_days integer, is_seen_before boolean
  )
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  person constant uuid := private.actor_id();
begin
  -- One check-in at a time for a person, and one of pictures that may be alike at a time for everybody.
  perform private.lock_check_in(person);
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('check-in photo ' || b.band::text, 0))
  from unnest(private.photo_bands(hash)) with ordinality b (band, n)
  order by b.n;
  return query
    select c.id, c.team_color,
      not coalesce(
        b.window_ends_at + make_interval(mins => grace_minutes) < moment
        and not exists (
          select from nectar.workout_checkins k
          where k.user_id = b.user_id and k.date = on_date and k.status in ('verified', 'pending')
        ),
        false
      ),
      1 + private.verified_days_before(person, on_date),
      -- Not "exists": for a first row it would rather walk through all photos than ask the index.
      coalesce((
        select bool_or(bit_count(p.perceptual_hash # hash) <= 4)
        from nectar.workout_checkin_photos p
        where p.hash_bands && private.photo_bands(hash)
      ), false)
    from (select 1) one
    left join nectar.chains c on c.user_id = person and c.date = on_date
    left join nectar.chains b on b.user_id = c.before_user_id and b.date = on_date;
end
$$;
comment on function private.check_in_facts(date, bit, timestamptz, integer) is
  'What a check-in of the caller depends on, with a lock until the transaction ends. The chain is broken only when the window and the grace of whoever is before are over without a verified or pending check-in. Definer: photos of others are compared without being shown.';

create function private.verified_days_before(person uuid, on_date date) returns integer
  language sql stable security invoker
  set search_path = ''
  as $$
    with recursive days as (
      select on_date - 1 as date, 0 as days
      union all
      select d.date - 1, d.days + 1
      from days d
      where exists (
        select from nectar.workout_checkins k
        where k.user_id = person and k.date = d.date and k.status = 'verified'
      )
    )
    select max(d.days) from days d
  $$;
comment on function private.verified_days_before(uuid, date) is
  'How many days in a row before a date somebody has a verified check-in.';

create function private.record_check_in(
  id uuid, on_date date, activity nectar.activity_type, taken_at timestamptz, taken_offset text, chips jsonb,
  is_continued boolean, hash bit(64), lat numeric, lng numeric, odd text[], moment timestamptz, grace_minutes integer
) returns table (created_at timestamptz, notified uuid[], is_next_notified boolean)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  person constant uuid := private.actor_id();
  verified constant boolean := cardinality(odd) = 0;
  chain nectar.chains;
  week date;
  made timestamptz;
  next_person uuid;
  others uuid[];
  person_name text;
begin
  -- Whoever deletes an account holds the profile and waits for its rows, that of this chain among them. So everybody who is
  -- written of is held before the chain.
  perform private.hold_accounts(array(
    select unnest(array[person, c.after_user_id, q.user_1_id, q.user_2_id, q.user_3_id])
    from nectar.chains c
    left join nectar.squads q on q.id = c.squad_id
    where c.user_id = person and c.date = on_date
  ));
  select c.* into chain from nectar.chains c where c.user_id = person and c.date = on_date for share;
  -- The day is being closed, or was while the photo was looked at: whoever comes after has been told.
  if chain.closed_at is not null then
    raise exception using errcode = 'NX090', message = 'the day of the photo is closed';
  end if;
  if verified then
    week := private.join_battle(on_date);
  else
    week := on_date - (extract(isodow from on_date)::integer - 1);
  end if;
  insert into nectar.workout_checkins as k (
    id, user_id, chain_id, date, activity_type, photo_timestamp, status, battle_chips_earned, chip_breakdown,
    chain_status, team_color, battle_week_start, verified_at
  ) values (
    record_check_in.id, person, chain.id, on_date, activity, taken_at,
    case when verified then 'verified' else 'pending' end::nectar.checkin_status,
    (chips ->> 'earned')::integer, chips, case when is_continued then 'continued' else 'broken' end,
    coalesce(chain.team_color, (
      select t.color from nectar.team_colors t
      where t.user_id = person and t.week_start_date = on_date - (extract(isodow from on_date)::integer - 1)
    )),
    week, case when verified then moment end
  )
  returning k.created_at into made;
  insert into nectar.workout_checkin_photos (
    checkin_id, user_id, perceptual_hash, location_lat, location_lng, flags, taken_offset
  ) values (record_check_in.id, person, hash, lat, lng, odd, record_check_in.taken_offset);
  perform private.keep_file('private', 'checkins/' || person || '/' || record_check_in.id || '.jpg');

  select coalesce(nullif(p.full_name, ''), 'Your neighbour') into person_name from nectar.profiles p where p.id = person;
  -- Nobody is next who is done, or whose window is over.
  select p.id into next_person
  from nectar.profiles p
  join nectar.chains n on n.user_id = p.id and n.date = on_date
  where p.id = chain.after_user_id and not p.is_ai
    and n.window_ends_at + make_interval(mins => grace_minutes) >= moment
    and not exists (select from nectar.workout_checkins k where k.user_id = p.id and k.date = on_date);
  if next_person is not null then
    perform private.notify(next_person, 'baton_pass', 'The baton is yours',
      person_name || ' has checked in. You are next.', jsonb_build_object('checkin_id', record_check_in.id, 'date', on_date));
  end if;
  others := array(
    select p.id
    from nectar.squads s
    join nectar.profiles p on p.id in (s.user_1_id, s.user_2_id, s.user_3_id)
    where verified and s.id = chain.squad_id and p.id <> person and not p.is_ai
    order by p.id
  );
  perform private.notify(o.person_id, 'battle_update', 'Chips for your team',
    person_name || ' brought ' || (chips ->> 'earned') || ' for your team.',
    jsonb_build_object('checkin_id', record_check_in.id, 'date', on_date, 'week_start_date', week))
  from unnest(others) o (person_id);
  return query select made, array_remove(others || next_person, null), next_person is not null;
end
$$;
comment on function private.record_check_in(uuid, date, nectar.activity_type, timestamptz, text, jsonb, boolean, bit, numeric, numeric, text[], timestamptz, integer) is
  'Writes the caller''s check-in with its photo, whose file stays, and notifies whoever is next and the squad; verified when nothing is odd about it. Definer: nobody writes chips and notifications by themselves.';

create function private.is_checked_in(checkin uuid) returns boolean
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  perform private.lock_check_in(private.actor_id());
  return exists (select from nectar.workout_checkins k where k.id = checkin);
end
$$;
comment on function private.is_checked_in(uuid) is
  'Whether a check-in of the caller was written; waits for one that is about to be.';

create function private.visible_check_in_photos(checkins uuid[])
  returns table (checkin_id uuid, photo_key text, location_lat numeric, location_lng numeric)
  language sql stable security definer
  set search_path = ''
  as $$
    with viewer as (
      select private.actor_id() as id, exists (
        select from nectar.user_roles r where r.user_id = private.actor_id() and r.role in ('admin', 'super_admin')
      ) as is_admin
    )
    select p.checkin_id, p.photo_key,
      case when v.is_admin or p.user_id = v.id then p.location_lat end,
      case when v.is_admin or p.user_id = v.id then p.location_lng end
    from nectar.workout_checkins k
    join nectar.workout_checkin_photos p on p.checkin_id = k.id
    cross join viewer v
    left join nectar.chains theirs on theirs.user_id = k.user_id and theirs.date = k.date
    left join nectar.chains mine on mine.user_id = v.id and mine.date = k.date
    where k.id = any (checkins) and (
      v.is_admin
      or k.user_id = v.id
      or k.user_id in (mine.before_user_id, mine.after_user_id)
      or v.id in (theirs.before_user_id, theirs.after_user_id)
      or mine.squad_id = theirs.squad_id
    )
  $$;
comment on function private.visible_check_in_photos(uuid[]) is
  'Where the photos of check-ins lie that the caller may see: their own, their chain neighbours'', their squad''s; admins all. Coordinates are for oneself and admins. Definer: the rest of a photo''s row is its owner''s alone.';

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
create policy "the service writes check-ins of synthetic users" on nectar.workout_checkins
  for insert to nectar_service with check (true);
create policy "the service reviews check-ins" on nectar.workout_checkins
  for update to nectar_service using (true) with check (true);
create policy "the service sees photos" on nectar.workout_checkin_photos for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
-- What an admin wrote about a check-in, and who it was, is not among what everybody reads.
grant select (id, user_id, chain_id, date, activity_type, photo_timestamp, status, battle_chips_earned, chip_breakdown,
  chain_status, team_color, battle_week_start, created_at, verified_at, reviewed_at) on nectar.workout_checkins to nectar_user;
grant select on nectar.workout_checkins to nectar_service;
grant select on nectar.workout_checkin_photos to nectar_user, nectar_service;
grant insert (user_id, chain_id, date, activity_type, photo_timestamp, status, battle_chips_earned, chip_breakdown,
  chain_status, team_color, battle_week_start, verified_at) on nectar.workout_checkins to nectar_service;
grant update (status, battle_week_start, verified_at, is_counted, reviewed_at, reviewed_by, review_reason)
  on nectar.workout_checkins to nectar_service;

revoke execute on all functions in schema private from public;
grant execute on function
  private.check_in_facts(date, bit, timestamptz, integer),
  private.record_check_in(uuid, date, nectar.activity_type, timestamptz, text, jsonb, boolean, bit, numeric, numeric, text[], timestamptz, integer),
  private.lock_check_in(uuid),
  private.is_checked_in(uuid),
  private.visible_check_in_photos(uuid[]) to nectar_user;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.workout_checkins is 'One for each person and game date: that they did it, and what it earned. Everybody signed in may read it, but for what admins wrote of it.';
comment on column nectar.workout_checkins.date is 'The game date: the local date on which the window began.';
comment on column nectar.workout_checkins.photo_timestamp is 'When the photo says that it was taken; null without a photo or without a moment in it.';
comment on column nectar.workout_checkins.battle_chips_earned is 'Counts for the battle only while the status is verified.';
comment on column nectar.workout_checkins.chip_breakdown is '{base, chain, early, streak, raw, earned}: earned is raw rounded down.';
comment on column nectar.workout_checkins.battle_week_start is 'Monday of the battle that the chips count for: the week of the date, or a later one when that battle was over.';
comment on column nectar.workout_checkins.verified_at is 'When it was verified for the first time.';
comment on column nectar.workout_checkins.is_counted is 'Whether its battle had ended with its chips when it was rejected; if it is verified again, they stay there.';
comment on column nectar.workout_checkins.reviewed_at is 'When an admin changed the status for the last time.';
comment on table nectar.workout_checkin_photos is 'The photo of a check-in: its file, where it was taken, how it looks, and what is odd about it. Its owner and admins only.';
comment on column nectar.workout_checkin_photos.photo_key is 'Where the photo lies in the private store.';
comment on column nectar.workout_checkin_photos.perceptual_hash is 'dHash: the same picture in another size or quality differs in few bits.';
comment on column nectar.workout_checkin_photos.flags is 'Why an admin should look at it; empty when nothing is odd.';
comment on column nectar.workout_checkin_photos.taken_offset is 'Offset from UTC that the photo names, such as +02:00.';
