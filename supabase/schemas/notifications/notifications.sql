-- Why: A notification is a row that is written in the transaction of what caused it, so nothing is announced that did
-- not happen.

create type nectar.notification_type as enum (
  'baton_pass', 'checkin_reminder', 'checkin_reviewed', 'chain_broken', 'chain_restored', 'chain_update',
  'battle_update', 'battle_progress', 'battle_results', 'weekly_stats', 'drop_received', 'badge_earned', 'assistant_drop',
  'member_added', 'invitation', 'moderation', 'export_ready', 'journal_reminder', 'team_message', 'organization_received',
  'goal_update', 'comment', 'token_created'
);

create table nectar.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  type nectar.notification_type not null,
  data jsonb not null default '{}',
  caused_by uuid,
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  room_id uuid,
  constraint notifications_data_is_object check (jsonb_typeof(data) = 'object'),
  constraint notifications_data_size check (octet_length(data::text) <= 1024)
)
-- Room to count the messages of a team in place: a message to 1,000 members wrote twice as much without it.
with (fillfactor = 80);
comment on table nectar.notifications is 'Notifications in the app. Written by private.notify or by other security definer functions, in the transaction of what caused them.';
comment on column nectar.notifications.room_id is
  'The team, squad, entry or goal whose unread messages, comments or check-ins the notification counts. Not read from data, so that no index needs a new entry when the count grows.';
comment on column nectar.notifications.caused_by is 'The person whose action it is about; null if there is none, and for what admins decide. No notification comes from a person with a block between them and the recipient. Kept when that person''s account is gone.';
comment on column nectar.notifications.data is 'Ids that lead the app to what happened, and everything that the text of the notification says, which packages/core/people/notification-texts.ts makes from it. At most a kilobyte, so that it fits into a push message with its text. A name of a person is in full_name.';

create index notifications_newest_first on nectar.notifications (user_id, created_at desc, id desc);
create index notifications_unread on nectar.notifications (user_id, created_at desc, id desc) where read_at is null;
create unique index notifications_unread_of_room on nectar.notifications (user_id, room_id, type)
  where read_at is null and room_id is not null;
create index notifications_read_age on nectar.notifications (read_at) where read_at is not null;
create index notifications_unread_age on nectar.notifications (created_at) where read_at is null;

-- Notifies a person in the transaction of what caused it; does nothing if the account is gone. Data contain no journal
-- text and no content of drops. Security definer: no role may write notifications directly.
create function private.notify(
  p_user_id uuid, p_type nectar.notification_type, p_data jsonb, p_caused_by uuid default null
) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into nectar.notifications (user_id, type, data, caused_by)
  select p.id, p_type, p_data, p_caused_by from nectar.profiles p where p.id = p_user_id for key share;
end $$;
grant execute on function private.notify(uuid, nectar.notification_type, jsonb, uuid) to nectar_service;

-- Notifies other people of a room, in one statement, of a message, a comment or a check-in to a goal. They have one
-- unread notification per room and type, which counts. Leaves out people with a block between them and the person who
-- causes it, who is the caller.
create function private.notify_room(
  p_room_id uuid, p_members uuid[], p_type nectar.notification_type, p_data jsonb, p_caused_by uuid
) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- A statement of its own: the next one reads the blocks when it begins, and may then wait for a notification.
  perform private.lock_pair(p_caused_by, p_caused_by, true);
  insert into nectar.notifications as n (user_id, type, data, caused_by, room_id)
  select p.id, p_type, p_data || '{"count": 1}', p_caused_by, p_room_id from nectar.profiles p
  where p.id = any ((select p_members)::uuid[]) and p.id <> p_caused_by and not p.is_ai
    and p.id <> all ((select private.blocked_users())::uuid[])
  -- Two at once lock the same notifications in the same order. Skips a person whose account is being deleted, as
  -- private.notify_added_member does.
  order by p.id for key share of p skip locked
  on conflict (user_id, room_id, type) where read_at is null and room_id is not null do update set
    -- The name is that of a single cause.
    data = excluded.data - 'full_name' || jsonb_build_object('count', (n.data ->> 'count')::integer + 1),
    -- What several people cause has no single cause.
    caused_by = case when n.caused_by = excluded.caused_by then n.caused_by end;
