-- Why: Each run of a scheduled job leaves a row, so that operators can see when it last ran, what it did, and whether it
-- is late.

create table private.job_runs (
  id uuid primary key default gen_random_uuid(),
  job text not null,
  key text not null,
  due_at timestamptz(3),
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  succeeded boolean,
  results jsonb
);
comment on table private.job_runs is 'One row for every run of a scheduled job.';
comment on column private.job_runs.due_at is
  'When the schedule wanted the run; null for a run that an operator started. A due time is served once, also if several schedulers ask for it.';

create table private.jobs (
  name text primary key,
  known_since timestamptz(3) not null
);
comment on table private.jobs is 'Since when each scheduled job is known, so that one that has not run yet is not late at once.';

create index job_runs_newest_first on private.job_runs (job, started_at desc);
create unique index job_runs_one_success_per_due_time on private.job_runs (job, key, due_at) where succeeded;
create index job_runs_succeeded on private.job_runs (job, started_at desc) where succeeded;

-- Returns the last runs of jobs, whether one is working, and the results of the last one that ended; records new names.
create function private.job_states(p_names text[], p_now timestamptz) returns table (
  name text, known_since timestamptz, last_started_at timestamptz, last_succeeded_at timestamptz, running boolean,
  last_results jsonb
)
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.jobs (name, known_since)
  select n, p_now from unnest(p_names) n where not exists (select from private.jobs j where j.name = n)
  on conflict do nothing;
  return query
    select j.name, j.known_since,
      (select r.started_at from private.job_runs r where r.job = j.name order by r.started_at desc limit 1),
      (select r.finished_at from private.job_runs r where r.job = j.name and r.succeeded order by r.started_at desc limit 1),
      exists (select from private.work w where w.kind = 'job ' || j.name and w.claim is not null and w.due_at > now()),
      (
        select r.results from private.job_runs r where r.job = j.name and r.finished_at is not null
        order by r.started_at desc limit 1
      )
    from private.jobs j where j.name = any (p_names);
end $$;
grant execute on function private.job_states(text[], timestamptz) to nectar_service;

alter table private.job_runs enable row level security;
alter table private.jobs enable row level security;

create policy "the service reads job runs" on private.job_runs for select to nectar_service using (true);
create policy "the service records job runs" on private.job_runs for insert to nectar_service with check (true);
create policy "the service completes job runs" on private.job_runs for update to nectar_service using (true);
create policy "the service removes old job runs" on private.job_runs for delete to nectar_service using (true);
create policy "the service reads the known jobs" on private.jobs for select to nectar_service using (true);
create policy "the service notes new jobs" on private.jobs for insert to nectar_service with check (true);

grant select, delete, insert (job, key, due_at), update (finished_at, succeeded, results)
  on private.job_runs to nectar_service;
grant select, insert (name, known_since) on private.jobs to nectar_service;
