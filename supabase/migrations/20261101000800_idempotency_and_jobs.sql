-- Why: a retried request must not act twice, and a scheduled job must be able to say that it ran. A request's answer is
-- stored in the transaction of its command, so there is never one without the other.

-- Tables ----------------------------------------------------------------------------------------------------------------
create table private.idempotency_keys (
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  route text not null,
  key text not null,
  body_hash text not null,
  status smallint,
  body text,
  resource_id uuid,
  is_final boolean not null default true,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, route, key),
  constraint idempotency_keys_key_length check (char_length(key) between 1 and 255),
  constraint idempotency_keys_final_has_answer check (not is_final or (status is not null and body is not null))
);

create table private.job_runs (
  id uuid primary key default gen_random_uuid(),
  job text not null,
  key text not null,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  succeeded boolean,
  results jsonb
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index idempotency_keys_age on private.idempotency_keys (created_at);
create index idempotency_keys_resource on private.idempotency_keys (resource_id) where resource_id is not null;
create index job_runs_newest_first on private.job_runs (job, started_at desc);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.delete_stored_responses() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  delete from private.idempotency_keys k using deleted d where k.resource_id = d.id;
  return null;
end
$$;
comment on function private.delete_stored_responses() is
  'Trigger: deletes the stored responses that hold rows which are being deleted. Security definer: they may belong to another person.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger organizations_delete_stored_responses
  after delete on nectar.organizations
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();
create trigger teams_delete_stored_responses
  after delete on nectar.teams
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();
create trigger notebooks_delete_stored_responses
  after delete on nectar.notebooks
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();
create trigger journal_entries_delete_stored_responses
  after delete on nectar.journal_entries
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table private.idempotency_keys enable row level security;
alter table private.job_runs enable row level security;

create policy "a person finds their own answers" on private.idempotency_keys
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person keeps their own answers" on private.idempotency_keys
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person completes their own answers" on private.idempotency_keys
  for update to nectar_user
  using (user_id = (select private.actor_id())) with check (user_id = (select private.actor_id()));
create policy "a person replaces their own expired answers" on private.idempotency_keys
  for delete to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees the age of answers" on private.idempotency_keys
  for select to nectar_service using (true);
create policy "the service removes expired answers" on private.idempotency_keys
  for delete to nectar_service using (true);

create policy "the service reads job runs" on private.job_runs for select to nectar_service using (true);
create policy "the service records job runs" on private.job_runs for insert to nectar_service with check (true);
create policy "the service completes job runs" on private.job_runs
  for update to nectar_service using (true) with check (true);
create policy "the service removes old job runs" on private.job_runs for delete to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select, delete on private.idempotency_keys to nectar_user;
grant insert (route, key, body_hash, status, body, resource_id, is_final) on private.idempotency_keys to nectar_user;
grant update (status, body, resource_id, is_final) on private.idempotency_keys to nectar_user;
grant select (created_at), delete on private.idempotency_keys to nectar_service;
grant select, delete on private.job_runs to nectar_service;
grant insert (job, key) on private.job_runs to nectar_service;
grant update (finished_at, succeeded, results) on private.job_runs to nectar_service;
revoke execute on all functions in schema private from public;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table private.idempotency_keys is 'Answers to requests that carried an Idempotency-Key, kept for 24 hours.';
comment on column private.idempotency_keys.resource_id is 'The row that the response holds; when that is deleted, so is the response.';
comment on column private.idempotency_keys.body_hash is 'SHA-256 of the request body, to tell a replay from a reused key.';
comment on column private.idempotency_keys.is_final is 'False while a command that is not one transaction still works; its answer, if there is one by then, counts should it never end.';
comment on table private.job_runs is 'One row for every run of a scheduled job.';
