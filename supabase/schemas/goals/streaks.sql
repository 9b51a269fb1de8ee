-- Why: A streak is a run of due days with a check-in that says `completed`. It depends on all check-ins, so it is counted
-- when one of them or the goal changes, and a response only has to know whether it has ended since.

create table nectar.goal_pauses (
  id uuid primary key default gen_random_uuid(),
  goal_id uuid not null,
  user_id uuid not null,
  from_date date not null,
  until_date date,
  created_at timestamptz(3) not null default now(),
  constraint goal_pauses_goal_is_own foreign key (goal_id, user_id)
    references nectar.goals (id, user_id) on delete cascade,
  constraint goal_pauses_order check (until_date > from_date)
);
comment on table nectar.goal_pauses is 'When a goal was not active. Written by private.set_goal_status.';
comment on column nectar.goal_pauses.from_date is 'The day on which it was paused, or the day after it was completed or abandoned.';
comment on column nectar.goal_pauses.until_date is 'The day on which it became active again; null until then.';

create index goal_pauses_of_goal on nectar.goal_pauses (goal_id, user_id);
create index goal_pauses_newest_first on nectar.goal_pauses (user_id, created_at desc, id desc);

-- Returns whether a goal is due on a date, if there is a check-in or it has weekdays.
create function private.is_due(p_weekdays smallint[], p_date date) returns boolean
  language sql immutable security invoker parallel safe
  return p_weekdays is null or extract(isodow from p_date) = any (p_weekdays);
grant execute on function private.is_due(smallint[], date) to nectar_user;

-- Counts the streak of a goal on the day of its last check-in and its longest one, and finds the next day that can end
-- it. Of several check-ins on a day one `completed` completes it, else one `missed` misses it. A due weekday without a
-- check-in is missed, and what was done while the goal was not active does not count.
create function private.count_streak(p_goal_id uuid, out streak integer, out longest_streak integer, out ends_on date)
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_weekdays smallint[];
  v_first date;
  v_last date;
  v_end date;
begin
  select g.weekdays, least(g.started_on, k.first), k.last into v_weekdays, v_first, v_last
  from nectar.goals g
  cross join lateral (
    select min(c.check_in_date) as first, max(c.check_in_date) as last from nectar.goal_check_ins c
    where c.goal_id = g.id
  ) k
  where g.id = p_goal_id;
  -- A goal that is active has a due weekday within a week after its last check-in and its last pause.
  select greatest(v_last, max(p.until_date)) + 7 into v_end from nectar.goal_pauses p where p.goal_id = p_goal_id;
  with outcomes as (
    select c.check_in_date as date, bool_or(c.status = 'completed') as is_completed,
      bool_or(c.status = 'missed') as is_missed
    from nectar.goal_check_ins c where c.goal_id = p_goal_id group by c.check_in_date
  ),
  days as (
    select date, o.is_completed, coalesce(o.is_missed and not o.is_completed, true) as is_missed from outcomes o
    full join (
      select d::date as date from generate_series(v_first, v_end, interval '1 day') d where v_weekdays is not null
    ) d using (date)
    where private.is_due(v_weekdays, date)
      and not exists (
        select from nectar.goal_pauses p
        where p.goal_id = p_goal_id and p.from_date <= date and coalesce(p.until_date > date, true)
      )
  ),
  runs as (
    select count(*) filter (where d.is_completed) as days, d.run
    from (
      select is_completed, count(*) filter (where is_missed) over (order by date) as run from days where date <= v_last
    ) d
    group by d.run
  )
  select coalesce((array_agg(r.days order by r.run desc))[1], 0), coalesce(max(r.days), 0),
    (select min(d.date) from days d where d.date > v_last)
  into streak, longest_streak, ends_on from runs r;
end $$;

