-- Why: The daily game begins with a window: two hours of the day by the clock where a player lives. A change counts
-- from a date on, and the values before it are kept in the row, so that a window that has already opened stays as it
-- was.

create type nectar.activity_type as enum ('cardio', 'strength', 'walk', 'meditation', 'reading', 'homework', 'other');

create table nectar.workout_windows (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() unique references nectar.profiles (id) on delete cascade,
  activity_type nectar.activity_type not null,
  custom_activity text,
  window_start_time time(0) not null,
  window_end_time time(0) not null,
  timezone text not null,
  away datemultirange not null default '{}',
  rest_days jsonb not null default '[]',
  effective_from date not null,
  previous jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint workout_windows_last_two_hours check (window_start_time + interval '2 hours' = window_end_time),
  constraint workout_windows_are_of_whole_minutes check (extract(second from window_start_time) = 0),
  constraint workout_windows_rest_on_two_weekdays check (
    jsonb_typeof(rest_days) = 'array' and not rest_days @? '$[*] ? (!(exists (@.from) && @.weekdays.size() <= 2))'
    and not rest_days @? '$[*].weekdays[*] ? (@ < 1 || @ > 7)'
  ),
  constraint workout_windows_other_is_named check ((activity_type = 'other') = (custom_activity is not null)),
  constraint workout_windows_custom_activity_length check (char_length(custom_activity) between 1 and 100),
  constraint workout_windows_timezone_length check (char_length(timezone) between 1 and 50),
  constraint workout_windows_previous_is_a_window check (coalesce(
    (previous ->> 'window_start_time')::time + interval '2 hours' = (previous ->> 'window_end_time')::time
    and previous ->> 'window_start_time' like '__:__' and previous ->> 'window_end_time' like '__:__'
    and ((previous ->> 'activity_type')::nectar.activity_type = 'other') = (previous ->> 'custom_activity' is not null)
    and previous @? '$.custom_activity ? (@ == null || @ like_regex "^.{1,100}$" flag "s")'
    and char_length(previous ->> 'timezone') between 1 and 50,
    previous is null
  ))
);
comment on table nectar.workout_windows is 'The two hours of the day in which a person plays; one row per person.';
comment on column nectar.workout_windows.custom_activity is 'Set if and only if the activity is other.';
comment on column nectar.workout_windows.window_end_time is 'Before the start if the window crosses midnight.';
comment on column nectar.workout_windows.timezone is 'IANA time zone.';
comment on column nectar.workout_windows.away is
  'The game dates on which the person does not play. Open at the end while they are away; all dates for a synthetic user that is switched off.';
comment on column nectar.workout_windows.rest_days is
  'From which game date on the person rests on which weekdays (1 is Monday): objects with from and weekdays, oldest first.';
comment on column nectar.workout_windows.effective_from is
  'The first game date on which these values count. Before it the previous values count or, without any, there is no window.';
comment on column nectar.workout_windows.previous is
  'The values for game dates before effective_from, by the names of their columns and with times as HH:MM; null before the first change. One step back is enough because chains keep the window of their date.';

-- Returns whether a person does not play on a date, because they are away or rest. isOff in
-- functions/game/windows/dates.ts is the same for requests; a test compares them.
create function private.is_off(p_window nectar.workout_windows, p_date date) returns boolean
  language sql stable parallel safe security invoker
  return p_date <@ p_window.away or p_window.rest_days <> '[]' and coalesce(
    jsonb_path_query_array(
      p_window.rest_days, '$[*] ? (@.from <= $date).weekdays', jsonb_build_object('date', p_date)
    ) -> -1 @> to_jsonb(extract(isodow from p_date)::integer),
    false
  );

create trigger workout_windows__touch_updated_at
  before update on nectar.workout_windows
  for each row when (old is distinct from new)
  execute function private.touch_updated_at();

alter table nectar.workout_windows enable row level security;

create policy "a person sees their own window" on nectar.workout_windows
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person sets a window of their own" on nectar.workout_windows
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person changes their own window" on nectar.workout_windows
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees every window" on nectar.workout_windows for select to nectar_service using (true);

grant select on nectar.workout_windows to nectar_user, nectar_service;
grant insert (activity_type, custom_activity, window_start_time, window_end_time, timezone, effective_from),
  update (activity_type, custom_activity, window_start_time, window_end_time, timezone, effective_from, previous,
    away, rest_days) on nectar.workout_windows to nectar_user;
