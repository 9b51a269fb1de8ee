-- Why: What an admin decides about a reported thing takes effect in the transaction of the decision. Whether something is
-- hidden or someone is suspended follows from all decisions that were not reversed, so reversing one is the same step.

-- Functions -----------------------------------------------------------------------------------------------------------
-- Only definer functions call it.
create function private.has_other_admin() returns boolean
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  return exists (
    select from nectar.user_roles r where r.role in ('admin', 'super_admin') and r.user_id <> private.actor_id()
  );
end
$$;
comment on function private.has_other_admin() is
  'Returns whether there is an admin or super admin besides the caller.';

create function private.lock_moderation(p_owner_id uuid) returns void
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  -- The lock that a suspension needs, so that none asks for a stronger lock later, which two at once would not get.
  perform from nectar.profiles p where p.id = p_owner_id for update;
end
$$;
comment on function private.lock_moderation(uuid) is
  'Lets one decision about a person and their things be made or reversed at a time, because its effect follows from the others.';

-- Only definer functions call it.
create function private.hidden_since(p_owner_id uuid, p_target_type text, p_target_id uuid) returns timestamptz
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  return (
    select min(d.decided_at)
    from nectar.moderation_decisions d
    where d.owner_id = p_owner_id and d.target_id = p_target_id and d.target_type = p_target_type
      and d.decision = 'hide' and d.reversed_at is null
  );
end
$$;
comment on function private.hidden_since(uuid, text, uuid) is
  'Returns the time since when decisions that were not reversed hide a thing; null if it is not hidden.';

-- It is called under private.lock_moderation.
create function private.apply_decisions(p_decision nectar.moderation_decisions) returns void
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
declare
  v_hidden_at constant timestamptz :=
    private.hidden_since(p_decision.owner_id, p_decision.target_type, p_decision.target_id);
begin
  if p_decision.decision = 'hide' then
    case p_decision.target_type
      when 'entry' then
        update nectar.journal_entries set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'notebook' then
        update nectar.notebooks set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'tone_pack' then
        update nectar.tone_packs set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'drop' then
        update nectar.encouragement_drops set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'checkin' then
        update nectar.workout_checkin_photos set hidden_at = v_hidden_at where checkin_id = p_decision.target_id;
      when 'message' then
        update nectar.team_messages set hidden_at = v_hidden_at where id = p_decision.target_id;
    end case;
  elsif p_decision.decision = 'suspend' then
    perform private.suspend_user(p_decision.owner_id, greatest(
      private.kept_suspension(p_decision.owner_id),
      (
        select max(d.suspended_until)
        from nectar.moderation_decisions d
        where d.owner_id = p_decision.owner_id and d.decision = 'suspend' and d.reversed_at is null
      )
    ));
  end if;
end
$$;
comment on function private.apply_decisions(nectar.moderation_decisions) is
  'Makes the effect of a decision agree with all decisions that were not reversed, after one was made or reversed.';

create function private.undo_decision(p_decision_id uuid, p_moment timestamptz) returns void
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
declare
  v_decision nectar.moderation_decisions;
begin
  perform private.lock_moderation(d.owner_id) from nectar.moderation_decisions d where d.id = p_decision_id;
  update nectar.moderation_decisions d set reversed_at = p_moment
    where d.id = p_decision_id and d.reversed_at is null
    returning * into v_decision;
  if found then
    update nectar.reports r set status = 'dismissed' where r.decision_id = p_decision_id;
    perform private.apply_decisions(v_decision);
  end if;
end
$$;
comment on function private.undo_decision(uuid, timestamptz) is
  'Takes the effect of a decision back, and dismisses its reports; does nothing if it was reversed before.';

-- p_decision has decision, reason and suspended_until. Raises auth.forbidden, report.not_found,
-- report.user_cannot_be_hidden, report.super_admin_not_suspended, report.own_case if there is another admin to decide
-- about a thing of the caller, report.already_decided, and service.unexpected unless the moment is now. Security
-- definer: no role may write decisions, or hide things of others.
create function private.decide_report(p_report_id uuid, p_decision jsonb, p_moment timestamptz) returns json
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_actor constant uuid := private.actor_id();
  v_report nectar.reports;
  v_reporters uuid[];
  v_owner_role nectar.user_role;
  v_decision nectar.moderation_decisions;
