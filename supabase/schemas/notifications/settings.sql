-- Why: People choose which notifications are pushed to their devices, during which hours none are, and when they are
-- reminded to write. Someone who chose nothing has no row.

create table nectar.notification_settings (
  user_id uuid primary key default private.actor_id() references nectar.profiles (id) on delete cascade,
  push jsonb not null default '{}',
  quiet_start time(0),
  quiet_end time(0),
  reminder_time time(0),
  reminder_weekdays smallint[],
  reminder_only_if_not_written boolean,
  reminder_due_at timestamptz(3),
  reminded_on date,
  constraint notification_settings_push_is_object check (jsonb_typeof(push) = 'object'),
  constraint notification_settings_push_size check (octet_length(push::text) <= 2048),
  constraint notification_settings_quiet_hours check (
    (quiet_start is null) = (quiet_end is null) and quiet_start <> quiet_end
  ),
  constraint notification_settings_reminder_is_complete check (
    num_nonnulls(reminder_time, reminder_weekdays, reminder_only_if_not_written, reminder_due_at) in (0, 4)
  ),
  constraint notification_settings_weekdays check (
    cardinality(reminder_weekdays) between 1 and 7 and reminder_weekdays <@ '{1,2,3,4,5,6,7}'
  )
);
comment on table nectar.notification_settings is
  'How people want to be reached. Times are local times of the zone in their profile.';
comment on column nectar.notification_settings.push is
  'What the person chose for single types of notifications: {type: whether it is pushed}. See private.push_setting.';
comment on column nectar.notification_settings.reminder_weekdays is '1 is Monday.';
comment on column nectar.notification_settings.reminder_due_at is
  'When the reminder job looks at the row next. The job computes it; triggers set it to -infinity when the reminder or the zone changes.';
comment on column nectar.notification_settings.reminded_on is
  'The local date of the last reminder. Kept when the reminder changes, so that a date has one at most.';

create index notification_settings_due on nectar.notification_settings (reminder_due_at)
  where reminder_due_at is not null;

-- Returns whether a person wants a type of notification pushed, by the choices in their settings (null: none). By
-- default all types are but team messages, check-ins to goals and the two that come at midnight.
create function private.push_setting(p_type nectar.notification_type, p_push jsonb) returns boolean
  language sql stable security invoker
  return coalesce(
    (p_push ->> p_type::text)::boolean, p_type not in ('battle_progress', 'weekly_stats', 'team_message', 'goal_update')
  );
grant execute on function private.push_setting(nectar.notification_type, jsonb) to nectar_user;

create view nectar.chosen_settings with (security_invoker = true) as
select a.user_id,
  (
    select json_object_agg(t.type, private.push_setting(t.type, s.push))
    from unnest(enum_range(null::nectar.notification_type)) t (type)
  ) as push,
  case when s.quiet_start is not null then
    json_build_object('start', to_char(s.quiet_start, 'HH24:MI'), 'end', to_char(s.quiet_end, 'HH24:MI'))
  end as quiet_hours,
  case when s.reminder_time is not null then
    json_build_object(
      'time', to_char(s.reminder_time, 'HH24:MI'), 'weekdays', s.reminder_weekdays,
      'only_if_not_written', s.reminder_only_if_not_written
    )
  end as journal_reminder
from nectar.accounts a
left join nectar.notification_settings s on s.user_id = a.user_id;
comment on view nectar.chosen_settings is 'Notification settings as the API sends them, with the defaults for what people did not choose.';
grant select on nectar.chosen_settings to nectar_user;

-- Lets the next run of the reminder job compute when a reminder that was changed is due.
create function private.plan_changed_reminder() returns trigger
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  new.reminder_due_at := case when new.reminder_time is not null then '-infinity'::timestamptz end;
  return new;
end $$;

create trigger notification_settings__plan_reminder
  before insert or update of reminder_time, reminder_weekdays on nectar.notification_settings
  for each row execute function private.plan_changed_reminder();

alter table nectar.notification_settings enable row level security;

create policy "a person sees their own notification settings" on nectar.notification_settings
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person writes their own notification settings" on nectar.notification_settings
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person changes their own notification settings" on nectar.notification_settings
  for update to nectar_user using (user_id = (select private.actor_id()));

grant select, insert (push, quiet_start, quiet_end, reminder_time, reminder_weekdays, reminder_only_if_not_written),
  update (push, quiet_start, quiet_end, reminder_time, reminder_weekdays, reminder_only_if_not_written)
  on nectar.notification_settings to nectar_user;
