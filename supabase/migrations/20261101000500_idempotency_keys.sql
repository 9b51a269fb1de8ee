-- Why: A retried request must not act twice. The response is stored in the transaction of its command, so there is
-- never one without the other.

-- Tables --------------------------------------------------------------------------------------------------------------
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
  constraint idempotency_keys_final_has_response check (not is_final or (status is not null and body is not null))
);
comment on table private.idempotency_keys is 'Responses to requests with an Idempotency-Key, kept for 24 hours.';
comment on column private.idempotency_keys.resource_id is 'The row that the response contains; when it is deleted, the response is deleted too.';
comment on column private.idempotency_keys.body_hash is 'SHA-256 of the request body, to distinguish a retry from a reused key.';
comment on column private.idempotency_keys.is_final is 'False while a command of several transactions is running. If it never ends, a response that is stored by then counts.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create index idempotency_keys_age on private.idempotency_keys (created_at);
create index idempotency_keys_resource on private.idempotency_keys (resource_id) where resource_id is not null;

-- Functions -----------------------------------------------------------------------------------------------------------
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
  'Trigger: deletes the stored responses that contain a deleted row. Security definer: they may belong to another person.';

-- Row-level security --------------------------------------------------------------------------------------------------
alter table private.idempotency_keys enable row level security;

create policy "a person reads their own stored responses" on private.idempotency_keys
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person stores their own responses" on private.idempotency_keys
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person completes their own stored responses" on private.idempotency_keys
  for update to nectar_user
  using (user_id = (select private.actor_id())) with check (user_id = (select private.actor_id()));
create policy "a person replaces their own expired responses" on private.idempotency_keys
  for delete to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees the age of stored responses" on private.idempotency_keys
  for select to nectar_service using (true);
create policy "the service deletes expired responses" on private.idempotency_keys
  for delete to nectar_service using (true);

-- Grants --------------------------------------------------------------------------------------------------------------
grant select, delete on private.idempotency_keys to nectar_user;
grant insert (route, key, body_hash, status, body, resource_id, is_final) on private.idempotency_keys to nectar_user;
grant update (status, body, resource_id, is_final) on private.idempotency_keys to nectar_user;
grant select (created_at), delete on private.idempotency_keys to nectar_service;
