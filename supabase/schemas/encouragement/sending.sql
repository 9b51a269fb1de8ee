-- Why: A drop is sent in one round trip: it is counted in the allowance of the day and for the badge, the recipient is
-- notified, and the sender gets all of it back.

-- Functions -----------------------------------------------------------------------------------------------------------
-- Counts the drop under the lock of the day's allowance, and returns its id and the allowance, as
-- private.read_allowance does. Security definer: no role may write drops or counts directly.
create function private.record_encouragement_drop(
  p_drop jsonb, p_sees_entry boolean, p_moment timestamptz, out drop_id uuid, out allowance json
)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_actor constant uuid := private.actor_id();
  v_given record;
  v_template nectar.drop_templates;
  v_day nectar.encouragement_allowances;
begin
  perform private.check_moment(p_moment);
  perform private.lock_pair(v_actor, (p_drop ->> 'recipient_id')::uuid, true);
  -- One statement: starting another one takes longer than what it would read here.
  select d.*, recipient.is_ai as to_ai, sender.full_name as sender_name, rules.engagement_window_hours,
    rules.max_custom_drops_per_day
  into v_given
  from jsonb_to_record(p_drop) d (
    recipient_id uuid, type nectar.encouragement_drop_type, template_id uuid, content text, media_type nectar.media_type,
    media_url text, thumbnail_url text, entry_id uuid
  )
  cross join nectar.encouragement_config rules
  left join nectar.profiles recipient
    on recipient.id = d.recipient_id and not private.has_block(v_actor, d.recipient_id)
  left join nectar.profiles sender on sender.id = v_actor;
  if v_given.recipient_id = v_actor then
    raise exception 'a drop to oneself' using errcode = 'NX000', detail = 'encouragement.self_send';
  end if;
  if v_given.recipient_id = private.system_user_id() then
    raise exception 'a drop to the system user' using errcode = 'NX000', detail = 'encouragement.system_recipient';
  end if;
  if v_given.template_id is not null then
    select * into v_template from nectar.drop_templates t where t.id = v_given.template_id and t.is_approved;
    if not found then
      raise exception 'no such template' using errcode = 'NX000', detail = 'encouragement.template_not_found';
    end if;
    if v_given.type <> v_template.type then
      raise exception 'the template is of another type' using errcode = 'NX000', detail = 'encouragement.type_mismatch';
    end if;
  else
    v_template.type := coalesce(v_given.type, 'encouragement');
    v_template.content := v_given.content;
    v_template.media_type := v_given.media_type;
    v_template.media_url := v_given.media_url;
    v_template.thumbnail_url := v_given.thumbnail_url;
  end if;
  if v_given.to_ai is null then
    raise exception 'no such recipient' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  if v_given.entry_id is not null and p_sees_entry is not true then
    raise exception 'no such entry' using errcode = 'NX000', detail = 'journal.not_found';
  end if;

  v_day := private.use_allowance(v_actor, (p_moment at time zone 'UTC')::date, v_given.template_id is null);
  if v_day.drops_used > v_day.daily_allowance + v_day.bonus_carried + v_day.bonus_earned then
    raise exception 'allowance exhausted' using errcode = 'NX000', detail = 'encouragement.allowance_exhausted';
  end if;
  if v_given.template_id is null and v_day.custom_drops_used > v_given.max_custom_drops_per_day then
    raise exception 'custom drops exhausted' using errcode = 'NX000', detail = 'encouragement.custom_drops_exhausted';
  end if;
  allowance := json_build_object(
    'daily_allowance', v_day.daily_allowance,
    'drops_used', v_day.drops_used,
    'bonus_drops_earned', v_day.bonus_carried + v_day.bonus_earned,
    'custom_drops_used', v_day.custom_drops_used,
    'max_custom_drops_per_day', v_given.max_custom_drops_per_day
  );

  insert into nectar.encouragement_drops (
    sender_id, recipient_id, drop_type, template_id, title, content, media_type, media_url, thumbnail_url, entry_id,
    is_custom, date_sent, created_at, engagement_until, engagement
  )
  values (
    v_actor, v_given.recipient_id, v_template.type, v_given.template_id, v_template.title, v_template.content,
    v_template.media_type, v_template.media_url, v_template.thumbnail_url, v_given.entry_id,
    v_given.template_id is null, v_day.date, p_moment,
    p_moment + make_interval(hours => v_given.engagement_window_hours),
    case when v_given.to_ai then 'never'::nectar.engagement_state else 'open' end
  )
  returning id into drop_id;
  -- Not private.notify: the drop has locked the profile of the recipient.
  insert into nectar.notifications (user_id, type, data, caused_by)
  values (
    v_given.recipient_id, 'drop_received',
    jsonb_build_object(
      'drop_id', drop_id, 'sender_id', v_actor, 'drop_type', v_template.type, 'full_name', v_given.sender_name
    ),
    v_actor
  );
  if v_given.template_id is not null then
    -- Last, because everyone who sends this template waits for this row.
    update nectar.drop_templates t set usage_count = t.usage_count + 1 where t.id = v_given.template_id;
  end if;
end
$$;
comment on function private.record_encouragement_drop(jsonb, boolean, timestamptz) is
  'Does the work of private.send_encouragement_drop, which says whether the caller sees the entry.';
grant execute on function private.record_encouragement_drop(jsonb, boolean, timestamptz) to nectar_user;

-- p_drop has recipient_id, and a template_id, or content with or without type, media_type, media_url and thumbnail_url;
-- entry_id if it is about an entry. Raises encouragement.self_send, encouragement.system_recipient,
-- encouragement.template_not_found (also for a draft), encouragement.type_mismatch, user.not_found (also with a block
-- between the two), journal.not_found (also if the caller may not see the entry), encouragement.allowance_exhausted,
-- encouragement.custom_drops_exhausted, and service.unexpected unless the moment is now. It is a security invoker, so
-- that the policies decide whether the caller sees the entry.
create function private.send_encouragement_drop(p_drop jsonb, p_moment timestamptz) returns json
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
declare
  v_sees_entry boolean;
  v_recorded record;
begin
  if p_drop ->> 'entry_id' is not null then
    v_sees_entry := exists (select from nectar.journal_entries e where e.id = (p_drop ->> 'entry_id')::uuid);
  end if;
  v_recorded := private.record_encouragement_drop(p_drop, v_sees_entry, p_moment);
  return (
    select json_build_object(
      'drop', d.drop,
      'allowance', v_recorded.allowance,
      'badge', (select b from nectar.user_badges b where b.user_id = private.actor_id())
    )
    from nectar.drop_objects d
    where d.id = v_recorded.drop_id
  );
end
$$;
comment on function private.send_encouragement_drop(jsonb, timestamptz) is
  'Sends a drop of the caller; returns it, and the allowance and the badge of the caller after it.';
grant execute on function private.send_encouragement_drop(jsonb, timestamptz) to nectar_user;
