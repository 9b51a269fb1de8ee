-- Why: Browsers (RFC 8030) and apps on phones subscribe to push messages.

create type nectar.push_service as enum ('web', 'fcm', 'apns');
comment on type nectar.push_service is 'Web Push reaches browsers (RFC 8030), Firebase Cloud Messaging Android, Apple Push Notification service iOS.';

create table nectar.push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  service nectar.push_service not null default 'web',
  endpoint text,
  p256dh text,
  auth text,
  token text,
  app text,
  created_at timestamptz(3) not null default now(),
  renewed_at timestamptz(3) not null default now(),
  constraint push_subscriptions_columns_of_service check (
    case service
      when 'web' then num_nonnulls(endpoint, p256dh, auth) = 3 and num_nonnulls(token, app) = 0
      when 'fcm' then token is not null and num_nonnulls(endpoint, p256dh, auth, app) = 0
      else num_nonnulls(token, app) = 2 and num_nonnulls(endpoint, p256dh, auth) = 0
    end
  ),
  constraint push_subscriptions_endpoint_size check (octet_length(endpoint) between 1 and 2048),
  constraint push_subscriptions_p256dh_shape check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  constraint push_subscriptions_auth_shape check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  constraint push_subscriptions_token_size check (octet_length(token) between 1 and 4096),
  constraint push_subscriptions_token_shape check (
    token ~ case service when 'apns' then '^([0-9a-f]{2}){32,100}$' else '^[!-~]+$' end
  ),
  constraint push_subscriptions_app_size check (octet_length(app) between 1 and 255)
);
comment on table nectar.push_subscriptions is 'Devices that get push messages: browsers, and apps on phones. Written by private.subscribe_device.';
comment on column nectar.push_subscriptions.p256dh is 'Public key of a browser: an uncompressed point of P-256 in base64url.';
comment on column nectar.push_subscriptions.auth is 'Secret of 16 bytes that messages to a browser are encrypted with, in base64url.';
comment on column nectar.push_subscriptions.token is 'What FCM or APNs calls an app on a device. It never changes; a new token is a new row.';
comment on column nectar.push_subscriptions.app is 'Bundle id of an app on iOS, the topic of its messages.';
comment on column nectar.push_subscriptions.renewed_at is 'When the device subscribed for the last time.';

create index push_subscriptions_of_user on nectar.push_subscriptions (user_id, renewed_at, id);
-- A hash, because an index cannot contain the longest tokens. A backslash would begin an escape in bytea.
create unique index push_subscriptions_device_once
  on nectar.push_subscriptions (service, sha256(replace(coalesce(endpoint, token), '\', '\\')::bytea));

-- Makes a device the caller's, even if it belonged to another person before. Only its browser knows its endpoint, only its
-- app its token. A person has at most 20 devices; the ones that were renewed least recently are removed. Security definer:
-- it takes the device from its former owner.
create function private.subscribe_device(p_device jsonb, p_default_app text default null)
  returns table (
    id uuid, service nectar.push_service, endpoint text, app text, created_at timestamptz(3), renewed_at timestamptz(3),
    is_new boolean
  )
  rows 1
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_max_devices constant integer := 20;
  v_person constant uuid := private.actor_id();
  v_new constant nectar.push_subscriptions := jsonb_populate_record(null::nectar.push_subscriptions, p_device);
  v_device record;
begin
  perform private.lock_profile(v_person);
  -- One at a time for a person, so that two requests do not both add the last device.
  perform from nectar.accounts a where a.user_id = v_person for no key update;
  insert into nectar.push_subscriptions as s (user_id, service, endpoint, p256dh, auth, token, app)
  values (
    v_person, v_new.service, v_new.endpoint, v_new.p256dh, v_new.auth, v_new.token, coalesce(v_new.app, p_default_app)
  )
  on conflict (service, sha256(replace(coalesce(endpoint, token), '\', '\\')::bytea)) do update
    set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, app = coalesce(v_new.app, s.app),
      renewed_at = clock_timestamp(),
      created_at = case when s.user_id = excluded.user_id then s.created_at else now() end
  -- A row that was inserted has no xmax; one that was updated was locked before.
  returning s.*, s.xmax = 0 as is_new into v_device;
  -- Pending notifications of the previous user of the device are not for this one.
  delete from private.push_deliveries d
  using nectar.notifications n
  where d.subscription_id = v_device.id and n.id = d.notification_id and n.user_id <> v_person;
  delete from nectar.push_subscriptions o
  where o.id in (
    select e.id from nectar.push_subscriptions e where e.user_id = v_person and e.id <> v_device.id
    order by e.renewed_at desc, e.id desc offset v_max_devices - 1
  );
  return query select v_device.id, v_device.service, v_device.endpoint, v_device.app, v_device.created_at,
    v_device.renewed_at, v_device.is_new;
end $$;
grant execute on function private.subscribe_device(jsonb, text) to nectar_user;

-- Removes a device that its push service does not know any more, and returns whether it did. A device stays if it was
-- renewed since the delivery was claimed, or since the moment from which the push service says that it is gone. The keys
-- of a device change with its renewal only. Security definer: no role may delete the devices of others directly.
create function private.remove_dead_device(
  p_subscription_id uuid, p_claimed_at timestamptz, p_gone_since timestamptz default null
) returns boolean
  language sql volatile security definer set search_path = '' as $$
    with removed as (
      -- Times of renewals are rounded to milliseconds, so the same one may be later. least() ignores null.
      delete from nectar.push_subscriptions s
      where s.id = p_subscription_id and s.renewed_at < least(p_claimed_at, p_gone_since)
      returning 1
    )
    select exists (select from removed)
  $$;
grant execute on function private.remove_dead_device(uuid, timestamptz, timestamptz) to nectar_service;

alter table nectar.push_subscriptions enable row level security;

create policy "a person sees their own devices" on nectar.push_subscriptions
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person removes their own devices" on nectar.push_subscriptions
  for delete to nectar_user using (user_id = (select private.actor_id()));

grant select, delete on nectar.push_subscriptions to nectar_user;
