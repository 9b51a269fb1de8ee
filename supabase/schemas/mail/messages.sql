-- Why: Everyone who is signed in may write to any address. So that this is no open relay, mails are counted, addresses
-- that bounced or complained get no more mail, and replies go to the sender alone. The rows that count mails also let
-- senders look up what they sent: the address, the subject and the delivery. The text of a sent mail is not kept.

create type nectar.email_state as enum ('pending', 'sent', 'failed', 'suppressed');

-- In ascending order: a mail that bounced was also sent, whichever event comes first.
create type nectar.email_delivery as enum
  ('sent', 'delivery_delayed', 'failed', 'suppressed', 'delivered', 'bounced', 'complained');

-- Returns the fingerprint under which an address is counted and suppressed; upper and lower case are the same address.
create function private.email_address_hash(p_address text) returns bytea
  language sql immutable parallel safe security invoker
  return sha256(convert_to(lower(p_address), 'UTF8'));
grant execute on function private.email_address_hash(text) to nectar_service;

create table private.email_policy (
  is_only boolean primary key default true,
  recipient_policy text not null default 'any',
  constraint email_policy_is_one_row check (is_only),
  constraint email_policy_known check (recipient_policy in ('any', 'members', 'self'))
);
comment on table private.email_policy is 'The addresses that people may write to: any address, members of their organizations, or self. One row; the function that sends mail stores its configuration here, so that no request of a person can choose a policy.';

create table private.email_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  recipient text not null,
  erased_hash bytea,
  recipient_hash bytea not null
    generated always as (coalesce(erased_hash, private.email_address_hash(recipient))) stored,
  subject text not null,
  state nectar.email_state not null,
  request text,
  provider_id text,
  delivery nectar.email_delivery,
  delivery_is_verified boolean not null default false,
  delivery_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint email_messages_recipient_length check (char_length(recipient) between 1 and 254),
  constraint email_messages_subject_length check (char_length(subject) between 1 and 255),
  constraint email_messages_request_size check (octet_length(request) between 1 and 64),
  constraint email_messages_provider_id_length check (char_length(provider_id) between 1 and 255),
  constraint email_messages_delivery_has_time check ((delivery is null) = (delivery_at is null))
);
comment on table private.email_messages is 'Mails that people had sent: to count them, to follow their delivery and to show them to their senders. No text of a mail.';
comment on column private.email_messages.recipient is 'The address as the sender wrote it; `erased` once its account is erased.';
comment on column private.email_messages.erased_hash is 'The fingerprint of an erased address, which still counts and finds bounces.';
comment on column private.email_messages.recipient_hash is 'See private.email_address_hash.';
comment on column private.email_messages.state is 'pending while it is sent to the provider; failed mails may have been sent after all, if the provider did not respond.';
comment on column private.email_messages.request is 'Fingerprint of the Idempotency-Key and body that began it, until it is sent.';
comment on column private.email_messages.provider_id is 'The provider''s id of the mail.';
comment on column private.email_messages.delivery is 'The furthest delivery that an event reported.';
comment on column private.email_messages.delivery_at is 'When that happened, as the event says.';

create index email_messages_of_sender on private.email_messages (user_id, created_at desc, id desc);
create index email_messages_to_recipient on private.email_messages (user_id, recipient_hash, created_at desc);
create unique index email_messages_unfinished_request on private.email_messages (user_id, request)
  where request is not null;
create index email_messages_by_provider_id on private.email_messages (provider_id) where provider_id is not null;
create index email_messages_of_address on private.email_messages (recipient_hash);
create index email_messages_age on private.email_messages (created_at);

-- Returns whether the recipient policy lets a person write to an address. Under members it does if both are in one
-- organization and the recipient has acted in it: being added by others is not enough, or people could add strangers
-- and mail them. A refusal reveals nothing about accounts of strangers.
create function private.may_email(p_sender_id uuid, p_own_address text, p_recipient text, p_policy text) returns boolean
  language sql stable security invoker set search_path = '' as $$
    select case
      when p_policy = 'any' or lower(p_recipient) = lower(p_own_address) then true
      when p_policy = 'members' then exists (
        select from nectar.accounts a
        join auth.users u on u.id = a.user_id and u.email_confirmed_at is not null
        join nectar.organization_members theirs on theirs.user_id = a.user_id and theirs.acted_at is not null
        join nectar.organization_members mine on mine.org_id = theirs.org_id and mine.user_id = p_sender_id
        where lower(a.email) = lower(p_recipient)
      )
      else false
    end
  $$;

