-- Why: A person is two rows. `profiles` is the card that other people see beside a name; `accounts` is what only the
-- person (and we) may see: address, balance, settings. Column privileges cannot say "only in your own row", two tables
-- can.

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
comment on table nectar.profiles is 'The card of a person that everyone signed in may see.';

create table nectar.accounts (
  user_id uuid primary key references nectar.profiles (id) on delete cascade,
  email text,
  preferences jsonb not null default '{}',
  drops_balance integer not null default 0,
  read_notes_enabled boolean not null default false,
  check_in_enabled boolean not null default false,
  timezone text not null default 'UTC',
  leaderboard_visible boolean not null default true,
  is_premium boolean not null default false,
  suspended_until timestamptz(3),
  erasure_requested_at timestamptz(3),
  erases_at timestamptz(3),
  erasing_since timestamptz(3),
  erasure_attempts integer not null default 0,
  updated_at timestamptz(3) not null default now(),
  version xid8 not null default pg_current_xact_id(),
  constraint accounts_drops_balance_not_negative check (drops_balance >= 0),
  constraint accounts_preferences_is_object check (jsonb_typeof(preferences) = 'object'),
  constraint accounts_preferences_size check (octet_length(preferences::text) <= 32768),
  constraint accounts_timezone_length check (char_length(timezone) between 1 and 50),
  constraint accounts_erasure_has_times check ((erasure_requested_at is null) = (erases_at is null)),
  constraint accounts_erasing_is_requested check (erasing_since is null or erases_at is not null)
);
comment on table nectar.accounts is 'What only the person and the service may see.';
comment on column nectar.accounts.drops_balance is 'In drops. Written only by private.post_drop_transaction and private.post_drop_transactions.';
comment on column nectar.accounts.is_premium is 'Whether the subscription is active. Never written by a person.';
comment on column nectar.accounts.suspended_until is 'Until then the person may read, and run only the commands that are open to suspended people. null, or in the past: not suspended. Written only by private.suspend_user.';
comment on column nectar.accounts.erases_at is 'When the account is due to be erased; until then the person may only read, export and restore it. null: it is not closing. Written, with the other columns of the erasure, only by private.request_erasure, private.restore_account and private.start_erasure.';
comment on column nectar.accounts.erasing_since is 'When the erasure began, after which the account cannot be restored.';
comment on column nectar.accounts.erasure_attempts is 'How often a run has gone on with the erasure: accounts with fewer attempts come first.';
comment on column nectar.accounts.version is 'The transaction that last changed what the person sees of their profile itself, for its etag and the feed of changes.';
comment on column nectar.accounts.timezone is 'IANA time zone.';

create index profiles_newest_first on nectar.profiles (created_at desc, id desc);
create index accounts_email on nectar.accounts (lower(email));
create index accounts_closing on nectar.accounts (erases_at) where erases_at is not null;

-- Returns the id of the reserved user that sends the drops of the assistant. This user cannot sign in.
create function private.system_user_id() returns uuid
  language sql immutable parallel safe security invoker
  return '00000000-0000-4000-8000-000000000001'::uuid;
grant execute on function private.system_user_id() to nectar_user, nectar_service;