begin
  perform private.check_moment(p_moment);
  if not private.is_admin() then
    raise exception 'only for admins' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  select * into v_report from nectar.reports r where r.id = p_report_id;
  if not found then
    raise exception 'no such report' using errcode = 'NX000', detail = 'report.not_found';
  end if;
  v_decision := jsonb_populate_record(v_decision, p_decision);
  if v_decision.decision = 'hide' and v_report.target_type = 'user' then
    raise exception 'a user cannot be hidden' using errcode = 'NX000', detail = 'report.user_cannot_be_hidden';
  end if;
  -- Locks the profiles first, in the same order as account deletion, to avoid deadlocks. What someone else reports
  -- meanwhile stays open.
  v_reporters := array(
    select r.reporter_id from nectar.reports r
    where r.target_id = v_report.target_id and r.target_type = v_report.target_type and r.status = 'open'
  );
  perform private.lock_profiles(v_reporters);
  perform private.lock_moderation(v_report.owner_id);
  select * into v_report from nectar.reports r where r.id = p_report_id;
  if not found then
    raise exception 'deleted with an account' using errcode = 'NX000', detail = 'report.not_found';
  end if;
  select r.role into v_owner_role from nectar.user_roles r where r.user_id = v_report.owner_id;
  if v_decision.decision = 'suspend' and v_owner_role = 'admin' and not private.is_super_admin() then
    raise exception 'only super admins suspend admins' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if v_decision.decision = 'suspend' and v_owner_role = 'super_admin' then
    raise exception 'a super admin' using errcode = 'NX000', detail = 'report.super_admin_not_suspended';
  end if;
  if v_report.owner_id = v_actor and private.has_other_admin() then
    raise exception 'a thing of the admin' using errcode = 'NX000', detail = 'report.own_case';
  end if;
  if v_report.status <> 'open' then
    raise exception 'decided already' using errcode = 'NX000', detail = 'report.already_decided';
  end if;

  insert into nectar.moderation_decisions (
    owner_id, target_type, target_id, decision, reason, excerpt, decided_by, decided_at, suspended_until
  )
  values (
    v_report.owner_id, v_report.target_type, v_report.target_id, v_decision.decision, v_decision.reason,
    v_report.excerpt, v_actor, p_moment, v_decision.suspended_until
  )
  returning * into v_decision;
  perform private.apply_decisions(v_decision);
  with decided as (
    update nectar.reports r
      set status = case v_decision.decision when 'dismiss' then 'dismissed' else 'actioned' end,
        decision_id = v_decision.id, decided_at = p_moment
      where r.target_id = v_report.target_id and r.target_type = v_report.target_type and r.status = 'open'
        and r.reporter_id = any ((select v_reporters)::uuid[])
      returning r.id, r.reporter_id
  )
  insert into nectar.notifications (user_id, type, data)
  select d.reporter_id, 'moderation', jsonb_build_object('report_id', d.id) from decided d;
  if v_decision.decision <> 'dismiss' then
    perform private.notify(
      v_decision.owner_id, 'moderation',
      jsonb_build_object(
        'decision_id', v_decision.id, 'target_type', v_decision.target_type, 'target_id', v_decision.target_id,
        'decision', v_decision.decision
      )
    );
  end if;
  return json_build_object(
    'id', v_decision.id, 'target_type', v_decision.target_type, 'target_id', v_decision.target_id,
    'decision', v_decision.decision, 'reason', v_decision.reason, 'automated', false,
    'decided_at', private.rfc3339(v_decision.decided_at),
    'suspended_until', private.rfc3339(v_decision.suspended_until)
  );
end
$$;
comment on function private.decide_report(uuid, jsonb, timestamptz) is
  'Decides every open report of the thing that a report is about, for admins only, and returns the decision as the API sends it.';
grant execute on function private.decide_report(uuid, jsonb, timestamptz) to nectar_user;
