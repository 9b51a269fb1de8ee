-- Why: The members of a team, and the squad of a date, write to each other, and people write below entries and goals. All are
-- rooms of one table, so that there is one rule for who reads a message.

create table nectar.team_messages (
  id uuid primary key default gen_random_uuid(),
  team_id uuid references nectar.teams (id) on delete cascade,
  squad_id uuid references nectar.squads (id) on delete cascade,
  entry_id uuid,
  goal_id uuid,
  room_id uuid not null generated always as (coalesce(team_id, squad_id, entry_id, goal_id)) stored,
  sender_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  content text not null,
  hidden_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint team_messages_one_room check (num_nonnulls(team_id, squad_id, entry_id, goal_id) = 1),
  constraint team_messages_content_length check (char_length(content) between 1 and 2000)
);
comment on table nectar.team_messages is
  'Messages to the members of a team or to the squad of a date, and comments on entries and goals. They stay when their sender leaves; deleted with the sender''s account, and with the team, squad, entry or goal.';
comment on column nectar.team_messages.entry_id is 'No foreign key, and goal_id has none either: the comments on an entry stay while it is in the trash. Triggers delete them.';
comment on column nectar.team_messages.hidden_at is 'Set by a decision about a report: from then on only the sender and super admins see the message.';

create index team_messages_newest_first on nectar.team_messages (room_id, created_at desc, id desc);
create index team_messages_of_team on nectar.team_messages (team_id) where team_id is not null;
create index team_messages_of_squad on nectar.team_messages (squad_id) where squad_id is not null;
create index team_messages_of_sender on nectar.team_messages (sender_id);
create index team_messages_squad_age on nectar.team_messages (created_at) where squad_id is not null;

-- Returns whether the caller is in a squad. Security definer: the clients of Supabase Realtime do not see the squads.
create function private.is_in_squad(p_squad_id uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from nectar.squads s where s.id = p_squad_id and private.actor_id() in (s.user_1_id, s.user_2_id, s.user_3_id)
  );
end $$;
grant execute on function private.is_in_squad(uuid) to nectar_user;

create type private.sent_message as (
  id uuid, team_id uuid, squad_id uuid, entry_id uuid, goal_id uuid, sender private.card, content text, created_at text
);
comment on type private.sent_message is 'A message or a comment.';

-- Returns a page of the messages of a room that the caller sees, newest first, after a row (its time and id). In a
-- transaction that writes, it logs what a super admin reads.
create function private.list_messages(p_room_id uuid, p_after timestamptz, p_after_id uuid, p_max integer)
  returns private.sent_message[]
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  if not current_setting('transaction_read_only')::boolean then perform private.log_reads(array[p_room_id], true); end if;
  return array(
    select row(
      m.id, m.team_id, m.squad_id, m.entry_id, m.goal_id, row(p.id, p.full_name, p.avatar_url, p.is_ai)::private.card, m.content,
      private.rfc3339(m.created_at)
    )::private.sent_message
    from nectar.team_messages m
    join nectar.profiles p on p.id = m.sender_id
    where m.room_id = p_room_id and (m.created_at, m.id) < (p_after, p_after_id) order by m.created_at desc, m.id desc
    limit p_max
  );
end $$;
grant execute on function private.list_messages(uuid, timestamptz, uuid, integer) to nectar_user;

-- Sends a message of the caller to a room, under the policies, and returns it. One of the ids of a room is not null.
create function private.send_message(
  p_team_id uuid, p_squad_id uuid, p_entry_id uuid, p_goal_id uuid, p_content text
) returns private.sent_message
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_id uuid;
  v_created_at timestamptz;
begin
  insert into nectar.team_messages (team_id, squad_id, entry_id, goal_id, content)
  values (p_team_id, p_squad_id, p_entry_id, p_goal_id, p_content)
  returning id, created_at into v_id, v_created_at;
  return (
    select row(
      v_id, p_team_id, p_squad_id, p_entry_id, p_goal_id, row(p.id, p.full_name, p.avatar_url, p.is_ai)::private.card, p_content,
      private.rfc3339(v_created_at)
    )::private.sent_message
    from nectar.profiles p where p.id = private.actor_id()
  );
end $$;
grant execute on function private.send_message(uuid, uuid, uuid, uuid, text) to nectar_user;

