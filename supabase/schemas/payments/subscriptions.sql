-- Why: The payment processor reports a subscription by events that come twice, late and in any order. What is stored
-- here must be the same in every case, so each event carries a whole status and the newest one is kept.

create table nectar.subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  payment_customer_id text not null,
  payment_subscription_id text not null,
  status text not null,
  event_created timestamptz(3) not null,
  event_rank smallint not null,
  event_id text collate "C" not null,
  invoice_created timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint subscriptions_once_per_payment_subscription unique (payment_subscription_id),
  constraint subscriptions_status_length check (char_length(status) between 1 and 50)
);
comment on table nectar.subscriptions is 'Subscriptions at the payment processor, as of its newest event.';
comment on column nectar.subscriptions.status is 'As the processor names it; active makes the person premium.';
comment on column nectar.subscriptions.event_created is 'When the event with this status happened.';
comment on column nectar.subscriptions.event_rank is 'Orders events of the same second; below 0, the event only said that there is a subscription.';
comment on column nectar.subscriptions.event_id is 'The event with this status.';
comment on column nectar.subscriptions.invoice_created is 'When the newest invoice was created that an event was about; null if there was none.';

create table private.payment_events (
  id text primary key,
  type text not null,
  created timestamptz(3) not null
);
comment on table private.payment_events is 'Events of the payment processor that were processed, so that none is processed twice.';

create index subscriptions_newest_first on nectar.subscriptions (user_id, created_at desc, id desc);
create index subscriptions_by_customer on nectar.subscriptions (payment_customer_id);

-- Returns whether a subscription can never leave this status.
create function private.is_final_subscription_status(p_status text) returns boolean
  language sql immutable security invoker
  return p_status in ('canceled', 'incomplete_expired');
grant execute on function private.is_final_subscription_status(text) to nectar_service;

-- Returns the ids at the payment processor of a person's subscriptions that have not ended, which an erasure cancels.
create function private.open_subscriptions(p_user_id uuid) returns text[]
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return array(
    select s.payment_subscription_id from nectar.subscriptions s
    where s.user_id = p_user_id and not private.is_final_subscription_status(s.status)
  );
end $$;

-- Stores an event of the payment processor with the status of its subscription; false if it was processed before. The
-- latest event wins; in the same second by rank, then by id. A final status wins over every other one, and any status
-- over one of a rank below 0, which is a guess. An event about an invoice changes no status if another event was about
-- a newer one, by which the processor decides whether the subscription is past due.
create function private.record_subscription_event(p_event jsonb) returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_event record;
  v_owner_id uuid;
begin
  select * into v_event
  from jsonb_to_record(p_event) e (
    id text, type text, happened_at timestamptz, rank smallint, user_id uuid, customer_id text, subscription_id text,
    status text, invoice_created timestamptz
  );
  insert into private.payment_events (id, type, created) values (v_event.id, v_event.type, v_event.happened_at)
  on conflict (id) do nothing;
  if not found then return false; end if;
  if v_event.subscription_id is null or v_event.customer_id is null or v_event.status is null then return true; end if;
  v_owner_id := coalesce(
    v_event.user_id,
    (select s.user_id from nectar.subscriptions s where s.payment_subscription_id = v_event.subscription_id),
    (
      select s.user_id from nectar.subscriptions s where s.payment_customer_id = v_event.customer_id
      order by s.created_at, s.id limit 1
    )
  );
  if v_owner_id is null then return true; end if;
  -- An event about a deleted account is not refused: the processor would send it again for days.
  if not private.lock_profile(v_owner_id) then
    if not private.is_final_subscription_status(v_event.status) then
      perform private.cancel_for_erased_person(v_owner_id, v_event.subscription_id);
    end if;
    return true;
  end if;
  insert into nectar.subscriptions as s
    (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id)
  values (
    v_owner_id, v_event.customer_id, v_event.subscription_id, v_event.status, v_event.happened_at, v_event.rank,
    v_event.id
  )
  on conflict (payment_subscription_id) do update
    set payment_customer_id = excluded.payment_customer_id,
        status = excluded.status,
        event_created = excluded.event_created,
        event_rank = excluded.event_rank,
        event_id = excluded.event_id
    where case
      when v_event.invoice_created < s.invoice_created then false
      when excluded.event_rank < 0 then false
      when s.event_rank < 0 then true
      when private.is_final_subscription_status(excluded.status) = private.is_final_subscription_status(s.status)
        then (excluded.event_created, excluded.event_rank, excluded.event_id)
           > (s.event_created, s.event_rank, s.event_id)
      else private.is_final_subscription_status(excluded.status)
    end;
  -- Also if the event was too old to change the status.
  update nectar.subscriptions s set invoice_created = v_event.invoice_created
  where s.payment_subscription_id = v_event.subscription_id
    and v_event.invoice_created > coalesce(s.invoice_created, '-infinity');
  return true;
end $$;
grant execute on function private.record_subscription_event(jsonb) to nectar_service;

-- Makes a person premium while one of their subscriptions is active. Security definer: no role may write is_premium
-- directly.
create function private.sync_premium() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_subscriber uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
begin
  -- Locked, so that two changes of one person's subscriptions see each other.
  perform from nectar.accounts a where a.user_id = v_subscriber for update;
  update nectar.accounts a
  set is_premium = exists (select from nectar.subscriptions s where s.user_id = v_subscriber and s.status = 'active')
  where a.user_id = v_subscriber;
  return null;
end $$;

create trigger subscriptions__sync_premium
  after insert or delete or update of status on nectar.subscriptions
  for each row execute function private.sync_premium();

alter table nectar.subscriptions enable row level security;
alter table private.payment_events enable row level security;

create policy "a person sees their own subscriptions" on nectar.subscriptions
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "the service reads subscriptions" on nectar.subscriptions for select to nectar_service using (true);
create policy "the service records subscriptions" on nectar.subscriptions
  for insert to nectar_service with check (true);
create policy "the service updates subscriptions" on nectar.subscriptions for update to nectar_service using (true);

create policy "the service reads processed events" on private.payment_events for select to nectar_service using (true);
create policy "the service records processed events" on private.payment_events
  for insert to nectar_service with check (true);

grant select on nectar.subscriptions to nectar_user, nectar_service;
grant insert (user_id, payment_customer_id, payment_subscription_id, status, event_created, event_rank, event_id),
  update (payment_customer_id, status, event_created, event_rank, event_id, invoice_created)
  on nectar.subscriptions to nectar_service;
grant select, insert (id, type, created) on private.payment_events to nectar_service;
