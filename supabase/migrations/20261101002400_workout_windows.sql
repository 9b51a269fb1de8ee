-- Why: the daily game begins with a promise: two hours of the day, by the clock on the wall where one lives. A change counts
-- from a date on, and what counted before it is kept beside it, so that a window that has opened stays as it was. Where
-- somebody is decides whom they are matched with.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.activity_type as enum ('cardio', 'strength', 'walk', 'meditation', 'reading', 'homework', 'other');

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.workout_windows (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() unique references nectar.profiles (id) on delete cascade,
  activity_type nectar.activity_type not null,
  custom_activity text,
  window_start_time time(0) not null,
  window_end_time time(0) not null,
  timezone text not null,
  away datemultirange not null default '{}',
  effective_from date not null,
  previous_activity_type nectar.activity_type,
  previous_custom_activity text,
  previous_window_start_time time(0),
  previous_window_end_time time(0),
  previous_timezone text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint workout_windows_last_two_hours check (
    window_start_time + interval '2 hours' = window_end_time
    and previous_window_start_time + interval '2 hours' = previous_window_end_time
  ),
  constraint workout_windows_are_of_whole_minutes check (
    extract(second from window_start_time) = 0 and extract(second from previous_window_start_time) = 0
  ),
  constraint workout_windows_other_is_named check ((activity_type = 'other') = (custom_activity is not null)),
  constraint workout_windows_previous_other_is_named check (
    (previous_activity_type is not distinct from 'other') = (previous_custom_activity is not null)
  ),
  constraint workout_windows_custom_activity_length check (
    char_length(custom_activity) between 1 and 100 and char_length(previous_custom_activity) between 1 and 100
  ),
  constraint workout_windows_timezone_length check (
    char_length(timezone) between 1 and 50 and char_length(previous_timezone) between 1 and 50
  ),
  constraint workout_windows_previous_is_whole check (
    num_nulls(previous_activity_type, previous_window_start_time, previous_window_end_time, previous_timezone) in (0, 4)
  )
);

