-- Why: a mosaic is a game date in one picture, with one piece for each participant.

-- Types ---------------------------------------------------------------------------------------------------------------
create type nectar.mosaic_status as enum ('completed', 'failed', 'pending');

-- Tables --------------------------------------------------------------------------------------------------------------
create table nectar.mosaics (
  id uuid primary key default gen_random_uuid(),
  date date not null,
  image_key text not null,
  image_side integer not null,
  total_participants integer not null,
  completed_count integer not null default 0,
  failed_count integer not null default 0,
  pending_count integer not null default 0,
  digest text not null,
  seen_at timestamptz not null,
  created_at timestamptz(3) not null default now(),
  constraint mosaics_one_a_date unique (date),
  constraint mosaics_image_key_length check (char_length(image_key) between 1 and 200),
  constraint mosaics_image_side_positive check (image_side > 0),
  constraint mosaics_counts_not_negative check (least(completed_count, failed_count, pending_count) >= 0),
  constraint mosaics_counts_add_up check (completed_count + failed_count + pending_count = total_participants)
);
create index mosaics_pending on nectar.mosaics (date) where pending_count > 0;
comment on table nectar.mosaics is 'A date in one picture, as it was when it was last drawn.';
comment on column nectar.mosaics.image_key is 'The path of the picture in the private store.';
comment on column nectar.mosaics.image_side is 'Width and height of the picture in pixels.';
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
create index mosaic_sections_pending on nectar.mosaic_sections (date, user_id) where status = 'pending';
create index mosaic_sections_of_user on nectar.mosaic_sections (user_id);
comment on table nectar.mosaic_sections is
  'One person in a mosaic. Where their piece is follows from position and number of participants.';

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.store_mosaic(
  p_date date, p_image_key text, p_image_side integer, p_digest text, p_seen_at timestamptz, p_user_ids uuid[],
  p_statuses nectar.mosaic_status[], p_colors nectar.team_color[]
) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into nectar.mosaics as m (
    date, image_key, image_side, total_participants, completed_count, failed_count, pending_count, digest, seen_at
  )
  select p_date, p_image_key, p_image_side, count(*), count(*) filter (where t.status = 'completed'),
    count(*) filter (where t.status = 'failed'), count(*) filter (where t.status = 'pending'), p_digest, p_seen_at
  from unnest(p_statuses) t (status)
  on conflict on constraint mosaics_one_a_date do update
    set image_key = excluded.image_key, image_side = excluded.image_side,
      total_participants = excluded.total_participants, completed_count = excluded.completed_count,
      failed_count = excluded.failed_count, pending_count = excluded.pending_count, digest = excluded.digest,
      seen_at = excluded.seen_at
    where m.seen_at < excluded.seen_at;
  if not found then
    return false;
  end if;
  -- All profiles are locked before the first row is written, as account deletion locks the profile first.
  perform
  from unnest(p_user_ids, p_statuses, p_colors) with ordinality u (user_id, status, color, number)
  join nectar.profiles p on p.id = u.user_id
  left join nectar.mosaic_sections s on s.date = p_date and s.position = u.number - 1
  where (s.user_id, s.status, s.team_color) is distinct from (u.user_id, u.status, u.color)
  order by u.user_id
  for key share of p;
  insert into nectar.mosaic_sections as s (date, position, user_id, status, team_color)
  select p_date, (u.number - 1)::integer, u.user_id, u.status, u.color
  from unnest(p_user_ids, p_statuses, p_colors) with ordinality u (user_id, status, color, number)
  join nectar.profiles p on p.id = u.user_id
  on conflict (date, position) do update
    set user_id = excluded.user_id, status = excluded.status, team_color = excluded.team_color
    where (s.user_id, s.status, s.team_color) is distinct from (excluded.user_id, excluded.status, excluded.team_color);
  -- Those beyond the end, and those at the position of a person whose account was deleted before this was written.
  delete from nectar.mosaic_sections s
  where s.date = p_date and (s.position >= cardinality(p_user_ids) or s.user_id <> p_user_ids[s.position + 1]);
  perform private.keep_file('private', p_image_key);
  return true;
end
$$;
comment on function private.store_mosaic(
  date, text, integer, text, timestamptz, uuid[], nectar.mosaic_status[], nectar.team_color[]
) is
  'Writes a mosaic whose image is stored, replacing the previous one; false if that one read the states later. Security definer: no role may write mosaics directly.';
grant execute on function
  private.store_mosaic(date, text, integer, text, timestamptz, uuid[], nectar.mosaic_status[], nectar.team_color[])
  to nectar_service;

create function private.discard_mosaic() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- Signed addresses of it work for an hour.
  perform private.expect_file('private', old.image_key);
  return null;
end
$$;
comment on function private.discard_mosaic() is
  'Trigger: the image of a mosaic is deleted an hour after another one replaced it. Security definer: no role may write the list of files to remove directly.';
create trigger mosaics_discard_replaced_image
  after update of image_key on nectar.mosaics
  for each row when (old.image_key <> new.image_key)
  execute function private.discard_mosaic();
create trigger mosaics_discard_image
  after delete on nectar.mosaics
  for each row execute function private.discard_mosaic();

revoke execute on all functions in schema private from public;

-- Row-level security --------------------------------------------------------------------------------------------------
alter table nectar.mosaics enable row level security;
alter table nectar.mosaic_sections enable row level security;

create policy "everyone signed in sees mosaics" on nectar.mosaics
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees mosaics" on nectar.mosaics for select to nectar_service using (true);
create policy "everyone signed in sees sections of mosaics" on nectar.mosaic_sections
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees sections of mosaics" on nectar.mosaic_sections for select to nectar_service using (true);
grant select on nectar.mosaics, nectar.mosaic_sections to nectar_user, nectar_service;
