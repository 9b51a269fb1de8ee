-- Why: A mosaic is a game date in one picture, with one piece for each participant.

create type nectar.mosaic_status as enum ('completed', 'failed', 'pending');

create table nectar.mosaics (
  id uuid primary key default gen_random_uuid(),
  date date not null,
  image_key text not null,
  total_participants integer not null,
  completed_count integer not null default 0,
  failed_count integer not null default 0,
  pending_count integer not null default 0,
  digest text not null,
  seen_at timestamptz not null,
  created_at timestamptz(3) not null default now(),
  constraint mosaics_one_a_date unique (date),
  constraint mosaics_image_key_length check (char_length(image_key) between 1 and 200),
  constraint mosaics_counts_not_negative check (least(completed_count, failed_count, pending_count) >= 0),
  constraint mosaics_counts_add_up check (completed_count + failed_count + pending_count = total_participants)
);
comment on table nectar.mosaics is 'A date in one picture, as it was when it was last drawn.';
comment on column nectar.mosaics.image_key is 'The path of the picture in the private store.';
comment on column nectar.mosaics.digest is
  'SHA-256 of everyone''s state, to tell whether drawing it again would change anything.';
comment on column nectar.mosaics.seen_at is
  'When the states were read; a drawing never replaces one that read them later.';

create table nectar.mosaic_sections (
  date date not null references nectar.mosaics (date) on delete cascade,
  position integer not null,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  status nectar.mosaic_status not null,
  team_color nectar.team_color not null,
  primary key (date, position),
  constraint mosaic_sections_position_not_negative check (position >= 0)
);
comment on table nectar.mosaic_sections is
  'One person in a mosaic. Where their piece is follows from position and number of participants.';

create index mosaics_pending on nectar.mosaics (date) where pending_count > 0;
create index mosaic_sections_pending on nectar.mosaic_sections (date, user_id) where status = 'pending';
create index mosaic_sections_of_user on nectar.mosaic_sections (user_id);

-- Returns the dates whose mosaics may have changed. They are those that are today or yesterday anywhere, if someone
-- plays on them or did when they were drawn, and older ones that show a person as pending who is not any more. Older
-- days change by reviews only.
create function private.mosaics_to_draw(p_moment timestamptz) returns setof date
  language sql stable security invoker set search_path = '' as $$
    with recent as (
      -- From yesterday in the last time zone to today in the first one.
      select d.date::date as date
      from generate_series(
        date_trunc('day', p_moment at time zone 'UTC' - interval '12 hours') - interval '1 day',
        p_moment at time zone 'UTC' + interval '14 hours', interval '1 day'
      ) d (date)
    )
    select r.date from recent r
    where exists (select from nectar.chains c where c.date = r.date)
      or exists (select from nectar.mosaics m where m.date = r.date)
    union
    select m.date from nectar.mosaics m
    where m.pending_count > 0 and m.date < (select min(r.date) from recent r)
      and exists (
        select from nectar.mosaic_sections s
        where s.date = m.date and s.status = 'pending'
          and not exists (
            select from nectar.workout_checkins k
            where k.user_id = s.user_id and k.date = s.date and k.status = 'pending'
          )
      )
    order by 1
  $$;
grant execute on function private.mosaics_to_draw(timestamptz) to nectar_service;

-- Writes the mosaic of a date whose image is stored, replacing the previous one; false if that one read the states
-- later. p_mosaic has image_key, digest, seen_at and sections, each with user_id, status and teamColor, in the order of
-- their positions. Security definer: no role may write mosaics directly.
create function private.store_mosaic(p_date date, p_mosaic jsonb) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_ids uuid[];
  v_statuses nectar.mosaic_status[];
  v_colors nectar.team_color[];
begin
  select array_agg(n.user_id order by n.number), array_agg(n.status order by n.number), array_agg(n.color order by n.number)
    into v_user_ids, v_statuses, v_colors
  from rows from (
    jsonb_to_recordset(p_mosaic -> 'sections')
      as (user_id uuid, status nectar.mosaic_status, "teamColor" nectar.team_color)
  ) with ordinality n (user_id, status, color, number);
  insert into nectar.mosaics as m (
    date, image_key, total_participants, completed_count, failed_count, pending_count, digest, seen_at
  )
  select p_date, n.image_key, t.total, t.completed, t.failed, t.pending, n.digest, n.seen_at
  from jsonb_to_record(p_mosaic) n (image_key text, digest text, seen_at timestamptz)
  cross join (
    select count(*) as total, count(*) filter (where s = 'completed') as completed,
      count(*) filter (where s = 'failed') as failed, count(*) filter (where s = 'pending') as pending
    from unnest(v_statuses) s
  ) t
  on conflict on constraint mosaics_one_a_date do update
    set image_key = excluded.image_key, total_participants = excluded.total_participants,
      completed_count = excluded.completed_count, failed_count = excluded.failed_count,
      pending_count = excluded.pending_count, digest = excluded.digest, seen_at = excluded.seen_at
    where m.seen_at < excluded.seen_at;
  if not found then return false; end if;
  -- All profiles are locked before the first row is written, as account deletion locks the profile first.
  perform
  from unnest(v_user_ids, v_statuses, v_colors) with ordinality n (user_id, status, color, number)
  join nectar.profiles p on p.id = n.user_id
  left join nectar.mosaic_sections s on s.date = p_date and s.position = n.number - 1
  where (s.user_id, s.status, s.team_color) is distinct from (n.user_id, n.status, n.color) order by n.user_id
  for key share of p;
  insert into nectar.mosaic_sections as s (date, position, user_id, status, team_color)
  select p_date, (n.number - 1)::integer, n.user_id, n.status, n.color
  from unnest(v_user_ids, v_statuses, v_colors) with ordinality n (user_id, status, color, number)
  join nectar.profiles p on p.id = n.user_id
  on conflict (date, position) do update
    set user_id = excluded.user_id, status = excluded.status, team_color = excluded.team_color
    where (s.user_id, s.status, s.team_color) is distinct from (excluded.user_id, excluded.status, excluded.team_color);
  -- Those beyond the end, and those at the position of a person whose account was deleted before this was written.
  delete from nectar.mosaic_sections s where s.date = p_date and v_user_ids[s.position + 1] is distinct from s.user_id;
  perform private.keep_file('private', p_mosaic ->> 'image_key');
  return true;
end $$;
grant execute on function private.store_mosaic(date, jsonb) to nectar_service;

-- Lets the image of a mosaic be deleted an hour after another one replaced it. Security definer: no role may write the
-- list of files to remove directly.
create function private.discard_mosaic() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.image_key is distinct from old.image_key then
    -- Signed addresses of it work for an hour.
    perform private.expect_file('private', old.image_key);
  end if;
  return null;
end $$;

create trigger mosaics__discard_image
  after update of image_key or delete on nectar.mosaics
  for each row execute function private.discard_mosaic();

alter table nectar.mosaics enable row level security;
alter table nectar.mosaic_sections enable row level security;

create policy "everyone signed in sees mosaics" on nectar.mosaics
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees mosaics" on nectar.mosaics for select to nectar_service using (true);

create policy "everyone signed in sees sections of mosaics" on nectar.mosaic_sections
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees sections of mosaics" on nectar.mosaic_sections for select to nectar_service using (true);

grant select on nectar.mosaics, nectar.mosaic_sections to nectar_user, nectar_service;
