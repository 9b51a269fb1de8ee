-- Why: Devices subscribe to push messages (RFC 8030).

create table nectar.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz(3) not null default now(),
  renewed_at timestamptz(3) not null default now(),
  constraint push_subscriptions_endpoint_once unique (endpoint),
  constraint push_subscriptions_endpoint_size check (octet_length(endpoint) between 1 and 2048),
  constraint push_subscriptions_p256dh_shape check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  constraint push_subscriptions_auth_shape check (auth ~ '^[A-Za-z0-9_-]{22}$')
);
comment on table nectar.push_subscriptions is 'Devices that are subscribed to push messages (RFC 8030). Written by private.subscribe_device.';
comment on column nectar.push_subscriptions.p256dh is 'Public key of the device: an uncompressed point of P-256 in base64url.';
comment on column nectar.push_subscriptions.auth is 'Secret of 16 bytes that messages to the device are encrypted with, in base64url.';
comment on column nectar.push_subscriptions.renewed_at is 'When the device subscribed for the last time.';

create index push_subscriptions_of_user on nectar.push_subscriptions (user_id, renewed_at);

-- Makes a device the caller's, even if it belonged to another person before. Only its browser knows its endpoint. A
-- person has at most 20 devices; the ones that were renewed least recently are removed. Security definer: it takes the
-- device from its former owner.
create function private.subscribe_device(p_endpoint text, p_p256dh text, p_auth text)
  returns setof nectar.push_subscriptions
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_max_devices constant integer := 20;
  v_person constant uuid := private.actor_id();
  v_subscription nectar.push_subscriptions;
begin
  perform private.lock_profile(v_person);
  -- One at a time for a person, so that two requests do not both add the last device.
  perform from nectar.accounts a where a.user_id = v_person for no key update;
  insert into nectar.push_subscriptions as s (user_id, endpoint, p256dh, auth)
  values (v_person, p_endpoint, p_p256dh, p_auth) on conflict on constraint push_subscriptions_endpoint_once do update
    set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, renewed_at = clock_timestamp(),
      created_at = case when s.user_id = excluded.user_id then s.created_at else now() end
  returning * into v_subscription;
  -- Pending notifications of the previous user of the device are not for this one.
  delete from private.push_deliveries d
  using nectar.notifications n
  where d.subscription_id = v_subscription.id and n.id = d.notification_id and n.user_id <> v_person;
  delete from nectar.push_subscriptions o
  where o.id in (
    select e.id from nectar.push_subscriptions e where e.user_id = v_person and e.id <> v_subscription.id
    order by e.renewed_at desc, e.id desc offset v_max_devices - 1
  );
  return next v_subscription;
end $$;
grant execute on function private.subscribe_device(text, text, text) to nectar_user;

-- Removes a device that its push service does not know any more, unless it was subscribed again in the meantime.
-- Security definer: no role may delete the devices of others directly.
create function private.remove_dead_device(p_subscription_id uuid, p_p256dh text, p_auth text) returns boolean
  language sql volatile security definer set search_path = '' as $$
    with removed as (
      delete from nectar.push_subscriptions s where s.id = p_subscription_id and s.p256dh = p_p256dh and s.auth = p_auth
      returning 1
    )
    select exists (select from removed)
  $$;
grant execute on function private.remove_dead_device(uuid, text, text) to nectar_service;

alter table nectar.push_subscriptions enable row level security;

create policy "a person sees their own devices" on nectar.push_subscriptions
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person removes their own devices" on nectar.push_subscriptions
  for delete to nectar_user using (user_id = (select private.actor_id()));

grant select, delete on nectar.push_subscriptions to nectar_user;
