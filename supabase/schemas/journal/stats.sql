-- Why: What people see of their own writing in numbers is counted when it is read, over their own rows in a range of days:
-- the index of one's own entries by date makes it independent of what others write.

create type private.wellness_averages as (satisfaction_average numeric, sleep_hours_average numeric);
comment on type private.wellness_averages is 'They have two decimals.';

-- Returns the averages of the caller's wellness entries of these days (inclusive) in their time zone; null if there are
-- none.
create function private.read_wellness_averages(p_from date, p_to date) returns private.wellness_averages
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
  v_zone constant text := private.known_zone((select a.timezone from nectar.accounts a where a.user_id = v_me));
begin
  return (
    select row(round(avg(w.rating), 2), round(avg(w.hours), 2))::private.wellness_averages
    from nectar.wellness_entries w
    where w.user_id = v_me
      and w.created_at >= private.first_instant(p_from, v_zone)
      and w.created_at < private.first_instant(p_to + 1, v_zone)
  );
end $$;
grant execute on function private.read_wellness_averages(date, date) to nectar_user;

create type private.own_entry as (
  entry_date date, written_at double precision, tags text[], tag_keys text[], mood text, words integer
);
comment on type private.own_entry is 'What statistics need of an entry. written_at is in seconds since 1970.';

