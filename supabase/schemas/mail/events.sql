-- Why: Events of the mail provider come twice, late and in any order, and the result is the same.

create table private.email_suppressions (
  address_hash bytea primary key,
  reason text not null,
  event_id text,
  created_at timestamptz(3) not null default now(),
  constraint email_suppressions_address_hash_size check (octet_length(address_hash) = 32),
  constraint email_suppressions_reason_known check (reason in ('bounced', 'complained', 'suppressed', 'unsubscribed')),
  constraint email_suppressions_event_is_named check ((event_id is null) = (reason = 'unsubscribed'))
);
comment on table private.email_suppressions is 'Addresses that get no mail any more. Deleting a row allows mail again.';
comment on column private.email_suppressions.reason is 'suppressed: the provider has the address on its own list.';
comment on column private.email_suppressions.event_id is 'The event of the provider; null for an address that was unsubscribed.';

create table private.email_events (
  id text not null,
  is_verified boolean not null,
  type text not null,
  created_at timestamptz(3) not null default now(),
  primary key (id, is_verified),
  constraint email_events_id_length check (char_length(id) between 1 and 255),
  constraint email_events_type_length check (char_length(type) between 1 and 100)
);
comment on table private.email_events is 'Events of the mail provider that were processed, so that none is processed twice. Unverified ones have ids of their own; otherwise a forged event could use the id of a real one.';

create index email_events_age on private.email_events (created_at);

-- Stores an event of the mail provider with the delivery of its mail; false if the event was processed before.
-- message_id or provider_id names the mail; address is used if neither is known. A delivery never goes back, verified
-- events win over unverified ones, and only a verified event suppresses an address.
create function private.record_email_event(p_event jsonb) returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_event record;
  v_message_id uuid;
  v_recipient_hash bytea;
begin
  select * into v_event
  from jsonb_to_record(p_event) e (
    id text, is_verified boolean, type text, happened_at timestamptz, delivery nectar.email_delivery, message_id uuid,
    provider_id text, address text, suppresses boolean
  );
  insert into private.email_events (id, is_verified, type) values (v_event.id, v_event.is_verified, v_event.type)
  on conflict do nothing;
  if not found then return false; end if;
  if v_event.delivery is null then return true; end if;
  select m.id, m.recipient_hash into v_message_id, v_recipient_hash from private.email_messages m
  where m.id = coalesce(
    v_event.message_id,
    (
      select p.id from private.email_messages p where p.provider_id = v_event.provider_id
      order by p.created_at desc, p.id limit 1
    )
  );
  update private.email_messages m
  set delivery = v_event.delivery, delivery_is_verified = v_event.is_verified, delivery_at = v_event.happened_at,
      updated_at = greatest(now(), m.created_at)
  where m.id = v_message_id
    and (m.delivery is null or (v_event.is_verified, v_event.delivery) > (m.delivery_is_verified, m.delivery));
  v_recipient_hash := coalesce(v_recipient_hash, private.email_address_hash(v_event.address));
  if v_event.is_verified and v_event.suppresses and v_recipient_hash is not null then
    insert into private.email_suppressions (address_hash, reason, event_id)
    values (v_recipient_hash, v_event.delivery::text, v_event.id)
    -- A recipient can undo an unsubscription, but not this.
    on conflict (address_hash) do update set reason = excluded.reason, event_id = excluded.event_id
      where email_suppressions.reason = 'unsubscribed';
  end if;
  return true;
end $$;
grant execute on function private.record_email_event(jsonb) to nectar_service;

-- Allows mail to the confirmed address of the caller after it was unsubscribed. Raises email.sender_not_confirmed, and
-- email.undeliverable if mail to it bounced, was reported as spam, or is suppressed by the provider. Security definer:
-- no person may read or lift suppressions.
create function private.allow_own_mail() returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_address_hash constant bytea := private.email_address_hash(private.confirmed_address(private.actor_id()));
begin
  if v_address_hash is null then
    raise exception 'no confirmed address' using errcode = 'NX000', detail = 'email.sender_not_confirmed';
  end if;
  delete from private.email_suppressions s where s.address_hash = v_address_hash and s.reason = 'unsubscribed';
  if exists (select from private.email_suppressions s where s.address_hash = v_address_hash) then
    raise exception 'mail to the address failed' using errcode = 'NX000', detail = 'email.undeliverable';
  end if;
end $$;
grant execute on function private.allow_own_mail() to nectar_user;

alter table private.email_suppressions enable row level security;
alter table private.email_events enable row level security;

create policy "the service reads suppressed addresses" on private.email_suppressions
  for select to nectar_service using (true);
create policy "the service suppresses addresses" on private.email_suppressions
  for insert to nectar_service with check (true);

-- For all rows, because PostgreSQL (since 15.20 and 17.12) asks also about a row that `do update ... where` leaves alone.
create policy "the service records that mail to a suppressed address failed" on private.email_suppressions
  for update to nectar_service using (true) with check (reason <> 'unsubscribed');

create policy "the service reads processed mail events" on private.email_events
  for select to nectar_service using (true);
create policy "the service records processed mail events" on private.email_events
  for insert to nectar_service with check (true);
create policy "the service removes mail events of more than a month ago" on private.email_events
  for delete to nectar_service using (created_at < now() - interval '30 days');

grant select (address_hash, reason, event_id), update (reason, event_id), insert (address_hash, reason, event_id)
  on private.email_suppressions to nectar_service;
grant delete, select (id, is_verified, created_at), insert (id, is_verified, type)
  on private.email_events to nectar_service;
