-- Why: Quiet hours and reminders are local times, and clocks change. These functions are the only place that knows what
-- that means for them.

-- Returns the first instant at which the clock of a zone shows a local time, or at which the clock skips it.
create function private.first_instant(p_local timestamp, p_zone text) returns timestamptz
  language plpgsql stable security invoker set search_path = '' as $$
declare
  -- PostgreSQL takes the second of two instants and, for a time that is skipped, the offset before the gap.
  v_instant constant timestamptz := p_local at time zone p_zone;
  v_shown constant timestamp := v_instant at time zone p_zone;
  v_day_before constant timestamptz := v_instant - interval '24 hours';
  v_offset_before constant interval := (v_day_before at time zone p_zone) - (v_day_before at time zone 'UTC');
  v_earlier constant timestamptz := (p_local - v_offset_before) at time zone 'UTC';
begin
  if v_shown > p_local then
    return (
      select min(minute) from generate_series(v_instant - (v_shown - p_local), v_instant, interval '1 minute') minute
      where minute at time zone p_zone >= p_local
    );
  end if;
  return case when v_earlier at time zone p_zone = p_local then least(v_earlier, v_instant) else v_instant end;
end $$;
grant execute on function private.first_instant(timestamp, text) to nectar_user;

-- Returns whether a local time is in quiet hours, which may pass midnight. The start belongs to them, the end does not.
create function private.is_quiet(p_start time, p_end time, p_local time) returns boolean
  language sql immutable security invoker
  return case
    when p_start < p_end then p_local >= p_start and p_local < p_end
    else p_local >= p_start or p_local < p_end
  end;

-- Returns when the quiet hours that a moment falls into end; null if it falls into none. Quiet is every moment at which
-- the clock of the zone shows a time in them, so an hour that occurs twice is quiet twice. They end at the first moment
-- that is not quiet.
create function private.quiet_until(p_zone text, p_start time, p_end time, p_moment timestamptz) returns timestamptz
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_local constant timestamp := p_moment at time zone p_zone;
  v_local_end timestamp := v_local::date + p_end;
  v_end timestamptz;
begin
  if not private.is_quiet(p_start, p_end, v_local::time) then return null; end if;
  if v_local_end <= v_local then v_local_end := v_local_end + interval '1 day'; end if;
  v_end := p_moment + (v_local_end - v_local);
  if v_end at time zone p_zone = v_local_end then return v_end; end if;
  -- The clocks change before the end. It may be skipped, so that quiet hours of nearly a day last for two.
  return (
    select min(minute)
    from generate_series(date_trunc('minute', p_moment), p_moment + interval '49 hours', interval '1 minute') minute
    where not private.is_quiet(p_start, p_end, (minute at time zone p_zone)::time)
  );
end $$;
