-- Why: Push messages go through an outbox that a trigger fills in the transaction of the notification. Nothing is lost
-- when a process ends before it has called the push service. What falls into quiet hours waits in the outbox.

create table private.push_deliveries (
  notification_id uuid not null references nectar.notifications (id) on delete cascade,
  subscription_id uuid not null references nectar.push_subscriptions (id) on delete cascade,
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) not null default now(),
  waited_until timestamptz(3),
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
comment on column private.push_deliveries.waited_until is 'The end of the quiet hours that it waits or waited for; null if it fell into none.';

create index push_deliveries_of_subscription on private.push_deliveries (subscription_id);
create index push_deliveries_due on private.push_deliveries (next_attempt_at) where finished_at is null;
create index push_deliveries_age on private.push_deliveries (created_at);

create table private.push_holds (
  service nectar.push_service primary key,
  held_until timestamptz(3) not null
);
comment on table private.push_holds is 'Until when a push service asked for no messages.';

-- Queues new notifications for every device of their recipients, unless they turned notifications, or that type, off.
-- Security definer: no role may write deliveries directly.
create function private.queue_pushes() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.push_deliveries (notification_id, subscription_id)
  select c.id, s.id from created c
  -- Not plain joins, because the planner would read all devices and all accounts for a thousand notifications. Locked, so
  -- that a device that is being unsubscribed is skipped, instead of failing what caused the notification.
  cross join lateral (select s.id from nectar.push_subscriptions s where s.user_id = c.user_id for key share) s
  where (
      select a.preferences -> 'notifications' from nectar.accounts a where a.user_id = c.user_id
    ) is distinct from 'false'::jsonb
    -- Of comments only those on what is theirs.
    and (c.type <> 'comment' or (c.data ->> 'is_yours')::boolean)
    and private.push_setting(c.type, (select t.push from nectar.notification_settings t where t.user_id = c.user_id));
  return null;
end $$;