end $$;

-- Skips a notification of what a person does for someone with a block between them. What the caller causes is there
-- before the response to a block, or not at all. Security definer: private.has_block is not for users.
create function private.skip_blocked_notification() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Only for what a person does themselves: jobs write thousands, of what is long over.
  if new.caused_by = private.actor_id() then perform private.lock_pair(new.user_id, new.caused_by, true); end if;
  return case when private.has_block(new.user_id, new.caused_by) then null else new end;
end $$;

-- Returns how many notifications of a person are unread; above a maximum they are not counted.
create function private.count_unread_notifications(p_user_id uuid, p_max integer) returns integer
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select count(*)
    from (
      select from nectar.notifications n where n.user_id = p_user_id and n.read_at is null limit (select p_max)
    ) unread
  );
end $$;
grant execute on function private.count_unread_notifications(uuid, integer) to nectar_user;

create type private.sent_notification as (
  id uuid, type nectar.notification_type, data jsonb, created_at text, read_at text
);
comment on type private.sent_notification is 'A notification without its text, which follows from type and data.';
create type private.notification_page as (notifications private.sent_notification[], unread_count integer);
comment on type private.notification_page is 'Notifications, newest first, and how many are unread.';

-- Returns a page of a person's notifications, or of the unread ones, newest first, and how many are unread at most. The
-- page begins after a row (its time and id). It is a function, because with the same query from outside the request takes
-- more than a tenth longer.
create function private.list_notifications(
  p_user_id uuid, p_type nectar.notification_type, p_unread boolean, p_after timestamptz, p_after_id uuid,
  p_max integer, p_max_counted integer
) returns private.notification_page
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_page private.sent_notification[];
begin
  if p_unread then
    v_page := array(
      select row(n.id, n.type, n.data, private.rfc3339(n.created_at), null)::private.sent_notification
      from nectar.notifications n
      where n.user_id = p_user_id and n.read_at is null and (n.created_at, n.id) < (p_after, p_after_id)
        and ((select p_type) is null or n.type = (select p_type))
      order by n.created_at desc, n.id desc limit p_max
    );
  else
    v_page := array(
      select row(n.id, n.type, n.data, private.rfc3339(n.created_at), private.rfc3339(n.read_at))::private.sent_notification
      from nectar.notifications n
      where n.user_id = p_user_id and (n.created_at, n.id) < (p_after, p_after_id)
        and ((select p_type) is null or n.type = (select p_type))
      order by n.created_at desc, n.id desc limit p_max
    );
  end if;
  return row(v_page, private.count_unread_notifications(p_user_id, p_max_counted))::private.notification_page;
end $$;
grant execute on function private.list_notifications(uuid, nectar.notification_type, boolean, timestamptz, uuid, integer, integer) to nectar_user;

create trigger notifications__skip_blocked
  before insert on nectar.notifications
  -- Messages are not written for people with a block in the first place (private.notify_room): asking for each of
  -- a thousand members took half of the time of a message.
  for each row when (new.caused_by is not null and new.room_id is null)
  execute function private.skip_blocked_notification();

alter table nectar.notifications enable row level security;

create policy "a person sees their own notifications" on nectar.notifications
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person marks their own notifications" on nectar.notifications
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees the age of notifications" on nectar.notifications
  for select to nectar_service using (true);
create policy "the service removes old notifications" on nectar.notifications
  for delete to nectar_service using (
    read_at < now() - interval '180 days' or (read_at is null and created_at < now() - interval '400 days')
  );

grant select, update (read_at) on nectar.notifications to nectar_user;
grant select (id, created_at, read_at), delete on nectar.notifications to nectar_service;
