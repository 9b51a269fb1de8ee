-- Why: What a reader sees of a goal is stated once, under the policies of the reader, for lists and single goals alike.

create view nectar.readable_goals with (security_invoker = true) as
select
  g.id, g.user_id, p.full_name, p.avatar_url, p.is_ai, g.title, c.description, g.target_date, g.status, g.weekdays, g.streak,
  g.longest_streak, g.streak_ends_on, g.comments_enabled, coalesce(c.comment_count, 0) as comment_count,
  g.metadata_visibility, g.content_visibility, g.team_id, g.org_id,
  private.visibility_of(g.metadata_audience_id, g.user_id, g.team_id, g.org_id) as effective_metadata_visibility,
  private.visibility_of(g.content_audience_id, g.user_id, g.team_id, g.org_id) as effective_content_visibility,
  c.goal_id is null as content_hidden,
  case when g.hidden_at is not null then 'hidden'::nectar.moderation_state end as moderation, g.created_at, g.updated_at,
  g.version
from nectar.goals g
join nectar.profiles p on p.id = g.user_id
left join nectar.goal_contents c on c.goal_id = g.id;
comment on view nectar.readable_goals is
  'Goals as the caller sees them, with the streak of the last check-in. A description that the caller may not see is null.';
grant select on nectar.readable_goals to nectar_user;

create view nectar.readable_goal_check_ins with (security_invoker = true) as
select k.id, k.goal_id, k.user_id, k.status, c.notes, k.check_in_date, k.created_at, k.version
from nectar.goal_check_ins k
left join nectar.goal_check_in_contents c on c.check_in_id = k.id;
comment on view nectar.readable_goal_check_ins is
  'Check-ins to goals as the caller sees them. Notes that the caller may not see are null.';
grant select on nectar.readable_goal_check_ins to nectar_user;

-- Returns a page of the goals that the caller may see, newest first, after a row (its time and id). They have a status, or
-- any if it is null. The scopes are all, own, shared and public. In a transaction that writes, it logs what a super admin
-- reads.
create function private.list_goals(
  p_scope text, p_status nectar.goal_status, p_after timestamptz, p_after_id uuid, p_max integer
) returns setof nectar.readable_goals
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_ids constant uuid[] := private.newest_visible_goals(p_scope, p_after, p_after_id, '-infinity', p_status, p_max);
begin
  -- The last row is read to know whether there is a next page.
  if not current_setting('transaction_read_only')::boolean then perform private.log_reads(v_ids[:p_max - 1], true); end if;
  return query
    -- In a sub-select, or the planner makes a new plan in every call, because it knows the length of the array.
    select g.* from unnest((select v_ids)) with ordinality page (id, place) join nectar.readable_goals g on g.id = page.id
    order by page.place;
end $$;
grant execute on function private.list_goals(text, nectar.goal_status, timestamptz, uuid, integer) to nectar_user;

-- Returns the goal with an id as the caller sees it; no row if they may not see it. In a transaction that writes, it
-- logs what a super admin reads.
create function private.read_goal(p_id uuid) returns setof nectar.readable_goals rows 1
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  if not current_setting('transaction_read_only')::boolean then perform private.log_reads(array[p_id], true); end if;
  return query select * from nectar.readable_goals g where g.id = p_id;
end $$;
grant execute on function private.read_goal(uuid) to nectar_user;

create type private.goal_streak as (current integer, longest integer);
create type private.due_goal as (id uuid, title text, streak private.goal_streak, checked_in boolean);
comment on type private.due_goal is 'checked_in says whether a check-in of that date is `completed`.';

-- Returns the caller's active goals with weekdays that are due on a date of theirs, oldest first.
create function private.list_due_goals(p_date date, p_max integer) returns private.due_goal[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
  v_completed constant uuid[] := array(
    select k.goal_id from nectar.goal_check_ins k
    where k.user_id = (select v_me) and k.check_in_date = (select p_date) and k.status = 'completed'
  );
begin
  return array(
    select row(
      g.id, g.title,
      row(private.streak_on(g.streak, g.streak_ends_on, p_date), g.longest_streak)::private.goal_streak,
      g.id = any ((select v_completed)::uuid[])
    )::private.due_goal
    from nectar.goals g
    where g.user_id = (select v_me) and g.status = 'active' and g.weekdays is not null and private.is_due(g.weekdays, p_date)
    order by g.created_at, g.id limit (select p_max)
  );
end $$;
grant execute on function private.list_due_goals(date, integer) to nectar_user;
