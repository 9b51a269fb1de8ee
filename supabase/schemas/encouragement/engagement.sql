-- Why: A drop that is followed by an entry of its recipient earns its sender a bonus. A job finds these drops.

create view private.entry_times with (security_invoker = true) as
  select j.user_id, j.created_at from nectar.journal_entries j where not j.is_imported
  union all
  select w.user_id, w.created_at from nectar.wellness_entries w;
comment on view private.entry_times is 'When people wrote journal and wellness entries here; what they import was written elsewhere.';

-- Returns open drops by sender, after a drop: whether the window of each is over, and whether its recipient wrote an
-- entry in it.
create function private.next_open_drops(p_moment timestamptz, p_after_sender_id uuid, p_after_drop_id uuid, p_limit integer)
  returns table (sender_id uuid, id uuid, is_over boolean, was_engaged boolean)
  language plpgsql stable security invoker set search_path = '' as $$
declare
  -- An entry becomes visible when its transaction commits, less than this after its own time.
  v_grace constant interval := '1 minute';
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  return query
    select d.sender_id, d.id, d.engagement_until < p_moment - v_grace as is_over, exists (
        select from private.entry_times e
        where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until
      ) as was_engaged
    from nectar.encouragement_drops d
    where d.engagement = 'open'
      and (d.sender_id, d.id) > (coalesce(p_after_sender_id, v_nil), coalesce(p_after_drop_id, v_nil))
    order by d.sender_id, d.id limit p_limit;
end $$;

-- Processes the next open drops, those of one sender together, so that the sender's rows are written once. An entry of
-- the recipient after the drop and until the end of its window closes the drop as engaged: its sender earns the bonus,
-- for today, and a success for the badge. A window that is over closes the drop as expired. Returns the last drop and
-- the counts. Security definer: no role may write drops, allowances or badges directly.
create function private.process_engagement(
  p_moment timestamptz, p_after_sender_id uuid, p_after_drop_id uuid, p_limit integer,
  out last_sender uuid, out last_drop uuid, out checked integer, out engaged integer, out bonus_awarded integer, out badges_updated integer
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
  v_bonus integer;
  v_senders uuid[];
  v_drops uuid[];
  v_closing uuid[];
  v_were_engaged boolean[];
  v_closing_senders uuid[];
  v_synthetic_senders uuid[];
  v_changes jsonb;
begin
  -- One at a time: two runs over the same drops would only wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('process engagement', 0));
  select c.bonus_drops_per_engagement into v_bonus from nectar.encouragement_config c;
  select count(*), 0, 0, 0,
    array_agg(p.id) filter (where p.was_engaged or p.is_over),
    array_agg(p.was_engaged) filter (where p.was_engaged or p.is_over),
    array_agg(p.sender_id) filter (where p.was_engaged or p.is_over),
    array_agg(p.sender_id order by p.sender_id, p.id),
    array_agg(p.id order by p.sender_id, p.id)
  into checked, engaged, bonus_awarded, badges_updated, v_closing, v_were_engaged, v_closing_senders, v_senders, v_drops
  from private.next_open_drops(p_moment, p_after_sender_id, p_after_drop_id, p_limit) p;
  last_sender := v_senders[checked];
  last_drop := v_drops[checked];
  if v_closing is null then return; end if;
  -- Locks the senders' profiles before their rows, as account deletion does, to avoid deadlocks.
  select coalesce(array_agg(l.id) filter (where l.is_ai), '{}') into v_synthetic_senders
  from (
    select p.id, p.is_ai from nectar.profiles p where p.id = any ((select v_closing_senders)::uuid[]) for key share
  ) l;
  with closed as (
    update nectar.encouragement_drops d
    set engagement = (case when s.is_ai then 'never' when c.was_engaged then 'engaged' else 'expired' end
        )::nectar.engagement_state,
      engaged_at = case when c.was_engaged and not s.is_ai then p_moment end,
      bonus_drops_awarded = case when c.was_engaged and not s.is_ai then v_bonus else 0 end
    from unnest(v_closing, v_closing_senders, v_were_engaged) c (id, sender_id, was_engaged)
    cross join lateral (select c.sender_id = any (v_synthetic_senders) as is_ai) s
    where d.id = c.id and d.engagement = 'open'
      -- The batch is read at once, instead of one drop after the other.
      and (d.sender_id, d.id) > (coalesce(p_after_sender_id, v_nil), coalesce(p_after_drop_id, v_nil))
      and (d.sender_id, d.id) <= (last_sender, last_drop)
    returning d.sender_id, d.engagement
  ), earned as (
    select c.sender_id, count(*)::integer as successes from closed c where c.engagement = 'engaged' group by c.sender_id
  )
  select
    coalesce(sum(e.successes), 0),
    jsonb_agg(jsonb_build_object('user_id', e.sender_id, 'engaged', e.successes, 'bonus', e.successes * v_bonus))
  into engaged, v_changes
  from earned e;
  bonus_awarded := engaged * v_bonus;
  perform private.grant_encouragement_bonus(v_changes, p_moment);
  select count(*) into badges_updated from private.advance_badges(v_changes, p_moment);
end $$;
grant execute on function private.process_engagement(timestamptz, uuid, uuid, integer) to nectar_service;
