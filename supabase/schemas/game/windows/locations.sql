-- Why: Where players say they are decides who they are matched with. Nothing is looked up from it.

create table nectar.user_locations (
  user_id uuid primary key default private.actor_id() references nectar.profiles (id) on delete cascade,
  ip_address inet,
  latitude numeric(10, 8),
  longitude numeric(11, 8),
  city text,
  region text,
  country text,
  timezone text,
  updated_at timestamptz(3) not null default now(),
  constraint user_locations_ip_address_is_of_a_host check (
    masklen(ip_address) = case family(ip_address) when 4 then 32 else 128 end
  ),
  constraint user_locations_are_on_earth check (latitude between -90 and 90 and longitude between -180 and 180),
  constraint user_locations_have_both_coordinates check ((latitude is null) = (longitude is null)),
  constraint user_locations_city_length check (char_length(city) between 1 and 100),
  constraint user_locations_region_length check (char_length(region) between 1 and 100),
  constraint user_locations_country_is_a_code check (country ~ '^[A-Z]{2}$'),
  constraint user_locations_timezone_length check (char_length(timezone) between 1 and 50)
);
comment on table nectar.user_locations is 'Where a person says they are; decides who they are matched with.';
comment on column nectar.user_locations.ip_address is 'As the client reported it; nothing is looked up from it.';

create view nectar.readable_locations with (security_invoker = true) as
select l.user_id, host(l.ip_address) as ip_address, l.latitude::float8, l.longitude::float8, l.city, l.region, l.country,
  l.timezone, private.rfc3339(l.updated_at) as last_updated
from nectar.user_locations l;
comment on view nectar.readable_locations is 'Locations as the API sends them, with the time as text.';
grant select on nectar.readable_locations to nectar_user;

-- Returns the area that people are matched in: the time zone, with the city or else the region if one is known. Case
-- and repeated spaces do not count. A zone has one name, because requests store its current one.
create function private.area_key(p_city text, p_region text, p_timezone text) returns text
  language sql immutable parallel safe security invoker set search_path = '' as $$
select coalesce(
  'city:' || zone || ':' || nullif(lower(btrim(regexp_replace(p_city, '\s+', ' ', 'g'))), ''),
  'region:' || zone || ':' || nullif(lower(btrim(regexp_replace(p_region, '\s+', ' ', 'g'))), ''), 'zone:' || zone
)
from lower(p_timezone) zone
$$;

-- Keeps the area of everyone with a window where an index finds it, and queues them for matching. Security definer: no
-- role may write either directly.
create function private.update_player_area() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_person constant uuid := coalesce(new.user_id, old.user_id);
begin
  if new is not distinct from old then return null; end if;
  if tg_op = 'UPDATE' and tg_table_name = 'user_locations' then
    -- Synthetic users play only where they have coordinates.
    if (old.city, old.region, old.latitude is null) is not distinct from (new.city, new.region, new.latitude is null) then
      return null;
    end if;
  end if;
  -- If a window and a location are written at the same time, the later transaction sees the earlier one.
  perform from nectar.profiles p where p.id = v_person for no key update;
  if not found then return null; end if;
  insert into private.player_areas as p (user_id, area_key)
  select w.user_id, private.area_key(l.city, l.region, w.timezone) from nectar.workout_windows w
  left join nectar.user_locations l on l.user_id = w.user_id
  where w.user_id = v_person
  on conflict (user_id) do update set area_key = excluded.area_key where p.area_key <> excluded.area_key;
  insert into private.players_to_match (user_id)
  select w.user_id from nectar.workout_windows w where w.user_id = v_person;
  return null;
end $$;

create trigger workout_windows__update_area
  after insert or update on nectar.workout_windows
  for each row execute function private.update_player_area();
create trigger user_locations__update_area
  after insert or update or delete on nectar.user_locations
  for each row execute function private.update_player_area();

alter table nectar.user_locations enable row level security;

create policy "a person sees their own location" on nectar.user_locations
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person sets a location of their own" on nectar.user_locations
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person changes their own location" on nectar.user_locations
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees every location" on nectar.user_locations for select to nectar_service using (true);

grant select on nectar.user_locations to nectar_user, nectar_service;
grant insert (ip_address, latitude, longitude, city, region, country, timezone),
  update (ip_address, latitude, longitude, city, region, country, timezone, updated_at)
  on nectar.user_locations to nectar_user;
