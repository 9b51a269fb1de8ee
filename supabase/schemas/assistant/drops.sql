-- Why: The assistant sends its drops as the system user, at most one per person and UTC day.

create unique index encouragement_drops_one_of_assistant_a_day
  on nectar.encouragement_drops (recipient_id, date_sent) where sender_id = private.system_user_id();

-- Sends a person the assistant's drop of the UTC day, notifies them, and ends the turn; no allowance changes. The
-- result is null if they have a drop of that day already or do not want any more, or if the analysis that the drop is
-- about, if any, was deleted meanwhile; then the turn can be claimed again. Security definer: no role may send drops as
-- the system user directly.
create function private.send_assistant_drop(
  p_user_id uuid, p_moment timestamptz, p_content text, p_assistant_name text, p_analysis_id uuid
) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_drop_id uuid;
begin
  perform private.lock_profile(p_user_id);
  perform from nectar.accounts a
    where a.user_id = p_user_id and private.lets_assistant_serve(a, 'daily_drop') for share;
  if not found then return null; end if;
  -- Locked, so that nothing is sent of an analysis that is deleted before this transaction ends.
  perform from nectar.note_analyses n where n.id = p_analysis_id for share;
  if p_analysis_id is not null and not found then return null; end if;
  insert into nectar.encouragement_drops as d (
    sender_id, recipient_id, drop_type, content, is_custom, date_sent, created_at, engagement_until, engagement
  )
  select private.system_user_id(), p_user_id, 'encouragement', p_content, false, (p_moment at time zone 'UTC')::date, p_moment,
    p_moment + make_interval(hours => c.engagement_window_hours), 'never'
  from nectar.encouragement_config c
  on conflict (recipient_id, date_sent) where sender_id = private.system_user_id() do nothing
  returning d.id into v_drop_id;
  if v_drop_id is not null then
    perform private.notify(
      p_user_id, 'assistant_drop', jsonb_build_object('drop_id', v_drop_id, 'assistant_name', p_assistant_name)
    );
  end if;
  update private.assistant_turns
    set claim = null, claimed_until = null, finished_at = p_moment where user_id = p_user_id and job = 'daily_drop';
  return v_drop_id;
end $$;
grant execute on function private.send_assistant_drop(uuid, timestamptz, text, text, uuid) to nectar_service;
