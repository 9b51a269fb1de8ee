-- Why: Once on each game date a person shows with a photo that they did what they planned. What everyone may see of it
-- (who, when, how many chips) is one table; what only its owner and admins may see (where, and how the photo looks to a
-- computer) is another.

create type nectar.checkin_status as enum ('pending', 'verified', 'rejected');
create type nectar.chain_status as enum ('continued', 'broken');
create type nectar.photo_flag as enum (
  'seen_before', 'edited', 'screenshot', 'late_upload', 'far_away', 'no_photo_time'
);

-- Returns five parts of a perceptual hash, each with its position. Two hashes that differ in at most four bits agree in
-- one of them, so an index finds near-identical photos.
create function private.photo_bands(p_perceptual_hash bit(64)) returns integer[]
  language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array[
    substring(p_perceptual_hash from 1 for 13)::bit(13)::integer,
    substring(p_perceptual_hash from 14 for 13)::bit(13)::integer + 8192,
    substring(p_perceptual_hash from 27 for 13)::bit(13)::integer + 16384,
    substring(p_perceptual_hash from 40 for 13)::bit(13)::integer + 24576,
    substring(p_perceptual_hash from 53 for 12)::bit(12)::integer + 32768
  ];
end $$;

-- Returns the chips of a check-in: for itself, the chain, being early and a streak; earned is the sum rounded down. A
-- rejected check-in has none. The columns of a check-in are generated from it.
create function private.chip_breakdown(
  p_status nectar.checkin_status, p_chain_status nectar.chain_status, p_is_early boolean, p_has_streak boolean
) returns jsonb
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  v_counts constant integer := (p_status <> 'rejected')::integer;
  v_chain constant integer := v_counts * (p_chain_status = 'continued')::integer;
  v_early constant numeric := v_counts * case when p_is_early then 0.5 else 0 end;
  v_streak constant integer := v_counts * case when p_has_streak then 2 else 0 end;
  v_raw constant numeric := v_counts + v_chain + v_early + v_streak;
begin
  return jsonb_build_object('base', v_counts, 'chain', v_chain, 'early', v_early, 'streak', v_streak,
    'raw', v_raw, 'earned', floor(v_raw)::integer);
end $$;

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
  -- With the status, for years of dates of a person.
  constraint workout_checkins_one_per_date unique (user_id, date) include (status),
  constraint workout_checkins_week_is_monday check (battle_week_start = private.week_start(battle_week_start)),
  constraint workout_checkins_verified_has_moment check (status <> 'verified' or verified_at is not null),
  constraint workout_checkins_reason_length check (char_length(review_reason) between 1 and 1000)
)
-- Vacuumed after so many new rows, because private.count_players reads the index alone only where it has been.
with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000);
comment on table nectar.workout_checkins is
  'One for each person and game date: that they did it, and what it earned. Everyone signed in may read it, except what admins wrote about it.';
comment on column nectar.workout_checkins.date is 'The game date: the local date on which the window began.';
comment on column nectar.workout_checkins.photo_timestamp is
  'When the photo says that it was taken; null without a photo or without a time in it.';
comment on column nectar.workout_checkins.chain_status is
  'continued or broken, by the result of the previous person in the chain; follows it until a battle has ended with the chips of this check-in.';
comment on column nectar.workout_checkins.is_early is
  'Whether it earned the early bonus.';
comment on column nectar.workout_checkins.has_streak is
  'Whether it is at least the seventh verified day in a row; follows reviews of the days before as chain_status follows the previous person.';
comment on column nectar.workout_checkins.battle_chips_earned is 'Counts for the battle only while the status is verified.';
comment on column nectar.workout_checkins.chip_breakdown is
  '{base, chain, early, streak, raw, earned}: earned is raw rounded down.';
comment on column nectar.workout_checkins.battle_week_start is
  'Monday of the battle that the chips count for: the week of the date, or a later one if that battle was over.';
comment on column nectar.workout_checkins.verified_at is 'When it was verified for the first time.';
comment on column nectar.workout_checkins.is_counted is
  'Whether its battle had ended with its chips when it was rejected; if it is verified again, they stay there.';