-- Lets the pushes that wait for the end of a person's quiet hours be claimed again. Those that a push service refused
-- keep their wait for the next attempt.
create function private.release_waiting_pushes(p_user_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  update private.push_deliveries d set next_attempt_at = d.created_at
  from nectar.push_subscriptions s
  where s.user_id = p_user_id and d.subscription_id = s.id and d.finished_at is null
    and d.next_attempt_at = d.waited_until;
end $$;

-- Lets pushes that wait for quiet hours be claimed again, because the quiet hours changed. Security definer: no role
-- may write deliveries directly.
create function private.release_pushes_of_settings() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.release_waiting_pushes(new.user_id);
  return null;
end $$;

-- Returns what becomes of deliveries, which are named by their notifications and devices. The verdict is the outcome of
-- a delivery that needs no push any more; others may wait for the end of quiet hours.
create function private.judge_push_deliveries(
  p_notification_ids uuid[], p_subscription_ids uuid[], p_max_attempts integer, p_moment timestamptz
) returns table (
  notification_id uuid, subscription_id uuid, attempts integer, expires_at timestamptz, service nectar.push_service,
  endpoint text, p256dh text, auth text, token text, app text, user_id uuid, type nectar.notification_type, data jsonb,
  quiet_until timestamptz, held_until timestamptz, verdict text
)
  rows 100
  language plpgsql stable security invoker set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with due as (
    select d.notification_id, d.subscription_id, d.attempts,
      -- The end of quiet hours, if the row is due because of it and no settings have changed since.
      case when d.next_attempt_at = d.waited_until then d.waited_until end as ended_at,
      -- Quiet hours do not count as age.
      coalesce(d.waited_until, d.created_at) + interval '1 day' as expires_at
    from unnest(p_notification_ids, p_subscription_ids) as k (notification_id, subscription_id)
    join private.push_deliveries d
      on d.notification_id = k.notification_id and d.subscription_id = k.subscription_id
  ), known as (
    select due.notification_id, due.subscription_id, due.attempts, due.expires_at,
      s.service, s.endpoint, s.p256dh, s.auth, s.token, s.app, n.user_id, n.type, n.data,
      (select h.held_until from private.push_holds h where h.service = s.service and h.held_until > p_moment) as held_until,
      n.user_id <> s.user_id as has_moved,
      n.read_at is not null as is_read,
      a.preferences -> 'notifications' is not distinct from 'false'::jsonb
        or not private.push_setting(n.type, t.push)
        or a.erases_at is not null
        or n.caused_by is not null and private.has_block(n.user_id, n.caused_by) as is_silenced,
      case when t.quiet_start is not null then
        private.quiet_until(
          private.known_zone(a.timezone), t.quiet_start, t.quiet_end,
          -- The job that comes after the end sends what has waited, even if quiet hours have begun again before it.
          case
            when due.ended_at >= p_moment - interval '5 minutes' then due.ended_at
            else p_moment
          end
        )
      end as quiet_until
    from due
    join nectar.notifications n on n.id = due.notification_id
    join nectar.push_subscriptions s on s.id = due.subscription_id
    join nectar.accounts a on a.user_id = n.user_id
    left join nectar.notification_settings t on t.user_id = n.user_id
  )
  select k.notification_id, k.subscription_id, k.attempts, k.expires_at, k.service, k.endpoint, k.p256dh, k.auth, k.token,
    k.app, k.user_id, k.type, k.data, k.quiet_until, k.held_until,
    case
      when k.has_moved then 'moved'
      when k.is_read then 'read'
      when k.is_silenced then 'silenced'
      when k.expires_at <= p_moment then 'expired'
      when k.attempts >= p_max_attempts then 'given_up'
      -- After quiet hours the window is open or over.
      when k.quiet_until is not null and k.type = 'checkin_reminder' then 'silenced'
    end as verdict
  from known k;
end $$;

-- Claims due deliveries, longest due first, for a number of seconds. After that the claim expires, in case its process
-- has died. Returned but not to be sent are those that wait because their recipient has quiet hours or because their push
-- service asked for no messages, and those that are closed because they need no push any more: read, silenced (also by a
-- closing account), a day old, tried too often, a check-in reminder in quiet hours, or the device has another user now.
-- Security definer: no role may write deliveries directly.
create function private.claim_push_deliveries(
  p_limit integer, p_lease_seconds integer, p_max_attempts integer, p_moment timestamptz default now()
) returns table (
  notification_id uuid, subscription_id uuid, attempt integer, to_send boolean, service nectar.push_service,
  endpoint text, p256dh text, auth text, token text, app text, type nectar.notification_type, data jsonb,
  seconds_left integer, unread integer, claimed_at timestamptz(3)
)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_max_badge constant integer := 99;
  v_due_notifications uuid[];
  v_due_subscriptions uuid[];
begin
  select array_agg(t.notification_id), array_agg(t.subscription_id) into v_due_notifications, v_due_subscriptions
  from (
    select d.notification_id, d.subscription_id from private.push_deliveries d
    where d.finished_at is null and d.next_attempt_at <= p_moment order by d.next_attempt_at limit p_limit
    for update skip locked
  ) t;
  return query
  with decided as (
    select j.*, j.verdict is null and j.quiet_until is null and j.held_until is null as to_send
    from private.judge_push_deliveries(v_due_notifications, v_due_subscriptions, p_max_attempts, p_moment) j
  ), marked as (
    update private.push_deliveries d
    set outcome = c.verdict,
      finished_at = case when c.verdict is not null then p_moment end,
      attempts = d.attempts + c.to_send::integer,
      next_attempt_at = coalesce(c.quiet_until, c.held_until, p_moment + p_lease_seconds * interval '1 second'),
      waited_until = coalesce(c.quiet_until, d.waited_until)
    from decided c where d.notification_id = c.notification_id and d.subscription_id = c.subscription_id
  )
  select c.notification_id, c.subscription_id, c.attempts + 1, c.to_send,
    c.service, c.endpoint, c.p256dh, c.auth, c.token, c.app, c.type, c.data,
    ceil(extract(epoch from c.expires_at - p_moment))::integer,
    case when c.to_send and c.service = 'apns' then private.count_unread_notifications(c.user_id, v_max_badge) else 0 end,
    -- Not rounded up, because a device may be renewed in the same millisecond.
    date_trunc('milliseconds', p_moment)
  from decided c;
end $$;
grant execute on function private.claim_push_deliveries(integer, integer, integer, timestamptz) to nectar_service;

-- Stores the results of claimed deliveries: sent, refused, unavailable or unused (not tried). An unavailable one is
-- tried again after half a minute, then twice as long each time, at most an hour, or as much later as its push service
-- asked for, which then gets no other message until that moment. A delivery that was claimed again since is skipped.
-- Security definer: no role may write deliveries directly.
create function private.record_push_results(p_results jsonb, p_moment timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  -- No message lives longer, so a longer wait would only hold back those that come later.
  v_max_wait constant interval := '1 day';
begin
  insert into private.push_holds as h (service, held_until)
  select s.service, p_moment + least(max(r.retry_after_ms) * interval '1 millisecond', v_max_wait)
  from jsonb_to_recordset(p_results) r (subscription_id uuid, result text, retry_after_ms float8)
  join nectar.push_subscriptions s on s.id = r.subscription_id
  where r.result = 'unavailable' and r.retry_after_ms > 0
  group by s.service
  -- In one order, because several workers may be told to wait at the same time.
  order by s.service
  on conflict (service) do update set held_until = greatest(h.held_until, excluded.held_until);
  with claimed as (
    select d.notification_id, d.subscription_id, r.result, coalesce(r.retry_after_ms, 0) * interval '1 millisecond' as asked
    from jsonb_to_recordset(p_results)
      r (notification_id uuid, subscription_id uuid, attempt integer, result text, retry_after_ms float8)
    join private.push_deliveries d
      on d.notification_id = r.notification_id and d.subscription_id = r.subscription_id and d.attempts = r.attempt
    where d.finished_at is null
    -- A row that is locked is being deleted with its account or its device.
    for update of d skip locked
  )
  update private.push_deliveries d
  set attempts = d.attempts - (c.result = 'unused')::integer,
    outcome = case when c.result in ('sent', 'refused') then c.result end,
    finished_at = case when c.result in ('sent', 'refused') then p_moment end,
    next_attempt_at = case c.result
      when 'unused' then p_moment
      when 'unavailable' then p_moment
        + greatest(least(30 * power(2, d.attempts - 1), 3600) * interval '1 second', least(c.asked, v_max_wait))
      else d.next_attempt_at
    end
  from claimed c where d.notification_id = c.notification_id and d.subscription_id = c.subscription_id;
end $$;
grant execute on function private.record_push_results(jsonb, timestamptz) to nectar_service;

-- Returns how many deliveries are due, 10,000 at most, and since when the oldest one is; null if there are none.
-- A function, because it is read at each scrape of the metrics.
create function private.due_deliveries(p_moment timestamptz) returns table (due integer, oldest timestamptz)
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    select count(*)::integer, min(d.next_attempt_at)
    from (
      select p.next_attempt_at from private.push_deliveries p
      where p.finished_at is null and p.next_attempt_at <= p_moment
      order by p.next_attempt_at limit 10000
    ) d;
end $$;
grant execute on function private.due_deliveries(timestamptz) to nectar_service;

create trigger notifications__queue_pushes
  after insert on nectar.notifications
  referencing new table as created
  for each statement execute function private.queue_pushes();
create trigger notification_settings__release_pushes
  after update of quiet_start, quiet_end on nectar.notification_settings
  for each row when ((old.quiet_start, old.quiet_end) is distinct from (new.quiet_start, new.quiet_end))
  execute function private.release_pushes_of_settings();

alter table private.push_deliveries enable row level security;
alter table private.push_holds enable row level security;

create policy "the service sees the age of deliveries" on private.push_deliveries
  for select to nectar_service using (true);
create policy "the service removes old deliveries" on private.push_deliveries for delete to nectar_service using (true);

create policy "the service sees which push services asked for no messages" on private.push_holds
  for select to nectar_service using (true);

grant select, delete on private.push_deliveries to nectar_service;
grant select on private.push_holds to nectar_service;
