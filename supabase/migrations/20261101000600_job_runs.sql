-- Why: Each run of a scheduled job leaves a row, so that operators can see when it last ran and what it did.

-- Tables --------------------------------------------------------------------------------------------------------------
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

-- Indexes -------------------------------------------------------------------------------------------------------------
create index job_runs_newest_first on private.job_runs (job, started_at desc);
create unique index job_runs_one_success_per_due_time on private.job_runs (job, key, due_at) where succeeded;

-- Row-level security --------------------------------------------------------------------------------------------------
alter table private.job_runs enable row level security;

create policy "the service reads job runs" on private.job_runs for select to nectar_service using (true);
create policy "the service records job runs" on private.job_runs for insert to nectar_service with check (true);
create policy "the service completes job runs" on private.job_runs
  for update to nectar_service using (true) with check (true);
create policy "the service removes old job runs" on private.job_runs for delete to nectar_service using (true);

-- Grants --------------------------------------------------------------------------------------------------------------
grant select, delete on private.job_runs to nectar_service;
grant insert (job, key, due_at) on private.job_runs to nectar_service;
grant update (finished_at, succeeded, results) on private.job_runs to nectar_service;
