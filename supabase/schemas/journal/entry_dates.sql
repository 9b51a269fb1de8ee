-- Why: Entries are found by the day that they are about: lists in the order of these days, and what one wrote about the same
-- day of earlier years.

create index journal_entries_own_by_date on nectar.journal_entries (user_id, entry_date desc, created_at desc, id desc);
create index journal_entries_audience_by_date
  on nectar.journal_entries (metadata_audience_id, entry_date desc, created_at desc, id desc) include (user_id);
create index journal_entries_latest_first
  on nectar.journal_entries (entry_date desc, created_at desc, id desc) include (user_id, metadata_audience_id);
create index journal_entries_notebook_by_date
  on nectar.journal_entries (notebook_id, entry_date desc, created_at desc, id desc) where notebook_id is not null;
create index journal_entries_public_by_entry_date on nectar.journal_entries (entry_date, user_id)
  where metadata_audience_id = private.public_audience();

-- Returns the dates from a year on that have month and day of a date and are of an earlier year.
create function private.same_day_of_earlier_years(p_date date, p_first_year integer) returns date[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_is_last_of_february constant boolean := to_char(p_date, 'MM-DD') = '02-28' and to_char(p_date + 1, 'MM-DD') = '03-01';
begin
  -- A leap day becomes a 28 February where it does not exist.
  return array(
    select d.day from generate_series(p_first_year, extract(year from p_date)::integer - 1) y (year)
    cross join lateral (
      select (p_date - make_interval(years => extract(year from p_date)::integer - y.year))::date as day
    ) same
    cross join lateral unnest(array[same.day, same.day + 1]) d (day)
    where extract(day from d.day) = extract(day from p_date) or (v_is_last_of_february and to_char(d.day, 'MM-DD') = '02-29')
  );
end $$;
grant execute on function private.same_day_of_earlier_years(date, integer) to nectar_user;

-- Returns the ids of the caller's own entries about the same day of earlier years, latest first. The list ends once their
-- contents together have more bytes than the maximum.
create function private.entries_on_this_day(p_date date, p_max_bytes bigint) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
  -- Most people have few years of entries, and none of a date before 1900 is shown.
  v_first_year constant integer := greatest(1900, (
    select extract(year from e.entry_date) from nectar.journal_entries e where e.user_id = (select v_me)
    order by e.entry_date, e.created_at, e.id limit 1
  ));
  v_dates constant date[] := private.same_day_of_earlier_years(p_date, v_first_year);
  v_ids constant uuid[] := array(
    select e.id from unnest((select v_dates)) d (day)
    -- Each date by itself, or the planner reads all entries of the caller: most people have fewer than there are dates.
    cross join lateral (
      select r.id, r.created_at from nectar.journal_entries r where r.user_id = (select v_me) and r.entry_date = d.day
      order by r.created_at desc, r.id desc limit 100
    ) e
    order by d.day desc, e.created_at desc, e.id desc limit 100
  );
begin
  return private.entries_within_bytes(v_ids, p_max_bytes);
end $$;
grant execute on function private.entries_on_this_day(date, bigint) to nectar_user;

-- Returns the caller's own entries about the same day of earlier years, latest first. The default date is today in the
-- time zone of the caller. The list ends once its contents together have more bytes than the maximum.
create function private.list_entries_on_this_day(p_date date, p_now timestamptz, p_max_bytes bigint)
  returns setof nectar.readable_entries
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_ids constant uuid[] := private.entries_on_this_day(
    coalesce(p_date, private.date_of(private.actor_id(), p_now)), p_max_bytes
  );
begin
  return query
    select e.* from unnest((select v_ids)) with ordinality page (id, place)
    -- Each by its id: going through the table would ask the policies about entries of others, which a super admin may not
    -- see in a transaction that only reads.
    cross join lateral (select r.* from nectar.readable_entries r where r.id = page.id limit 1) e
    order by page.place;
end $$;
grant execute on function private.list_entries_on_this_day(date, timestamptz, bigint) to nectar_user;
