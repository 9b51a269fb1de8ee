-- Why: whoever is signed in may write to any address, which makes this an open relay unless it is counted, addresses that
-- bounced or complained are left alone, and nobody is answered but the sender. The counting needs rows, and the rows need
-- no more than a fingerprint of the recipient: neither address, subject nor text of a sent mail is kept here. What comes
-- back (events, mail to us) arrives twice, late and in any order, and leaves the same whichever way it came.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.email_state as enum ('pending', 'sent', 'failed', 'suppressed');

-- In the order in which they outrank each other: a mail that bounced was sent, whichever is told first.
create type nectar.email_delivery as enum ('sent', 'delivery_delayed', 'delivered', 'bounced', 'complained');

-- Tables ----------------------------------------------------------------------------------------------------------------
create table private.email_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  recipient_hash bytea not null,
  state nectar.email_state not null,
  request text,
  provider_id text,
  delivery nectar.email_delivery,
  delivery_is_verified boolean not null default false,
  delivery_at timestamptz(3),
  created_at timestamptz(3) not null,
  constraint email_messages_recipient_hash_size check (octet_length(recipient_hash) = 32),
  constraint email_messages_request_size check (octet_length(request) between 1 and 64),
  constraint email_messages_provider_id_length check (char_length(provider_id) between 1 and 255),
  constraint email_messages_delivery_has_time check ((delivery is null) = (delivery_at is null))
);

create table private.email_suppressions (
  address_hash bytea primary key,
  reason nectar.email_delivery not null,
  event_id text not null,
  created_at timestamptz(3) not null default now(),
  constraint email_suppressions_address_hash_size check (octet_length(address_hash) = 32),
  constraint email_suppressions_reason_known check (reason in ('bounced', 'complained'))
);

create table private.email_events (
  id text not null,
  is_verified boolean not null,
  type text not null,
  created_at timestamptz(3) not null default now(),
  primary key (id, is_verified),
  constraint email_events_id_length check (char_length(id) between 1 and 255),
  constraint email_events_type_length check (char_length(type) between 1 and 100)
);

