-- Why: An account can be deleted at any moment, also while a request or a job works with it. Deleting an account locks
-- the profile first and then every row that refers to it. Everything else that locks rows of a person therefore locks
-- the profile first too; otherwise the two could wait for each other.

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.require_account(p_user_id uuid) returns void
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  if not exists (select from nectar.profiles p where p.id = p_user_id) then
    raise exception 'no such account' using errcode = 'NX000', detail = 'auth.unknown_account';
  end if;
end
$$;
comment on function private.require_account(uuid) is
  'Raises auth.unknown_account if the account does not exist; a token may outlive its account. Security definer with the id as a parameter, because every request calls it: this way it evaluates no policy and reads no claim.';
grant execute on function private.require_account(uuid) to nectar_user;

create function private.lock_account(p_user_id uuid) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform from nectar.profiles p where p.id = p_user_id for key share;
  if not found then
    raise exception 'no such account' using errcode = 'NX000', detail = 'auth.unknown_account';
  end if;
end
$$;
comment on function private.lock_account(uuid) is
  'Like private.require_account, for a transaction that writes: also locks the profile, so that the account is not deleted before the transaction ends. Security definer: locking needs a privilege to update.';
grant execute on function private.lock_account(uuid) to nectar_user;

create procedure private.begin_as_user(p_user_id uuid, p_writes boolean)
  language plpgsql security invoker
  set search_path = ''
  as $$
declare
  v_set text;
begin
  v_set := set_config('role', 'nectar_user', true);
  v_set := set_config('request.jwt.claims', '{"sub":"' || p_user_id || '","role":"authenticated"}', true);
  if p_writes then
    perform private.lock_account(p_user_id);
  else
    v_set := set_config('transaction_read_only', 'on', true);
    perform private.require_account(p_user_id);
  end if;
end
$$;
comment on procedure private.begin_as_user(uuid, boolean) is
  'The first statement of a person''s transaction, called by the login role of the functions: sets role and identity, and locks the account, or, for a transaction that only reads, requires it. Raises auth.unknown_account. A procedure because its call has no result.';
grant usage on schema private to nectar_api;
grant execute on procedure private.begin_as_user(uuid, boolean) to nectar_api;

create function private.lock_profile(p_user_id uuid) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform from nectar.profiles p where p.id = p_user_id for key share;
  return found;
end
$$;
comment on function private.lock_profile(uuid) is
  'Locks the profile of a person, so that the account is not deleted before the transaction ends. Returns false if it does not exist any more. Called before any other row of the person is locked. Security definer: locking needs a privilege to update.';
grant execute on function private.lock_profile(uuid) to nectar_service;

create function private.lock_profiles(p_user_ids uuid[]) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- In any order: these locks are shared, and the only one that conflicts is that of a deletion. It has one profile,
  -- and deletions run one at a time.
  perform from nectar.profiles p where p.id = any ((select p_user_ids)::uuid[]) for key share;
end
$$;
comment on function private.lock_profiles(uuid[]) is
  'Locks several profiles, as private.lock_profile does. Security definer: locking needs a privilege to update.';
grant execute on function private.lock_profiles(uuid[]) to nectar_user;

create function private.wait_for_account_deletions() returns void
  language sql volatile security invoker
  set search_path = ''
  as $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('deletion of accounts', 0)) $$;
comment on function private.wait_for_account_deletions() is
  'Makes deletions of accounts run one at a time. Two accounts may refer to each other (neighbors in a chain, the owner and a user of a tone pack), and each deletion would wait for rows that the other has locked.';

create function private.delete_accounts_one_at_a_time() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.wait_for_account_deletions();
  return null;
end
$$;
comment on function private.delete_accounts_one_at_a_time() is
  'Trigger: a deletion of an account waits until the one before has ended. Security definer: Auth''s role may not call the function that waits.';

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger nectar_delete_one_at_a_time
  before delete on auth.users
  for each statement execute function private.delete_accounts_one_at_a_time();