-- Returns whether a person is human: false for synthetic users and for the system user, null if there is no such
-- person. Security definer: policies on other tables call it.
create function private.is_human(p_person uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (select not p.is_ai from nectar.profiles p where p.id = p_person);
end $$;
grant execute on function private.is_human(uuid) to nectar_user;

-- Returns the address of a person if they have confirmed it, else null.
create function private.confirmed_address(p_person uuid) returns text
  language sql stable security invoker set search_path = ''
  as $$ select nullif(u.email, '') from auth.users u where u.id = p_person and u.email_confirmed_at is not null $$;

-- Returns a time zone if PostgreSQL knows it, else UTC with a warning in its log. A zone is checked when it is stored.
-- A database that was moved to an older list of zones may not know it any more.
create function private.known_zone(p_zone text) returns text
  language plpgsql stable security invoker set search_path = '' as $$
begin
  perform now() at time zone p_zone;
  return p_zone;
exception when invalid_parameter_value then
  raise warning 'This PostgreSQL does not know the time zone %; UTC is used instead.', p_zone;
  return 'UTC';
end $$;
grant execute on function private.known_zone(text) to nectar_user;

-- Refuses a time zone that PostgreSQL does not know. The list of Node, which checks requests, may be newer.
create function private.require_known_zone() returns trigger
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform now() at time zone new.timezone;
  return new;
exception when invalid_parameter_value then
  raise exception 'unknown time zone' using errcode = 'NX000', detail = 'request.invalid',
    column = 'timezone', hint = 'is not known to the database';
end $$;

-- Returns the date of a moment in the time zone of a person's profile; in UTC if the caller may not see the account.
create function private.date_of(p_user_id uuid, p_moment timestamptz) returns date
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return coalesce(
    (
      select (p_moment at time zone private.known_zone(a.timezone))::date
      from nectar.accounts a where a.user_id = p_user_id
    ),
    (p_moment at time zone 'UTC')::date
  );
end $$;
grant execute on function private.date_of(uuid, timestamptz) to nectar_user;

-- Returns today in the time zone of the caller's profile.
create function private.today() returns date
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return private.date_of(private.actor_id(), now());
end $$;
grant execute on function private.today() to nectar_user;

-- Gives new people the first badge and its milestone. Security definer: no role may write badges directly.
create function private.give_first_badges() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  with given as (
    insert into nectar.user_badges as b (user_id, is_ai) select n.id, n.is_ai from new_rows n
    returning b.user_id, private.badge_stats(b, now()) as stats
  )
  insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
  select g.user_id, d.level, d.name, now(), g.stats from given g
  join nectar.badge_definitions d on d.level = 1;
  return null;
end $$;

-- Copies a changed name, or whether the person is synthetic, to the badge and to the names of members. Security
-- definer: no role may write the copies directly.
create function private.sync_profile() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update nectar.user_badges b set is_ai = new.is_ai where b.user_id = new.id and b.is_ai <> new.is_ai;
  perform private.rewrite_member_names(new);
  return null;
end $$;

-- Hides or shows a person on the leaderboard, and plans their reminder and waiting pushes by a new time zone. Security
-- definer: no role may write these rows directly.
create function private.sync_settings() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if new.leaderboard_visible <> old.leaderboard_visible then
    update nectar.user_badges b set is_hidden = not new.leaderboard_visible where b.user_id = new.user_id;
  end if;
  if new.timezone is distinct from old.timezone then
    -- Setting the time to what it is lets the reminder job compute when the reminder is due.
    update nectar.notification_settings s set reminder_time = s.reminder_time where s.user_id = new.user_id;
    perform private.release_waiting_pushes(new.user_id);
  end if;
  return null;
end $$;

-- Stamps the account of a person whose card or role changes. The argument is the column that names the person. Security
-- definer: no role may write versions directly.
create function private.stamp_account() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update nectar.accounts a set version = pg_current_xact_id()
  where a.user_id = (to_jsonb(coalesce(new, old)) ->> tg_argv[0])::uuid;
  return null;
end $$;

-- Adds the balances of deleted accounts to private.erased_totals. Security definer: accounts are deleted by Auth's
-- role.
create function private.add_erased_balances() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.erased_totals t set balance = t.balance + e.balance
  from (select sum(a.drops_balance) as balance from erased a) e where e.balance <> 0;
  return null;
end $$;

create trigger profiles__give_first_badges
  after insert on nectar.profiles
  referencing new table as new_rows
  for each statement execute function private.give_first_badges();
create trigger profiles__sync_copies
  after update of full_name, is_ai on nectar.profiles
  for each row when (old.full_name is distinct from new.full_name or old.is_ai <> new.is_ai)
  execute function private.sync_profile();
create trigger profiles__stamp_account
  after update of full_name, avatar_url on nectar.profiles
  for each row when ((old.full_name, old.avatar_url) is distinct from (new.full_name, new.avatar_url))
  execute function private.stamp_account('id');
create trigger accounts__touch_updated_at
  before update of email, preferences, read_notes_enabled, check_in_enabled, timezone, leaderboard_visible
  on nectar.accounts
  for each row execute function private.touch_updated_at();
create trigger accounts__require_known_zone
  before update of timezone on nectar.accounts
  for each row when (old.timezone <> new.timezone) execute function private.require_known_zone();
create trigger accounts__sync_settings
  after update of timezone, leaderboard_visible on nectar.accounts
  for each row when (old.timezone <> new.timezone or old.leaderboard_visible <> new.leaderboard_visible)
  execute function private.sync_settings();
create trigger accounts__record_erased
  after delete on nectar.accounts
  referencing old table as erased
  for each statement execute function private.add_erased_balances();

alter table nectar.profiles enable row level security;
alter table nectar.accounts enable row level security;

create policy "everyone signed in sees a person's card" on nectar.profiles
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "a person edits their own card" on nectar.profiles
  for update to nectar_user using (id = (select private.actor_id()));
-- For the admin routes that list people.
create policy "the service lists cards" on nectar.profiles for select to nectar_service using (true);

create policy "a person sees their own account" on nectar.accounts
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person edits their own settings" on nectar.accounts
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "the service lists accounts" on nectar.accounts for select to nectar_service using (true);

grant select, update (full_name, avatar_url, updated_at) on nectar.profiles to nectar_user;
grant select (id, full_name, avatar_url, is_ai, created_at) on nectar.profiles to nectar_service;
grant select, update (preferences, read_notes_enabled, check_in_enabled, timezone, leaderboard_visible)
  on nectar.accounts to nectar_user;
grant select (user_id, email, drops_balance, is_premium, erases_at, erasure_attempts) on nectar.accounts to nectar_service;
