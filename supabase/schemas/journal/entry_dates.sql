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

-- Returns the dates from 1900 on that have month and day of a date and are of an earlier year.
create function private.same_day_of_earlier_years(p_date date) returns date[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_is_last_of_february constant boolean := to_char(p_date, 'MM-DD') = '02-28' and to_char(p_date + 1, 'MM-DD') = '03-01';
begin
  -- A leap day becomes a 28 February where it does not exist.
  return array(
    select d.day from generate_series(1900, extract(year from p_date)::integer - 1) y (year)
    cross join lateral (
      select (p_date - make_interval(years => extract(year from p_date)::integer - y.year))::date as day
    ) same
    cross join lateral unnest(array[same.day, same.day + 1]) d (day)
    where extract(day from d.day) = extract(day from p_date) or (v_is_last_of_february and to_char(d.day, 'MM-DD') = '02-29')
  );
end $$;
grant execute on function private.same_day_of_earlier_years(date) to nectar_user;

-- Returns the caller's own entries about the same day of earlier years, latest first. The default date is today in the
-- time zone of the caller. The list ends once its contents together have more bytes than the maximum.
create function private.list_entries_on_this_day(p_date date, p_now timestamptz, p_max_bytes bigint)
  returns setof nectar.readable_entries
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
  v_dates constant date[] := private.same_day_of_earlier_years(coalesce(p_date, private.date_of(v_me, p_now)));
  v_ids constant uuid[] := array(
    select e.id from unnest((select v_dates)) d (day)
    -- Each date by itself, or the planner reads all entries of the caller: most people have fewer than there are dates.
    cross join lateral (
      select r.id, r.created_at from nectar.journal_entries r where r.user_id = v_me and r.entry_date = d.day
      order by r.created_at desc, r.id desc limit 100
    ) e
    order by d.day desc, e.created_at desc, e.id desc limit 100
  );
begin
  return query
    select e.* from unnest((select private.entries_within_bytes(v_ids, p_max_bytes))) with ordinality page (id, place)
    -- Each by its id: going through the table would ask the policies about entries of others, which a super admin may not
    -- see in a transaction that only reads.
    cross join lateral (select r.* from nectar.readable_entries r where r.id = page.id limit 1) e
    order by page.place;
end $$;
grant execute on function private.list_entries_on_this_day(date, timestamptz, bigint) to nectar_user;
