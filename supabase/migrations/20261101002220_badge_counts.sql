-- Why: Sending a drop counts for the sender's badge. Badges are also recalculated, on request and by the job.

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.count_sent_drops() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.advance_badges(
    array_agg(s.sender_id order by s.sender_id),
    array_agg(s.sent order by s.sender_id),
    null,
    null,
    array_agg(s.run order by s.sender_id),
    array_agg(s.last_day order by s.sender_id),
    max(s.moment)
  )
  from (
    with drops as (
      select n.sender_id, n.date_sent, count(*)::integer as sent, max(n.created_at) as moment
      from new_rows n
      where n.sender_id <> private.system_user_id()
      group by n.sender_id, n.date_sent
    ), locked as materialized (
      select b.user_id, b.run_days, b.last_sent_on
      from nectar.user_badges b
      where b.user_id in (select d.sender_id from drops d)
      order by b.user_id
      for no key update
    ), days as (
      -- Days in a row have the same distance to their number.
      select d.*, l.run_days, l.last_sent_on, d.date_sent > coalesce(l.last_sent_on, '-infinity') as is_new,
        d.date_sent - row_number() over (
          partition by d.sender_id, d.date_sent > coalesce(l.last_sent_on, '-infinity') order by d.date_sent
        )::integer as island
      from drops d join locked l on l.user_id = d.sender_id
    ), islands as (
      select y.sender_id, y.island, y.last_sent_on, y.run_days, count(*)::integer as length,
        min(y.date_sent) as first_day, max(y.date_sent) as last_day
      from days y
      where y.is_new
      group by y.sender_id, y.island, y.last_sent_on, y.run_days
    ), newest as (
      select distinct on (i.sender_id) i.sender_id, i.last_day,
        i.length + case when i.first_day = i.last_sent_on + 1 then i.run_days else 0 end as run
      from islands i
      order by i.sender_id, i.last_day desc
    )
    select y.sender_id, sum(y.sent)::integer as sent, max(y.moment) as moment, w.run, w.last_day
    from days y left join newest w on w.sender_id = y.sender_id
    group by y.sender_id, w.run, w.last_day
  ) s
  having count(*) > 0;
  return null;
end
$$;
comment on function private.count_sent_drops() is
  'Trigger: counts drops and days in a row for the badges of their senders. Drops of the system user are not counted.';

create function private.recalculate_badges(p_user_ids uuid[], p_moment timestamptz) returns table (user_id uuid, climbed boolean)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_due uuid[];
begin
  select array_agg(b.user_id order by b.user_id) into v_due
  from nectar.user_badges b
  where b.user_id = any (p_user_ids) and exists (
    select from nectar.badge_definitions d
    where d.level > b.level and d.min_engagement_increases <= b.engagement_increases
  );
  return query
    select a.user_id, a.climbed
    from private.advance_badges(v_due, null, null, null, null, null, p_moment) a;
end
$$;
comment on function private.recalculate_badges(uuid[], timestamptz) is
  'Recalculates levels, for when definitions have changed or a day has passed. Returns the people with enough engagements for a higher level, and whether their level rose.';

create function private.recalculate_my_badge(p_moment timestamptz) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.check_moment(p_moment);
  return coalesce((select r.climbed from private.recalculate_badges(array[private.actor_id()], p_moment) r), false);
end
$$;
comment on function private.recalculate_my_badge(timestamptz) is
  'Recalculates the caller''s level. Returns whether it rose. Raises service.unexpected unless the moment is now. Security definer: no role may write badges directly.';
grant execute on function private.recalculate_my_badge(timestamptz) to nectar_user;

create function private.recalculate_recent_badges(
  p_moment timestamptz, p_after_day date, p_after_user_id uuid, p_limit integer,
  out last_day date, out last_user uuid, out seen integer, out climbed uuid[]
)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_people uuid[];
begin
  with page as (
    select b.last_sent_on, b.user_id
    from nectar.user_badges b
    where (b.last_sent_on, b.user_id) > (
      coalesce(p_after_day, (p_moment at time zone 'UTC')::date - 1),
      coalesce(p_after_user_id, '00000000-0000-0000-0000-000000000000')
    )
    order by b.last_sent_on, b.user_id
    limit p_limit
  )
  select array_agg(p.user_id), count(*),
    (array_agg(p.last_sent_on order by p.last_sent_on desc, p.user_id desc))[1],
    (array_agg(p.user_id order by p.last_sent_on desc, p.user_id desc))[1]
  into v_people, seen, last_day, last_user
  from page p;
  select coalesce(array_agg(r.user_id) filter (where r.climbed), '{}') into climbed
  from private.recalculate_badges(v_people, p_moment) r;
end
$$;
comment on function private.recalculate_recent_badges(timestamptz, date, uuid, integer) is
  'Recalculates the badges of the next people who sent a drop today or yesterday (UTC). Returns the last of them, how many it looked at, and whose level rose.';
grant execute on function private.recalculate_recent_badges(timestamptz, date, uuid, integer) to nectar_service;

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger encouragement_drops_count_sent
  after insert on nectar.encouragement_drops
  referencing new table as new_rows
  for each statement execute function private.count_sent_drops();

revoke execute on all functions in schema private from public;