comment on column nectar.workout_checkins.reviewed_at is 'When an admin last changed the status.';

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
  hidden_at timestamptz(3),
  constraint workout_checkin_photos_one_per_file unique (file_id),
  constraint workout_checkin_photos_whole_location check ((location_lat is null) = (location_lng is null)),
  constraint workout_checkin_photos_lat_range check (location_lat between -90 and 90),
  constraint workout_checkin_photos_lng_range check (location_lng between -180 and 180),
  constraint workout_checkin_photos_flags_known check (flags <@ enum_range(null::nectar.photo_flag)::text[]),
  constraint workout_checkin_photos_offset_shape check (taken_offset ~ '^[+-][0-9]{2}:[0-9]{2}$')
);
comment on table nectar.workout_checkin_photos is
  'The photo of a check-in: its file, where it was taken, how it looks, and what is odd about it. Only its owner and admins may read it.';
comment on column nectar.workout_checkin_photos.file_id is
  'Names the file; a check-in that replaces a rejected one has another.';
comment on column nectar.workout_checkin_photos.photo_key is 'The path of the photo in the private store.';
comment on column nectar.workout_checkin_photos.perceptual_hash is
  'dHash: the same picture in another size or quality differs in few bits.';
comment on column nectar.workout_checkin_photos.flags is 'Why an admin should look at it; empty if nothing is odd.';
comment on column nectar.workout_checkin_photos.taken_offset is 'Offset from UTC that the photo names, such as +02:00.';
comment on column nectar.workout_checkin_photos.hidden_at is 'Since when only the owner, super admins and admins who decide see the photo, by a decision of an admin.';

create index workout_checkins_of_date on nectar.workout_checkins (date, created_at desc, id desc);
-- All that private.count_players reads.
create index workout_checkins_players on nectar.workout_checkins (date, user_id) include (status, battle_chips_earned);
create index workout_checkins_newest on nectar.workout_checkins (created_at desc, id desc);
-- Two small ones, because the comparison of an enum is no index condition under row-level security; nearly all others
-- are verified.
create index workout_checkins_pending on nectar.workout_checkins (created_at desc, id desc) where status = 'pending';
create index workout_checkins_rejected on nectar.workout_checkins (created_at desc, id desc) where status = 'rejected';
create index workout_checkins_of_week on nectar.workout_checkins (battle_week_start, date)
  include (user_id, team_color, battle_chips_earned) where status = 'verified';
create index workout_checkins_of_chain on nectar.workout_checkins (chain_id);
create index workout_checkins_of_reviewer on nectar.workout_checkins (reviewed_by);
create index workout_checkin_photos_of_user on nectar.workout_checkin_photos (user_id);
-- Without a list of pending rows, because every check-in would read all of it.
create index workout_checkin_photos_alike on nectar.workout_checkin_photos using gin (hash_bands) with (fastupdate = off);

-- Lets one check-in of a person be written or reviewed at a time.
create function private.lock_check_in(p_user_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('check-in of ' || p_user_id::text, 0));
end $$;