create table private.email_received (
  id uuid primary key default gen_random_uuid(),
  event_id text not null,
  is_verified boolean not null,
  provider_id text,
  sender text not null,
  recipients text[] not null,
  subject text not null,
  body_text text,
  body_html text,
  created_at timestamptz(3) not null default now(),
  constraint email_received_once_per_event unique (event_id, is_verified),
  constraint email_received_provider_id_length check (char_length(provider_id) <= 255),
  constraint email_received_sender_length check (char_length(sender) <= 1000),
  constraint email_received_recipients_count check (cardinality(recipients) <= 50),
  constraint email_received_recipients_size check (octet_length(recipients::text) <= 262144),
  constraint email_received_subject_length check (char_length(subject) <= 1000),
  constraint email_received_body_text_length check (char_length(body_text) <= 262144),
  constraint email_received_body_html_length check (char_length(body_html) <= 262144)
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index email_messages_of_sender on private.email_messages (user_id, created_at desc);
create index email_messages_to_recipient on private.email_messages (user_id, recipient_hash, created_at desc);
create unique index email_messages_unfinished_request on private.email_messages (user_id, request)
  where request is not null;
create index email_messages_by_provider_id on private.email_messages (provider_id) where provider_id is not null;
create index email_messages_age on private.email_messages (created_at);
create index email_events_age on private.email_events (created_at);
create index email_received_age on private.email_received (created_at);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.email_address_hash(address text) returns bytea
  language sql immutable parallel safe security invoker
  set search_path = ''
  as $$ select sha256(convert_to(lower(address), 'UTF8')) $$;
comment on function private.email_address_hash(text) is
  'Fingerprint under which an address is counted and suppressed; upper and lower case are the same address.';

create function private.may_email(sender uuid, own_address text, recipient text, policy text) returns boolean
  language sql stable security invoker
  set search_path = ''
  as $$
    select case
      when policy = 'any' or lower(recipient) = lower(own_address) then true
      when policy = 'members' then exists (
        select from nectar.accounts a
        join auth.users u on u.id = a.user_id and u.email_confirmed_at is not null
        join nectar.organization_members theirs on theirs.user_id = a.user_id
        join nectar.organization_members mine on mine.org_id = theirs.org_id and mine.user_id = sender
        where lower(a.email) = lower(recipient)
      )
      else false
    end
  $$;
comment on function private.may_email(uuid, text, text, text) is
  'Whether the recipient policy lets a person write to an address. For members that is whoever shares an organization with them: a refusal tells nothing about accounts of strangers.';

create function private.begin_email(recipient text, policy text, request_key text, moment timestamptz)
  returns table (message_id uuid, reply_to text, is_suppressed boolean, retry_after integer)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  actor constant uuid := private.actor_id();
  recipient_key constant bytea := private.email_address_hash(recipient);
  was_taken boolean;
begin
  perform private.hold_account(actor);
  -- One at a time for a person, so that two do not both take what is left of a quota.
  perform from nectar.accounts a where a.user_id = actor for no key update;
  if not found then
    return;
  end if;

  select u.email into reply_to from auth.users u where u.id = actor and u.email_confirmed_at is not null;
  if reply_to is null or reply_to = '' then
    raise exception 'the sender has no confirmed address' using errcode = 'NX040';
  end if;
  if not private.may_email(actor, reply_to, recipient, policy) then
    raise exception 'the recipient policy says no' using errcode = 'NX041';
  end if;

  -- The provider has forgotten what it was handed longer ago than this: the same request is a new mail then.
  update private.email_messages m set request = null
  where m.user_id = actor and m.request = request_key and m.created_at <= moment - interval '24 hours';
  select m.id, m.delivery is not null and m.delivery_is_verified into message_id, was_taken
  from private.email_messages m where m.user_id = actor and m.request = request_key;

  if message_id is null then
    select ceil(extract(epoch from max(full_until.t) - moment))::integer into retry_after
    from (
      (select m.created_at + interval '1 hour' from private.email_messages m
       where m.user_id = actor and m.created_at > moment - interval '1 hour'
       order by m.created_at desc offset 19 limit 1)
      union all
      (select m.created_at + interval '24 hours' from private.email_messages m
       where m.user_id = actor and m.created_at > moment - interval '24 hours'
       order by m.created_at desc offset 49 limit 1)
      union all
      (select m.created_at + interval '24 hours' from private.email_messages m
       where m.user_id = actor and m.recipient_hash = recipient_key and m.created_at > moment - interval '24 hours'
       order by m.created_at desc offset 4 limit 1)
    ) full_until (t);
    if retry_after is not null then
      retry_after := greatest(retry_after, 1);
      return next;
      return;
    end if;
  end if;

  retry_after := 0;
  -- What the provider told of was sent, so that it is not kept back any more: handed over again, it is not sent again.
  is_suppressed := was_taken is not true
    and exists (select from private.email_suppressions s where s.address_hash = recipient_key);
  if message_id is null then
    insert into private.email_messages as m (user_id, recipient_hash, state, request, created_at)
    values (
      actor, recipient_key,
      case when is_suppressed then 'suppressed' else 'pending' end::nectar.email_state,
      case when is_suppressed then null else request_key end,
      moment
    )
    returning m.id into message_id;
  elsif not was_taken then
    update private.email_messages m
    set state = case when is_suppressed then 'suppressed' else 'pending' end::nectar.email_state,
        request = case when is_suppressed then null else m.request end
    where m.id = message_id;
  end if;
  return next;
end
$$;
comment on function private.begin_email(text, text, text, timestamptz) is
  'Counts a mail of the caller (20 in an hour, 50 in 24 hours, 5 of them to one recipient; sliding) and makes its row. retry_after above 0: nothing was counted, and room comes in so many seconds. A request that began before and never ended keeps its row, so that the provider, who knows mails by the row''s id, sends it once; it is suppressed only while nothing verified says that it was sent. No row: the account is gone. NX040 no confirmed address of their own, NX041 not allowed by the policy. Definer: nobody may write what they are counted by.';

create function private.end_email(message uuid, provider text) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    update private.email_messages m
    set state = case when provider is null then 'failed' else 'sent' end::nectar.email_state,
        provider_id = provider,
        request = case when provider is null then m.request end
    where m.id = message and m.user_id = private.actor_id()
      and (m.state = 'pending' or (m.state = 'failed' and provider is not null))
  $$;
comment on function private.end_email(uuid, text) is
  'Says what became of the caller''s mail: the provider''s id of it, or null when it was not handed over. What was sent stays sent. Definer: nobody may write what they are counted by.';

create function private.record_email_event(
  event text,
  verified boolean,
  kind text,
  happened_at timestamptz,
  outcome nectar.email_delivery,
  message uuid,
  provider text,
  address text,
  suppresses boolean
) returns boolean
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
declare
  known uuid;
  recipient_key bytea;
begin
  insert into private.email_events (id, is_verified, type) values (event, verified, kind) on conflict do nothing;
  if not found then
    return false;
  end if;
  if outcome is null then
    return true;
  end if;
  select m.id, m.recipient_hash into known, recipient_key
  from private.email_messages m
  where m.id = coalesce(
    message,
    (select p.id from private.email_messages p where p.provider_id = provider order by p.created_at desc, p.id limit 1)
  );
  update private.email_messages m
  set delivery = outcome, delivery_is_verified = verified, delivery_at = happened_at
  where m.id = known and (m.delivery is null or (verified, outcome) > (m.delivery_is_verified, m.delivery));
  recipient_key := coalesce(recipient_key, private.email_address_hash(address));
  if verified and suppresses and recipient_key is not null then
    insert into private.email_suppressions (address_hash, reason, event_id) values (recipient_key, outcome, event)
    on conflict (address_hash) do nothing;
  end if;
  return true;
end
$$;
comment on function private.record_email_event(text, boolean, text, timestamptz, nectar.email_delivery, uuid, text, text, boolean) is
  'Remembers an event of the mail provider together with what it says of a mail. A delivery never goes back, what is verified counts more than what is not, and only a verified event suppresses an address. Returns false, and does nothing, when the event came before.';

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table private.email_messages enable row level security;
alter table private.email_suppressions enable row level security;
alter table private.email_events enable row level security;
alter table private.email_received enable row level security;

create policy "the service finds the mail of an event" on private.email_messages
  for select to nectar_service using (true);
create policy "the service follows deliveries" on private.email_messages
  for update to nectar_service using (true) with check (true);
create policy "the service removes mails of more than a month ago" on private.email_messages
  for delete to nectar_service using (created_at < now() - interval '30 days');
create policy "the service sees who wants no mail" on private.email_suppressions
  for select to nectar_service using (true);
create policy "the service suppresses addresses" on private.email_suppressions
  for insert to nectar_service with check (true);
create policy "the service knows which mail events came" on private.email_events
  for select to nectar_service using (true);
create policy "the service remembers mail events" on private.email_events
  for insert to nectar_service with check (true);
create policy "the service removes mail events of more than a month ago" on private.email_events
  for delete to nectar_service using (created_at < now() - interval '30 days');
create policy "the service stores mail to us" on private.email_received
  for insert to nectar_service with check (true);
create policy "the service sees the age of mail to us" on private.email_received
  for select to nectar_service using (true);
create policy "the service removes mail to us of more than a month ago" on private.email_received
  for delete to nectar_service using (created_at < now() - interval '30 days');

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select (id, recipient_hash, provider_id, delivery, delivery_is_verified, created_at)
  on private.email_messages to nectar_service;
grant update (delivery, delivery_is_verified, delivery_at) on private.email_messages to nectar_service;
grant delete on private.email_messages, private.email_events, private.email_received to nectar_service;
grant select (address_hash) on private.email_suppressions to nectar_service;
grant insert (address_hash, reason, event_id) on private.email_suppressions to nectar_service;
grant select (id, is_verified, created_at) on private.email_events to nectar_service;
grant insert (id, is_verified, type) on private.email_events to nectar_service;
grant select (id, created_at) on private.email_received to nectar_service;
grant insert (event_id, is_verified, provider_id, sender, recipients, subject, body_text, body_html)
  on private.email_received to nectar_service;

revoke execute on all functions in schema private from public;
grant execute on function private.begin_email(text, text, text, timestamptz), private.end_email(uuid, text)
  to nectar_user;
grant execute on function
  private.email_address_hash(text),
  private.record_email_event(text, boolean, text, timestamptz, nectar.email_delivery, uuid, text, text, boolean)
  to nectar_service;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table private.email_messages is 'Mails that people had sent, to count them and to follow their delivery; nothing of what they say. Kept for 30 days.';
comment on column private.email_messages.recipient_hash is 'See private.email_address_hash.';
comment on column private.email_messages.state is 'pending while it is handed over; failed may still have been sent, when the provider did not answer.';
comment on column private.email_messages.request is 'Fingerprint of the Idempotency-Key and body that began it, until it is sent.';
comment on column private.email_messages.provider_id is 'The provider''s id of the mail.';
comment on column private.email_messages.delivery is 'The furthest that events told of.';
comment on column private.email_messages.delivery_at is 'When that happened, as the event says.';
comment on table private.email_suppressions is 'Addresses that get no mail any more; deleting a row lets them again.';
comment on table private.email_events is 'Events of the mail provider that were acted upon, so that none is twice. Unverified ones have ids of their own, or somebody could use up the ids of real ones. Kept for 30 days.';
comment on table private.email_received is 'Mail to us. Nobody reads it through the API; unverified rows may be anybody''s invention. Kept for 30 days.';
comment on column private.email_received.sender is 'As the event says, which is no proof.';
