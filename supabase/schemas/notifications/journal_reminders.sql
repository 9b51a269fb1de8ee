-- Why: A job reminds people to write. It finds those who are due by an index, because most have no reminder, or one that
-- is due at another hour.

-- Returns when a reminder is due for the first time on a local date or after it.
create function private.next_reminder(p_zone text, p_time time, p_weekdays smallint[], p_from date) returns timestamptz
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_days integer;
begin
  select min((d.weekday - extract(isodow from p_from)::integer + 7) % 7) into v_days
  from unnest(p_weekdays) d (weekday);
  return private.first_instant(p_from + v_days + p_time, p_zone);
end $$;

-- Reminds people whose journal reminder is due, once on a local date, and computes when each is due next. It looks at
-- up to p_max people, and returns how many it looked at and reminded. Security definer: no role may write notifications
-- directly.
create function private.remind_to_write(p_moment timestamptz, p_max integer)
  returns table (seen integer, reminded integer)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_due uuid[];
begin
  select array_agg(t.user_id) into v_due
  from (
    select s.user_id from nectar.notification_settings s
    join nectar.profiles p on p.id = s.user_id
    where s.reminder_due_at <= p_moment order by s.reminder_due_at limit p_max
    -- An account that is being deleted, and settings that are being changed, are skipped.
    for key share of p skip locked for no key update of s skip locked
  ) t;
  return query
  -- A statement of its own: a zone that changed before the rows were locked counts, and a later change waits for them.
  with due as (
    select s.user_id, s.reminder_time, s.reminder_weekdays, s.reminder_only_if_not_written, s.reminded_on,
      private.known_zone(a.timezone) as zone, a.erases_at is not null as is_closing
    from nectar.notification_settings s
    join nectar.accounts a on a.user_id = s.user_id
    where s.user_id = any (v_due)
  ), dated as (select d.*, (p_moment at time zone d.zone)::date as today from due d), judged as (
    -- Not by the time that the row was due at: it may be due since yesterday, if no run came since.
    select d.*, d.today > coalesce(d.reminded_on, '-infinity')
      and private.next_reminder(d.zone, d.reminder_time, d.reminder_weekdays, d.today) <= p_moment as is_due
    from dated d
  ), reminding as (
    select j.user_id, j.today from judged j
    where j.is_due and not j.is_closing and not (
      j.reminder_only_if_not_written and exists (
        select from nectar.journal_entries e
        where e.user_id = j.user_id and e.created_at >= private.first_instant(j.today::timestamp, j.zone)
      )
    )
  ), planned as (
    update nectar.notification_settings s
    set reminded_on = coalesce(r.today, s.reminded_on),
      reminder_due_at = private.next_reminder(
        j.zone, j.reminder_time, j.reminder_weekdays, greatest(j.today + j.is_due::integer, j.reminded_on + 1)
      )
    from judged j
    left join reminding r on r.user_id = j.user_id
    -- The array makes the planner search the rows; it expects more people and would read them all.
    where s.user_id = j.user_id and s.user_id = any (v_due)
  ), messages as (
    insert into nectar.notifications (user_id, type, data)
    select r.user_id, 'journal_reminder', jsonb_build_object('date', r.today) from reminding r
  )
  select (select count(*)::integer from due), (select count(*)::integer from reminding);
end $$;
grant execute on function private.remind_to_write(timestamptz, integer) to nectar_service;
