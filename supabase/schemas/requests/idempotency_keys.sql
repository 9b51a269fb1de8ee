-- Why: A retried request must not act twice. The response is stored in the transaction of its command, so there is
-- never one without the other.

create table private.idempotency_keys (
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  route text not null,
  key text not null,
  body_hash text not null,
  status smallint,
  body text,
  etag text,
  resource_id uuid,
  is_final boolean not null default true,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, route, key),
  constraint idempotency_keys_key_length check (char_length(key) between 1 and 255),
  constraint idempotency_keys_final_has_response check (not is_final or (status is not null and body is not null))
);
comment on table private.idempotency_keys is 'Responses to requests with an Idempotency-Key.';
comment on column private.idempotency_keys.resource_id is 'The row that the response contains; when it is deleted, the response is deleted too.';
comment on column private.idempotency_keys.body_hash is 'SHA-256 of the request body, to distinguish a retry from a reused key.';
comment on column private.idempotency_keys.is_final is 'False while a command of several transactions is running. If it never ends, a response that is stored by then counts.';

create index idempotency_keys_age on private.idempotency_keys (created_at);
create index idempotency_keys_resource on private.idempotency_keys (resource_id) where resource_id is not null;

-- Deletes the stored responses that contain a deleted row. Security definer: they may belong to another person.
create function private.delete_stored_responses() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.idempotency_keys k using deleted d where k.resource_id = d.id;
  return null;
end $$;

-- Locks a key of the caller, and returns the response to an earlier request with it; no row if the request may run.
-- Removes a response that is kept no longer, and the trace of the same request if it died before there was a response.
-- Raises idempotency.in_progress, or idempotency.key_reused for another body.
create function private.take_idempotency_key(
  p_route text, p_key text, p_body_hash text, p_kept interval, p_max_command_time interval
) returns table (status smallint, body text, etag text)
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_stored private.idempotency_keys;
  v_is_dead boolean;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(format('%s %s %s', v_actor, p_route, p_key), 0)) then
    raise exception 'the same request is running' using errcode = 'NX000', detail = 'idempotency.in_progress';
  end if;
  select * into v_stored from private.idempotency_keys k
  where k.user_id = v_actor and k.route = p_route and k.key = p_key;
  if not found then return; end if;
  v_is_dead := v_stored.created_at <= now() - p_max_command_time;
  if v_stored.created_at < now() - p_kept
    or (v_stored.status is null and v_stored.body_hash = p_body_hash and v_is_dead)
  then
    delete from private.idempotency_keys k where k.user_id = v_actor and k.route = p_route and k.key = p_key;
    return;
  end if;
  if v_stored.body_hash <> p_body_hash then
    raise exception 'the key was used with another body' using errcode = 'NX000', detail = 'idempotency.key_reused';
  end if;
  if v_stored.status is null or not (v_stored.is_final or v_is_dead) then
    raise exception 'the same request is running' using errcode = 'NX000', detail = 'idempotency.in_progress';
  end if;
  return query select v_stored.status, v_stored.body, v_stored.etag;
end $$;
grant execute on function private.take_idempotency_key(text, text, text, interval, interval) to nectar_user;

-- Stores the response to a request of the caller whose key was taken, or only the key if there is no response yet.
create function private.store_response(
  p_route text, p_key text, p_body_hash text, p_status smallint, p_body text, p_resource_id uuid, p_is_final boolean,
  p_etag text default null
) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.idempotency_keys (route, key, body_hash, status, body, etag, resource_id, is_final)
  values (p_route, p_key, p_body_hash, p_status, p_body, p_etag, p_resource_id, p_is_final);
end $$;
grant execute on function private.store_response(text, text, text, smallint, text, uuid, boolean, text) to nectar_user;

alter table private.idempotency_keys enable row level security;

create policy "a person reads their own stored responses" on private.idempotency_keys
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person stores their own responses" on private.idempotency_keys
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person completes their own stored responses" on private.idempotency_keys
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "a person replaces their own expired responses" on private.idempotency_keys
  for delete to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees the age of stored responses" on private.idempotency_keys
  for select to nectar_service using (true);
create policy "the service deletes expired responses" on private.idempotency_keys
  for delete to nectar_service using (true);

grant select, delete, insert (route, key, body_hash, status, body, etag, resource_id, is_final),
  update (status, body, etag, resource_id, is_final) on private.idempotency_keys to nectar_user;
grant select (created_at), delete on private.idempotency_keys to nectar_service;
