-- The former values of a window are one object.
alter table nectar.workout_windows add column previous jsonb;
alter table nectar.workout_windows disable trigger user;
update nectar.workout_windows set previous = jsonb_build_object(
  'activity_type', previous_activity_type, 'custom_activity', previous_custom_activity, 'timezone', previous_timezone,
  'window_start_time', to_char(previous_window_start_time, 'HH24:MI'),
  'window_end_time', to_char(previous_window_end_time, 'HH24:MI')
)
where previous_timezone is not null;
alter table nectar.workout_windows enable trigger user;
