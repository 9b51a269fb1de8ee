-- Why: A program of a person (a script, an automation of their phone, an assistant) calls the API with a token of its own,
-- which reaches less than the person and can be deleted alone. It is a secret, so only its hash is stored.

create type nectar.token_scope as enum (
  'journal:read', 'journal:write', 'goals:read', 'goals:write', 'wellness:read', 'wellness:write', 'drops:read',
  'drops:write', 'game:read', 'game:write', 'profile:read', 'profile:write', 'notifications:read', 'notifications:write'
);

create table nectar.personal_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  name text not null,
  scopes nectar.token_scope[] not null,
  token_hash bytea not null unique,
  hint text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint personal_tokens_name_length check (char_length(name) between 1 and 100),
  constraint personal_tokens_scopes_count check (cardinality(scopes) between 1 and 14),
  constraint personal_tokens_token_hash_size check (octet_length(token_hash) = 32),
  constraint personal_tokens_hint_size check (char_length(hint) = 4),
  constraint personal_tokens_lifetime check (expires_at <= created_at + interval '366 days')
);
comment on table nectar.personal_tokens is 'Tokens of programs that people use. Deleted by their person, and some time after they expire.';
comment on column nectar.personal_tokens.token_hash is 'SHA-256 of the token.';
comment on column nectar.personal_tokens.hint is 'The last four characters of the token.';
comment on column nectar.personal_tokens.last_used_at is 'Written at most once an hour.';

create index personal_tokens_newest_first on nectar.personal_tokens (user_id, created_at desc, id desc);
create index personal_tokens_age on nectar.personal_tokens (expires_at);

-- Returns the token with a hash, unless it has expired, and records when it was used; no row if there is none. The
-- login role of the functions calls it before it knows whose request it is. Security definer: only owners see tokens.
create function private.use_token(p_token_hash bytea) returns table (id uuid, user_id uuid, scopes text[])
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_token nectar.personal_tokens;
  v_hour_ago constant timestamptz := now() - interval '1 hour';
begin
  select * into v_token from nectar.personal_tokens t where t.token_hash = p_token_hash and t.expires_at > now();
  if not found then return; end if;
  if v_token.last_used_at is null or v_token.last_used_at < v_hour_ago then
    update nectar.personal_tokens t set last_used_at = now()
    where t.id = v_token.id and (t.last_used_at is null or t.last_used_at < v_hour_ago);
  end if;
  return query select v_token.id, v_token.user_id, v_token.scopes::text[];
end $$;
grant execute on function private.use_token(bytea) to nectar_api;

-- Returns whether a token exists; if asked to, locks it until the transaction ends. Deleting a token waits for the
-- writes that began with it. Security definer: users do not lock by themselves.
create function private.has_token(p_token_id uuid, p_locks boolean) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_locks then perform private.lock_fairly(p_token_id, true); end if;
  perform from nectar.personal_tokens t where t.id = p_token_id;
  return found;
end $$;
grant execute on function private.has_token(uuid, boolean) to nectar_user;

-- Creates a token of the caller, notifies them, and returns its id. Raises token.too_many. Security definer: it locks
-- the account, and private.notify is not for users.
create function private.create_token(
  p_name text, p_scopes nectar.token_scope[], p_token_hash bytea, p_hint text, p_days integer
) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_id uuid;
begin
  -- One token of a person at a time, so that all are counted.
  perform from nectar.accounts a where a.user_id = v_actor for no key update;
  if (select count(*) from nectar.personal_tokens t where t.user_id = v_actor and t.expires_at > now()) >= 20 then
    raise exception 'too many tokens' using errcode = 'NX000', detail = 'token.too_many';
  end if;
  insert into nectar.personal_tokens (user_id, name, scopes, token_hash, hint, expires_at)
  values (v_actor, p_name, p_scopes, p_token_hash, p_hint, now() + p_days * interval '1 day') returning id into v_id;
  perform private.notify(v_actor, 'token_created', jsonb_build_object('token_id', v_id));
  return v_id;
end $$;
grant execute on function private.create_token(text, nectar.token_scope[], bytea, text, integer) to nectar_user;

-- Ends a token of the caller after the writes that began with it; false if there is none, or it has expired. Security
-- definer: users do not lock by themselves.
create function private.delete_token(p_token_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  perform private.lock_fairly(t.id, false) from nectar.personal_tokens t where t.id = p_token_id and t.user_id = v_actor;
  delete from nectar.personal_tokens t where t.id = p_token_id and t.user_id = v_actor and t.expires_at > now();
  return found;
end $$;
grant execute on function private.delete_token(uuid) to nectar_user;

create trigger personal_tokens__delete_stored_responses
  after delete on nectar.personal_tokens
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.personal_tokens enable row level security;

create policy "a person sees their own tokens" on nectar.personal_tokens
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees the age of tokens" on nectar.personal_tokens
  for select to nectar_service using (true);
create policy "the service removes tokens that expired a month ago" on nectar.personal_tokens
  for delete to nectar_service using (expires_at < now() - interval '30 days');

grant select (id, user_id, name, scopes, hint, created_at, expires_at, last_used_at)
  on nectar.personal_tokens to nectar_user;
grant select (id, expires_at), delete on nectar.personal_tokens to nectar_service;