create table nectar.user_locations (
  user_id uuid primary key default private.actor_id() references nectar.profiles (id) on delete cascade,
  ip_address inet,
  latitude numeric(10, 8),
  longitude numeric(11, 8),
  city text,
  region text,
  country text,
  timezone text,
  last_updated timestamptz(3) not null default now(),
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

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.canonical_time_zone(timezone text) returns text
  language sql immutable parallel safe security invoker
  set search_path = ''
  as $$
select coalesce('{
  "africa/asmera": "africa/asmara", "africa/timbuktu": "africa/bamako",
  "america/argentina/comodrivadavia": "america/argentina/catamarca", "america/atka": "america/adak",
  "america/buenos_aires": "america/argentina/buenos_aires", "america/catamarca": "america/argentina/catamarca",
  "america/coral_harbour": "america/atikokan", "america/cordoba": "america/argentina/cordoba",
  "america/ensenada": "america/tijuana", "america/fort_wayne": "america/indiana/indianapolis",
  "america/godthab": "america/nuuk", "america/indianapolis": "america/indiana/indianapolis",
  "america/jujuy": "america/argentina/jujuy", "america/knox_in": "america/indiana/knox",
  "america/louisville": "america/kentucky/louisville", "america/mendoza": "america/argentina/mendoza",
  "america/montreal": "america/toronto", "america/nipigon": "america/toronto",
  "america/pangnirtung": "america/iqaluit", "america/porto_acre": "america/rio_branco",
  "america/rainy_river": "america/winnipeg", "america/rosario": "america/argentina/cordoba",
  "america/santa_isabel": "america/tijuana", "america/shiprock": "america/denver",
  "america/thunder_bay": "america/toronto", "america/virgin": "america/st_thomas",
  "america/yellowknife": "america/edmonton", "antarctica/south_pole": "antarctica/mcmurdo",
  "asia/ashkhabad": "asia/ashgabat", "asia/calcutta": "asia/kolkata", "asia/choibalsan": "asia/ulaanbaatar",
  "asia/chongqing": "asia/shanghai", "asia/chungking": "asia/shanghai", "asia/dacca": "asia/dhaka",
  "asia/harbin": "asia/shanghai", "asia/istanbul": "europe/istanbul", "asia/kashgar": "asia/urumqi",
  "asia/katmandu": "asia/kathmandu", "asia/macao": "asia/macau", "asia/rangoon": "asia/yangon",
  "asia/saigon": "asia/ho_chi_minh", "asia/tel_aviv": "asia/jerusalem", "asia/thimbu": "asia/thimphu",
  "asia/ujung_pandang": "asia/makassar", "asia/ulan_bator": "asia/ulaanbaatar", "atlantic/faeroe": "atlantic/faroe",
  "atlantic/jan_mayen": "arctic/longyearbyen", "australia/act": "australia/sydney",
  "australia/canberra": "australia/sydney", "australia/currie": "australia/hobart",
  "australia/lhi": "australia/lord_howe", "australia/north": "australia/darwin", "australia/nsw": "australia/sydney",
  "australia/queensland": "australia/brisbane", "australia/south": "australia/adelaide",
  "australia/tasmania": "australia/hobart", "australia/victoria": "australia/melbourne",
  "australia/west": "australia/perth", "australia/yancowinna": "australia/broken_hill",
  "brazil/acre": "america/rio_branco", "brazil/denoronha": "america/noronha", "brazil/east": "america/sao_paulo",
  "brazil/west": "america/manaus", "canada/atlantic": "america/halifax", "canada/central": "america/winnipeg",
  "canada/eastern": "america/toronto", "canada/mountain": "america/edmonton",
  "canada/newfoundland": "america/st_johns", "canada/pacific": "america/vancouver",
  "canada/saskatchewan": "america/regina", "canada/yukon": "america/whitehorse",
  "chile/continental": "america/santiago", "chile/easterisland": "pacific/easter", "etc/gmt": "utc",
  "etc/gmt+0": "utc", "etc/gmt-0": "utc", "etc/gmt0": "utc", "etc/greenwich": "utc", "etc/uct": "utc",
  "etc/universal": "utc", "etc/utc": "utc", "etc/zulu": "utc", "europe/belfast": "europe/london",
  "europe/kiev": "europe/kyiv", "europe/nicosia": "asia/nicosia", "europe/tiraspol": "europe/chisinau",
  "europe/uzhgorod": "europe/kyiv", "europe/zaporozhye": "europe/kyiv", "mexico/bajanorte": "america/tijuana",
  "mexico/bajasur": "america/mazatlan", "mexico/general": "america/mexico_city",
  "pacific/enderbury": "pacific/kanton", "pacific/johnston": "pacific/honolulu", "pacific/ponape": "pacific/pohnpei",
  "pacific/samoa": "pacific/pago_pago", "pacific/truk": "pacific/chuuk", "pacific/yap": "pacific/chuuk",
  "us/alaska": "america/anchorage", "us/aleutian": "america/adak", "us/arizona": "america/phoenix",
  "us/central": "america/chicago", "us/east-indiana": "america/indiana/indianapolis",
  "us/eastern": "america/new_york", "us/hawaii": "pacific/honolulu", "us/indiana-starke": "america/indiana/knox",
  "us/michigan": "america/detroit", "us/mountain": "america/denver", "us/pacific": "america/los_angeles",
  "us/samoa": "pacific/pago_pago"
}'::jsonb ->> lower(timezone), lower(timezone))
$$;
comment on function private.canonical_time_zone(text) is
  'The current name of a time zone in lower case: asia/kolkata for Asia/Calcutta. Knows the renamed zones of the IANA database; zones of different countries stay apart even if their clocks agree.';

create function private.place_key(city text, region text, timezone text) returns text
  language sql immutable parallel safe security invoker
  set search_path = ''
  as $$
select coalesce(
  'city:' || zone || ':' || nullif(lower(btrim(regexp_replace(city, '\s+', ' ', 'g'))), ''),
  'region:' || zone || ':' || nullif(lower(btrim(regexp_replace(region, '\s+', ' ', 'g'))), ''),
  'zone:' || zone
)
from private.canonical_time_zone(timezone) zone
$$;
comment on function private.place_key(text, text, text) is
  'The place that people are matched in: the time zone together with the city, else the region, ignoring case and repeated spaces; the time zone alone without either.';

create function private.touch_last_updated() returns trigger
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  new.last_updated := now();
  return new;
end
$$;
comment on function private.touch_last_updated() is 'Trigger: keeps when a location was last told.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger workout_windows_touch_updated_at
  before update on nectar.workout_windows
  for each row when (old is distinct from new)
  execute function private.touch_updated_at();
create trigger user_locations_touch_last_updated
  before update on nectar.user_locations
  for each row execute function private.touch_last_updated();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.workout_windows enable row level security;
alter table nectar.user_locations enable row level security;

create policy "a person sees their own window" on nectar.workout_windows
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person sets a window of their own" on nectar.workout_windows
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person changes their own window" on nectar.workout_windows
  for update to nectar_user
  using (user_id = (select private.actor_id())) with check (user_id = (select private.actor_id()));
create policy "the service sees every window" on nectar.workout_windows
  for select to nectar_service using (true);
create policy "a person sees their own location" on nectar.user_locations
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person tells a location of their own" on nectar.user_locations
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person changes their own location" on nectar.user_locations
  for update to nectar_user
  using (user_id = (select private.actor_id())) with check (user_id = (select private.actor_id()));
create policy "the service sees every location" on nectar.user_locations
  for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.workout_windows, nectar.user_locations to nectar_user, nectar_service;
grant insert (
  activity_type, custom_activity, window_start_time, window_end_time, timezone, effective_from
) on nectar.workout_windows to nectar_user;
grant update (
  activity_type, custom_activity, window_start_time, window_end_time, timezone, effective_from,
  previous_activity_type, previous_custom_activity, previous_window_start_time, previous_window_end_time,
  previous_timezone, away
) on nectar.workout_windows to nectar_user;
grant insert (ip_address, latitude, longitude, city, region, country, timezone) on nectar.user_locations to nectar_user;
grant update (ip_address, latitude, longitude, city, region, country, timezone) on nectar.user_locations to nectar_user;
revoke execute on all functions in schema private from public;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.workout_windows is 'The two hours a day that a person has promised, one row a person.';
comment on table nectar.user_locations is 'Where a person says they are; decides whom they are matched with.';
comment on column nectar.workout_windows.custom_activity is 'Only, and always, of the activity other.';
comment on column nectar.workout_windows.window_end_time is 'Before the start when the window crosses midnight.';
comment on column nectar.workout_windows.timezone is 'IANA time zone.';
comment on column nectar.workout_windows.away is
  'The game dates on which the window is not played. Open at the end while the person is away; all dates for a synthetic user that is switched off. Absences that ended long ago are dropped.';
comment on column nectar.workout_windows.effective_from is
  'The first game date on which these values count; before it the previous ones do, or, without any, no window at all.';
comment on column nectar.workout_windows.previous_timezone is
  'This and the other previous columns: what counts on game dates before effective_from; null before the first change. One step back is enough, because chains keep the window of their date.';
comment on column nectar.user_locations.ip_address is 'As the person told it; nothing is looked up by it.';
