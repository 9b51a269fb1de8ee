-- Why: What an admin decides about a reported thing takes effect in the transaction of the decision. Whether something is
-- hidden or someone is suspended follows from all decisions that were not reversed, so reversing one is the same step.

-- Locks and returns everyone who reported the thing of a report, and locks its owner as private.stop_writes does. The
-- reports of others, who report it meanwhile, stay open. Security definer: locking needs a privilege to update.
create function private.lock_report(p_report_id uuid) returns uuid[]
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_report nectar.reports;
  v_reporters uuid[];
begin
  select * into v_report from nectar.reports r where r.id = p_report_id;
  -- Locks the profiles first, in the same order as account deletion, to avoid deadlocks.
  v_reporters := array(
    select r.reporter_id from nectar.reports r
    where r.target_id = v_report.target_id and r.target_type = v_report.target_type and r.status = 'open'
  );
  perform private.lock_profiles(v_reporters);
  perform private.stop_writes(v_report.owner_id);
  return v_reporters;
end $$;
grant execute on function private.lock_report(uuid) to nectar_service;

-- Returns the time since when decisions that were not reversed hide a thing; null if it is not hidden.
create function private.hidden_since(p_owner_id uuid, p_target_type text, p_target_id uuid) returns timestamptz
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select min(d.decided_at) from nectar.moderation_decisions d
    where d.owner_id = p_owner_id and d.target_id = p_target_id and d.target_type = p_target_type
      and d.decision = 'hide' and d.reversed_at is null
  );
end $$;

-- Makes the effect of a decision agree with all decisions that were not reversed, after one was made or reversed. It is
-- called after private.stop_writes, which lets one decision about a person be made or reversed at a time.
create function private.apply_decisions(p_decision nectar.moderation_decisions) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_hidden_at constant timestamptz :=
    private.hidden_since(p_decision.owner_id, p_decision.target_type, p_decision.target_id);
begin
  if p_decision.decision = 'hide' then
    case p_decision.target_type
      when 'entry' then update nectar.journal_entries set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'notebook' then update nectar.notebooks set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'goal' then update nectar.goals set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'tone_pack' then update nectar.tone_packs set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'drop' then update nectar.encouragement_drops set hidden_at = v_hidden_at where id = p_decision.target_id;
      when 'checkin' then
        update nectar.workout_checkin_photos set hidden_at = v_hidden_at where checkin_id = p_decision.target_id;
      when 'message' then update nectar.team_messages set hidden_at = v_hidden_at where id = p_decision.target_id;
    end case;
  elsif p_decision.decision = 'suspend' then
    perform private.suspend_user(p_decision.owner_id, greatest(
      private.kept_suspension(p_decision.owner_id),
      (
        select max(d.suspended_until) from nectar.moderation_decisions d
        where d.owner_id = p_decision.owner_id and d.decision = 'suspend' and d.reversed_at is null
      )
    ));
  end if;
end $$;

-- Takes the effect of a decision back, and dismisses its reports; does nothing if it was reversed before.
create function private.undo_decision(p_decision_id uuid, p_moment timestamptz) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_decision nectar.moderation_decisions;
begin
  perform private.stop_writes(d.owner_id) from nectar.moderation_decisions d where d.id = p_decision_id;
  update nectar.moderation_decisions d set reversed_at = p_moment
    where d.id = p_decision_id and d.reversed_at is null returning * into v_decision;
  if found then
    update nectar.reports r set status = 'dismissed' where r.decision_id = p_decision_id;
    perform private.apply_decisions(v_decision);
  end if;
end $$;

-- Decides the open reports of these reporters about the thing of a report, and returns the id of the decision. Called
-- after private.lock_report. Security definer: no role may write decisions, or hide things of others.
create function private.record_decision(
  p_report_id uuid, p_reporters uuid[], p_decision nectar.moderation_decision, p_reason text,
  p_suspended_until timestamptz, p_decided_by uuid, p_moment timestamptz
) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_decision nectar.moderation_decisions;
begin
  insert into nectar.moderation_decisions (
    owner_id, target_type, target_id, decision, reason, excerpt, decided_by, decided_at, suspended_until
  )
  select r.owner_id, r.target_type, r.target_id, p_decision, p_reason, r.excerpt, p_decided_by, p_moment, p_suspended_until
  from nectar.reports r where r.id = p_report_id returning * into v_decision;
  perform private.apply_decisions(v_decision);
  with decided as (
    update nectar.reports r
      set status = case p_decision when 'dismiss' then 'dismissed' else 'actioned' end,
        decision_id = v_decision.id, decided_at = p_moment
      where r.target_id = v_decision.target_id and r.target_type = v_decision.target_type and r.status = 'open'
        and r.reporter_id = any ((select p_reporters)::uuid[])
      returning r.id, r.reporter_id
  )
  insert into nectar.notifications (user_id, type, data)
  select d.reporter_id, 'moderation', jsonb_build_object('report_id', d.id) from decided d;
  if p_decision <> 'dismiss' then
    perform private.notify(
      v_decision.owner_id, 'moderation',
      jsonb_build_object(
        'decision_id', v_decision.id, 'target_type', v_decision.target_type, 'target_id', v_decision.target_id,
        'decision', p_decision
      )
    );
  end if;
  return v_decision.id;
end $$;
grant execute on function private.record_decision(uuid, uuid[], nectar.moderation_decision, text, timestamptz, uuid, timestamptz)
  to nectar_service;
