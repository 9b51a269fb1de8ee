-- Why: An account can be deleted, closed or suspended at any moment, also while a request or a job works with it. Deleting an
-- account locks the profile first and then every row that refers to it. Everything else that locks rows of a person
-- therefore locks the profile first too; otherwise the two could wait for each other. What is decided about a person waits
-- for the writes of that person which have begun, so that none commits afterwards.

-- Returns whether an account exists. Security definer with the id as a parameter, because every request calls it: this
-- way it evaluates no policy and reads no claim.
create function private.has_profile(p_user_id uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform from nectar.profiles p where p.id = p_user_id;
  return found;
end $$;
grant execute on function private.has_profile(uuid) to nectar_user;

-- Locks a person, token or organization: shared for a write, unless a decision waits; otherwise for a decision, after
-- all writes. p_id is a person who writes, the token of their program, or an organization that they share with, also
-- with one of its teams. Writers lock it shared, and what is decided about it exclusively. An advisory lock has a fair
-- queue, unlike a row lock, which later writers share while a decision waits for those before them. A person is locked
-- before any row.
create function private.lock_fairly(p_id uuid, p_shared boolean) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_key constant bigint := hashtextextended('writes about ' || p_id, 0);
begin
  if p_shared then
    perform pg_advisory_xact_lock_shared(v_key);
  else
    perform pg_advisory_xact_lock(v_key);
  end if;
end $$;

-- Locks a profile, so that the account is not deleted before the transaction ends; false if it does not exist. It is
-- called before any other row of the person is locked. Security definer: locking needs a privilege to update.
create function private.lock_profile(p_user_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from nectar.profiles p where p.id = p_user_id for key share;
  return found;
end $$;
grant execute on function private.lock_profile(uuid) to nectar_user, nectar_service;

-- Waits until the writes of a person that have begun have ended, and lets later ones wait until the transaction ends.
-- It is called before any other row of the person is locked. Security definer: roles do not lock by themselves.
create function private.stop_writes(p_user_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_fairly(p_user_id, false);
  perform private.lock_profile(p_user_id);
end $$;
grant execute on function private.stop_writes(uuid) to nectar_service;

-- Locks a person who writes, so that the account is not deleted, suspended or closed meanwhile; false if it is gone.
-- Raises auth.suspended unless the command is open to suspended people, and account.closing unless it is open to people
-- whose account is closing. Security definer: locking needs a privilege to update.
create function private.lock_writer(p_user_id uuid, p_while_suspended boolean, p_while_closing boolean) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_suspended_until timestamptz;
  v_erases_at timestamptz;
begin
  perform private.lock_fairly(p_user_id, true);
  perform from nectar.profiles p where p.id = p_user_id for key share;
  if not found then return false; end if;
  -- A statement of its own: one that waited for a suspension to commit would still see the account as it was before.
  select a.suspended_until, a.erases_at into v_suspended_until, v_erases_at
  from nectar.accounts a where a.user_id = p_user_id;
  if v_suspended_until > now() and not p_while_suspended then
    raise exception 'suspended' using errcode = 'NX000', detail = 'auth.suspended',
      column = 'suspended_until', hint = private.rfc3339(v_suspended_until);
  end if;
  if v_erases_at is not null and not p_while_closing then
    raise exception 'closing' using errcode = 'NX000', detail = 'account.closing',
      column = 'erases_at', hint = private.rfc3339(v_erases_at);
  end if;
  return true;
end $$;
grant execute on function private.lock_writer(uuid, boolean, boolean) to nectar_user, nectar_service;

-- Begins a person's transaction: sets role and identity, and locks the profile, or only looks for it if the transaction
-- reads. The login role of the functions calls it first. Statements of a transaction that only reads may take 4 seconds
-- each. Raises auth.unknown_account if there is no profile, because a token may outlive its account, and auth.suspended
-- or account.closing in a transaction that writes, unless its command is open to such people. Raises auth.invalid_token
-- if the token was deleted after the request had begun. It is a procedure because its call has no result.
create procedure private.begin_as_user(
  p_user_id uuid, p_writes boolean, p_while_suspended boolean default false, p_while_closing boolean default false,
  p_token_id uuid default null, p_is_program boolean default false
)
  language plpgsql security invoker set search_path = '' as $$
declare
  v_set text;
  v_exists boolean;
begin
  -- Assignments, because a function that is called by PERFORM costs a statement of its own.
  v_set := set_config('role', 'nectar_user', true);
  v_set := set_config(
    'request.jwt.claims',
    '{"sub":"' || p_user_id || '","role":"authenticated"' || case when p_is_program then ',"client_id":null' else '' end || '}',
    true
  );
  if p_writes then
    v_exists := private.lock_writer(p_user_id, p_while_suspended, p_while_closing);
  else
    v_set := set_config('transaction_read_only', 'on', true);
    v_set := set_config('statement_timeout', '4s', true);
    v_exists := private.has_profile(p_user_id);
  end if;
  if not v_exists then
    raise exception 'no such account' using errcode = 'NX000', detail = 'auth.unknown_account';
  end if;
  if p_token_id is not null and not private.has_token(p_token_id, p_writes) then
    raise exception 'no such token' using errcode = 'NX000', detail = 'auth.invalid_token';
  end if;
end $$;
grant usage on schema private to nectar_api;
grant execute on procedure private.begin_as_user(uuid, boolean, boolean, boolean, uuid, boolean) to nectar_api;

-- Begins a person's transaction that reads from a replica, if that has everything up to two positions. p_position is
-- the end of the primary's write-ahead log after the caller's last write; empty if they wrote nothing. p_bound is its
-- end at the longest time ago that a replica may lag. Raises NX001 if the replica has not reached p_bound, or was
-- promoted and so does not follow the primary any more; NX002 if it has not reached p_position.
create procedure private.begin_on_replica(p_user_id uuid, p_position text, p_bound pg_lsn)
  language plpgsql security invoker set search_path = '' as $$
declare
  v_replayed constant pg_lsn := pg_last_wal_replay_lsn();
begin
  if not pg_is_in_recovery() or v_replayed < p_bound then
    raise exception 'the replica lags' using errcode = 'NX001';
  elsif v_replayed < nullif(p_position, '')::pg_lsn then
    raise exception 'the replica is behind the caller' using errcode = 'NX002';
  end if;
  call private.begin_as_user(p_user_id, false);
end $$;
grant execute on procedure private.begin_on_replica(uuid, text, pg_lsn) to nectar_api;

-- Locks several profiles, as private.lock_profile does. Security definer: locking needs a privilege to update.
create function private.lock_profiles(p_user_ids uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- In any order: these locks are shared, and the only one that conflicts is that of a deletion. It has one profile,
  -- and deletions run one at a time.
  perform from nectar.profiles p where p.id = any ((select p_user_ids)::uuid[]) for key share;
end $$;
grant execute on function private.lock_profiles(uuid[]) to nectar_user;

-- Makes deletions of accounts run one at a time. Two accounts may refer to each other (neighbors in a chain, the owner
-- and a user of a tone pack), and each deletion would wait for rows that the other has locked.
create function private.wait_for_account_deletions() returns void
  language sql volatile security invoker set search_path = ''
  as $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('deletion of accounts', 0)) $$;

-- Makes a deletion of accounts wait until the one before has ended. Security definer: Auth's role may not call the
-- function that waits.
create function private.delete_accounts_one_at_a_time() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.wait_for_account_deletions();
  return null;
end $$;

create trigger users__delete_one_at_a_time
  before delete on auth.users
  for each statement execute function private.delete_accounts_one_at_a_time();
