-- Why: People wait for what an admin decides, and no job does it for them, so health check and alarms look at the oldest.

-- Returns since when the oldest open report, open appeal and pending check-in wait; no row for a kind that none waits for.
-- A function, because health check and metrics share it.
create function private.oldest_reviews() returns table (kind text, since timestamptz)
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    select w.kind, w.since
    from (values
      ('report', (select min(r.created_at) from nectar.reports r where r.status = 'open')),
      ('appeal', (select min(a.created_at) from nectar.moderation_appeals a where a.status = 'open')),
      ('checkin', (select min(k.created_at) from nectar.workout_checkins k where k.status = 'pending'))
    ) w (kind, since)
    where w.since is not null;
end $$;
grant execute on function private.oldest_reviews() to nectar_service;