-- Counts the streaks of goals again. Security definer: no role may write streaks directly.
create function private.recount_streaks(p_goal_ids uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Locked before anything is counted, so that no check-in of another transaction is left out.
  perform from nectar.goals g where g.id = any ((select p_goal_ids)::uuid[]) order by g.id for no key update;
  update nectar.goals g
    set streak = s.streak, longest_streak = s.longest_streak, streak_ends_on = s.ends_on
    from unnest(p_goal_ids) c (id) cross join lateral private.count_streak(c.id) s
    where g.id = c.id;
end $$;

-- Counts the streaks of goals whose check-ins were changed.
create function private.recount_streaks_of_check_ins() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.recount_streaks(array(select distinct c.goal_id from changed c));
  return null;
end $$;

-- Counts the streak of a goal whose weekdays were changed.
create function private.recount_streak() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.recount_streaks(array[new.id]);
  return null;
end $$;

-- Gives a goal of the caller a status, and records from when until when it is not active. Raises
-- goal.illegal_transition: what has ended can only become active. Returns nothing, also if the caller has no such goal.
-- Security definer: no role may write the status or pauses directly.
create function private.set_goal_status(p_goal_id uuid, p_status nectar.goal_status, p_moment timestamptz) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_today constant date := private.date_of(v_actor, p_moment);
  v_before nectar.goal_status;
begin
  perform private.check_moment(p_moment);
  select g.status into v_before from nectar.goals g where g.id = p_goal_id and g.user_id = v_actor for no key update;
  if not found or v_before = p_status then return; end if;
  if v_before in ('completed', 'abandoned') and p_status <> 'active' then
    raise exception 'the goal has ended' using errcode = 'NX000', detail = 'goal.illegal_transition';
  end if;
  update nectar.goals g set status = p_status where g.id = p_goal_id;
  if p_status = 'active' then
    delete from nectar.goal_pauses p where p.goal_id = p_goal_id and p.until_date is null and p.from_date >= v_today;
    update nectar.goal_pauses p set until_date = v_today where p.goal_id = p_goal_id and p.until_date is null;
  elsif v_before = 'active' then
    insert into nectar.goal_pauses (goal_id, user_id, from_date)
    values (p_goal_id, v_actor, case p_status when 'paused' then v_today else v_today + 1 end);
  end if;
  perform private.recount_streaks(array[p_goal_id]);
end $$;
grant execute on function private.set_goal_status(uuid, nectar.goal_status, timestamptz) to nectar_user;

-- Returns a streak on a date of its owner: 0 if a due day without a check-in is over.
create function private.streak_on(p_streak integer, p_ends_on date, p_date date) returns integer
  language sql immutable security invoker parallel safe
  return case when p_ends_on < p_date then 0 else p_streak end;
grant execute on function private.streak_on(integer, date, date) to nectar_user;

-- Returns the streak of a goal of a person at a moment; 0 if a due day without a check-in is over. Security definer:
-- reads the account of the owner.
create function private.current_streak(p_user_id uuid, p_streak integer, p_ends_on date, p_moment timestamptz) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.check_moment(p_moment);
  return private.streak_on(p_streak, p_ends_on, private.date_of(p_user_id, p_moment));
end $$;
grant execute on function private.current_streak(uuid, integer, date, timestamptz) to nectar_user;

create trigger goal_check_ins__recount_streak_of_new
  after insert on nectar.goal_check_ins
  referencing new table as changed
  for each statement execute function private.recount_streaks_of_check_ins();
create trigger goal_check_ins__recount_streak_of_changed
  after update on nectar.goal_check_ins
  referencing new table as changed
  for each statement execute function private.recount_streaks_of_check_ins();
create trigger goal_check_ins__recount_streak_of_deleted
  after delete on nectar.goal_check_ins
  referencing old table as changed
  for each statement execute function private.recount_streaks_of_check_ins();
create trigger goals__recount_streak
  after update of weekdays on nectar.goals
  for each row when (old.weekdays is distinct from new.weekdays)
  execute function private.recount_streak();

alter table nectar.goal_pauses enable row level security;

create policy "a person sees the pauses of their own goals" on nectar.goal_pauses
  for select to nectar_user using (user_id = (select private.actor_id()));

grant select on nectar.goal_pauses to nectar_user;
