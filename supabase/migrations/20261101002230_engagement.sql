-- Why: A drop that is followed by an entry of its recipient earns its sender a bonus. A job finds these drops.

-- Views ---------------------------------------------------------------------------------------------------------------
create view private.entry_times with (security_invoker = true) as
  select j.user_id, j.created_at from nectar.journal_entries j
  union all
  select w.user_id, w.created_at from nectar.wellness_entries w;
comment on view private.entry_times is 'When people wrote journal and wellness entries.';

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.process_engagement(
  p_moment timestamptz, p_after_sender_id uuid, p_after_drop_id uuid, p_limit integer,
  out last_sender uuid, out last_drop uuid, out checked integer, out engaged integer, out bonus_awarded integer, out badges_updated integer,
  out climbed uuid[]
)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  -- An entry becomes visible when its transaction commits, less than this after its own time.
  v_grace constant interval := '1 minute';
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
  v_bonus integer;
  v_changes jsonb;
begin
  -- One at a time: two runs over the same drops would only wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('process engagement', 0));
  select c.bonus_drops_per_engagement into v_bonus from nectar.encouragement_config c;
  select p.sender_id, p.id, p.number into last_sender, last_drop, checked
  from (
    select d.sender_id, d.id, row_number() over (order by d.sender_id, d.id) as number
    from nectar.encouragement_drops d
    where d.engagement = 'open'
      and (d.sender_id, d.id) > (coalesce(p_after_sender_id, v_nil), coalesce(p_after_drop_id, v_nil))
    order by d.sender_id, d.id
    limit p_limit
  ) p
  order by p.number desc
  limit 1;
  -- Locks the senders' profiles first, as account deletion does, to avoid deadlocks.
  perform private.lock_profiles(array(
    select distinct d.sender_id
    from nectar.encouragement_drops d
    where d.engagement = 'open'
      and (d.sender_id, d.id) > (coalesce(p_after_sender_id, v_nil), coalesce(p_after_drop_id, v_nil))
      and (d.sender_id, d.id) <= (last_sender, last_drop)
  ));
  -- Entries are searched once for each drop: before the end of its window to decide whether to close it, afterwards to
  -- decide how.
  with closed as (
    update nectar.encouragement_drops d
    set (engagement, engaged_at, bonus_drops_awarded) = (
      select
        (case when b.is_ai then 'never' when c.was_engaged then 'engaged' else 'expired' end)::nectar.engagement_state,
        case when c.was_engaged and not b.is_ai then p_moment end,
        case when c.was_engaged and not b.is_ai then v_bonus else 0 end
      from nectar.user_badges b
      cross join lateral (
        select d.engagement_until >= p_moment - v_grace or exists (
          select from private.entry_times e
          where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until
        ) as was_engaged
      ) c
      where b.user_id = d.sender_id
    )
    where d.engagement = 'open'
      and (d.sender_id, d.id) > (coalesce(p_after_sender_id, v_nil), coalesce(p_after_drop_id, v_nil))
      and (d.sender_id, d.id) <= (last_sender, last_drop)
      and (
        d.engagement_until < p_moment - v_grace
        or exists (
          select from private.entry_times e
          where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until
        )
      )
    returning d.sender_id, d.engagement
  ), earned as (
    select c.sender_id, count(*)::integer as successes
    from closed c
    where c.engagement = 'engaged'
    group by c.sender_id
  )
  select
    coalesce(sum(e.successes), 0),
    jsonb_agg(jsonb_build_object('user_id', e.sender_id, 'engaged', e.successes, 'bonus', e.successes * v_bonus))
  into engaged, v_changes
  from earned e;
  checked := coalesce(checked, 0);
  bonus_awarded := engaged * v_bonus;
  perform private.grant_encouragement_bonus(v_changes, p_moment);
  select count(*), coalesce(array_agg(a.user_id) filter (where a.climbed), '{}') into badges_updated, climbed
  from private.advance_badges(v_changes, p_moment) a;
end
$$;
comment on function private.process_engagement(timestamptz, uuid, uuid, integer) is
  'Processes the next open drops, those of one sender together, so that the sender''s rows are written once. An entry of the recipient after the drop and until the end of its window closes the drop as engaged: its sender earns the bonus, for today, and a success for the badge. A window that is over closes the drop as expired. Returns the last drop, the counts, and whose badge rose. Security definer: no role may write drops, allowances or badges directly.';
grant execute on function private.process_engagement(timestamptz, uuid, uuid, integer) to nectar_service;
