-- Why: What a reader sees of a goal is stated once, under the policies of the reader, for lists and single goals alike.

create type private.goal_streak as (current integer, longest integer);

create type private.shown_goal as (
  id uuid, user_id uuid, "user" private.card, title text, description text, target_date date, status nectar.goal_status,
  weekdays smallint[], streak private.goal_streak, comments_enabled boolean, comment_count integer,
  metadata_visibility nectar.visibility, content_visibility nectar.visibility, team_id uuid, org_id uuid,
  effective_metadata_visibility nectar.visibility, effective_content_visibility nectar.visibility, content_hidden boolean,
  moderation nectar.moderation_state, created_at text, updated_at text
);
comment on type private.shown_goal is
  'A goal as the caller sees it. A description that the caller may not see is null.';

-- Returns the goals with these ids as the caller sees them at a moment, in this order, without those that they may not
-- see.
create function private.shown_goals(p_ids uuid[], p_moment timestamptz) returns setof private.shown_goal
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_utc_date constant date := (p_moment at time zone 'UTC')::date;
begin
  return query
    select
      g.id, g.user_id, row(p.id, p.full_name, p.avatar_url, p.is_ai)::private.card, g.title, c.description, g.target_date,
      g.status, g.weekdays,
      row(
        -- Few goals need the date of their owner, which is at most a day from that of UTC.
        case when g.streak_ends_on <= v_utc_date
          then private.current_streak(g.user_id, g.streak, g.streak_ends_on, p_moment)
          else g.streak
        end,
        g.longest_streak
      )::private.goal_streak,
      g.comments_enabled, coalesce(c.comment_count, 0), g.metadata_visibility, g.content_visibility, g.team_id, g.org_id,
      private.visibility_of(g.metadata_audience_id, g.user_id, g.team_id, g.org_id),
      private.visibility_of(g.content_audience_id, g.user_id, g.team_id, g.org_id),
      c.goal_id is null, case when g.hidden_at is not null then 'hidden'::nectar.moderation_state end,
      private.rfc3339(g.created_at), private.rfc3339(g.updated_at)
    -- In a sub-select, or the planner makes a new plan in every call, because it knows the length of the array.
    from unnest((select p_ids)) with ordinality page (id, place)
    join nectar.goals g on g.id = page.id
    join nectar.profiles p on p.id = g.user_id
    left join nectar.goal_contents c on c.goal_id = g.id
    order by page.place;
end $$;
grant execute on function private.shown_goals(uuid[], timestamptz) to nectar_user;

create view nectar.readable_goal_check_ins with (security_invoker = true) as
select k.id, k.goal_id, k.user_id, k.status, c.notes, k.check_in_date, k.created_at
from nectar.goal_check_ins k
left join nectar.goal_check_in_contents c on c.check_in_id = k.id;
comment on view nectar.readable_goal_check_ins is
  'Check-ins to goals as the caller sees them. Notes that the caller may not see are null.';
grant select on nectar.readable_goal_check_ins to nectar_user;

-- Returns a page of the goals that the caller may see at a moment, with a status or with any if it is null, newest
-- first, after a row (its time and id). The scopes are all, own, shared and public. In a transaction that writes, it
-- logs what a super admin reads.
create function private.list_goals(
  p_scope text, p_status nectar.goal_status, p_after timestamptz, p_after_id uuid, p_max integer, p_moment timestamptz
) returns setof private.shown_goal
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_ids constant uuid[] := private.newest_visible_goals(p_scope, p_after, p_after_id, '-infinity', p_status, p_max);
begin
  -- The last row is read to know whether there is a next page.
  if not current_setting('transaction_read_only')::boolean then perform private.log_reads(v_ids[:p_max - 1], true); end if;
  return query select * from private.shown_goals(v_ids, p_moment);
end $$;
grant execute on function private.list_goals(text, nectar.goal_status, timestamptz, uuid, integer, timestamptz)
  to nectar_user;

-- Returns the goal with an id as the caller sees it at a moment; no row if they may not see it. In a transaction that
-- writes, it logs what a super admin reads.
create function private.read_goal(p_id uuid, p_moment timestamptz) returns setof private.shown_goal rows 1
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  if not current_setting('transaction_read_only')::boolean then perform private.log_reads(array[p_id], true); end if;
  return query select * from private.shown_goals(array[p_id], p_moment);
end $$;
grant execute on function private.read_goal(uuid, timestamptz) to nectar_user;
