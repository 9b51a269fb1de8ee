-- Why: a battle is a week of both teams' chips. It ends with the sum of its verified check-ins. While it runs, it is read
-- from what each of them changed, which is written down in the transaction of the check-in and compacted from time to time:
-- no counter is updated, so check-ins do not wait for each other and no chip is lost.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.battle_status as enum ('pending', 'in_progress', 'completed');
create type nectar.battle_winner as enum ('red', 'blue', 'tie');

-- Tables ----------------------------------------------------------------------------------------------------------------
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
  constraint battles_week_starts_on_monday check (extract(isodow from week_start_date) = 1),
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

create table private.chip_changes (
  id bigint primary key generated always as identity,
  battle_week_start date not null,
  date date not null,
  team_color nectar.team_color not null,
  chips integer not null
);

create table private.battle_tellings (
  week_start_date date primary key references nectar.battles (week_start_date) on delete cascade,
  told_up_to uuid not null default '00000000-0000-0000-0000-000000000000',
  announcement text not null
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index battles_completed_newest_first on nectar.battles (week_start_date desc) where battle_status = 'completed';
create index chip_changes_of_battle on private.chip_changes (battle_week_start, date, team_color) include (chips);

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.join_battle(played_on date) returns date
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  week date := played_on - (extract(isodow from played_on)::integer - 1);
  state nectar.battle_status;
begin
  loop
    -- Written only when there is something to write: a row that is written makes all the week's check-ins wait in a line.
    select b.battle_status into state from nectar.battles b where b.week_start_date = week;
    if not found or state = 'pending' then
      insert into nectar.battles as b (week_start_date, battle_status)
      values (week, 'in_progress')
      on conflict on constraint battles_one_a_week do update
        set battle_status = 'in_progress', updated_at = now()
        where b.battle_status = 'pending';
    end if;
    -- Shared with other check-ins; whoever ends the battle waits for all of them, and those after it wait for the end.
    select b.battle_status into state from nectar.battles b where b.week_start_date = week for share;
    if state <> 'completed' then
      return week;
    end if;
    week := week + 7;
  end loop;
end
$$;
comment on function private.join_battle(date) is
  'The Monday of the battle for which the chips of a check-in count that is verified now: the week of its game date, or the first one after it whose battle is not over. Begins that battle, and keeps it from being ended before the transaction that writes the check-in is through. Definer: nobody writes battles by themselves.';

create function private.open_battle(week date, moment timestamptz) returns setof nectar.battles
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  today constant date := (moment at time zone 'UTC')::date;
begin
  -- From when it is Monday at the first place on earth until Sunday is over in UTC.
  if week between today - 6 and (moment at time zone 'UTC' + interval '14 hours')::date then
    insert into nectar.battles (week_start_date) values (week)
    on conflict on constraint battles_one_a_week do nothing;
  end if;
  update nectar.battles b set battle_status = 'in_progress', updated_at = moment
  where b.week_start_date = week and b.battle_status = 'pending' and week <= today;
  return query select b.* from nectar.battles b where b.week_start_date = week;
end
$$;
comment on function private.open_battle(date, timestamptz) is
  'The battle of a week; that of the running week is made if need be, and goes on from its Monday in UTC. Definer: whoever reads the running week first opens it.';

create function private.open_current_battle(p_week date, p_moment timestamptz) returns setof nectar.battles
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.check_moment(p_moment);
  return query select b.* from private.open_battle(p_week, p_moment) b;
end
$$;
comment on function private.open_current_battle(date, timestamptz) is
  'private.open_battle for a person''s request, which may act now alone. Security definer, as that function.';

create function private.note_chip_changes() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from private.chip_changes;
    return null;
  end if;
  if tg_op <> 'INSERT' then
    insert into private.chip_changes (battle_week_start, date, team_color, chips)
    select c.battle_week_start, c.date, c.team_color, -sum(c.battle_chips_earned)
    from before_change c
    where c.status = 'verified' and c.team_color is not null
    group by c.battle_week_start, c.date, c.team_color;
  end if;
  if tg_op <> 'DELETE' then
    insert into private.chip_changes (battle_week_start, date, team_color, chips)
    select c.battle_week_start, c.date, c.team_color, sum(c.battle_chips_earned)
    from after_change c
    where c.status = 'verified' and c.team_color is not null
    group by c.battle_week_start, c.date, c.team_color;
  end if;
  return null;
end
$$;
comment on function private.note_chip_changes() is
  'Trigger: what check-ins change about the chips of a battle. Rows are only added, so that check-ins never wait for each other. Definer: nobody writes chips by themselves.';

create function private.keeps_chips(p_week date, p_status nectar.checkin_status, p_is_counted boolean) returns boolean
  language sql stable security invoker
  set search_path = ''
  as $$
    select (p_status = 'verified' or p_is_counted) and exists (
      select from nectar.battles b where b.week_start_date = p_week and b.battle_status = 'completed'
    )
  $$;
comment on function private.keeps_chips(date, nectar.checkin_status, boolean) is
  'Whether a battle has ended with the chips of a check-in: then neither they nor its chain status change any more.';

create function private.shorten_chip_changes() returns integer
  language sql volatile security definer
  set search_path = ''
  as $$
    with gone as (
      delete from private.chip_changes c
      using (
        select g.battle_week_start, g.date, g.team_color
        from private.chip_changes g
        group by g.battle_week_start, g.date, g.team_color
        having count(*) > 1
      ) many
      where c.battle_week_start = many.battle_week_start and c.date = many.date and c.team_color = many.team_color
      returning c.battle_week_start, c.date, c.team_color, c.chips
    ), summed as (
      insert into private.chip_changes (battle_week_start, date, team_color, chips)
      select g.battle_week_start, g.date, g.team_color, sum(g.chips)
      from gone g
      group by g.battle_week_start, g.date, g.team_color
      returning 1
    )
    select count(*)::integer from summed
  $$;
comment on function private.shorten_chip_changes() is
  'Puts the sum in the place of many changes of a team on a date, for how many teams and dates. Readers see the ones or the other, and changes that come meanwhile stay beside it. Definer: nobody writes chips by themselves.';

create function private.battle_days(week date) returns table (date date, red_chips integer, blue_chips integer)
  language sql stable security definer
  set search_path = ''
  as $$
    select c.date,
      coalesce(sum(c.chips) filter (where c.team_color = 'red'), 0)::integer,
      coalesce(sum(c.chips) filter (where c.team_color = 'blue'), 0)::integer
    from private.chip_changes c
    where c.battle_week_start = week
      and not exists (
        select from nectar.battles b where b.week_start_date = week and b.battle_status = 'completed'
      )
    group by c.date
    having bool_or(c.chips <> 0)
    union all
    -- What changes about check-ins later changes nothing about a battle that is over.
    select d.date, d.red, d.blue
    from nectar.battles b
    cross join jsonb_to_recordset(b.daily_chips) d (date date, red integer, blue integer)
    where b.week_start_date = week
  $$;
comment on function private.battle_days(date) is
  'The chips of both teams in the battle of a week, by the dates on which they were earned: by now while it runs, at its end when it is over. Definer: the changes that they follow from are no business of their readers.';

create function private.battle_members(week date) returns table (red_members integer, blue_members integer)
  language sql stable security invoker
  set search_path = ''
  as $$
    select count(*) filter (where m.color = 'red')::integer, count(*) filter (where m.color = 'blue')::integer
    from (
      select t.color from nectar.team_colors t where t.week_start_date = week
      union all
      -- Whoever played in the week itself has its colour; some bring chips of another from a week before.
      select brought.team_color
      from (
        select distinct c.user_id, c.team_color
        from nectar.workout_checkins c
        where c.battle_week_start = week and c.status = 'verified' and c.date < week
      ) brought
      where not exists (
        select from nectar.team_colors t
        where t.week_start_date = week and t.user_id = brought.user_id and t.color = brought.team_color
      )
    ) m
  $$;
comment on function private.battle_members(date) is
  'The people of both teams in the battle of a week: who has the colour in that week, or brought chips of it from a week before.';

create function private.battle_totals(week date)
  returns table (
    red_chips integer, blue_chips integer, red_members integer, blue_members integer, daily_chips jsonb
  )
  language sql stable security invoker
  set search_path = ''
  as $$
    select chips.red, chips.blue, m.red_members, m.blue_members, chips.by_day
    from (
      select coalesce(sum(d.red), 0)::integer as red, coalesce(sum(d.blue), 0)::integer as blue,
        coalesce(jsonb_agg(jsonb_build_object('date', d.date, 'red', d.red, 'blue', d.blue) order by d.date), '[]') as by_day
      from (
        select c.date,
          coalesce(sum(c.battle_chips_earned) filter (where c.team_color = 'red'), 0)::integer as red,
          coalesce(sum(c.battle_chips_earned) filter (where c.team_color = 'blue'), 0)::integer as blue
        from nectar.workout_checkins c
        where c.battle_week_start = week and c.status = 'verified'
        group by c.date
      ) d
    ) chips
    cross join private.battle_members(week) m
  $$;
comment on function private.battle_totals(date) is
  'The chips, also by the dates on which they were earned, and the people of both teams with which the battle of a week ends: summed from the check-ins themselves.';

create function private.end_battle(
  week date, moment timestamptz, red_chips integer, blue_chips integer, red_members integer, blue_members integer,
  red_power integer, blue_power integer, outcome nectar.battle_winner, result jsonb, days jsonb, announcement text
) returns setof nectar.battles
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  return query
    update nectar.battles b
    set battle_status = 'completed', winner = outcome, battle_result = result, daily_chips = days,
      updated_at = moment,
      red_team_chips = red_chips, blue_team_chips = blue_chips,
      red_team_members = red_members, blue_team_members = blue_members,
      red_team_robot_power = red_power, blue_team_robot_power = blue_power
    where b.week_start_date = week and b.battle_status <> 'completed'
    returning b.*;
  if found then
    insert into private.battle_tellings (week_start_date, announcement) values (week, end_battle.announcement);
  end if;
end
$$;
comment on function private.end_battle(date, timestamptz, integer, integer, integer, integer, integer, integer, nectar.battle_winner, jsonb, jsonb, text) is
  'Ends a battle with its result, and notes that its people are to be told; nothing when it is over already. Definer: nobody writes battles by themselves.';

create function private.tell_battle(week date, most integer) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  telling private.battle_tellings;
  outcome nectar.battle_winner;
  people uuid[];
  colors nectar.team_color[];
begin
  -- One at a time: whoever waited here goes on where the one before has come to.
  select t.* into telling from private.battle_tellings t where t.week_start_date = week for update;
  if not found then
    return false;
  end if;
  select b.winner into outcome from nectar.battles b where b.week_start_date = week;
  -- Somebody who brought chips of last week's colour hears of the colour that they have.
  select array_agg(m.user_id order by m.user_id), array_agg(m.color order by m.user_id) into people, colors
  from (
    select distinct on (e.user_id) e.user_id, e.color
    from (
      (
        select t.user_id, t.color, 1 as place
        from nectar.team_colors t
        where t.week_start_date = week and t.user_id > telling.told_up_to
        order by t.user_id
        limit most
      )
      union all
      (
        select c.user_id, c.team_color, 2
        from nectar.workout_checkins c
        where c.battle_week_start = week and c.status = 'verified' and c.date < week and c.team_color is not null
          and c.user_id > telling.told_up_to
        order by c.user_id
      )
    ) e
    order by e.user_id, e.place
    limit most
  ) m;
  insert into nectar.notifications (user_id, type, title, body, data)
  select m.user_id, 'battle_results',
    case
      when outcome = 'tie' then 'The battle of the week is a tie'
      when m.color::text = outcome::text then 'Your team won the battle of the week'
      else 'The other team won the battle of the week'
    end,
    telling.announcement,
    jsonb_build_object('week_start_date', week, 'winner', outcome, 'team_color', m.color)
  from unnest(people, colors) m (user_id, color)
  join nectar.profiles p on p.id = m.user_id and not p.is_ai
  for key share of p;
  if coalesce(cardinality(people), 0) < most then
    delete from private.battle_tellings t where t.week_start_date = week;
    return false;
  end if;
  update private.battle_tellings t set told_up_to = people[most] where t.week_start_date = week;
  return true;
end
$$;
comment on function private.tell_battle(date, integer) is
  'Tells so many people at most of both teams how a battle ended, synthetic users left out, each once; whether there are more. Definer: nobody writes notifications by themselves.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger workout_checkins_note_added_chips
  after insert on nectar.workout_checkins
  referencing new table as after_change
  for each statement execute function private.note_chip_changes();
create trigger workout_checkins_note_changed_chips
  after update on nectar.workout_checkins
  referencing old table as before_change new table as after_change
  for each statement execute function private.note_chip_changes();
create trigger workout_checkins_note_removed_chips
  after delete on nectar.workout_checkins
  referencing old table as before_change
  for each statement execute function private.note_chip_changes();
create trigger workout_checkins_forget_chips
  after truncate on nectar.workout_checkins
  for each statement execute function private.note_chip_changes();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.battles enable row level security;
alter table private.chip_changes enable row level security;
alter table private.battle_tellings enable row level security;

create policy "battles are seen by everybody signed in" on nectar.battles
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees battles" on nectar.battles for select to nectar_service using (true);
create policy "the service holds a battle while it ends it" on nectar.battles
  for update to nectar_service using (true) with check (true);
create policy "the service sees chips as they change" on private.chip_changes for select to nectar_service using (true);
create policy "the service sees who is to be told of battles" on private.battle_tellings
  for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.battles to nectar_user, nectar_service;
grant select on private.chip_changes, private.battle_tellings to nectar_service;
-- What a lock on a row asks for.
grant update (updated_at) on nectar.battles to nectar_service;
revoke execute on all functions in schema private from public;
grant execute on function private.open_current_battle(date, timestamptz) to nectar_user;
grant execute on function private.battle_days(date), private.battle_members(date) to nectar_user, nectar_service;
grant execute on function
  private.join_battle(date),
  private.open_battle(date, timestamptz),
  private.end_battle(date, timestamptz, integer, integer, integer, integer, integer, integer, nectar.battle_winner, jsonb, jsonb, text),
  private.battle_totals(date),
  private.tell_battle(date, integer),
  private.shorten_chip_changes()
  to nectar_service;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.battles is 'The battle of a week. Chips, members and power are those at its end; until then they are summed.';
comment on column nectar.battles.battle_result is 'Powers, rounds and the seed from which the rounds follow.';
comment on column nectar.battles.daily_chips is
  'The chips of both teams by the dates on which they were earned, of a battle that is over: objects with date, red and blue.';
comment on table private.chip_changes is 'What check-ins changed about the chips of a battle: their sum is that of its verified check-ins.';
comment on column private.chip_changes.chips is 'Negative where a check-in no longer counts.';
comment on table private.battle_tellings is 'Battles that are over and whose people have not all been told. They are told in the order of their ids.';
