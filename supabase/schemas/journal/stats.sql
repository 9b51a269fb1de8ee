-- Why: What people see of their own writing in numbers is counted when it is read, over their own rows in a range of days:
-- the index of one's own entries by date makes it independent of what others write.

-- Functions -----------------------------------------------------------------------------------------------------------
-- They have two decimals.
create function private.read_wellness_averages(p_from date, p_to date) returns json
  language plpgsql stable security invoker
  set search_path = ''
  as $$
declare
  v_me constant uuid := private.actor_id();
  v_zone constant text := private.known_zone((select a.timezone from nectar.accounts a where a.user_id = v_me));
begin
  return (
    select json_build_object(
      'satisfaction_average', round(avg(w.rating), 2), 'sleep_hours_average', round(avg(w.hours), 2)
    )
    from nectar.wellness_entries w
    where w.user_id = v_me
      and w.created_at >= private.first_instant(p_from, v_zone)
      and w.created_at < private.first_instant(p_to + 1, v_zone)
  );
end
$$;
comment on function private.read_wellness_averages(date, date) is
  'Returns the averages of the caller''s wellness entries of these days (inclusive) in their time zone; null if there are none.';
grant execute on function private.read_wellness_averages(date, date) to nectar_user;

-- The default end is today in the time zone of the caller, the default length 30 days. Raises request.invalid for more
-- than 366 days and for a start after the end.
create function private.read_journal_stats(p_from date, p_to date, p_now timestamptz) returns json
  language plpgsql stable security invoker
  set search_path = ''
  as $$
declare
  v_me constant uuid := private.actor_id();
  v_today constant date := private.date_of(v_me, p_now);
  v_to constant date := coalesce(p_to, v_today);
  -- Dates before year 1 cannot be written with four digits.
  v_from constant date := coalesce(p_from, greatest(v_to - 29, date '0001-01-01'));
begin
  if v_from > v_to then
    raise exception 'range ends before it begins' using errcode = 'NX000', detail = 'request.invalid',
      column = 'from', hint = 'must not be after `to`';
  elsif v_to - v_from >= 366 then
    raise exception 'range too long' using errcode = 'NX000', detail = 'request.invalid',
      column = 'from', hint = 'must be at most 365 days before `to`';
  end if;
  return (
    with own as materialized (
      select e.entry_date, e.created_at, e.tags, e.tag_keys, coalesce(e.mood, c.found_mood) as mood,
        coalesce(c.words, 0) as words
      -- Day by day and entry by entry: for a few recent days the planner would rather read what everyone wrote.
      from generate_series(0, v_to - v_from) n
      cross join lateral (
        select r.id, r.entry_date, r.created_at, r.tags, r.tag_keys, r.mood
        from nectar.journal_entries r where r.user_id = v_me and r.entry_date = v_from + n
        offset 0
      ) e
      left join lateral (
        select r.found_mood, r.words from nectar.journal_entry_contents r where r.entry_id = e.id limit 1
      ) c on true
    ),
    moods_of_days as materialized (
      select o.entry_date, lower(o.mood) as key, count(*) as entries, max(o.created_at) as latest_at,
        (array_agg(o.mood order by o.created_at desc))[1] as mood
      from own o
      where o.mood is not null
      group by o.entry_date, lower(o.mood)
    ),
    -- The last one of those that are equally frequent.
    mood_of_day as (
      select distinct on (m.entry_date) m.entry_date, m.mood
      from moods_of_days m
      order by m.entry_date, m.entries desc, m.latest_at desc, m.key
    ),
    days as materialized (
      select o.entry_date, count(*) as entries, sum(o.words) as words from own o group by o.entry_date
    ),
    streaks as (
      select count(*) as days, max(s.entry_date) as last_date
      from (
        select d.entry_date, d.entry_date - row_number() over (order by d.entry_date)::integer as run from days d
      ) s
      group by s.run
    ),
    -- What is about tomorrow neither continues nor ends the current streak.
    current_streak as (
      select s.days - greatest(s.last_date - v_today, 0) as days
      from streaks s
      where s.last_date >= v_today - 1 and s.days > s.last_date - v_today
      order by s.last_date
      limit 1
    )
    select json_build_object(
      'from', v_from,
      'to', v_to,
      'entries', coalesce((select sum(d.entries) from days d), 0),
      'words', coalesce((select sum(d.words) from days d), 0),
      'days_written', (select count(*) from days),
      'current_streak', coalesce((select c.days from current_streak c), 0),
      'longest_streak', coalesce((select max(s.days) from streaks s), 0),
      'moods', coalesce(
        (
          select json_agg(json_build_object('mood', m.mood, 'count', m.entries) order by m.entries desc, m.key)
          from (
            select t.key, sum(t.entries) as entries, (array_agg(t.mood order by t.latest_at desc))[1] as mood
            from moods_of_days t
            group by t.key
            order by sum(t.entries) desc, t.key
            limit 1000
          ) m
        ),
        '[]'
      ),
      'tags', coalesce(
        (
          select json_agg(json_build_object('tag', g.tag, 'count', g.entries) order by g.entries desc, g.key)
          from (
            select t.key, count(*) as entries, (array_agg(t.tag order by o.created_at desc))[1] as tag
            from own o
            cross join lateral unnest(o.tags, o.tag_keys) t (tag, key)
            group by t.key
            order by count(*) desc, t.key
            limit 20
          ) g
        ),
        '[]'
      ),
      'by_day', (
        select json_agg(
          json_build_object(
            'date', r.day, 'entries', coalesce(d.entries, 0), 'words', coalesce(d.words, 0), 'mood', m.mood
          )
          order by r.day
        )
        from (select v_from + n as day from generate_series(0, v_to - v_from) n) r
        left join days d on d.entry_date = r.day
        left join mood_of_day m on m.entry_date = r.day
      ),
      'by_weekday', (
        select json_agg(json_build_object('weekday', w.weekday, 'entries', w.entries) order by w.weekday)
        from (
          select n as weekday, coalesce(sum(d.entries), 0) as entries
          from generate_series(1, 7) n
          left join days d on extract(isodow from d.entry_date) = n
          group by n
        ) w
      ),
      'wellness', private.read_wellness_averages(v_from, v_to)
    )
  );
end
$$;
comment on function private.read_journal_stats(date, date, timestamptz) is
  'Returns the caller''s own entries of a range of days (inclusive) in numbers, as the API sends them.';
grant execute on function private.read_journal_stats(date, date, timestamptz) to nectar_user;

-- The default is this year in the time zone of the caller.
create function private.read_mood_calendar(p_year integer, p_now timestamptz) returns json
  language plpgsql stable security invoker
  set search_path = ''
  as $$
declare
  v_year constant integer := coalesce(p_year, extract(year from private.date_of(private.actor_id(), p_now)));
begin
  return json_build_object(
    'year', v_year,
    'days', private.read_journal_stats(make_date(v_year, 1, 1), make_date(v_year, 12, 31), p_now) -> 'by_day'
  );
end
$$;
comment on function private.read_mood_calendar(integer, timestamptz) is
  'Returns a year of private.read_journal_stats day by day, with its number.';
grant execute on function private.read_mood_calendar(integer, timestamptz) to nectar_user;
