-- Why: Calls that cost money, reach other people, or could be used to probe the service are counted for each person.
-- The limits are defined here and nowhere else, so that no caller can pass a limit of its choice.

create table private.quota_uses (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  name text not null,
  period_start timestamptz(3) not null,
  used integer not null,
  primary key (user_id, name),
  constraint quota_uses_name_length check (char_length(name) between 1 and 50),
  constraint quota_uses_used_positive check (used > 0)
);
comment on table private.quota_uses is 'How much of a quota a person used in its newest period; the name of a quota of a room ends with the id of the room. Written by private.consume_quota alone.';

-- Returns every quota: its name, the units that a person may use in one period, and the period (minute, hour or day,
-- UTC). Only the owner of the database can change it.
create function private.quotas() returns table (name text, max_units integer, period text)
  language plpgsql immutable security invoker set search_path = '' as $$
begin
  return query
    values
      ('tone_analysis', 60, 'hour'),
      ('background_generation', 20, 'day'),
      ('tone_pack_images', 100, 'day'),
      ('tone_pack_share', 30, 'day'),
      ('member_add', 200, 'day'),
      ('invitation', 20, 'day'),
      ('window_change', 20, 'hour'),
      ('chain_generation', 20, 'hour'),
      ('checkin_upload', 20, 'day'),
      ('photo_examination', 30, 'day'),
      ('picture_upload', 200, 'day'),
      ('picture_examination', 100, 'day'),
      ('team_message', 60, 'minute'),
      ('goal_update', 20, 'hour'),
      ('report', 30, 'day'),
      ('journal_import', 20, 'day'),
      ('journal_import_start', 40, 'day'),
      ('import_picture', 3000, 'day'),
      ('entry_mood', 200, 'day'),
      ('export', 5, 'day'),
      ('changes', 60, 'minute');
end $$;

-- Counts units of a person against a quota, or nothing if that would exceed it; returns 0 or the seconds until the
-- period ends. A quota of a room is counted for each room by itself. Raises service.unexpected for an unknown quota or
-- fewer than one unit.
create function private.consume_quota_of(
  p_user_id uuid, p_quota text, p_units integer, p_room_id uuid default null
) returns integer
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_max_units integer;
  v_period text;
  v_start timestamptz(3);
begin
  select q.max_units, q.period into v_max_units, v_period from private.quotas() q where q.name = p_quota;
  if not found then raise exception 'unknown quota' using errcode = 'NX000', detail = 'service.unexpected'; end if;
  -- Fewer than one unit would lower the count.
  if coalesce(p_units, 0) < 1 then
    raise exception 'units must be positive' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
  v_start := date_trunc(v_period, now(), 'UTC');
  -- One row per person and quota, and room if it has one, so little piles up. A transaction that began in the previous period and had to wait
  -- counts in the period that the row has by now.
  insert into private.quota_uses as u (user_id, name, period_start, used)
  select p_user_id, concat_ws(' ', p_quota, p_room_id), v_start, p_units where p_units <= v_max_units
  on conflict (user_id, name) do update set
    period_start = greatest(u.period_start, excluded.period_start),
    used = excluded.used + case when u.period_start >= excluded.period_start then u.used else 0 end
  where excluded.used + case when u.period_start >= excluded.period_start then u.used else 0 end <= v_max_units;
  if found then return 0; end if;
  return greatest(1, ceil(extract(epoch from v_start + ('1 ' || v_period)::interval - clock_timestamp())))::integer;
end $$;

-- Counts units of the caller against a quota, as private.consume_quota_of does. Raises what private.consume_quota_of
-- raises. Security definer: people must not be able to reset their own count.
create function private.consume_quota(p_quota text, p_units integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
begin
  return private.consume_quota_of(private.actor_id(), p_quota, p_units);
end $$;
grant execute on function private.consume_quota(text, integer) to nectar_user;

alter table private.quota_uses enable row level security;

create policy "a person sees what they used" on private.quota_uses
  for select to nectar_user using (user_id = (select private.actor_id()));

grant select on private.quota_uses to nectar_user;
