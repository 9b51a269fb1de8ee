-- Why: people hear of what happens to them, in the app and on their devices. A notification is a row that is written in the
-- transaction of what caused it. What goes to devices is an outbox beside it, filled by trigger in that same transaction:
-- nothing is announced that did not happen, and nothing is lost when a process ends before it has told a push service.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.notification_type as enum (
  'baton_pass', 'checkin_reminder', 'checkin_reviewed', 'chain_broken', 'chain_restored', 'chain_update',
  'battle_update', 'battle_progress', 'battle_results', 'weekly_stats', 'drop_received', 'badge_earned', 'assistant_drop',
  'member_added'
);

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  type nectar.notification_type not null,
  title text not null,
  body text not null,
  data jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  constraint notifications_title_length check (char_length(title) between 1 and 200),
  constraint notifications_body_length check (char_length(body) <= 1000),
  constraint notifications_data_is_object check (jsonb_typeof(data) = 'object'),
  constraint notifications_data_size check (octet_length(data::text) <= 1024)
);

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

create table private.push_deliveries (
  notification_id uuid not null references nectar.notifications (id) on delete cascade,
  subscription_id uuid not null references nectar.push_subscriptions (id) on delete cascade,
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  outcome text,
  created_at timestamptz(3) not null default now(),
  primary key (notification_id, subscription_id),
  constraint push_deliveries_attempts_not_negative check (attempts >= 0),
  constraint push_deliveries_outcome check (outcome in ('sent', 'refused', 'given_up', 'expired', 'read', 'silenced', 'moved')),
  constraint push_deliveries_finished_has_outcome check ((finished_at is null) = (outcome is null))
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index notifications_newest_first on nectar.notifications (user_id, created_at desc, id desc);
create index notifications_unread on nectar.notifications (user_id, created_at desc, id desc) where read_at is null;
create index push_subscriptions_of_user on nectar.push_subscriptions (user_id, renewed_at);
create index push_deliveries_of_subscription on private.push_deliveries (subscription_id);
create index push_deliveries_waiting on private.push_deliveries (subscription_id) where finished_at is null;
create index push_deliveries_due on private.push_deliveries (next_attempt_at) where finished_at is null;
create index push_deliveries_age on private.push_deliveries (created_at);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.notify(
  recipient uuid, kind nectar.notification_type, title text, body text, data jsonb default '{}'
) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    insert into nectar.notifications (user_id, type, title, body, data)
    select p.id, kind, left(notify.title, 200), left(notify.body, 1000), notify.data
    from nectar.profiles p
    where p.id = recipient
    for key share
  $$;
comment on function private.notify(uuid, nectar.notification_type, text, text, jsonb) is
  'Notifies a person, in the transaction of what caused it; nobody when the account is gone. Texts hold no journal text and no content of drops. Definer: nobody writes notifications to others by themselves.';

create function private.queue_pushes() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- Locked, so that a device that is unsubscribed at this moment is passed by instead of failing what caused this.
  insert into private.push_deliveries (notification_id, subscription_id)
  select c.id, s.id
  from created c
  join nectar.accounts a on a.user_id = c.user_id
  join nectar.push_subscriptions s on s.user_id = c.user_id
  where (a.preferences -> 'notifications') is distinct from 'false'::jsonb
    -- The state of a battle and the numbers of a week come at midnight, so they are shown in the app and not pushed.
    and c.type not in ('battle_progress', 'weekly_stats')
  order by s.id
  for key share of s;
  return null;
end
$$;
comment on function private.queue_pushes() is
  'Trigger: queues new notifications for every device of their recipients, unless they want none; how a battle stands and the numbers of a week are shown in the app alone.';

create function private.subscribe_device(device_endpoint text, device_p256dh text, device_auth text)
  returns setof nectar.push_subscriptions
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  max_devices constant integer := 20;
  person constant uuid := private.actor_id();
  subscribed nectar.push_subscriptions;
begin
  perform private.hold_account(person);
  -- One at a time for a person, so that two do not each find room for one more.
  perform from nectar.accounts a where a.user_id = person for no key update;
  insert into nectar.push_subscriptions as s (user_id, endpoint, p256dh, auth)
  values (person, device_endpoint, device_p256dh, device_auth)
  on conflict on constraint push_subscriptions_endpoint_once do update
    set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth, renewed_at = clock_timestamp(),
      created_at = case when s.user_id = excluded.user_id then s.created_at else now() end
  returning * into subscribed;
  -- What waits for the person who used the device before is not for this one.
  delete from private.push_deliveries d
  using nectar.notifications n
  where d.subscription_id = subscribed.id and n.id = d.notification_id and n.user_id <> person;
  delete from nectar.push_subscriptions o
  where o.id in (
    select e.id from nectar.push_subscriptions e
    where e.user_id = person and e.id <> subscribed.id
    order by e.renewed_at desc, e.id desc
    offset max_devices - 1
  );
  return next subscribed;
end
$$;
comment on function private.subscribe_device(text, text, text) is
  'Makes a device the caller''s, even if it belonged to another person before: only its browser knows its endpoint. A person has 20 devices at most; of more, those that were not renewed for the longest time are removed. Security definer: it takes the device from its former owner.';

create function private.claim_push_deliveries(
  most integer, lease_seconds integer, most_attempts integer, recipients uuid[] default null
)
  returns table (
    notification_id uuid,
    subscription_id uuid,
    attempt integer,
    closed boolean,
    endpoint text,
    p256dh text,
    auth text,
    type nectar.notification_type,
    title text,
    body text,
    data jsonb,
    seconds_left integer
  )
  language plpgsql volatile security definer
  set search_path = ''
  as $$
#variable_conflict use_column
declare
  due_notifications uuid[];
  due_subscriptions uuid[];
begin
  -- Two ways to look: through everything by what is due first, or through the devices of a few people (in no order: asked
  -- for one, the planner would rather walk through what is due to everybody).
  if recipients is null then
    select array_agg(t.notification_id), array_agg(t.subscription_id) into due_notifications, due_subscriptions
    from (
      select d.notification_id, d.subscription_id
      from private.push_deliveries d
      where d.finished_at is null and d.next_attempt_at <= now()
      order by d.next_attempt_at
      limit most
      for update skip locked
    ) t;
  else
    select array_agg(t.notification_id), array_agg(t.subscription_id) into due_notifications, due_subscriptions
    from (
      select d.notification_id, d.subscription_id
      from private.push_deliveries d
      where d.subscription_id = any (array(
          select s.id from nectar.push_subscriptions s where s.user_id = any (recipients)
        ))
        and d.finished_at is null and d.next_attempt_at <= now()
      limit most
      for update skip locked
    ) t;
  end if;
  return query
  with due as (
    select d.notification_id, d.subscription_id, d.attempts
    from unnest(due_notifications, due_subscriptions) as k (notification_id, subscription_id)
    join private.push_deliveries d
      on d.notification_id = k.notification_id and d.subscription_id = k.subscription_id
  ), judged as (
    select due.notification_id, due.subscription_id, due.attempts + 1 as attempt,
      s.endpoint, s.p256dh, s.auth, n.type, n.title, n.body, n.data,
      ceil(extract(epoch from n.created_at + interval '1 day' - now()))::integer as seconds_left,
      case
        when n.user_id <> s.user_id then 'moved'
        when n.read_at is not null then 'read'
        when (a.preferences -> 'notifications') is not distinct from 'false'::jsonb then 'silenced'
        when n.created_at <= now() - interval '1 day' then 'expired'
        when due.attempts >= most_attempts then 'given_up'
      end as verdict
    from due
    join nectar.notifications n on n.id = due.notification_id
    join nectar.push_subscriptions s on s.id = due.subscription_id
    join nectar.accounts a on a.user_id = n.user_id
  ), marked as (
    update private.push_deliveries d
    set outcome = j.verdict,
      finished_at = case when j.verdict is not null then now() end,
      attempts = case when j.verdict is null then j.attempt else d.attempts end,
      next_attempt_at = case when j.verdict is null then now() + lease_seconds * interval '1 second' else d.next_attempt_at end
    from judged j
    where d.notification_id = j.notification_id and d.subscription_id = j.subscription_id
  )
  select j.notification_id, j.subscription_id, j.attempt, j.verdict is not null,
    j.endpoint, j.p256dh, j.auth, j.type, j.title, j.body, j.data, j.seconds_left
  from judged j;
end
$$;
comment on function private.claim_push_deliveries(integer, integer, integer, uuid[]) is
  'Takes deliveries that are due, of everybody longest due first, for so many seconds: whoever took them and is gone by then is not waited for any longer. Those that need no push any more (read, silenced, a day old, tried too often, the device moved on) are closed and come back so marked.';

create function private.settle_push_deliveries(
  notification_ids uuid[], subscription_ids uuid[], claimed_attempts integer[], results text[]
) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    with settled as (
      select * from unnest(notification_ids, subscription_ids, claimed_attempts, results)
        as r (notification_id, subscription_id, attempt, result)
    ), mine as (
      select d.notification_id, d.subscription_id, r.result
      from private.push_deliveries d
      join settled r on r.notification_id = d.notification_id and r.subscription_id = d.subscription_id
        and r.attempt = d.attempts
      where d.finished_at is null
      order by d.subscription_id, d.notification_id
      -- A row that is locked is being deleted with its account or its device.
      for update of d skip locked
    )
    update private.push_deliveries d
    set attempts = d.attempts - (m.result = 'unused')::integer,
      outcome = case when m.result in ('sent', 'refused') then m.result end,
      finished_at = case when m.result in ('sent', 'refused') then now() end,
      next_attempt_at = case m.result
        when 'unused' then now()
        when 'unavailable' then now() + least(30 * power(2, d.attempts - 1), 3600) * interval '1 second'
        else d.next_attempt_at
      end
    from mine m
    where d.notification_id = m.notification_id and d.subscription_id = m.subscription_id
  $$;
comment on function private.settle_push_deliveries(uuid[], uuid[], integer[], text[]) is
  'Writes down what became of deliveries: sent, refused, unavailable (again later: after half a minute, then twice as long each time, at most an hour), unused (was not tried). A delivery that somebody else has claimed since is left alone.';

create function private.remove_dead_device(device uuid, device_p256dh text, device_auth text) returns boolean
  language sql volatile security definer
  set search_path = ''
  as $$
    with removed as (
      delete from nectar.push_subscriptions s
      where s.id = device and s.p256dh = device_p256dh and s.auth = device_auth
      returning 1
    )
    select exists (select from removed)
  $$;
comment on function private.remove_dead_device(uuid, text, text) is
  'Removes a device whose push service says that it is gone, unless it was subscribed anew in the meantime.';

create function private.open_notifications_to_realtime() returns void
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  if exists (select from pg_catalog.pg_roles where rolname = 'authenticated') then
    grant usage on schema nectar to authenticated;
    grant select on nectar.notifications to authenticated;
    if not exists (
      select from pg_catalog.pg_policies p
      where p.schemaname = 'nectar' and p.tablename = 'notifications' and 'authenticated' = any (p.roles)
    ) then
      create policy "a person's own notifications reach their open apps" on nectar.notifications
        for select to authenticated using (user_id = (select auth.uid()));
    end if;
  end if;
  if exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') and not exists (
    select from pg_catalog.pg_publication_tables
    where pubname = 'supabase_realtime' and schemaname = 'nectar' and tablename = 'notifications'
  ) then
    alter publication supabase_realtime add table nectar.notifications;
  end if;
