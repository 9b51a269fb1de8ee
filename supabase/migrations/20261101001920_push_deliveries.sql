-- Why: Push messages go through an outbox that a trigger fills in the transaction of the notification. Nothing is lost
-- when a process ends before it has called the push service.

-- Tables --------------------------------------------------------------------------------------------------------------
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
comment on table private.push_deliveries is 'The outbox: which notification goes to which device, and how far it got. Kept for a week.';
comment on column private.push_deliveries.attempts is 'How often it was claimed; also distinguishes the current claim from an older one.';
comment on column private.push_deliveries.next_attempt_at is 'When it may be claimed; while it is claimed, when the claim expires.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create index push_deliveries_of_subscription on private.push_deliveries (subscription_id);
create index push_deliveries_due on private.push_deliveries (next_attempt_at) where finished_at is null;
create index push_deliveries_age on private.push_deliveries (created_at);

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.queue_pushes() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into private.push_deliveries (notification_id, subscription_id)
  select c.id, s.id
  from created c
  -- Not plain joins, because the planner would read all devices and all accounts for a thousand notifications. Locked, so
  -- that a device that is being unsubscribed is skipped, instead of failing what caused the notification.
  cross join lateral (select s.id from nectar.push_subscriptions s where s.user_id = c.user_id for key share) s
  where (
      select a.preferences -> 'notifications' from nectar.accounts a where a.user_id = c.user_id
    ) is distinct from 'false'::jsonb
    -- Shown only in the app: two come at midnight, and messages are too many.
    and c.type not in ('battle_progress', 'weekly_stats', 'team_message');
  return null;
end
$$;
comment on function private.queue_pushes() is
  'Trigger: queues new notifications for every device of their recipients, unless they turned notifications off. Battle progress, weekly statistics and messages are shown only in the app. Security definer: no role may write deliveries directly.';

create function private.claim_push_deliveries(p_limit integer, p_lease_seconds integer, p_max_attempts integer)
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
  v_due_notifications uuid[];
  v_due_subscriptions uuid[];
begin
  select array_agg(t.notification_id), array_agg(t.subscription_id) into v_due_notifications, v_due_subscriptions
  from (
    select d.notification_id, d.subscription_id
    from private.push_deliveries d
    where d.finished_at is null and d.next_attempt_at <= now()
    order by d.next_attempt_at
    limit p_limit
    for update skip locked
  ) t;
  return query
  with due as (
    select d.notification_id, d.subscription_id, d.attempts
    from unnest(v_due_notifications, v_due_subscriptions) as k (notification_id, subscription_id)
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
        when n.caused_by is not null and private.has_block(n.user_id, n.caused_by) then 'silenced'
        when n.created_at <= now() - interval '1 day' then 'expired'
        when due.attempts >= p_max_attempts then 'given_up'
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
      next_attempt_at = case when j.verdict is null then now() + p_lease_seconds * interval '1 second' else d.next_attempt_at end
    from judged j
    where d.notification_id = j.notification_id and d.subscription_id = j.subscription_id
  )
  select j.notification_id, j.subscription_id, j.attempt, j.verdict is not null,
    j.endpoint, j.p256dh, j.auth, j.type, j.title, j.body, j.data, j.seconds_left
  from judged j;
end
$$;
comment on function private.claim_push_deliveries(integer, integer, integer) is
  'Claims due deliveries, longest due first, for a number of seconds; then the claim expires, in case its process has died. Deliveries that need no push any more (read, silenced, a day old, tried too often, or the device has another user now) are closed and returned as closed. Security definer: no role may write deliveries directly.';
grant execute on function private.claim_push_deliveries(integer, integer, integer) to nectar_service;

create function private.record_push_results(p_results jsonb) returns void
  language sql volatile security definer
  set search_path = ''
  as $$
    with claimed as (
      select d.notification_id, d.subscription_id, r.result
      from jsonb_to_recordset(p_results) r (notification_id uuid, subscription_id uuid, attempt integer, result text)
      join private.push_deliveries d
        on d.notification_id = r.notification_id and d.subscription_id = r.subscription_id and d.attempts = r.attempt
      where d.finished_at is null
      -- A row that is locked is being deleted with its account or its device.
      for update of d skip locked
    )
    update private.push_deliveries d
    set attempts = d.attempts - (c.result = 'unused')::integer,
      outcome = case when c.result in ('sent', 'refused') then c.result end,
      finished_at = case when c.result in ('sent', 'refused') then now() end,
      next_attempt_at = case c.result
        when 'unused' then now()
        when 'unavailable' then now() + least(30 * power(2, d.attempts - 1), 3600) * interval '1 second'
        else d.next_attempt_at
      end
    from claimed c
    where d.notification_id = c.notification_id and d.subscription_id = c.subscription_id
  $$;
comment on function private.record_push_results(jsonb) is
  'Stores the results of claimed deliveries: sent, refused, unavailable (tried again after half a minute, then twice as long each time, at most an hour) or unused (not tried). Skips a delivery that was claimed again since. Security definer: no role may write deliveries directly.';
grant execute on function private.record_push_results(jsonb) to nectar_service;

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger notifications_queue_pushes
  after insert on nectar.notifications
  referencing new table as created
  for each statement execute function private.queue_pushes();

-- Row-level security --------------------------------------------------------------------------------------------------
alter table private.push_deliveries enable row level security;

create policy "the service sees the age of deliveries" on private.push_deliveries
  for select to nectar_service using (true);
create policy "the service removes old deliveries" on private.push_deliveries
  for delete to nectar_service using (true);

-- Grants --------------------------------------------------------------------------------------------------------------
grant select, delete on private.push_deliveries to nectar_service;