-- Returns whether an address gets no mail of a person: it is suppressed, or the person who has confirmed it blocked the
-- sender.
create function private.gets_no_mail(p_address text, p_sender_id uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (
      select from private.email_suppressions s where s.address_hash = private.email_address_hash(p_address)
    )
    -- Only the owner of the address can refuse mail to it, not an account that never confirmed it.
    or exists (
      select from nectar.accounts a
      join auth.users u on u.id = a.user_id and u.email_confirmed_at is not null
      join nectar.blocks b on b.user_id = a.user_id and b.blocked_id = p_sender_id
      where lower(a.email) = lower(p_address)
    );
end $$;

-- Returns how many mails a person may send in any period of this length, in total or to one recipient. Only the owner
-- of the database can change it.
create function private.email_limits() returns table (max_mails integer, period interval, is_per_recipient boolean)
  language sql immutable security invoker set search_path = '' as $$
    values
      (20, interval '1 hour', false),
      (50, interval '24 hours', false),
      (5, interval '24 hours', true)
  $$;

-- Counts a mail of the caller against private.email_limits() and creates its row. If retry_after is above 0, nothing
-- was counted, and the caller may try again after that many seconds. A request that began before and never ended keeps
-- its row, so that the provider, which knows mails by the id of the row, sends it once; it is suppressed only while no
-- verified event says that it was sent. A mail is suppressed if its address bounced, complained or was unsubscribed,
-- and if the person with that address blocked the caller. The same request to another recipient is refused as a
-- duplicate, because it would not be counted.
create function private.count_email(p_recipient text, p_subject text, p_request text, p_moment timestamptz)
  returns table (message_id uuid, is_suppressed boolean, retry_after integer)
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_recipient_hash constant bytea := private.email_address_hash(p_recipient);
  v_was_taken boolean;
begin
  -- One at a time for each person, so that two requests do not both use the last mail of a quota.
  perform from nectar.accounts a where a.user_id = v_actor for no key update;

  -- After 24 hours the provider does not recognize the request any more, so it is a new mail.
  update private.email_messages m set request = null
  where m.user_id = v_actor and m.request = p_request and m.created_at <= p_moment - interval '24 hours';
  select m.id, m.delivery is not null and m.delivery_is_verified into message_id, v_was_taken
  from private.email_messages m
  where m.user_id = v_actor and m.request = p_request and m.recipient_hash = v_recipient_hash;

  if message_id is null then
    select ceil(extract(epoch from max(oldest.created_at + l.period) - p_moment))::integer into retry_after
    from private.email_limits() l
    cross join lateral (
      -- The mail that has to leave the period before there is room for another one.
      select m.created_at from private.email_messages m
      where m.user_id = v_actor
        and m.created_at > p_moment - l.period
        and (not l.is_per_recipient or m.recipient_hash = v_recipient_hash)
      order by m.created_at desc offset l.max_mails - 1 limit 1
    ) oldest;
    if retry_after is not null then
      retry_after := greatest(retry_after, 1);
      return next;
      return;
    end if;
  end if;

  retry_after := 0;
  -- A mail with a verified event was sent. Sending it to the provider again has no effect, so it need not be
  -- suppressed.
  is_suppressed := v_was_taken is not true and private.gets_no_mail(p_recipient, v_actor);
  if message_id is null then
    insert into private.email_messages as m (user_id, recipient, subject, state, request, created_at, updated_at)
    values (
      v_actor, p_recipient, p_subject, case when is_suppressed then 'suppressed' else 'pending' end::nectar.email_state,
      case when is_suppressed then null else p_request end, p_moment, p_moment
    )
    returning m.id into message_id;
  elsif not v_was_taken then
    update private.email_messages m
    set state = case when is_suppressed then 'suppressed' else 'pending' end::nectar.email_state,
        request = case when is_suppressed then null else m.request end,
        updated_at = p_moment
    where m.id = message_id;
  end if;
  return next;
end $$;

-- Creates the row of a mail that the caller writes, as private.count_email does. Recipient policy and limits come from
-- the database. There is no row if the account is gone. Raises email.sender_not_confirmed, email.recipient_not_allowed,
-- and service.unexpected unless the moment is now. Security definer: people may not write the rows that count their
-- mails.
create function private.create_email_message(p_recipient text, p_subject text, p_request text, p_moment timestamptz)
  returns table (message_id uuid, reply_to text, is_suppressed boolean, retry_after integer)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_own_address text;
begin
  perform private.check_moment(p_moment);
  if not private.lock_profile(v_actor) then return; end if;
  v_own_address := private.confirmed_address(v_actor);
  if v_own_address is null then
    raise exception 'no confirmed address' using errcode = 'NX000', detail = 'email.sender_not_confirmed';
  end if;
  if not private.may_email(
    v_actor, v_own_address, p_recipient, (select p.recipient_policy from private.email_policy p)
  ) then
    raise exception 'the recipient policy forbids it' using errcode = 'NX000', detail = 'email.recipient_not_allowed';
  end if;
  return query
    select c.message_id, v_own_address, c.is_suppressed, c.retry_after
    from private.count_email(p_recipient, p_subject, p_request, p_moment) c;
end $$;
grant execute on function private.create_email_message(text, text, text, timestamptz) to nectar_user;

-- Records the result of sending the caller's mail: the provider's id, or null if the provider did not accept it. A sent
-- mail stays sent. Security definer: people may not write the rows that count their mails.
create function private.record_email_result(p_message uuid, p_provider text) returns void
  language sql volatile security definer set search_path = '' as $$
    update private.email_messages m
    set state = case when p_provider is null then 'failed' else 'sent' end::nectar.email_state,
        provider_id = p_provider,
        request = case when p_provider is null then m.request end,
        updated_at = greatest(now(), m.created_at)
    where m.id = p_message and m.user_id = private.actor_id()
      and (m.state = 'pending' or (m.state = 'failed' and p_provider is not null))
  $$;
grant execute on function private.record_email_result(uuid, text) to nectar_user;

alter table private.email_policy enable row level security;
alter table private.email_messages enable row level security;

create policy "the service reads the recipient policy" on private.email_policy
  for select to nectar_service using (true);
create policy "the service stores the recipient policy" on private.email_policy
  for update to nectar_service using (true);

create policy "a person sees the mails that they sent" on private.email_messages
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "the service finds the mail of an event" on private.email_messages
  for select to nectar_service using (true);
create policy "the service follows deliveries" on private.email_messages for update to nectar_service using (true);
create policy "the service removes mails of more than a month ago" on private.email_messages
  for delete to nectar_service using (created_at < now() - interval '30 days');

grant select, update (recipient_policy) on private.email_policy to nectar_service;
grant select (id, user_id, recipient, subject, state, delivery, created_at, updated_at)
  on private.email_messages to nectar_user;
grant select (id, recipient_hash, provider_id, delivery, delivery_is_verified, created_at),
  update (delivery, delivery_is_verified, delivery_at, updated_at), delete on private.email_messages to nectar_service;