end
$$;
comment on function private.open_notifications_to_realtime() is
  'Lets Supabase Realtime tell open apps of notifications: the one table that a client''s token may read, its own rows only. Does what can be done with the role and the publication that are there; calling it again changes nothing.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger notifications_queue_pushes
  after insert on nectar.notifications
  referencing new table as created
  for each statement execute function private.queue_pushes();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.notifications enable row level security;
alter table nectar.push_subscriptions enable row level security;
alter table private.push_deliveries enable row level security;

create policy "a person sees their own notifications" on nectar.notifications
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person marks their own notifications" on nectar.notifications
  for update to nectar_user
  using (user_id = (select private.actor_id())) with check (user_id = (select private.actor_id()));

create policy "a person sees their own devices" on nectar.push_subscriptions
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person removes their own devices" on nectar.push_subscriptions
  for delete to nectar_user using (user_id = (select private.actor_id()));

create policy "the service sees the age of deliveries" on private.push_deliveries
  for select to nectar_service using (true);
create policy "the service removes old deliveries" on private.push_deliveries
  for delete to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.notifications to nectar_user;
grant update (read_at) on nectar.notifications to nectar_user;
grant select, delete on nectar.push_subscriptions to nectar_user;
grant select, delete on private.push_deliveries to nectar_service;