-- Returns whether the caller's check-in with a photo was written; waits for one that is about to be. Security definer:
-- only the caller's own check-ins are locked.
create function private.is_checked_in(p_file_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_check_in(private.actor_id());
  return exists (select from nectar.workout_checkin_photos p where p.file_id = p_file_id and p.user_id = private.actor_id());
end $$;
grant execute on function private.is_checked_in(uuid) to nectar_user;

-- Returns what only some people may see of check-ins, for those of which the caller may see any of it. The photo's path
-- is for the owner, their chain neighbors, their squad and admins, or only for the owner and super admins if it is
-- hidden by moderation; never with a block between owner and caller. Coordinates, flags (null for others) and the
-- reason of a review are for the owner and admins. Security definer: the rest of these rows is hidden from its reader.
create function private.check_in_details(p_checkin_ids uuid[])
  returns table (
    checkin_id uuid, photo_key text, location_lat numeric, location_lng numeric, flags text[], review_reason text
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    -- Materialized, because the planner would ask for the role once for each place where it is used.
    with viewer as materialized (
      select private.actor_id() as id, private.is_admin() as is_admin, private.blocked_users() as blocked
    ), seen as (
      select k.id, k.review_reason,
        case
          when (p.hidden_at is null or k.user_id = viewer.id or private.is_super_admin())
            and k.user_id <> all (viewer.blocked)
          then p.photo_key
        end as photo_key,
        p.location_lat, p.location_lng, coalesce(p.flags, '{}') as flags,
        viewer.is_admin or k.user_id = viewer.id as is_whole
      from viewer
      cross join nectar.workout_checkins k
      left join nectar.workout_checkin_photos p on p.checkin_id = k.id
      left join nectar.chains theirs on theirs.user_id = k.user_id and theirs.date = k.date
      left join nectar.chains mine on mine.user_id = viewer.id and mine.date = k.date
      where k.id = any ((select p_checkin_ids)::uuid[]) and (
        viewer.is_admin
        or k.user_id = viewer.id
        or k.user_id in (mine.before_user_id, mine.after_user_id)
        or viewer.id in (theirs.before_user_id, theirs.after_user_id)
        or mine.squad_id = theirs.squad_id
      )
    )
    select s.id, s.photo_key, case when s.is_whole then s.location_lat end,
      case when s.is_whole then s.location_lng end, case when s.is_whole then s.flags end,
      case when s.is_whole then s.review_reason end
    from seen s;
end $$;
grant execute on function private.check_in_details(uuid[]) to nectar_user;

create type private.chip_parts as (
  base integer, chain integer, early numeric, streak integer, raw numeric, earned integer
);
comment on type private.chip_parts is 'The chips of a check-in, part by part: earned is raw rounded down.';
create type private.seen_check_in as (
  id uuid, user_id uuid, chain_id uuid, date date, activity_type nectar.activity_type, custom_activity text,
  photo_timestamp text, status nectar.checkin_status, battle_chips_earned integer, chip_breakdown private.chip_parts,
  chain_status nectar.chain_status, team_color nectar.team_color, battle_week_start date, created_at text, photo_key text,
  location_lat numeric, location_lng numeric, flags nectar.photo_flag[], reviewed_at text, review_reason text
);
comment on type private.seen_check_in is 'A check-in as the caller may see it.';

-- Returns check-ins as the caller may see them (private.check_in_details), newest first.
create function private.seen_check_ins(p_checkin_ids uuid[]) returns setof private.seen_check_in
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    select k.id, k.user_id, k.chain_id, k.date, k.activity_type,
      (select c.custom_activity from nectar.chains c where c.id = k.chain_id and k.activity_type = 'other'),
      private.rfc3339(k.photo_timestamp), k.status, k.battle_chips_earned,
      jsonb_populate_record(null::private.chip_parts, k.chip_breakdown), k.chain_status, k.team_color,
      k.battle_week_start, private.rfc3339(k.created_at), d.photo_key, d.location_lat, d.location_lng,
      d.flags::nectar.photo_flag[], case when d.flags is not null then private.rfc3339(k.reviewed_at) end,
      d.review_reason
    from nectar.workout_checkins k
    left join private.check_in_details(p_checkin_ids) d on d.checkin_id = k.id
    where k.id = any ((select p_checkin_ids)::uuid[])
    order by k.created_at desc, k.id desc;
end $$;
grant execute on function private.seen_check_ins(uuid[]) to nectar_user;

-- Returns the check-ins of people on a date as the caller may see them, newest first.
create function private.check_ins_of(p_user_ids uuid[], p_date date) returns setof private.seen_check_in
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    select s.*
    from private.seen_check_ins(array(
      select k.id from nectar.workout_checkins k where k.date = p_date and k.user_id = any ((select p_user_ids)::uuid[])
    )) s;
end $$;
grant execute on function private.check_ins_of(uuid[], date) to nectar_user;

create trigger workout_checkin_photos__discard_file
  after delete on nectar.workout_checkin_photos
  for each row execute function private.sync_file_of_row('private', 'photo_key');

alter table nectar.workout_checkins enable row level security;
alter table nectar.workout_checkin_photos enable row level security;

create policy "everyone signed in sees check-ins" on nectar.workout_checkins
  for select to nectar_user using ((select private.actor_id()) is not null);

create policy "a person sees where their own photos are from" on nectar.workout_checkin_photos
  for select to nectar_user using (user_id = (select private.actor_id()));

create policy "the service sees check-ins" on nectar.workout_checkins for select to nectar_service using (true);

create policy "the service sees photos" on nectar.workout_checkin_photos for select to nectar_service using (true);

-- Everyone may read the rest, but not what an admin wrote about a check-in, nor who it was.
grant select (id, user_id, chain_id, date, activity_type, photo_timestamp, status, battle_chips_earned, chip_breakdown,
    chain_status, team_color, battle_week_start, created_at, verified_at, reviewed_at)
  on nectar.workout_checkins to nectar_user;
grant select on nectar.workout_checkins to nectar_service;
grant select on nectar.workout_checkin_photos to nectar_user, nectar_service;
