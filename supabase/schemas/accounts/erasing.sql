-- Why: Erasing an account takes several steps, because a transaction cannot span the payment processor and the mail
-- provider, and because a large account would keep others waiting. Each step may be repeated: the account says that it
-- is due, and its receipt is a row of its own until it is mailed.

create table private.erasure_receipts (
  id uuid primary key default gen_random_uuid(),
  address text not null,
  erased_at timestamptz(3) not null,
  first_tried_at timestamptz(3),
  claimed_until timestamptz(3)
);
comment on table private.erasure_receipts is 'Mails to people whose accounts are erased. Deleted when they are sent.';
comment on column private.erasure_receipts.id is 'Also the id of the mail, by which the provider recognizes a repeated attempt.';

create table private.subscriptions_to_cancel (
  payment_subscription_id text primary key
);
comment on table private.subscriptions_to_cancel is
  'Subscriptions of erased people: created on an open payment page after the erasure, or not cancelled within a week. Deleted when they are cancelled at the processor.';

create index erasure_receipts_age on private.erasure_receipts (erased_at);
create index notifications_with_name on nectar.notifications (caused_by)
  where type in ('drop_received', 'baton_pass', 'battle_update');

-- Begins to erase an account that is due, or goes on with it; returns its subscriptions to cancel, or null if it is not
-- due. Takes its name out of the notifications of others. From now on the account cannot be restored. The result is
-- also null if it is gone. Security definer: the service may not write accounts.
create function private.start_erasure(p_user_id uuid, p_moment timestamptz) returns text[]
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Waits for a restoration that has begun; one that begins later finds that the erasure has started.
  perform private.stop_writes(p_user_id);
  update nectar.accounts a
  set erasing_since = coalesce(a.erasing_since, p_moment), erasure_attempts = a.erasure_attempts + 1
  where a.user_id = p_user_id and a.erases_at <= p_moment;
  if not found then return null; end if;
  -- Not in the transaction that deletes the account: people who mark all their notifications as read lock several of them
  -- as well, and this one is tried again.
  update nectar.notifications n set data = n.data - 'full_name'
    where n.caused_by = p_user_id and n.type in ('drop_received', 'baton_pass', 'battle_update', 'comment');
  return private.open_subscriptions(p_user_id);
end $$;
grant execute on function private.start_erasure(uuid, timestamptz) to nectar_service;

