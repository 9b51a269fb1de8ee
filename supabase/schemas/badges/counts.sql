-- Why: Sending a drop counts for the sender's badge. Badges are also recalculated, on request and by the job.

create view private.next_badges with (security_invoker = true) as
  select d.level, min(h.min_engagement_increases) as min_engagement_increases from nectar.badge_definitions d
  join nectar.badge_definitions h on h.level > d.level
  group by d.level;
comment on view private.next_badges is 'The engagements without which a badge of a level cannot rise.';

-- Recalculates levels, for when definitions have changed or a day has passed. Returns the people with enough
-- engagements for a higher level, and whether their level rose.
create function private.recalculate_badges(p_user_ids uuid[], p_moment timestamptz)
  returns table (user_id uuid, climbed boolean)
  language sql volatile security invoker set search_path = '' as $$
    select a.user_id, a.climbed
    from private.advance_badges(
      (
        select jsonb_agg(jsonb_build_object('user_id', b.user_id)) from nectar.user_badges b
        join private.next_badges n on n.level = b.level
        where b.user_id = any (p_user_ids) and b.engagement_increases >= n.min_engagement_increases
      ),
      p_moment
    ) a
  $$;

-- Recalculates the caller's level. Returns whether it rose. Raises service.unexpected unless the moment is now.
-- Security definer: no role may write badges directly.
create function private.recalculate_my_badge(p_moment timestamptz) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.check_moment(p_moment);
  return coalesce((select r.climbed from private.recalculate_badges(array[private.actor_id()], p_moment) r), false);
end $$;
grant execute on function private.recalculate_my_badge(timestamptz) to nectar_user;

-- Recalculates the badges of the next people who sent a drop today or yesterday (UTC) and have enough engagements for a
-- higher level. Returns the last of them, how many there were, and how many levels rose. Security definer: no role may
-- write badges directly.
create function private.recalculate_recent_badges(
  p_moment timestamptz, p_after_user_id uuid, p_limit integer, out last_user uuid, out seen integer, out badges_updated integer
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_people constant uuid[] := array(
    select b.user_id from nectar.user_badges b
    join private.next_badges n on n.level = b.level
    where b.last_sent_on >= (p_moment at time zone 'UTC')::date - 1
      and b.engagement_increases >= n.min_engagement_increases
      and b.user_id > coalesce(p_after_user_id, '00000000-0000-0000-0000-000000000000')
    order by b.user_id limit p_limit
  );
begin
  seen := cardinality(v_people);
  last_user := v_people[seen];
  select count(*) into badges_updated from private.recalculate_badges(v_people, p_moment) r where r.climbed;
end $$;
grant execute on function private.recalculate_recent_badges(timestamptz, uuid, integer) to nectar_service;
