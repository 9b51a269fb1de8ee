-- Why: the results of a person's days. When a day is over, the check-ins that depend on it are recounted and the next person is
-- notified; reminders and the statistics of a week are sent and counted once, even if their job runs twice.

-- Tables ----------------------------------------------------------------------------------------------------------------
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
  updated_at timestamptz(3) not null default now(),
  primary key (week_start_date, user_id),
  constraint weekly_workout_stats_week_starts_on_monday check (extract(isodow from week_start_date) = 1),
  constraint weekly_workout_stats_at_most_a_week check (days_planned between 0 and 7),
  constraint weekly_workout_stats_not_negative check (
    least(completed_count, failed_count, pending_count, chips_earned) >= 0
  ),
  constraint weekly_workout_stats_add_up check (completed_count + failed_count + pending_count = days_planned)
);

create table private.game_notices (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  date date not null,
  kind nectar.notification_type not null,
  window_starts_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (user_id, date, kind)
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index weekly_workout_stats_of_user on nectar.weekly_workout_stats (user_id, week_start_date);
create index game_notices_of_date on private.game_notices (date);
create index chains_about_to_start on nectar.chains (window_starts_at);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.announce_broken_chains(p_user_ids uuid[], p_dates date[])
  returns table (user_id uuid, date date)
  language sql volatile security invoker
  set search_path = ''
  as $$
    with noticed as (
      insert into private.game_notices (user_id, date, kind)
      select n.user_id, n.date, 'chain_broken'
      from unnest(p_user_ids, p_dates) n (user_id, date)
      join nectar.profiles p on p.id = n.user_id and not p.is_ai
      order by n.user_id, n.date
      on conflict do nothing
      returning user_id, date
    ), messages as (
      insert into nectar.notifications (user_id, type, title, body, data)
      select n.user_id, 'chain_broken', 'Your chain broke', 'The person before you has no valid check-in.',
        jsonb_build_object('date', n.date)
      from noticed n
    )
    select n.user_id, n.date from noticed n
  $$;
comment on function private.announce_broken_chains(uuid[], date[]) is
  'Notifies people that their chain of a date broke, synthetic users left out, unless their last notification about it says so already. Returns who was notified.';

create function private.recount_check_ins(p_user_ids uuid[], p_dates date[])
  returns table (user_id uuid, date date)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
#variable_conflict use_column
declare
  affected constant uuid[] := array(
    select k.id
    from unnest(p_user_ids, p_dates) r (user_id, date)
    join nectar.chains c on c.before_user_id = r.user_id and c.date = r.date
    join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
    union
    select k.id
    from unnest(p_user_ids, p_dates) r (user_id, date)
    join nectar.workout_checkins k on k.user_id = r.user_id and k.date between r.date + 1 and r.date + 6
  );
begin
  if cardinality(affected) = 0 then
    return;
  end if;
  -- In the order of dates and chains, so that two recounts never wait for each other. The later one reads what the earlier
  -- one has committed.
  perform
  from nectar.workout_checkins k
  left join nectar.chains c on c.user_id = k.user_id and c.date = k.date
  where k.id = any (affected)
  order by k.date, c.window_starts_at, k.user_id
  for no key update of k;
  -- Shared with check-ins: a battle ends before this, and keeps its chips, or with what is written here.
  perform
  from nectar.battles b
  where b.week_start_date in (
    select k.battle_week_start from nectar.workout_checkins k where k.id = any (affected) and k.status = 'verified'
  )
  order by b.week_start_date
  for share;
  return query
    with facts as (
      select k.id, k.chain_status as previous_chain_status, private.has_streak(k.user_id, k.date) as has_streak,
        case
          when r.user_id is null then k.chain_status
          when exists (
            select from nectar.workout_checkins b
            where b.user_id = r.user_id and b.date = r.date and b.status <> 'rejected'
          ) then 'continued'
          else 'broken'
        end::nectar.chain_status as chain_status
      from nectar.workout_checkins k
      left join nectar.chains c on c.user_id = k.user_id and c.date = k.date
      left join unnest(p_user_ids, p_dates) r (user_id, date) on r.user_id = c.before_user_id and r.date = c.date
      where k.id = any (affected) and not private.keeps_chips(k.battle_week_start, k.status, k.is_counted)
    ), changed as (
      update nectar.workout_checkins k
      set chain_status = f.chain_status, has_streak = f.has_streak
      from facts f
      where k.id = f.id and (k.chain_status, k.has_streak) is distinct from (f.chain_status, f.has_streak)
      returning k.user_id, k.date, k.chain_status, f.previous_chain_status
    ), turned as (
      select h.user_id, h.date, h.chain_status
      from changed h
      join nectar.profiles p on p.id = h.user_id and not p.is_ai
      where h.chain_status <> h.previous_chain_status
    ), forgotten as (
      delete from private.game_notices g
      using turned t
      where t.chain_status = 'continued' and g.user_id = t.user_id and g.date = t.date and g.kind = 'chain_broken'
    ), restored as (
      insert into nectar.notifications (user_id, type, title, body, data)
      select t.user_id, 'chain_restored', 'Your chain continues', 'The check-in of the person before you counts after all.',
        jsonb_build_object('date', t.date)
      from turned t
      where t.chain_status = 'continued'
    )
    select b.user_id, b.date
    from (
      select array_agg(t.user_id order by t.user_id) as user_ids, array_agg(t.date order by t.user_id) as dates
      from turned t
      where t.chain_status = 'broken'
    ) broken
    cross join lateral private.announce_broken_chains(broken.user_ids, broken.dates) b;
end
$$;
comment on function private.recount_check_ins(uuid[], date[]) is
  'Brings check-ins in line with results of people on dates that have become known: the chain of the next person, and the streak of the same person''s next six dates. Chips follow by themselves, and so does a running battle; what a battle has ended with stays. The people concerned are notified when their chain broke or continues after all. Returns who was notified that it broke. Security definer: no role may write chips or notifications directly.';

create function private.follow_check_ins() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  user_ids uuid[];
  dates date[];
begin
  if tg_op = 'INSERT' then
    select array_agg(n.user_id order by n.id), array_agg(n.date order by n.id) into user_ids, dates from after_change n;
  else
    select array_agg(n.user_id order by n.id), array_agg(n.date order by n.id) into user_ids, dates
    from after_change n
    join before_change o on o.id = n.id
    where o.status <> n.status;
  end if;
  perform private.recount_check_ins(user_ids, dates);
  return null;
end
$$;
comment on function private.follow_check_ins() is
  'Trigger: new check-ins and changes of their status recount the check-ins that depend on them. Security definer, as private.recount_check_ins.';

create function private.end_days(moment timestamptz, most integer)
  returns table (
    week date, people uuid[], closed integer, completed integer, pending integer, failed integer, told integer
  )
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  due uuid[];
  next_people uuid[];
  broken_dates date[];
begin
  -- A check-in locks its chain row while it is written, so the statements after this one see those that were in time.
  -- Account deletion locks the profile and then waits for its rows: profiles first here as well, and those that are locked are skipped.
  due := array(
    select c.id
    from nectar.chains c
    join nectar.profiles p on p.id = c.user_id
    where c.closed_at is null and c.day_ends_at <= moment
    order by c.day_ends_at, c.id
    limit most
    for key share of p skip locked
    for no key update of c skip locked
  );
  next_people := array(
    select p.id
    from nectar.profiles p
    where p.id in (select c.after_user_id from nectar.chains c where c.id = any (due))
    order by p.id
    for key share skip locked
  );
  -- A day whose next person is just being deleted is left to the next run.
  due := array(
    select c.id from nectar.chains c
    where c.id = any (due) and (c.after_user_id is null or c.after_user_id = any (next_people))
  );
  update nectar.chains c set closed_at = moment where c.id = any (due);
  broken_dates := array(
    select r.date
    from (
      select array_agg(c.user_id order by c.id) as user_ids, array_agg(c.date order by c.id) as dates
      from nectar.chains c
      where c.id = any (due) and not exists (
        select from nectar.workout_checkins k
        where k.user_id = c.user_id and k.date = c.date and k.status <> 'rejected'
      )
    ) failed
    cross join lateral private.recount_check_ins(failed.user_ids, failed.dates) r
  );
  broken_dates := broken_dates || array(
    select t.date
    from (
      select array_agg(c.after_user_id order by c.id) as user_ids, array_agg(c.date order by c.id) as dates
      from nectar.chains c
      where c.id = any (due) and c.after_user_id is not null
        and not exists (
          select from nectar.workout_checkins k
          where k.user_id = c.user_id and k.date = c.date and k.status <> 'rejected'
        )
        -- A check-in that a battle has ended with keeps the chain that it counted.
        and not exists (
          select from nectar.workout_checkins k
          where k.user_id = c.after_user_id and k.date = c.date and k.chain_status = 'continued'
        )
    ) failed
    cross join lateral private.announce_broken_chains(failed.user_ids, failed.dates) t
  );
  return query
    with judged as materialized (
      select c.date, c.date - (extract(isodow from c.date)::integer - 1) as week, c.user_id, c.team_color,
        case k.status when 'verified' then 'completed' when 'pending' then 'pending' else 'failed' end as state
      from nectar.chains c
      left join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
      where c.id = any (due)
    ), running as materialized (
      select b.week_start_date as week, coalesce(sum(d.red_chips), 0)::integer as red,
        coalesce(sum(d.blue_chips), 0)::integer as blue
      from nectar.battles b
      left join lateral private.battle_days(b.week_start_date) d on true
      where b.battle_status = 'in_progress' and b.week_start_date in (select j.week from judged j)
      group by b.week_start_date
    ), messages as (
      insert into nectar.notifications (user_id, type, title, body, data)
      select j.user_id, 'battle_progress', 'How the battle stands',
        'The red team has ' || r.red || ' chips and the blue team ' || r.blue || '.',
        jsonb_build_object('date', j.date, 'week_start_date', r.week, 'team_color', j.team_color, 'red_team_chips', r.red,
          'blue_team_chips', r.blue)
      from judged j
      join running r on r.week = j.week
      join nectar.profiles p on p.id = j.user_id and not p.is_ai
      where j.state = 'completed'
    )
    select j.week, array_agg(j.user_id), count(*)::integer,
      (count(*) filter (where j.state = 'completed'))::integer,
      (count(*) filter (where j.state = 'pending'))::integer,
      (count(*) filter (where j.state = 'failed'))::integer,
      (select count(*) from unnest(broken_dates) t (date) where t.date between j.week and j.week + 6)::integer
    from judged j
    group by j.week;
end
$$;
comment on function private.end_days(timestamptz, integer) is
  'Ends the days that are over where their players are, so many at most, the oldest first: counts what became of them in each week, recounts and notifies the next person of each one who did not check in, once, and notifies those who played how the battle stands. Security definer: no role may write chains or notifications directly.';

create function private.remind_players(moment timestamptz, most integer) returns integer
  language sql volatile security definer
  set search_path = ''
  as $$
    with due as (
      select c.user_id, c.date, c.window_start_time, c.window_starts_at
      from nectar.chains c
      join nectar.profiles p on p.id = c.user_id and not p.is_ai
      where c.window_starts_at > moment and c.window_starts_at <= moment + interval '30 minutes'
        and not exists (
          select from private.game_notices g
          where g.user_id = c.user_id and g.date = c.date and g.kind = 'checkin_reminder'
            and g.window_starts_at = c.window_starts_at
        )
        and not exists (select from nectar.workout_checkins k where k.user_id = c.user_id and k.date = c.date)
        -- A person who has just left may still have a row.
        and not exists (select from nectar.workout_windows w where w.user_id = c.user_id and c.date <@ w.away)
      order by c.user_id, c.date
      limit most
      -- An account that is being deleted is passed by.
      for key share of p skip locked
    ), noticed as (
      -- Somebody may move the window to later that day, having been reminded of the earlier one.
      insert into private.game_notices as g (user_id, date, kind, window_starts_at)
      select d.user_id, d.date, 'checkin_reminder', d.window_starts_at from due d
      on conflict (user_id, date, kind) do update set window_starts_at = excluded.window_starts_at
        where g.window_starts_at is distinct from excluded.window_starts_at
      returning user_id, date
    ), told as (
      insert into nectar.notifications (user_id, type, title, body, data)
      select d.user_id, 'checkin_reminder', 'Your window opens soon',
        'It opens at ' || to_char(d.window_start_time, 'HH24:MI') || '.', jsonb_build_object('date', d.date)
      from noticed n
      join due d on d.user_id = n.user_id and d.date = n.date
      returning 1
    )
    select count(*)::integer from told
  $$;
comment on function private.remind_players(timestamptz, integer) is
  'Reminds everybody whose window opens within half an hour and who has not checked in, once for a date and the start of its window; so many at most. Definer: nobody writes notifications by themselves.';

create function private.count_week(week date, moment timestamptz, grace_minutes integer, people uuid[]) returns integer
  language sql volatile security definer
  set search_path = ''
  as $$
    with days as (
      select c.user_id, c.team_color,
        case
          when k.status = 'verified' then 'completed'
          when k.status = 'rejected' then 'failed'
          -- A day may be closed before the grace of a window is over that ends at midnight.
          when k.status is null and (
            c.closed_at is not null or c.window_ends_at + make_interval(mins => grace_minutes) < moment
          ) then 'failed'
          else 'pending'
        end as state,
        case when k.status = 'verified' then k.battle_chips_earned else 0 end as chips
      from nectar.chains c
      left join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
      where c.date between week and week + 6 and c.user_id = any (people)
    ), sums as (
      select d.user_id, max(d.team_color) as team_color, count(*)::integer as planned,
        (count(*) filter (where d.state = 'completed'))::integer as completed,
        (count(*) filter (where d.state = 'failed'))::integer as failed,
        (count(*) filter (where d.state = 'pending'))::integer as pending,
        sum(d.chips)::integer as chips
      from days d
      group by d.user_id
    ), written as (
      insert into nectar.weekly_workout_stats as s (
        week_start_date, user_id, team_color, days_planned, completed_count, failed_count, pending_count, chips_earned,
        updated_at
      )
      select week, u.user_id, u.team_color, u.planned, u.completed, u.failed, u.pending, u.chips, moment
      from sums u
      join nectar.profiles p on p.id = u.user_id
      order by u.user_id
      for key share of p
      on conflict (week_start_date, user_id) do update
        set team_color = excluded.team_color, days_planned = excluded.days_planned,
          completed_count = excluded.completed_count, failed_count = excluded.failed_count,
          pending_count = excluded.pending_count, chips_earned = excluded.chips_earned, updated_at = excluded.updated_at
        where (s.team_color, s.days_planned, s.completed_count, s.failed_count, s.pending_count, s.chips_earned)
          is distinct from (excluded.team_color, excluded.days_planned, excluded.completed_count,
            excluded.failed_count, excluded.pending_count, excluded.chips_earned)
      returning s.user_id
    ), noticed as (
      insert into private.game_notices (user_id, date, kind)
      select w.user_id, week, 'weekly_stats'
      from written w
      join nectar.profiles p on p.id = w.user_id and not p.is_ai
      order by w.user_id
      on conflict do nothing
      returning user_id
    ), messages as (
      insert into nectar.notifications (user_id, type, title, body, data)
      select u.user_id, 'weekly_stats', 'Your week',
        'You completed ' || u.completed || ' of ' || u.planned || ' days and earned ' || u.chips || ' chips.',
        jsonb_build_object('week_start_date', week)
      from noticed n
      join sums u on u.user_id = n.user_id
    )
    select count(*)::integer from written
  $$;
comment on function private.count_week(date, timestamptz, integer, uuid[]) is
  'Counts a week of the given people, and returns for how many that changed something. Notifies each of them once, when their week is counted for the first time; synthetic users are left out. Security definer: no role may write the statistics directly.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger workout_checkins_follow_added
  after insert on nectar.workout_checkins
  referencing new table as after_change
  for each statement execute function private.follow_check_ins();
create trigger workout_checkins_follow_changed
  after update on nectar.workout_checkins
  referencing old table as before_change new table as after_change
  for each statement execute function private.follow_check_ins();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.weekly_workout_stats enable row level security;
alter table private.game_notices enable row level security;

create policy "a person sees the numbers of their own weeks" on nectar.weekly_workout_stats
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees what was told" on private.game_notices for select to nectar_service using (true);
create policy "the service forgets what was told long ago" on private.game_notices
  for delete to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.weekly_workout_stats to nectar_user;
grant select (date), delete on private.game_notices to nectar_service;
revoke execute on all functions in schema private from public;
grant execute on function
  private.end_days(timestamptz, integer),
  private.remind_players(timestamptz, integer),
  private.count_week(date, timestamptz, integer, uuid[])
  to nectar_service;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.weekly_workout_stats is 'What became of a person''s days of a week, by game date. Their own alone.';
comment on column nectar.weekly_workout_stats.chips_earned is 'Chips of the week''s check-ins, whichever battle they count for.';
comment on table private.game_notices is 'What somebody was told of a game date, so that it is told once.';
comment on column private.game_notices.date is 'The game date; for the numbers of a week its Monday.';
comment on column private.game_notices.window_starts_at is 'The start of the window that a reminder was about: one that was moved since is reminded of again.';
