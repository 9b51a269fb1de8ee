-- Why: Events of the mail provider come twice, late and in any order, and the result is the same.

-- Tables ----------------------------------------------------------------------------------------------------------------
create table private.email_suppressions (
  address_hash bytea primary key,
  reason nectar.email_delivery not null,
  event_id text not null,
  created_at timestamptz(3) not null default now(),
  constraint email_suppressions_address_hash_size check (octet_length(address_hash) = 32),
  constraint email_suppressions_reason_known check (reason in ('bounced', 'complained'))
);
comment on table private.email_suppressions is 'Addresses that get no mail any more. Deleting a row allows mail again.';

create table private.email_events (
  id text not null,
  is_verified boolean not null,
  type text not null,
  created_at timestamptz(3) not null default now(),
  primary key (id, is_verified),
  constraint email_events_id_length check (char_length(id) between 1 and 255),
  constraint email_events_type_length check (char_length(type) between 1 and 100)
);
comment on table private.email_events is 'Events of the mail provider that were processed, so that none is processed twice. Unverified ones have ids of their own; otherwise a forged event could use the id of a real one. Kept for 30 days.';

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index email_events_age on private.email_events (created_at);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.record_email_event(
  p_event_id text,
  p_is_verified boolean,
  p_type text,
  p_happened_at timestamptz,
  p_delivery nectar.email_delivery,
  p_message_id uuid,
  p_provider_id text,
  p_address text,
  p_suppresses boolean
) returns boolean
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
declare
  v_message_id uuid;
  v_recipient_key bytea;
begin
  insert into private.email_events (id, is_verified, type) values (p_event_id, p_is_verified, p_type) on conflict do nothing;
  if not found then
    return false;
  end if;
  if p_delivery is null then
    return true;
  end if;
  select m.id, m.recipient_hash into v_message_id, v_recipient_key
  from private.email_messages m
  where m.id = coalesce(
    p_message_id,
    (select p.id from private.email_messages p where p.provider_id = p_provider_id order by p.created_at desc, p.id limit 1)
  );
  update private.email_messages m
  set delivery = p_delivery, delivery_is_verified = p_is_verified, delivery_at = p_happened_at,
      updated_at = greatest(now(), m.created_at)
  where m.id = v_message_id and (m.delivery is null or (p_is_verified, p_delivery) > (m.delivery_is_verified, m.delivery));
  v_recipient_key := coalesce(v_recipient_key, private.email_address_hash(p_address));
  if p_is_verified and p_suppresses and v_recipient_key is not null then
    insert into private.email_suppressions (address_hash, reason, event_id) values (v_recipient_key, p_delivery, p_event_id)
    on conflict (address_hash) do nothing;
  end if;
  return true;
end
$$;
comment on function private.record_email_event(text, boolean, text, timestamptz, nectar.email_delivery, uuid, text, text, boolean) is
  'Stores an event of the mail provider together with the delivery of its mail. A delivery never goes back, verified events win over unverified ones, and only a verified event suppresses an address. Returns false and does nothing if the event was processed before.';
grant execute on function
  private.record_email_event(text, boolean, text, timestamptz, nectar.email_delivery, uuid, text, text, boolean)
  to nectar_service;

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table private.email_suppressions enable row level security;
alter table private.email_events enable row level security;

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

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select (address_hash) on private.email_suppressions to nectar_service;
grant insert (address_hash, reason, event_id) on private.email_suppressions to nectar_service;
grant delete on private.email_events to nectar_service;
grant select (id, is_verified, created_at) on private.email_events to nectar_service;
grant insert (id, is_verified, type) on private.email_events to nectar_service;

revoke execute on all functions in schema private from public;
