-- Why: People write below entries and goals. A comment is a message whose room is an entry or a goal. Who sees the content
-- sees the comments, and who it is shared with may write. Public content is open to all, but only people of an
-- organization of its author write there.

-- Returns whether the policies show the content of an entry or a goal to the caller.
create function private.can_see_content(p_entry_id uuid, p_goal_id uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (select from nectar.journal_entry_contents c where c.entry_id = p_entry_id)
    or exists (select from nectar.goal_contents c where c.goal_id = p_goal_id);
end $$;
grant execute on function private.can_see_content(uuid, uuid) to nectar_user;

-- Locks an entry or a goal, and returns whether the caller may comment on it, and whether its author takes comments.
-- The lock keeps the thing from being deleted, or shared with fewer people, until the comment is there. Security
-- definer: locking needs a privilege to update.
create function private.lock_commented(p_entry_id uuid, p_goal_id uuid, out may_comment boolean, out is_open boolean)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_thing nectar.journal_entries := private.thing(p_entry_id, p_goal_id);
  v_is_blocked boolean;
begin
  perform private.lock_profile(v_thing.user_id);
  perform from nectar.journal_entry_contents c where c.entry_id = p_entry_id for no key update;
  perform from nectar.goal_contents c where c.goal_id = p_goal_id for no key update;
  v_thing := private.thing(p_entry_id, p_goal_id);
  is_open := v_thing.comments_enabled;
  -- Blocks hide nothing from super admins.
  v_is_blocked := private.has_block(v_actor, v_thing.user_id) and not private.is_super_admin();
  may_comment := v_thing.user_id = v_actor
    or (private.axes_seen_by(v_actor, v_thing, v_is_blocked)).content
    and (
      private.public_audience() <> any (array[v_thing.metadata_audience_id, v_thing.content_audience_id])
      or private.shares_organization(v_thing.user_id)
    );
end $$;
grant execute on function private.lock_commented(uuid, uuid) to nectar_user;

-- Requires that the caller may comment on an entry or a goal until the transaction ends, for the policy of messages.
-- Raises journal.not_found, goal.not_found, comment.hidden, comment.not_allowed or comment.closed.
create function private.require_commentable(p_entry_id uuid, p_goal_id uuid) returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_locked constant record := private.lock_commented(p_entry_id, p_goal_id);
begin
  if not private.can_see_content(p_entry_id, p_goal_id) then
    if private.can_see_entry(p_entry_id) or private.can_see_goal(p_goal_id) then
      raise exception 'the content is hidden' using errcode = 'NX000', detail = 'comment.hidden';
    elsif p_goal_id is null then
      raise exception 'no such entry' using errcode = 'NX000', detail = 'journal.not_found';
    end if;
    raise exception 'no such goal' using errcode = 'NX000', detail = 'goal.not_found';
  elsif not v_locked.may_comment then
    raise exception 'not shared with the caller' using errcode = 'NX000', detail = 'comment.not_allowed';
  elsif not v_locked.is_open then
    raise exception 'comments are turned off' using errcode = 'NX000', detail = 'comment.closed';
  end if;
  return true;
end $$;
grant execute on function private.require_commentable(uuid, uuid) to nectar_user;

-- Counts deleted comments on entries and goals. Security definer: no role may write counts directly.
create function private.count_deleted_comments() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_id uuid;
  v_deleted integer;
begin
  for v_id, v_deleted in
    select m.room_id, count(*) from deleted m
    where num_nonnulls(m.entry_id, m.goal_id) = 1 group by m.room_id order by m.room_id
  loop
    -- Content that is deleted with its author keeps its count: a row that is written in that transaction must refer to a
    -- profile.
    update nectar.journal_entry_contents c set comment_count = c.comment_count - v_deleted
    where c.entry_id = v_id and exists (select from nectar.profiles p where p.id = c.user_id);
    update nectar.goal_contents c set comment_count = c.comment_count - v_deleted
    where c.goal_id = v_id and exists (select from nectar.profiles p where p.id = c.user_id);
  end loop;
  return null;
end $$;

-- Notifies the author of an entry or a goal, and people who commented on it, of a comment. The author, who gets pushes
-- as well, and the 50 who commented last and still see the content.
create function private.notify_of_comment(p_entry_id uuid, p_goal_id uuid, p_sender_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_thing constant nectar.journal_entries := private.thing(p_entry_id, p_goal_id);
  v_data constant jsonb := jsonb_strip_nulls(jsonb_build_object('entry_id', p_entry_id, 'goal_id', p_goal_id))
    || jsonb_build_object('full_name', (select p.full_name from nectar.profiles p where p.id = p_sender_id));
  -- Blocks matter to what is public only, and asking about each commenter takes as long as everything else.
  v_is_public constant boolean := v_thing.metadata_audience_id = private.public_audience();
  v_others constant uuid[] := array(
    select c.sender_id
    from (
      select m.sender_id from nectar.team_messages m
      where m.room_id = v_thing.id and m.sender_id not in (v_thing.user_id, p_sender_id)
      group by m.sender_id order by max(m.created_at) desc
      -- Only as many are asked about as needed.
      offset 0
    ) c
    where (
      private.axes_seen_by(c.sender_id, v_thing, v_is_public and private.has_block(c.sender_id, v_thing.user_id))
    ).content
    limit 50
  );
begin
  perform private.notify_room(v_thing.id, array[v_thing.user_id], 'comment', v_data || '{"is_yours": true}', p_sender_id);
  perform private.notify_room(v_thing.id, v_others, 'comment', v_data || '{"is_yours": false}', p_sender_id);
end $$;