-- Deletes a message if the caller may, and returns who had sent it (null if there is none) and whether it was deleted.
-- The message is one of a team, of an entry, of a goal, or of a squad of a date. Who is not its sender, an admin of the
-- team, the author of the entry or goal, or an admin deletes nothing. Security definer: senders and admins delete
-- messages that they do not see.
create function private.delete_message(
  p_message_id uuid, p_team_id uuid, p_entry_id uuid, p_goal_id uuid, p_date date,
  out sender_id uuid, out is_deleted boolean
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_author uuid;
  v_may_delete boolean;
begin
  select m.sender_id, t.user_id,
    private.actor_id() in (m.sender_id, t.user_id)
      or m.team_id in (select private.my_administered_team_ids())
      or private.is_admin()
  into sender_id, v_author, v_may_delete
  from nectar.team_messages m
  left join nectar.squads s on s.id = m.squad_id
  cross join private.thing(m.entry_id, m.goal_id) t
  where m.id = p_message_id
    and (m.team_id = p_team_id or m.entry_id = p_entry_id or m.goal_id = p_goal_id or s.date = p_date);
  is_deleted := false;
  if v_may_delete then
    perform private.lock_profiles(array[sender_id, v_author]);
    delete from nectar.team_messages m where m.id = p_message_id returning m.sender_id into sender_id;
    is_deleted := found;
  end if;
end $$;
grant execute on function private.delete_message(uuid, uuid, uuid, uuid, date) to nectar_user;

-- Notifies others of a message: the members of the team or squad, or the author and the commenters of the entry or
-- goal, where it is counted as well. Security definer: no role may write notifications or counts directly.
create function private.notify_of_message() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_members constant uuid[] := array(
    select m.user_id from nectar.team_members m where m.team_id = new.team_id
    union all
    select unnest(array[s.user_1_id, s.user_2_id, s.user_3_id]) from nectar.squads s where s.id = new.squad_id
  );
begin
  if num_nonnulls(new.entry_id, new.goal_id) = 1 then
    perform private.notify_of_comment(new.entry_id, new.goal_id, new.sender_id);
    update nectar.journal_entry_contents c set comment_count = c.comment_count + 1 where c.entry_id = new.entry_id;
    update nectar.goal_contents c set comment_count = c.comment_count + 1 where c.goal_id = new.goal_id;
    return null;
  end if;
  perform private.notify_room(
    new.room_id, v_members, 'team_message',
    jsonb_strip_nulls(jsonb_build_object(
      'team_id', new.team_id, 'squad_id', new.squad_id, 'date', (select s.date from nectar.squads s where s.id = new.squad_id)
    )),
    new.sender_id
  );
  return null;
end $$;

-- Counts the messages in the unread notifications of two people again after a block, and deletes those that count none.
-- Only messages that their reader still sees count.
create function private.recount_messages(p_block nectar.blocks) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  -- Locked in the order in which messages lock them, before anything is counted, so that no message is left out.
  v_counting constant uuid[] := array(
    select n.id from nectar.notifications n
    where n.user_id in (p_block.user_id, p_block.blocked_id) and n.read_at is null and n.type in ('team_message', 'comment')
      and exists (
        select from nectar.team_messages m
        where m.room_id = n.room_id and m.created_at >= n.created_at
          and m.sender_id in (p_block.user_id, p_block.blocked_id) and m.sender_id <> n.user_id
      )
    order by n.user_id for update
  );
begin
  update nectar.notifications n set data = n.data || jsonb_build_object('count', c.count)
  from (
    select n.id, count(m.id) as count from nectar.notifications n
    left join nectar.team_messages m on m.room_id = n.room_id and m.created_at >= n.created_at
      and m.sender_id <> n.user_id and m.hidden_at is null and not private.has_block(n.user_id, m.sender_id)
    where n.id = any ((select v_counting)::uuid[]) group by n.id
  ) c
  where n.id = c.id;
  delete from nectar.notifications n where n.id = any ((select v_counting)::uuid[]) and n.data ->> 'count' = '0';
end $$;

create trigger team_messages__send_notifications
  after insert on nectar.team_messages
  for each row execute function private.notify_of_message();
create trigger team_messages__count_deleted_comments
  after delete on nectar.team_messages
  referencing old table as deleted
  for each statement execute function private.count_deleted_comments();
create trigger team_messages__delete_stored_responses
  after delete on nectar.team_messages
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.team_messages enable row level security;

-- Super admins see comments as they see the content, which is logged.
create policy "readers of a room see messages, not hidden or blocked ones" on nectar.team_messages
  for select to nectar_user using (
    sender_id = (select private.actor_id())
    or (
      hidden_at is null
      and sender_id <> all ((select private.blocked_users())::uuid[])
      and (
        team_id = any ((select private.my_audiences())::uuid[])
        or (squad_id is not null and private.is_in_squad(squad_id))
        or (num_nonnulls(entry_id, goal_id) = 1 and private.can_see_content(entry_id, goal_id))
      )
    )
    or (
      (select private.is_super_admin())
      and (num_nonnulls(team_id, squad_id) = 1 or private.can_see_content(entry_id, goal_id))
    )
  );
create policy "people of a room who are human write messages" on nectar.team_messages
  for insert to nectar_user with check (
    sender_id = (select private.actor_id()) and private.is_human(sender_id)
    and (
      team_id = any ((select private.my_audiences())::uuid[])
      or (squad_id is not null and private.is_in_squad(squad_id))
      or (num_nonnulls(entry_id, goal_id) = 1 and private.require_commentable(entry_id, goal_id))
    )
  );
create policy "the service sees the age of messages of squads" on nectar.team_messages
  for select to nectar_service using (squad_id is not null);
create policy "the service removes old messages of squads" on nectar.team_messages
  for delete to nectar_service using (squad_id is not null and created_at < now() - interval '30 days');

grant select (id, team_id, squad_id, entry_id, goal_id, room_id, sender_id, content, created_at),
  insert (team_id, squad_id, entry_id, goal_id, content) on nectar.team_messages to nectar_user;
grant select (id, squad_id, created_at), delete on nectar.team_messages to nectar_service;
