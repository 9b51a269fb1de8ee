-- Why: Signing up creates the profile, the account and the signup bonus in the transaction that creates the user in
-- Auth. The assistant's drops are sent by one reserved user with a fixed id, which every installation has from the
-- start.

-- Returns the metadata that a person gave at sign-up. Hosted Auth stores an object, Supabase Lite a string that
-- contains one; anything else counts as empty, so that the sign-up succeeds.
create function private.unwrap_metadata(p_metadata jsonb) returns jsonb
  language plpgsql stable security invoker set search_path = '' as $$
begin
  if jsonb_typeof(p_metadata) = 'string' then return (p_metadata #>> '{}')::jsonb; end if;
  return p_metadata;
-- Both names cover their whole class: invalid JSON, a NUL character, a number or a depth out of range.
exception when data_exception or program_limit_exceeded then
  return '{}';
end $$;

-- Creates the profile, the account and, for humans, the signup bonus for a user of Auth.
create function private.open_account(p_user_id uuid, p_email text, p_user_metadata jsonb, p_app_metadata jsonb) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_signup_bonus constant integer := 50;
  v_metadata jsonb := private.unwrap_metadata(p_user_metadata);
  -- Cut first, because normalizing a long run of combining marks takes the square of its length.
  v_full_name text := nullif(left(normalize(left(btrim(v_metadata ->> 'full_name'), 400)), 100), '');
  v_avatar_url text := v_metadata ->> 'avatar_url';
  -- Users cannot write this; only private.insert_synthetic_users does.
  v_is_synthetic boolean := p_app_metadata ->> 'nectar' is not distinct from 'synthetic';
begin
  insert into nectar.profiles (id, full_name, avatar_url, is_ai)
  values (
    p_user_id, v_full_name,
    case when v_avatar_url ~ '^https?://' and char_length(v_avatar_url) <= 2048 then v_avatar_url end, v_is_synthetic
  );
  insert into nectar.accounts (user_id, email) values (p_user_id, p_email);
  if p_user_id <> private.system_user_id() and not v_is_synthetic then
    perform private.post_drop_transaction(p_user_id, 'signup_bonus', v_signup_bonus, 'signup_bonus', 'Welcome to Nectar');
  end if;
end $$;

-- Opens the account of a new user of Auth, copies a changed address, and continues the suspension that a confirmed
-- address has. Security definer: Auth's role may not write accounts.
create function private.sync_account() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.open_account(new.id, new.email, new.raw_user_meta_data, new.raw_app_meta_data);
  elsif new.email is distinct from old.email then
    update nectar.accounts set email = new.email where user_id = new.id;
  end if;
  if new.email_confirmed_at is not null then perform private.continue_suspension(new.id); end if;
  return null;
end $$;

create trigger users__sync_account
  after insert or update of email, email_confirmed_at on auth.users
  for each row execute function private.sync_account();
