-- Why: drops are money. Every movement is an appended row that says what the balance was afterwards, written by one
-- function under the account's row lock, once per business event. Nobody may change or delete a movement.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.drop_transaction_type as enum (
  'signup_bonus', 'monthly_recurring', 'purchase', 'refund', 'admin_adjustment'
);

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.drop_transactions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  type nectar.drop_transaction_type not null,
  amount integer not null,
  balance_after integer not null,
  description text not null,
  item_id uuid,
  item_type text,
  event_key text not null,
  created_at timestamptz(3) not null default now(),
  constraint drop_transactions_once_per_event unique (user_id, event_key),
  constraint drop_transactions_balance_not_negative check (balance_after >= 0)
);

create index drop_transactions_newest_first on nectar.drop_transactions (user_id, created_at desc, id desc);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.post_drop_transaction(
  account_id uuid,
  transaction_type nectar.drop_transaction_type,
  signed_amount integer,
  event text,
  explanation text,
  item uuid default null,
  kind_of_item text default null
) returns nectar.drop_transactions
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  balance integer;
  movement nectar.drop_transactions;
begin
  select a.drops_balance into balance from nectar.accounts a where a.user_id = account_id for update;
  if not found then
    raise exception 'no such account' using errcode = 'NX001';
  end if;
  if exists (select from nectar.drop_transactions t where t.user_id = account_id and t.event_key = event) then
    return null;
  end if;
  if balance + signed_amount < 0 then
    raise exception 'balance too low' using errcode = 'NX002';
  end if;
  update nectar.accounts set drops_balance = balance + signed_amount where user_id = account_id;
  insert into nectar.drop_transactions
    (user_id, type, amount, balance_after, description, item_id, item_type, event_key)
  values
    (account_id, transaction_type, signed_amount, balance + signed_amount, explanation, item, kind_of_item, event)
  returning * into movement;
  return movement;
end
$$;
comment on function private.post_drop_transaction(uuid, nectar.drop_transaction_type, integer, text, text, uuid, text) is
  'The one way to move drops. Returns the movement, or null when this event was booked before. NX001 no such account, NX002 balance too low.';

create function private.unwrap_metadata(metadata jsonb) returns jsonb
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  if jsonb_typeof(metadata) = 'string' then
    return (metadata #>> '{}')::jsonb;
  end if;
  return metadata;
exception when invalid_text_representation then
  return '{}';
end
$$;
comment on function private.unwrap_metadata(jsonb) is
  'What a person said of themselves at sign-up. Hosted Auth stores an object, Supabase Lite a string that holds one; what is neither must not keep anybody from signing up.';

create function private.create_profile() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  signup_bonus constant integer := 50;
  metadata jsonb := private.unwrap_metadata(new.raw_user_meta_data);
  given_name text := nullif(left(normalize(btrim(metadata ->> 'full_name')), 100), '');
  given_avatar text := metadata ->> 'avatar_url';
begin
  insert into nectar.profiles (id, full_name, avatar_url)
  values (
    new.id,
    given_name,
    case when given_avatar ~ '^https?://' and char_length(given_avatar) <= 2048 then given_avatar end
  );
  insert into nectar.accounts (user_id, email) values (new.id, new.email);
  perform private.post_drop_transaction(new.id, 'signup_bonus', signup_bonus, 'signup_bonus', 'Welcome to Nectar');
  return null;
end
$$;
comment on function private.create_profile() is
  'Trigger: signing up creates the profile, the account and the signup bonus of 50 drops, all in the transaction that creates the user.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger nectar_create_profile
  after insert on auth.users
  for each row execute function private.create_profile();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.drop_transactions enable row level security;

create policy "a person sees their own movements" on nectar.drop_transactions
  for select to nectar_user using (user_id = (select private.actor_id()));

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.drop_transactions to nectar_user;
revoke execute on all functions in schema private from public;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.drop_transactions is 'Append-only ledger of drops; the newest balance_after is the balance.';
comment on column nectar.drop_transactions.amount is 'In drops; negative when the person pays.';
comment on column nectar.drop_transactions.event_key is 'Names the business event, so that it can be booked only once per person.';
