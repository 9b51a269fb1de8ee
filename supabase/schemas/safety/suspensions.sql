-- Why: A suspended person may read, and write little: what stays open says so in its endpoint, such as blocking people,
-- appealing, exporting and erasing (decision 19). The date is in the account, which only the person sees, and private.begin_as_user
-- compares it with the time, so that a suspension ends by itself. Erasing the account does not end it: until then, a
-- fingerprint of the address suspends the next account that has it.

create table private.kept_suspensions (
  address_hash bytea primary key,
  expires_at timestamptz(3) not null
);
comment on table private.kept_suspensions is
  'Until when accounts with an address are suspended, because an erased account with it was. Deleted when the suspension ends.';
comment on column private.kept_suspensions.address_hash is 'See private.email_address_hash.';

-- Suspends a person until a time, or ends their suspension (null). It waits until transactions in which the person is
-- writing have ended; later ones wait until this one has. It is called before rows of the person are locked. Security
-- definer: no role may write this column.
create function private.suspend_user(p_user_id uuid, p_until timestamptz) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.stop_writes(p_user_id);
  update nectar.accounts a set suspended_until = p_until where a.user_id = p_user_id;
end $$;

-- Returns the time until when an erased account with a person's confirmed address was suspended; null if none was.
create function private.kept_suspension(p_user_id uuid) returns timestamptz
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select k.expires_at from private.kept_suspensions k
    where k.address_hash = private.email_address_hash(private.confirmed_address(p_user_id))
  );
end $$;

-- Keeps the suspension of an account that is about to be erased for the next one with its address.
create function private.keep_suspension(p_user_id uuid, p_moment timestamptz) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.kept_suspensions as k (address_hash, expires_at)
  select private.email_address_hash(private.confirmed_address(p_user_id)), a.suspended_until from nectar.accounts a
  where a.user_id = p_user_id and a.suspended_until > p_moment and private.confirmed_address(p_user_id) is not null
  on conflict (address_hash) do update set expires_at = greatest(k.expires_at, excluded.expires_at);
end $$;

-- Suspends an account whose address is confirmed for as long as an erased account with this address would be.
create function private.continue_suspension(p_user_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.suspend_user(p_user_id, greatest(a.suspended_until, private.kept_suspension(p_user_id)))
  from nectar.accounts a where a.user_id = p_user_id and private.kept_suspension(p_user_id) > now();
end $$;

alter table private.kept_suspensions enable row level security;

create policy "the service sees when suspensions end" on private.kept_suspensions
  for select to nectar_service using (true);
create policy "the service removes suspensions that have ended" on private.kept_suspensions
  for delete to nectar_service using (expires_at <= now());

grant select, delete on private.kept_suspensions to nectar_service;