revoke execute on all functions in schema private from public;
grant execute on function private.subscribe_device(text, text, text) to nectar_user;
grant execute on function private.notify(uuid, nectar.notification_type, text, text, jsonb),
  private.claim_push_deliveries(integer, integer, integer, uuid[]),
  private.settle_push_deliveries(uuid[], uuid[], integer[], text[]),
  private.remove_dead_device(uuid, text, text) to nectar_service;

select private.open_notifications_to_realtime();

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.notifications is 'What people are told in the app. Written by private.notify or by definer functions, in the transaction of what they tell of.';
comment on column nectar.notifications.data is 'Ids that lead the app to what happened; at most a kilobyte, so that it fits into a push message.';
comment on table nectar.push_subscriptions is 'Devices that want to be pushed to (RFC 8030). Written by private.subscribe_device.';
comment on column nectar.push_subscriptions.p256dh is 'Public key of the device: an uncompressed point of P-256 in base64url.';
comment on column nectar.push_subscriptions.auth is 'Secret of 16 bytes that messages to the device are encrypted with, in base64url.';
comment on column nectar.push_subscriptions.renewed_at is 'When the device subscribed for the last time.';
comment on table private.push_deliveries is 'The outbox: which notification goes to which device, and how far it got. Kept for a week.';
comment on column private.push_deliveries.attempts is 'How often it was claimed; also tells the present claim from an older one.';
comment on column private.push_deliveries.next_attempt_at is 'When it may be claimed; while somebody works on it, the end of their lease.';
