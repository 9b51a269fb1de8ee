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
create index workout_checkins_of_status on nectar.workout_checkins (status, created_at desc, id desc);
create index workout_checkins_of_week on nectar.workout_checkins (battle_week_start, team_color) where status = 'verified';
create index workout_checkins_of_chain on nectar.workout_checkins (chain_id);
create index workout_checkins_of_reviewer on nectar.workout_checkins (reviewed_by);
create index workout_checkin_photos_of_user on nectar.workout_checkin_photos (user_id);
create index workout_checkin_photos_alike on nectar.workout_checkin_photos using gin (hash_bands);

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
grant select on nectar.workout_checkins, nectar.workout_checkin_photos to nectar_user, nectar_service;
grant insert (user_id, chain_id, date, activity_type, photo_timestamp, status, battle_chips_earned, chip_breakdown,
  chain_status, team_color, battle_week_start, verified_at) on nectar.workout_checkins to nectar_service;
grant update (status, battle_week_start, verified_at, reviewed_at, reviewed_by, review_reason)
  on nectar.workout_checkins to nectar_service;

revoke execute on all functions in schema private from public;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.workout_checkins is 'One for each person and game date: that they did it, and what it earned. Everybody signed in may read it.';
comment on column nectar.workout_checkins.date is 'The game date: the local date on which the window began.';
comment on column nectar.workout_checkins.photo_timestamp is 'When the photo says that it was taken; null without a photo or without a moment in it.';
comment on column nectar.workout_checkins.battle_chips_earned is 'Counts for the battle only while the status is verified.';
comment on column nectar.workout_checkins.chip_breakdown is '{base, chain, early, streak, raw, earned}: earned is raw rounded down.';
comment on column nectar.workout_checkins.battle_week_start is 'Monday of the battle that the chips count for: the week of the date, or a later one when that battle was over.';
comment on column nectar.workout_checkins.verified_at is 'When it was verified for the first time.';
comment on column nectar.workout_checkins.reviewed_at is 'When an admin changed the status for the last time.';
comment on table nectar.workout_checkin_photos is 'The photo of a check-in: its file, where it was taken, how it looks, and what is odd about it. Its owner and admins only.';
comment on column nectar.workout_checkin_photos.photo_key is 'Where the photo lies in the private store.';
comment on column nectar.workout_checkin_photos.perceptual_hash is 'dHash: the same picture in another size or quality differs in few bits.';
comment on column nectar.workout_checkin_photos.flags is 'Why an admin should look at it; empty when nothing is odd.';
comment on column nectar.workout_checkin_photos.taken_offset is 'Offset from UTC that the photo names, such as +02:00.';
