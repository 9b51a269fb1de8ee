-- Why: A battle is a week of both teams' chips. It ends with the sum of its verified check-ins; every check-in joins
-- the battle of its week, or the first one after it that is not over.

create type nectar.battle_status as enum ('pending', 'in_progress', 'completed');
create type nectar.battle_winner as enum ('red', 'blue', 'tie');

create table nectar.battles (
  id uuid primary key default gen_random_uuid(),
  week_start_date date not null,
  week_end_date date not null generated always as (week_start_date + 6) stored,
  red_team_chips integer not null default 0,
  blue_team_chips integer not null default 0,
  red_team_members integer not null default 0,
  blue_team_members integer not null default 0,
  red_team_robot_power integer not null default 0,
  blue_team_robot_power integer not null default 0,
  battle_status nectar.battle_status not null default 'pending',
  winner nectar.battle_winner,
  battle_result jsonb,
  daily_chips jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint battles_one_a_week unique (week_start_date),
  constraint battles_week_starts_on_monday check (week_start_date = private.week_start(week_start_date)),
  constraint battles_not_negative check (
    least(red_team_chips, blue_team_chips, red_team_members, blue_team_members, red_team_robot_power,
      blue_team_robot_power) >= 0
  ),
  constraint battles_completed_has_result check (
    (battle_status = 'completed') = (winner is not null) and (winner is null) = (battle_result is null)
  ),
  constraint battles_daily_chips_at_the_end check (
    daily_chips is null or battle_status = 'completed' and jsonb_typeof(daily_chips) = 'array'
  )
);
comment on table nectar.battles is
  'The battle of a week. Chips, members and power are those at its end; until then they are computed on reading.';
comment on column nectar.battles.battle_result is 'Powers, rounds and the seed from which the rounds follow.';
comment on column nectar.battles.daily_chips is
  'The chips of both teams by the dates on which they were earned, of a battle that is over: objects with date, red and blue.';

create index battles_completed_newest_first on nectar.battles (week_start_date desc) where battle_status = 'completed';

-- Keeps the battle of a week from ending before this transaction does. The lock is advisory, because the lock of
-- a row is written by each of the check-ins that share it at the same time.
create function private.share_battle(p_week date) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(pg_catalog.hashtextextended('battle of ' || p_week::text, 0));
end $$;

-- Waits for all check-ins that share the battle of a week; later ones wait until this transaction ends.
create function private.lock_battle(p_week date) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('battle of ' || p_week::text, 0));
end $$;
grant execute on function private.lock_battle(date) to nectar_service;

-- Starts the battle that a check-in counts for if it is verified now, and returns its Monday. It is the battle of the
-- week of the game date, or of the first week after it whose battle is not over. It cannot end before this transaction
-- does. Security definer: no role may write battles directly.
create function private.join_battle(p_date date) returns date
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_week date := private.week_start(p_date);
  v_status nectar.battle_status;
begin
  loop
    perform private.share_battle(v_week);
    -- Written only if needed: after a write all check-ins of the week would wait in line for the row.
    select b.battle_status into v_status from nectar.battles b where b.week_start_date = v_week;
    if v_status = 'completed' then
      v_week := v_week + 7;
      continue;
    end if;
    if v_status is distinct from 'in_progress' then
      insert into nectar.battles as b (week_start_date, battle_status) values (v_week, 'in_progress')
      on conflict on constraint battles_one_a_week do update
        set battle_status = 'in_progress', updated_at = now() where b.battle_status = 'pending';
    end if;
    return v_week;
  end loop;
end $$;

-- Returns the battle of a week, and creates the one of the current week if it does not exist. A new battle starts on
-- its Monday in UTC. Security definer: no role may write battles directly.
create function private.open_battle(p_week date, p_moment timestamptz) returns setof nectar.battles
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_today constant date := (p_moment at time zone 'UTC')::date;
begin
  -- From when Monday begins in the first time zone until Sunday is over in UTC.
  if p_week between v_today - 6 and (p_moment at time zone 'UTC' + interval '14 hours')::date then
    insert into nectar.battles (week_start_date) values (p_week)
    on conflict on constraint battles_one_a_week do nothing;
  end if;
  update nectar.battles b set battle_status = 'in_progress', updated_at = p_moment
  where b.week_start_date = p_week and b.battle_status = 'pending' and p_week <= v_today;
  return query select b.* from nectar.battles b where b.week_start_date = p_week;
end $$;
grant execute on function private.open_battle(date, timestamptz) to nectar_service;

-- Does what private.open_battle does for a person's request, which may act only now. Security definer: no role may
-- write battles directly.
create function private.open_current_battle(p_week date, p_moment timestamptz) returns setof nectar.battles
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.check_moment(p_moment);
  return query select b.* from private.open_battle(p_week, p_moment) b;
end $$;
grant execute on function private.open_current_battle(date, timestamptz) to nectar_user;

-- Returns what a person has achieved in battles: verified chips, battles that their team won while they played, and the
-- longest run of verified days.
create function private.player_record(p_user_id uuid)
  returns table (chips integer, battles_won integer, longest_streak integer)
  language sql stable security invoker set search_path = '' as $$
    select
      (
        select coalesce(sum(k.battle_chips_earned), 0) from nectar.workout_checkins k
        where k.user_id = p_user_id and k.status = 'verified'
      ),
      (
        select count(*) from nectar.team_colors t
        join nectar.battles b on b.week_start_date = t.week_start_date and b.winner::text = t.color::text
        where t.user_id = p_user_id and exists (
          select from nectar.workout_checkins k
          where k.user_id = p_user_id and k.status = 'verified'
            and k.date between t.week_start_date and t.week_start_date + 6
        )
      ),
      (select coalesce(max(s.days), 0) from private.verified_streaks(p_user_id, '-infinity', 'infinity') s)
  $$;
grant execute on function private.player_record(uuid) to nectar_user;

alter table nectar.battles enable row level security;

create policy "everyone signed in sees battles" on nectar.battles
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees battles" on nectar.battles for select to nectar_service using (true);

grant select on nectar.battles to nectar_user, nectar_service;
