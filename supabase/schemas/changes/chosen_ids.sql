-- Why: A device that is offline chooses the ids of what it creates, so that it can refer to it and send it again. An id of
-- something else must not be taken over: comments, stored responses and devices know things by their ids alone.

-- Judges an id that the caller chose for a new thing: true if that thing of theirs exists, which is locked; false if the id
-- is free. Raises sync.id_taken for anything else that has it or had it, the same for all. A check-in is that of a goal.
-- Security definer: an id may be taken by something that the caller does not see.
create function private.claim_id(p_type nectar.thing_type, p_id uuid, p_goal_id uuid default null) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
begin
  -- Of several requests with the same id, one creates the thing, and the others find it.
  perform pg_advisory_xact_lock(hashtextextended('id ' || p_id, 0));
  case p_type
    when 'entry' then
      perform from nectar.journal_entries e where e.id = p_id and e.user_id = v_me for key share;
    when 'notebook' then
      perform from nectar.notebooks n where n.id = p_id and n.user_id = v_me for key share;
    when 'goal' then
      perform from nectar.goals g where g.id = p_id and g.user_id = v_me for key share;
    when 'goal_check_in' then
      perform from nectar.goal_check_ins k
      where k.id = p_id and k.user_id = v_me and k.goal_id = p_goal_id for key share;
    when 'wellness_entry' then
      perform from nectar.wellness_entries w where w.id = p_id and w.user_id = v_me for key share;
  end case;
  if found then return true; end if;
  if exists (
    select from nectar.journal_entries e where e.id = p_id
    union all select from nectar.trashed_entries t where t.id = p_id
    union all select from nectar.notebooks n where n.id = p_id
    union all select from nectar.goals g where g.id = p_id
    union all select from nectar.goal_check_ins k where k.id = p_id
    union all select from nectar.wellness_entries w where w.id = p_id
    union all select from nectar.entry_pictures p where p.id = p_id
    union all
    select from private.removed_things r
    where r.user_id = v_me and r.type = any (enum_range(null::nectar.thing_type)) and r.id = p_id
    -- Messages of a room are found, and deleted, by its id.
    union all select from nectar.teams t where t.id = p_id
    union all select from nectar.squads s where s.id = p_id
    -- Whoever deletes a thing deletes the stored responses that contain it.
    union all select from private.idempotency_keys i where i.resource_id = p_id
  ) then
    raise exception 'the id is taken' using errcode = 'NX000', detail = 'sync.id_taken';
  end if;
  return false;
end $$;
grant execute on function private.claim_id(nectar.thing_type, uuid, uuid) to nectar_user;
