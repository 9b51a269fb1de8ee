-- Why: a person is two rows. `profiles` is the card that other people see beside a name; `accounts` is what only the
-- person (and we) may see: address, balance, settings. Column privileges cannot say "only in your own row", two tables can.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.user_role as enum ('user', 'admin', 'super_admin');

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  avatar_url text,
  is_ai boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint profiles_full_name_length check (char_length(full_name) between 1 and 100),
  constraint profiles_avatar_url_is_http check (avatar_url ~ '^https?://' and char_length(avatar_url) <= 2048)
);

create table nectar.accounts (
  user_id uuid primary key references nectar.profiles (id) on delete cascade,
  email text,
  preferences jsonb not null default '{}',
  drops_balance integer not null default 0,
  read_notes_enabled boolean not null default false,
  check_in_enabled boolean not null default false,
  timezone text not null default 'UTC',
  is_premium boolean not null default false,
  updated_at timestamptz(3) not null default now(),
  constraint accounts_drops_balance_not_negative check (drops_balance >= 0),
  constraint accounts_preferences_is_object check (jsonb_typeof(preferences) = 'object'),
  constraint accounts_preferences_size check (octet_length(preferences::text) <= 32768),
  constraint accounts_timezone_length check (char_length(timezone) between 1 and 50)
);

create table nectar.user_roles (
  user_id uuid primary key references nectar.profiles (id) on delete cascade,
  role nectar.user_role not null,
  granted_at timestamptz(3) not null default now()
);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.system_user_id() returns uuid
  language sql immutable parallel safe security invoker
  set search_path = ''
  as $$ select '00000000-0000-4000-8000-000000000001'::uuid $$;
comment on function private.system_user_id() is
  'The reserved person in whose name the assistant gives its drops. Nobody can sign in as it.';

-- PL/pgSQL keeps its plan for the session; a SQL function would be planned anew in every query that a policy is part of.
create function private.is_super_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  return exists (
    select from nectar.user_roles r where r.user_id = private.actor_id() and r.role = 'super_admin'
  );
end
$$;
comment on function private.is_super_admin() is 'Whether the caller is a super admin. Definer: policies on other tables call it.';

create function private.bootstrap_role(target_user_id uuid, address text, wanted_role nectar.user_role) returns boolean
  language sql volatile security definer
  set search_path = ''
  as $$
    with confirmed as (
      select p.id
      from nectar.profiles p
      join auth.users u on u.id = p.id
      where p.id = target_user_id and lower(u.email) = lower(address) and u.email_confirmed_at is not null
      for key share of p
    ), granted as (
      insert into nectar.user_roles (user_id, role)
      select c.id, wanted_role from confirmed c
      on conflict (user_id) do nothing
    )
    select exists (select from confirmed)
  $$;
comment on function private.bootstrap_role(uuid, text, nectar.user_role) is
  'Gives the role once to the owner of a confirmed address that the environment names; a role that was changed later stays as it is. Returns whether there is such an account: false means ask again later.';

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
  'Raises auth.unknown_account if the account does not exist (any more: a token outlives it). The first statement of a person''s transaction that only reads. Security definer, and given the id, because every request pays for it: no policy is asked and no claim is read.';

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
  'As private.require_account, for a transaction that writes: the account is not deleted until it ends. A deletion locks the profile before the rows that refer to it, so a function that locks rows of a person must lock the profile first as well.';

create function private.is_human(p_person uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  return (select not p.is_ai from nectar.profiles p where p.id = p_person);
end
$$;
comment on function private.is_human(uuid) is
  'Whether a person is human: false for synthetic users and for the reserved system user, null if there is no such person. Security definer: policies on other tables call it.';

create function private.hold_account(person uuid) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform from nectar.profiles p where p.id = person for key share;
  return found;
end
$$;
comment on function private.hold_account(uuid) is
  'Keeps an account from being deleted until the transaction ends; false when it is gone. Asked before anything else of the person is locked: a deletion takes the profile first, and otherwise each would have what the other waits for.';

create function private.hold_accounts(people uuid[]) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform from nectar.profiles p where p.id = any (people) order by p.id for key share;
end
$$;
comment on function private.hold_accounts(uuid[]) is
  'The same for several accounts, in the order in which everybody takes them.';

create function private.wait_for_account_deletions() returns void
  language sql volatile security invoker
  set search_path = ''
  as $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('deletion of accounts', 0)) $$;
comment on function private.wait_for_account_deletions() is
  'Makes deletions of accounts run one at a time. Two accounts may refer to each other (neighbours in a chain, the owner and a user of a tone pack), and each deletion would wait for rows that the other has locked.';

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
  'Trigger: a deletion of an account waits until the one before has ended.';

create function private.follow_email() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  update nectar.accounts set email = new.email where user_id = new.id;
  return null;
end
$$;
comment on function private.follow_email() is 'Trigger: the address shown in the profile follows the one in Auth.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger profiles_touch_updated_at
  before update of full_name, avatar_url on nectar.profiles
  for each row execute function private.touch_updated_at();

create trigger accounts_touch_updated_at
  before update of email, preferences, read_notes_enabled, check_in_enabled, timezone on nectar.accounts
  for each row execute function private.touch_updated_at();

create trigger nectar_delete_one_at_a_time
  before delete on auth.users
  for each statement execute function private.delete_accounts_one_at_a_time();

create trigger nectar_follow_email
  after update of email on auth.users
  for each row when (old.email is distinct from new.email)
  execute function private.follow_email();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.profiles enable row level security;
alter table nectar.accounts enable row level security;
alter table nectar.user_roles enable row level security;

create policy "anyone signed in sees a person's card" on nectar.profiles
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "a person edits their own card" on nectar.profiles
  for update to nectar_user
  using (id = (select private.actor_id())) with check (id = (select private.actor_id()));

create policy "a person sees their own account" on nectar.accounts
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person edits their own settings" on nectar.accounts
  for update to nectar_user
  using (user_id = (select private.actor_id())) with check (user_id = (select private.actor_id()));

create policy "a person sees their own role" on nectar.user_roles
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "the service reads roles" on nectar.user_roles
  for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.profiles, nectar.accounts, nectar.user_roles to nectar_user;
grant update (full_name, avatar_url) on nectar.profiles to nectar_user;
grant update (preferences, read_notes_enabled, check_in_enabled, timezone) on nectar.accounts to nectar_user;
grant select on nectar.user_roles to nectar_service;

revoke execute on all functions in schema private from public;
grant execute on function private.is_super_admin(), private.system_user_id() to nectar_user, nectar_service;
grant execute on function private.is_human(uuid) to nectar_user;
grant execute on function private.require_account(uuid), private.lock_account(uuid) to nectar_user;
grant execute on function
  private.bootstrap_role(uuid, text, nectar.user_role), private.hold_account(uuid)
  to nectar_service;
grant execute on function private.hold_accounts(uuid[]) to nectar_user;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.profiles is 'The card of a person that everybody signed in may see.';
comment on table nectar.accounts is 'What only the person may see of themselves.';
comment on column nectar.accounts.drops_balance is 'In drops. Written only by private.post_drop_transactions.';
comment on column nectar.accounts.is_premium is 'Whether the subscription is active. Never written by a person.';
comment on column nectar.accounts.timezone is 'IANA time zone.';
comment on table nectar.user_roles is 'Service-wide roles. No row means user. No user can write it.';
