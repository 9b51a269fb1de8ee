-- Why: What became of a person's days of a week. It is counted after the week and once more a week later, since
-- check-ins are reviewed; its player is notified when it is first counted after their last day of the week.

create table nectar.weekly_workout_stats (
  week_start_date date not null,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  team_color nectar.team_color,
  days_planned integer not null,
  completed_count integer not null,
  failed_count integer not null,
  pending_count integer not null,
  completion_rate numeric(4, 1) not null generated always as (
    case when days_planned = 0 then 0 else round(100.0 * completed_count / days_planned, 1) end
  ) stored,
  chips_earned integer not null,
  is_over boolean not null default false,
  updated_at timestamptz(3) not null default now(),
  primary key (week_start_date, user_id),
  constraint weekly_workout_stats_week_starts_on_monday check (week_start_date = private.week_start(week_start_date)),
  constraint weekly_workout_stats_at_most_a_week check (days_planned between 0 and 7),
  constraint weekly_workout_stats_not_negative check (
    least(completed_count, failed_count, pending_count, chips_earned) >= 0
  ),
  constraint weekly_workout_stats_add_up check (completed_count + failed_count + pending_count = days_planned)
);
comment on table nectar.weekly_workout_stats is
  'The results of a person''s days of a week, by game date. Only the person reads their own.';
comment on column nectar.weekly_workout_stats.chips_earned is
  'Chips of the week''s check-ins, whichever battle they count for.';
comment on column nectar.weekly_workout_stats.is_over is
  'Whether it was counted after the person''s last day of the week, and they were notified.';

create index weekly_workout_stats_of_user on nectar.weekly_workout_stats (user_id, week_start_date);

-- Marks the weeks of people as over, and notifies those for whom that is new, and those of p_over. The weeks of p_over
-- were over when they were first counted. Synthetic users are not notified.
create function private.end_weeks(p_week date, p_user_ids uuid[], p_over nectar.weekly_workout_stats[]) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_over nectar.weekly_workout_stats[];
begin
  with turned as (
    update nectar.weekly_workout_stats s set is_over = true
    where s.week_start_date = p_week and s.user_id = any (p_user_ids) and not s.is_over returning s
  )
  select p_over || array_agg(t.s) into v_over from turned t;
  insert into nectar.notifications (user_id, type, data)
  select w.user_id, 'weekly_stats', jsonb_build_object(
    'week_start_date', p_week, 'days_planned', w.days_planned, 'completed_count', w.completed_count,
    'chips_earned', w.chips_earned
  )
  from unnest(v_over) w where not (select p.is_ai from nectar.profiles p where p.id = w.user_id);
end $$;

-- Counts a week of people and returns for how many of them that changed something. Notifies each of them once, when all
-- days of their week are over where they live; synthetic users are left out. Security definer: no role may write the
-- statistics directly.
create function private.count_week(
  p_week date, p_moment timestamptz, p_grace_minutes integer, p_user_ids uuid[]
) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_changed integer;
  v_over nectar.weekly_workout_stats[];
  v_people_over uuid[];
begin
  perform private.lock_profiles(p_user_ids);
  with days as (
    select c.user_id, c.team_color,
      private.day_state(
        k.status, c.window_starts_at, c.window_ends_at, c.day_ends_at, p_moment, p_grace_minutes
      ) as state,
      case when k.status = 'verified' then k.battle_chips_earned else 0 end as chips,
      c.day_ends_at <= p_moment as is_over
    from nectar.chains c
    -- The limits make these joins searches for each row, instead of a comparison of each with each, or of all check-ins.
    left join lateral (
      select k.status, k.battle_chips_earned from nectar.workout_checkins k
      where k.user_id = c.user_id and k.date = c.date limit 1
    ) k on true
    where c.date between p_week and p_week + 6 and c.user_id = any (p_user_ids)
  ), sums as (
    select d.user_id, max(d.team_color) as team_color, count(*)::integer as planned,
      (count(*) filter (where d.state = 'completed'))::integer as completed,
      (count(*) filter (where d.state = 'failed'))::integer as failed,
      (count(*) filter (where d.state in ('not_started', 'pending')))::integer as pending,
      sum(d.chips)::integer as chips, bool_and(d.is_over) as is_over
    from days d group by d.user_id
  ), written as (
    insert into nectar.weekly_workout_stats as s (
      week_start_date, user_id, team_color, days_planned, completed_count, failed_count, pending_count, chips_earned,
      is_over, updated_at
    )
    select p_week, u.user_id, u.team_color, u.planned, u.completed, u.failed, u.pending, u.chips, u.is_over, p_moment
    from sums u
    left join lateral (
      select * from nectar.weekly_workout_stats o where o.week_start_date = p_week and o.user_id = u.user_id limit 1
    ) o on true
    -- Nearly all weeks that are counted again have not changed, and a conflict would lock their rows.
    where (o.team_color, o.days_planned, o.completed_count, o.failed_count, o.pending_count, o.chips_earned)
      is distinct from (u.team_color, u.planned, u.completed, u.failed, u.pending, u.chips)
    on conflict (week_start_date, user_id) do update
      set team_color = excluded.team_color, days_planned = excluded.days_planned,
        completed_count = excluded.completed_count, failed_count = excluded.failed_count,
        pending_count = excluded.pending_count, chips_earned = excluded.chips_earned, updated_at = excluded.updated_at
      where (s.team_color, s.days_planned, s.completed_count, s.failed_count, s.pending_count, s.chips_earned)
        is distinct from (excluded.team_color, excluded.days_planned, excluded.completed_count,
          excluded.failed_count, excluded.pending_count, excluded.chips_earned)
    -- A row that was inserted has no xmax; one that was updated was locked before.
    returning s, s.xmax = 0 as is_first
  )
  select count(*), array_agg(w.s) filter (where w.is_first and (w.s).is_over),
    array(select u.user_id from sums u where u.is_over)
  into v_changed, v_over, v_people_over
  from written w;
  perform private.end_weeks(p_week, v_people_over, v_over);
  return v_changed;
end $$;
grant execute on function private.count_week(date, timestamptz, integer, uuid[]) to nectar_service;

alter table nectar.weekly_workout_stats enable row level security;

create policy "a person sees the statistics of their own weeks" on nectar.weekly_workout_stats
  for select to nectar_user using (user_id = (select private.actor_id()));

grant select on nectar.weekly_workout_stats to nectar_user;