-- Deletes up to so many rows of an account whose erasure has begun, and returns how many; fewer if hardly any are left.
-- They are rows of which there may be too many for one transaction. Security definer: the service may not delete them.
create function private.erase_rows(p_user_id uuid, p_max integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_deleted integer := 0;
  v_count integer;
  v_table text;
  v_owner text;
begin
  -- The same locks as the deletion of the account, because entries are named by drops of others.
  perform private.wait_for_account_deletions();
  perform private.stop_writes(p_user_id);
  perform from nectar.profiles p where p.id = p_user_id for update;
  if not exists (select from nectar.accounts a where a.user_id = p_user_id and a.erasing_since is not null) then
    return 0;
  end if;
  for v_table, v_owner in
    values
      ('nectar.journal_entries', 'user_id'),
      ('nectar.trashed_entries', 'user_id'),
      ('private.imported_entries', 'user_id'),
      ('private.removed_things', 'user_id'),
      ('private.logged_reads', 'user_id'),
      ('nectar.goal_check_ins', 'user_id'),
      ('nectar.wellness_entries', 'user_id'),
      ('nectar.notifications', 'user_id'),
      ('nectar.token_usage', 'user_id'),
      ('nectar.team_messages', 'sender_id')
  loop
    if v_table = 'nectar.team_messages' then
      perform private.withdraw_from_exports(array(
        select coalesce(
          (select e.user_id from nectar.journal_entries e where e.id = m.entry_id),
          (select g.user_id from nectar.goals g where g.id = m.goal_id)
        )
        from nectar.team_messages m where m.sender_id = p_user_id
      ));
    end if;
    execute format(
      'delete from %1$s where ctid = any (array(select t.ctid from %1$s t where t.%2$I = $1 limit $2))',
      v_table, v_owner
    ) using p_user_id, p_max - v_deleted;
    get diagnostics v_count = row_count;
    v_deleted := v_deleted + v_count;
    exit when v_deleted >= p_max;
  end loop;
  return v_deleted;
end $$;
grant execute on function private.erase_rows(uuid, integer) to nectar_service;

-- Returns the people whose own data shows a person: texts, name and picture, or the confirmed address (null: none).
create function private.readers_of(p_user_id uuid, p_address text) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return array(
    select d.recipient_id from nectar.encouragement_drops d where d.sender_id = p_user_id
    union select d.sender_id from nectar.encouragement_drops d where d.recipient_id = p_user_id
    union select n.user_id from nectar.notifications n
      where n.caused_by = p_user_id and n.type in ('drop_received', 'baton_pass', 'battle_update', 'comment')
    union select b.user_id from nectar.blocks b where b.blocked_id = p_user_id and b.is_named
    union select r.user_id from private.logged_reads r where r.reader_id = p_user_id
    union select i.invited_by from nectar.invitations i where lower(i.email) = lower(p_address)
    union select m.user_id from private.email_messages m
      where m.recipient_hash = private.email_address_hash(p_address)
  );
end $$;

-- Expires the exports of people, and restarts those that are being built, because they have texts of someone who is
-- erased.
create function private.withdraw_from_exports(p_readers uuid[]) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- First those that are being built: one that is finished meanwhile is found by the last statement.
  perform private.add_work('export', x.id) from (
    select e.id from nectar.exports e where e.user_id = any ((select p_readers)::uuid[]) and e.status = 'pending' for update
  ) x;
  update nectar.exports x set status = 'expired', expires_at = now()
  where x.user_id = any ((select p_readers)::uuid[]) and x.status = 'ready';
end $$;

-- Deletes what Supabase Auth keeps of a person without a foreign key: unfinished sign-ins, and its log with names and
-- addresses.
create function private.delete_sign_ins(p_user_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- Not every installation has Supabase Auth.
  if has_table_privilege(to_regclass('auth.flow_state'), 'delete') then
    delete from auth.flow_state f where f.user_id = p_user_id;
  end if;
  if has_table_privilege(to_regclass('auth.audit_log_entries'), 'delete') then
    delete from auth.audit_log_entries l
    where p_user_id::text in (l.payload ->> 'actor_id', l.payload -> 'traits' ->> 'user_id');
  end if;
end $$;

-- Deletes an account whose erasure has begun and whose subscriptions were cancelled, writes the receipt and records it.
-- Everything that belongs to it goes, and so do the stored responses and exports of others that show the person.
-- Returns false if the account is gone, or has a subscription that was not cancelled. A week after it was due, it is
-- deleted all the same, and the subscription is left to be cancelled later. Security definer: the service may not
-- delete accounts.
create function private.erase_account(p_user_id uuid, p_cancelled text[], p_moment timestamptz) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_max_wait constant interval := '7 days';
  v_address text;
  v_role nectar.user_role;
  v_open text[];
  v_erases_at timestamptz;
  v_readers uuid[];
begin
  -- Before the profile is locked: a deletion that runs already may need it for a while.
  perform private.wait_for_account_deletions();
  perform private.stop_writes(p_user_id);
  perform from nectar.profiles p where p.id = p_user_id for update;
  select a.erases_at into v_erases_at
    from nectar.accounts a where a.user_id = p_user_id and a.erasing_since is not null;
  if not found then return false; end if;
  v_open := private.open_subscriptions(p_user_id);
  if not v_open <@ p_cancelled then
    if p_moment < v_erases_at + v_max_wait then return false; end if;
    insert into private.subscriptions_to_cancel
    select unnest(v_open) except select unnest(p_cancelled)
    on conflict do nothing;
  end if;
  v_address := private.confirmed_address(p_user_id);
  v_role := coalesce((select r.role from nectar.user_roles r where r.user_id = p_user_id), 'user');
  if not exists (
    select from private.email_suppressions s where s.address_hash = private.email_address_hash(v_address)
  ) then
    insert into private.erasure_receipts (address, erased_at) select v_address, p_moment where v_address is not null;
  end if;
  v_readers := private.readers_of(p_user_id, v_address);
  perform private.keep_suspension(p_user_id, p_moment);
  perform private.delete_sign_ins(p_user_id);
  delete from auth.users u where u.id = p_user_id;
  -- After the deletion has waited for those who write about the person.
  delete from private.idempotency_keys k where strpos(k.body, p_user_id::text) > 0;
  perform private.withdraw_from_exports(v_readers);
  insert into nectar.audit_events (actor_id, actor_role, action, target_type, target_id)
  values (p_user_id, v_role, 'deleteAccount', 'account', p_user_id);
  return true;
end $$;
grant execute on function private.erase_account(uuid, text[], timestamptz) to nectar_service;

-- Cancels a subscription later if its person was erased here. Other services may use the same processor. Security
-- definer: the service does not read the audit log.
create function private.cancel_for_erased_person(p_user_id uuid, p_payment_subscription_id text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.subscriptions_to_cancel (payment_subscription_id)
  select p_payment_subscription_id
  where exists (select from nectar.audit_events e where e.target_id = p_user_id and e.action = 'deleteAccount')
  on conflict do nothing;
end $$;
grant execute on function private.cancel_for_erased_person(uuid, text) to nectar_service;

-- Claims the receipt that is to be mailed next for a while; no row if there is none. Deletes those that cannot be sent:
-- without a mail provider, or after 23 hours of attempts. Security definer: the service reads no address but this one.
create function private.claim_erasure_receipt(p_can_send boolean, p_moment timestamptz)
  returns table (id uuid, address text, erased_at timestamptz)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
begin
  -- After a day the provider would not recognize a repeated mail, and this one may have been sent.
  delete from private.erasure_receipts r where not p_can_send or r.first_tried_at <= p_moment - interval '23 hours';
  return query
    update private.erasure_receipts r
    set first_tried_at = coalesce(r.first_tried_at, p_moment), claimed_until = p_moment + interval '2 minutes'
    where r.id = (
      select d.id from private.erasure_receipts d where d.claimed_until is null or d.claimed_until <= p_moment
      order by d.erased_at limit 1 for update skip locked
    )
    returning r.id, r.address, r.erased_at;
end $$;
grant execute on function private.claim_erasure_receipt(boolean, timestamptz) to nectar_service;

-- Returns whether the sender or recipient of a mail, such as `Ada <ada@example.com>`, is this address.
create function private.is_mailbox_of(p_mailbox text, p_address text) returns boolean
  language sql immutable parallel safe security invoker
  return lower(p_mailbox) = lower(p_address) or right(lower(p_mailbox), length(p_address) + 2) = '<' || lower(p_address) || '>';

-- Removes the address of a deleted account from the mails that others sent to it, and what it wrote to us. Mails are
-- counted and bounces found by the fingerprint, which stays as long as the mails do. Only definer functions call this
-- one.
create function private.delete_mail_of_address(p_address text) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.email_messages m set recipient = 'erased', erased_hash = m.recipient_hash
  where m.recipient_hash = private.email_address_hash(p_address);
  delete from private.email_received r where private.is_mailbox_of(r.sender, p_address);
  update private.email_received r
  set recipients = array(
    select t.recipient from unnest(r.recipients) with ordinality t (recipient, number)
    where not private.is_mailbox_of(t.recipient, p_address) order by t.number
  )
  where exists (select from unnest(r.recipients) t (recipient) where private.is_mailbox_of(t.recipient, p_address));
end $$;

-- Hands over what others need of an account that is being deleted: organizations, bought tone packs and invitations.
-- Security definer: no role may write owners directly.
create function private.hand_over_account() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.hand_over_organizations(old.id);
  perform private.leave_tone_packs_to_buyers(old.id);
  -- After the organizations, which have their new owners now.
  perform private.pass_on_invitations(old.id);
  return old;
end $$;

-- Deletes the invitations to the address of a deleted account, and the address from stored mails. Security definer:
-- Auth's role may not write either.
create function private.delete_address() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from nectar.invitations i where lower(i.email) = lower(old.email);
  perform private.delete_mail_of_address(old.email);
  return null;
end $$;

create trigger profiles__hand_over
  before delete on nectar.profiles
  for each row execute function private.hand_over_account();
-- After the profile, which a foreign key deletes first: profiles are locked before invitations. Only a confirmed address
-- belongs to the account.
create trigger users__delete_address
  after delete on auth.users
  for each row when (old.email_confirmed_at is not null)
  execute function private.delete_address();

alter table private.erasure_receipts enable row level security;
alter table private.subscriptions_to_cancel enable row level security;

create policy "the service deletes sent receipts" on private.erasure_receipts for delete to nectar_service using (true);
create policy "the service finds sent receipts" on private.erasure_receipts for select to nectar_service using (true);
create policy "the service reads which subscriptions to cancel" on private.subscriptions_to_cancel
  for select to nectar_service using (true);
create policy "the service deletes cancelled subscriptions" on private.subscriptions_to_cancel
  for delete to nectar_service using (true);

grant select (id), delete on private.erasure_receipts to nectar_service;
grant select, delete on private.subscriptions_to_cancel to nectar_service;