-- The caller's own entries of a range of days (inclusive).
create function private.own_entries(p_from date, p_to date) returns private.own_entry[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
begin
  return array(
    select row(
      e.entry_date, extract(epoch from e.created_at), e.tags, e.tag_keys, e.mood, coalesce(c.words, 0)
    )::private.own_entry
    -- Day by day and entry by entry: for a few recent days the planner would rather read what everyone wrote. The days are
    -- made beforehand: under row-level security PostgreSQL 15 looks up no date that is still to be computed.
    from unnest(array(select p_from + n from generate_series(0, p_to - p_from) n)) d (day)
    cross join lateral (
      select r.id, r.entry_date, r.created_at, r.tags, r.tag_keys, r.mood
      from nectar.journal_entries r where r.user_id = v_me and r.entry_date = d.day offset 0
    ) e
    left join lateral (
      select r.words from nectar.journal_entry_contents r where r.entry_id = e.id limit 1
    ) c on true
  );
end $$;
grant execute on function private.own_entries(date, date) to nectar_user;

create type private.mood_count as (mood text, count bigint);

-- The thousand most frequent moods of entries, each as it was last written.
create function private.count_moods(p_entries private.own_entry[]) returns private.mood_count[]
  language plpgsql immutable security invoker set search_path = '' as $$
begin
  return array(
    select row((array_agg(e.mood order by e.written_at desc))[1], count(*))::private.mood_count
    from unnest(p_entries) e where e.mood is not null group by lower(e.mood) order by count(*) desc, lower(e.mood)
    limit 1000
  );
end $$;
grant execute on function private.count_moods(private.own_entry[]) to nectar_user;

create type private.tag_count as (tag text, count bigint);

-- The twenty most frequent tags of entries, each as it was last written.
create function private.count_tags(p_entries private.own_entry[]) returns private.tag_count[]
  language plpgsql immutable security invoker set search_path = '' as $$
begin
  return array(
    select row((array_agg(t.tag order by e.written_at desc))[1], count(*))::private.tag_count
    from unnest(p_entries) e
    cross join lateral unnest(e.tags, e.tag_keys) t (tag, key)
    group by t.key order by count(*) desc, t.key
    limit 20
  );
end $$;
grant execute on function private.count_tags(private.own_entry[]) to nectar_user;

create type private.written_day as (date date, entries bigint, words bigint, mood text);
comment on type private.written_day is 'A day with entries, and its most frequent mood: the last one of those that are equally frequent.';

-- The days of entries, in any order.
create function private.written_days(p_entries private.own_entry[]) returns private.written_day[]
  language plpgsql immutable security invoker set search_path = '' as $$
begin
  return array(
    select row(d.entry_date, d.entries, d.words, m.mood)::private.written_day
    from (
      select e.entry_date, count(*) as entries, sum(e.words) as words from unnest(p_entries) e group by e.entry_date
    ) d
    left join (
      select distinct on (e.entry_date) e.entry_date, (array_agg(e.mood order by e.written_at desc))[1] as mood
      from unnest(p_entries) e where e.mood is not null group by e.entry_date, lower(e.mood)
      order by e.entry_date, count(*) desc, max(e.written_at) desc, lower(e.mood)
    ) m on m.entry_date = d.entry_date
  );
end $$;
grant execute on function private.written_days(private.own_entry[]) to nectar_user;

-- Returns how many of some days are a run that ends today or yesterday; later days do not count.
create function private.count_current_run(p_days date[], p_today date) returns integer
  language plpgsql immutable security invoker set search_path = '' as $$
begin
  return (
    -- The n-th of these days, backwards, is n - 1 days before the last one until the first gap.
    select count(*) filter (where d.last_day - d.day = d.place - 1)
    from (
      select o.day, row_number() over (order by o.day desc) as place, max(o.day) over () as last_day
      from (select distinct u.day from unnest(p_days) u (day) where u.day <= p_today) o
    ) d
    where d.last_day >= p_today - 1
  );
end $$;
grant execute on function private.count_current_run(date[], date) to nectar_user;

create type private.weekday_count as (weekday integer, entries bigint);
create type private.journal_stats as (
  "from" date, "to" date, entries integer, words bigint, days_written integer, current_streak bigint,
  longest_streak bigint, moods private.mood_count[], tags private.tag_count[], by_day private.written_day[],
  by_weekday private.weekday_count[], wellness private.wellness_averages
);

-- Returns the caller's own entries of a range of days (inclusive) in numbers, as the API sends them. The default end is
-- today in the time zone of the caller, the default length 30 days. Raises request.invalid for more than 366 days and
-- for a start after the end.
create function private.read_journal_stats(p_from date, p_to date, p_now timestamptz)
  returns private.journal_stats
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_today constant date := private.date_of(private.actor_id(), p_now);
  v_to constant date := coalesce(p_to, v_today);
  -- Dates before year 1 cannot be written with four digits.
  v_from constant date := coalesce(p_from, greatest(v_to - 29, date '0001-01-01'));
  v_entries private.own_entry[];
  v_days private.written_day[];
begin
  if v_from > v_to then
    raise exception 'range ends before it begins' using errcode = 'NX000', detail = 'request.invalid',
      column = 'from', hint = 'must not be after `to`';
  elsif v_to - v_from >= 366 then
    raise exception 'range too long' using errcode = 'NX000', detail = 'request.invalid',
      column = 'from', hint = 'must be at most 365 days before `to`';
  end if;
  v_entries := private.own_entries(v_from, v_to);
  v_days := private.written_days(v_entries);
  return (
    with streaks as (
      select count(*) as days
      from (
        select d.date, d.date - row_number() over (order by d.date)::integer as run from unnest(v_days) d
      ) s
      group by s.run
    )
    select row(
      v_from, v_to, cardinality(v_entries),
      coalesce((select sum(d.words) from unnest(v_days) d), 0), cardinality(v_days),
      private.count_current_run(array(select d.date from unnest(v_days) d), v_today),
      coalesce((select max(s.days) from streaks s), 0),
      private.count_moods(v_entries), private.count_tags(v_entries),
      array(
        select row(v_from + n, coalesce(d.entries, 0), coalesce(d.words, 0), d.mood)::private.written_day
        from generate_series(0, v_to - v_from) n
        left join unnest(v_days) d on d.date = v_from + n
        order by n
      ),
      array(
        select row(n, coalesce(sum(d.entries), 0))::private.weekday_count
        from generate_series(1, 7) n
        left join unnest(v_days) d on extract(isodow from d.date) = n
        group by n order by n
      ),
      private.read_wellness_averages(v_from, v_to)
    )::private.journal_stats
  );
end $$;
grant execute on function private.read_journal_stats(date, date, timestamptz) to nectar_user;

create type private.mood_calendar as (year integer, days private.written_day[]);

-- Returns a year of private.read_journal_stats day by day, with its number. The default is this year in the time zone
-- of the caller.
create function private.read_mood_calendar(p_year integer, p_now timestamptz) returns private.mood_calendar
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_year constant integer := coalesce(p_year, extract(year from private.date_of(private.actor_id(), p_now)));
begin
  return row(
    v_year, (private.read_journal_stats(make_date(v_year, 1, 1), make_date(v_year, 12, 31), p_now)).by_day
  )::private.mood_calendar;
end $$;
grant execute on function private.read_mood_calendar(integer, timestamptz) to nectar_user;

create type private.journal_of_day as (entries_today integer, current_streak integer, on_this_day integer);

-- Returns how many own entries are about a day and about the same day of earlier years, and the streak that ends with it.
-- The day is today for the caller. The streak is that of private.read_journal_stats over its longest range.
create function private.read_journal_of_day(p_today date, p_max_bytes bigint) returns private.journal_of_day
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
  v_days constant date[] := array(
    select e.entry_date from nectar.journal_entries e
    -- In sub-selects, or the planner makes a new plan in every call.
    where e.user_id = (select v_me) and e.entry_date between (select p_today - 365) and (select p_today)
  );
begin
  return row(
    cardinality(array_positions(v_days, p_today)), private.count_current_run(v_days, p_today),
    cardinality(private.entries_on_this_day(p_today, p_max_bytes))
  )::private.journal_of_day;
end $$;
grant execute on function private.read_journal_of_day(date, bigint) to nectar_user;
