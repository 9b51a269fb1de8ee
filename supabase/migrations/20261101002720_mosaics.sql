-- Why: a mosaic is a game date in one picture, with one piece for each participant.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.mosaic_status as enum ('completed', 'failed', 'pending');

-- Tables ----------------------------------------------------------------------------------------------------------------
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

create table nectar.mosaic_sections (
  date date not null references nectar.mosaics (date) on delete cascade,
  position integer not null,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  status nectar.mosaic_status not null,
  team_color nectar.team_color not null,
  primary key (date, position),
  constraint mosaic_sections_position_not_negative check (position >= 0)
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index mosaics_pending on nectar.mosaics (date) where pending_count > 0;
create index mosaic_sections_pending on nectar.mosaic_sections (date, user_id) where status = 'pending';
create index mosaic_sections_of_user on nectar.mosaic_sections (user_id);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.store_mosaic(
  on_date date, key text, side integer, new_digest text, seen timestamptz, people uuid[], states nectar.mosaic_status[],
  colors nectar.team_color[]
) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into nectar.mosaics as m (
    date, image_key, image_side, total_participants, completed_count, failed_count, pending_count, digest, seen_at
  )
  select on_date, key, side, count(*), count(*) filter (where t.state = 'completed'),
    count(*) filter (where t.state = 'failed'), count(*) filter (where t.state = 'pending'), new_digest, seen
  from unnest(states) t (state)
  on conflict on constraint mosaics_one_a_date do update
    set image_key = excluded.image_key, image_side = excluded.image_side,
      total_participants = excluded.total_participants, completed_count = excluded.completed_count,
      failed_count = excluded.failed_count, pending_count = excluded.pending_count, digest = excluded.digest,
      seen_at = excluded.seen_at
    where m.seen_at < excluded.seen_at;
  if not found then
    return false;
  end if;
  -- Everybody is held before the first row is written: whoever deletes an account holds the profile and waits for its rows.
  perform
  from unnest(people, states, colors) with ordinality u (person, state, color, place)
  join nectar.profiles p on p.id = u.person
  left join nectar.mosaic_sections s on s.date = on_date and s.position = u.place - 1
  where (s.user_id, s.status, s.team_color) is distinct from (u.person, u.state, u.color)
  order by u.person
  for key share of p;
  insert into nectar.mosaic_sections as s (date, position, user_id, status, team_color)
  select on_date, (u.place - 1)::integer, u.person, u.state, u.color
  from unnest(people, states, colors) with ordinality u (person, state, color, place)
  join nectar.profiles p on p.id = u.person
  on conflict (date, position) do update
    set user_id = excluded.user_id, status = excluded.status, team_color = excluded.team_color
    where (s.user_id, s.status, s.team_color) is distinct from (excluded.user_id, excluded.status, excluded.team_color);
  -- Those beyond the end, and whoever stood where somebody does whose account went before this was written.
  delete from nectar.mosaic_sections s
  where s.date = on_date and (s.position >= cardinality(people) or s.user_id <> people[s.position + 1]);
  perform private.keep_file('private', key);
  return true;
end
$$;
comment on function private.store_mosaic(date, text, integer, text, timestamptz, uuid[], nectar.mosaic_status[], nectar.team_color[]) is
  'Writes a mosaic whose image is stored, in place of the one before; false when that one has seen more. Definer: nobody writes mosaics by themselves.';

create function private.discard_mosaic() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- Addresses of it that were given a moment ago work for an hour.
  perform private.expect_file('private', old.image_key);
  return null;
end
$$;
comment on function private.discard_mosaic() is 'Trigger: the image of a mosaic goes an hour after another took its place.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger mosaics_discard_replaced_image
  after update of image_key on nectar.mosaics
  for each row when (old.image_key <> new.image_key)
  execute function private.discard_mosaic();
create trigger mosaics_discard_image
  after delete on nectar.mosaics
  for each row execute function private.discard_mosaic();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.mosaics enable row level security;
alter table nectar.mosaic_sections enable row level security;

create policy "mosaics are seen by everybody signed in" on nectar.mosaics
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees mosaics" on nectar.mosaics for select to nectar_service using (true);
create policy "sections of mosaics are seen by everybody signed in" on nectar.mosaic_sections
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees sections of mosaics" on nectar.mosaic_sections for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.mosaics, nectar.mosaic_sections to nectar_user, nectar_service;
revoke execute on all functions in schema private from public;
grant execute on function
  private.store_mosaic(date, text, integer, text, timestamptz, uuid[], nectar.mosaic_status[], nectar.team_color[])
  to nectar_service;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.mosaics is 'A date in one picture, as it was when it was drawn last.';
comment on column nectar.mosaics.image_key is 'Where the picture lies in the private store.';
comment on column nectar.mosaics.image_side is 'Width and height of the picture in pixels.';
comment on column nectar.mosaics.digest is 'SHA-256 of everybody''s state, to tell whether drawing it again would change anything.';
comment on column nectar.mosaics.seen_at is 'When the states were read; a drawing that saw less never replaces it.';
comment on table nectar.mosaic_sections is 'One person in a mosaic. Where their piece lies follows from position and number of participants.';
