-- Why: A drop is sent in one round trip: it is counted in the allowance of the day and for the badge, the recipient is
-- notified, and the sender gets all of it back.

-- Requires that a person exists, without a block between them and the caller, and locks the two as a pair. Raises
-- user.not_found. Security definer: a block is seen only by the person who made it.
create function private.require_drop_recipient(p_recipient_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  perform private.lock_pair(v_actor, p_recipient_id, true);
  if private.has_block(v_actor, p_recipient_id) or not private.has_profile(p_recipient_id) then
    raise exception 'no such recipient' using errcode = 'NX000', detail = 'user.not_found';
  end if;
end $$;
grant execute on function private.require_drop_recipient(uuid) to nectar_user;

-- Writes a drop of the caller for private.send_encouragement_drop. The drop is counted under the lock of the day's
-- allowance; the result is its id and the allowance, as private.read_allowance returns it. Security definer: no role may write drops or counts
-- directly.
create function private.record_encouragement_drop(
  p_drop jsonb, p_moment timestamptz, out drop_id uuid, out allowance private.drop_allowance
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_date constant date := (p_moment at time zone 'UTC')::date;
  v_given record;
begin
  perform private.check_moment(p_moment);
  -- One statement: starting another one takes longer than what it would read here.
  select d.recipient_id, d.template_id, d.entry_id, d.goal_id, coalesce(t.type, d.type, 'encouragement') as type, t.title,
    coalesce(t.content, d.content) as content, coalesce(t.media_type, d.media_type) as media_type,
    coalesce(t.media_url, d.media_url) as media_url, coalesce(t.thumbnail_url, d.thumbnail_url) as thumbnail_url,
    sender.full_name, rules.engagement_window_hours, (select p.is_ai from nectar.profiles p where p.id = d.recipient_id) as to_ai
  into v_given
  from jsonb_to_record(p_drop) d (
    recipient_id uuid, type nectar.encouragement_drop_type, template_id uuid, content text, media_type nectar.media_type,
    media_url text, thumbnail_url text, entry_id uuid, goal_id uuid
  )
  cross join nectar.encouragement_config rules
  left join nectar.drop_templates t on t.id = d.template_id and t.is_approved
  left join nectar.profiles sender on sender.id = v_actor;
  if v_given.template_id is not null and v_given.title is null then
    raise exception 'no such template' using errcode = 'NX000', detail = 'encouragement.template_not_found';
  end if;
  perform private.require_drop_recipient(v_given.recipient_id);
  allowance := private.use_allowance(v_actor, v_date, v_given.template_id is null);

  insert into nectar.encouragement_drops (
    sender_id, recipient_id, drop_type, template_id, title, content, media_type, media_url, thumbnail_url, entry_id,
    goal_id, is_custom, date_sent, created_at, engagement_until, engagement
  )
  values (
    v_actor, v_given.recipient_id, v_given.type, v_given.template_id, v_given.title, v_given.content,
    v_given.media_type, v_given.media_url, v_given.thumbnail_url, v_given.entry_id, v_given.goal_id, v_given.template_id is null,
    v_date, p_moment, p_moment + make_interval(hours => v_given.engagement_window_hours),
    case when v_given.to_ai then 'never'::nectar.engagement_state else 'open' end
  )
  returning id into drop_id;
  -- Not private.notify: the drop has locked the profile of the recipient.
  insert into nectar.notifications (user_id, type, data, caused_by)
  values (
    v_given.recipient_id, 'drop_received',
    jsonb_build_object(
      'drop_id', drop_id, 'sender_id', v_actor, 'drop_type', v_given.type, 'full_name', v_given.full_name
    ),
    v_actor
  );
  if v_given.template_id is not null then
    -- Last, because everyone who sends this template waits for this row.
    update nectar.drop_templates t set usage_count = t.usage_count + 1 where t.id = v_given.template_id;
  end if;
end $$;
grant execute on function private.record_encouragement_drop(jsonb, timestamptz) to nectar_user;

create type private.sent_drop as (drop private.received_drop, allowance private.drop_allowance, badge nectar.readable_badges);
comment on type private.sent_drop is 'A drop that was sent, and what its sender has after it.';

-- Sends a drop of the caller; returns it, and the allowance and the badge of the caller after it. p_drop has
-- recipient_id, and a template_id, or content with or without type, media_type, media_url and thumbnail_url; and
-- entry_id or goal_id if the drop is about an entry or a goal, which the caller has checked that they see. Raises
-- encouragement.template_not_found (also for a draft), user.not_found (also with a block between the two),
-- encouragement.allowance_exhausted, encouragement.custom_drops_exhausted, and service.unexpected unless the moment is
-- now.
create function private.send_encouragement_drop(p_drop jsonb, p_moment timestamptz)
  returns private.sent_drop
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_recorded constant record := private.record_encouragement_drop(p_drop, p_moment);
begin
  return (
    select row(
      d.drop, v_recorded.allowance,
      (select b from nectar.readable_badges b where b.user_id = private.actor_id())
    )::private.sent_drop
    from nectar.drop_objects d where d.id = v_recorded.drop_id
  );
end $$;
grant execute on function private.send_encouragement_drop(jsonb, timestamptz) to nectar_user;
