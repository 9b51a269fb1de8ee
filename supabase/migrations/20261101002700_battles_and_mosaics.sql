-- Why: what the days of the game add up to. A battle is a week of both teams' chips; a mosaic is a date in one picture; the
-- end of somebody's day, a reminder and a week's numbers are told and counted once, whatever runs twice. A battle ends with
-- the sum of its verified check-ins. While it runs, it is read from what each of them changed, which is written down in the
-- transaction of the check-in and made shorter from time to time: nothing is counted up, so nothing waits and nothing is lost.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.battle_status as enum ('pending', 'in_progress', 'completed');
create type nectar.battle_winner as enum ('red', 'blue', 'tie');
create type nectar.mosaic_status as enum ('completed', 'failed', 'pending');

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

create table nectar.mosaics (
  id uuid primary key default gen_random_uuid(),
  date date not null,
  image_key text not null,
  image_side integer not null,
  total_participants integer not null,
  completed_count integer not null default 0,
  failed_count integer not null default 0,
  pending_count integer not null default 0,
  digest text not null,
  seen_at timestamptz not null,
  created_at timestamptz(3) not null default now(),
  constraint mosaics_one_a_date unique (date),
  constraint mosaics_image_key_length check (char_length(image_key) between 1 and 200),
  constraint mosaics_image_side_positive check (image_side > 0),
  constraint mosaics_counts_not_negative check (least(completed_count, failed_count, pending_count) >= 0),
  constraint mosaics_counts_add_up check (completed_count + failed_count + pending_count = total_participants)
);

create table nectar.mosaic_sections (
  date date not null references nectar.mosaics (date) on delete cascade,
  position integer not null,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  status nectar.mosaic_status not null,
  team_color nectar.team_color not null,
  primary key (date, position),
  constraint mosaic_sections_position_not_negative check (position >= 0)
);

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

create table private.game_notices (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  date date not null,
  kind nectar.notification_type not null,
  window_starts_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (user_id, date, kind)
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index battles_completed_newest_first on nectar.battles (week_start_date desc) where battle_status = 'completed';
create index chip_changes_of_battle on private.chip_changes (battle_week_start, date, team_color) include (chips);
create index mosaics_pending on nectar.mosaics (date) where pending_count > 0;
create index mosaic_sections_pending on nectar.mosaic_sections (date, user_id) where status = 'pending';
create index mosaic_sections_of_user on nectar.mosaic_sections (user_id);
create index weekly_workout_stats_of_user on nectar.weekly_workout_stats (user_id, week_start_date);
create index game_notices_of_date on private.game_notices (date);
create index chains_about_to_start on nectar.chains (window_starts_at);

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
  'Notifies people that their chain of a date broke, synthetic users left out, unless that is what they heard last. Returns who was notified.';

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
  'Brings check-ins in line with results of people on dates that have become known: the chain of the next person, and the streak of the same person''s next six dates. Chips follow by themselves, and so does a running battle; what a battle has ended with stays. Whoever is affected is notified when their chain broke or continues after all. Returns who was notified that it broke. Security definer: no role may write chips or notifications directly.';

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
  -- Account deletion locks the profile and then waits for its rows: profiles first here as well, and nobody is waited for.
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
  'Ends the days that are over where their players are, so many at most, the oldest first: counts what became of them in each week, recounts and notifies the next person of somebody who did not check in, once, and notifies whoever played how the battle stands. Definer: nobody writes chains and notifications by themselves.';

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
        -- Somebody who has just left may still have a row.
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
  'Counts a week of the people named, and says for how many that changed something. Notifies each of them once, when their week is counted for the first time; synthetic users are left out. Definer: nobody writes numbers by themselves.';

create function private.store_mosaic(
  on_date date, key text, side integer, new_digest text, seen timestamptz, people uuid[], states nectar.mosaic_status[],
  colors nectar.team_color[]
) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into nectar.mosaics as m (
    date, image_key, image_side, total_participants, completed_count, failed_count, pending_count, digest, seen_at
  )
  select on_date, key, side, count(*), count(*) filter (where t.state = 'completed'),
    count(*) filter (where t.state = 'failed'), count(*) filter (where t.state = 'pending'), new_digest, seen
  from unnest(states) t (state)
  on conflict on constraint mosaics_one_a_date do update
    set image_key = excluded.image_key, image_side = excluded.image_side,
      total_participants = excluded.total_participants, completed_count = excluded.completed_count,
      failed_count = excluded.failed_count, pending_count = excluded.pending_count, digest = excluded.digest,
      seen_at = excluded.seen_at
    where m.seen_at < excluded.seen_at;
  if not found then
    return false;
  end if;
  -- Everybody is held before the first row is written: whoever deletes an account holds the profile and waits for its rows.
  perform
  from unnest(people, states, colors) with ordinality u (person, state, color, place)
  join nectar.profiles p on p.id = u.person
  left join nectar.mosaic_sections s on s.date = on_date and s.position = u.place - 1
  where (s.user_id, s.status, s.team_color) is distinct from (u.person, u.state, u.color)
  order by u.person
  for key share of p;
  insert into nectar.mosaic_sections as s (date, position, user_id, status, team_color)
  select on_date, (u.place - 1)::integer, u.person, u.state, u.color
  from unnest(people, states, colors) with ordinality u (person, state, color, place)
  join nectar.profiles p on p.id = u.person
  on conflict (date, position) do update
    set user_id = excluded.user_id, status = excluded.status, team_color = excluded.team_color
    where (s.user_id, s.status, s.team_color) is distinct from (excluded.user_id, excluded.status, excluded.team_color);
  -- Those beyond the end, and whoever stood where somebody does whose account went before this was written.
  delete from nectar.mosaic_sections s
  where s.date = on_date and (s.position >= cardinality(people) or s.user_id <> people[s.position + 1]);
  perform private.keep_file('private', key);
  return true;
end
$$;
comment on function private.store_mosaic(date, text, integer, text, timestamptz, uuid[], nectar.mosaic_status[], nectar.team_color[]) is
  'Writes a mosaic whose image is stored, in place of the one before; false when that one has seen more. Definer: nobody writes mosaics by themselves.';

create function private.discard_mosaic() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- Addresses of it that were given a moment ago work for an hour.
  perform private.expect_file('private', old.image_key);
  return null;
end
$$;
comment on function private.discard_mosaic() is 'Trigger: the image of a mosaic goes an hour after another took its place.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger mosaics_discard_replaced_image
  after update of image_key on nectar.mosaics
  for each row when (old.image_key <> new.image_key)
  execute function private.discard_mosaic();
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
create trigger workout_checkins_follow_added
  after insert on nectar.workout_checkins
  referencing new table as after_change
  for each statement execute function private.follow_check_ins();
create trigger workout_checkins_follow_changed
  after update on nectar.workout_checkins
  referencing old table as before_change new table as after_change
  for each statement execute function private.follow_check_ins();
create trigger workout_checkins_forget_chips
  after truncate on nectar.workout_checkins
  for each statement execute function private.note_chip_changes();
create trigger mosaics_discard_image
  after delete on nectar.mosaics
  for each row execute function private.discard_mosaic();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.battles enable row level security;
alter table nectar.mosaics enable row level security;
alter table nectar.mosaic_sections enable row level security;
alter table nectar.weekly_workout_stats enable row level security;
alter table private.chip_changes enable row level security;
alter table private.battle_tellings enable row level security;
alter table private.game_notices enable row level security;

create policy "battles are seen by everybody signed in" on nectar.battles
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees battles" on nectar.battles for select to nectar_service using (true);
create policy "the service holds a battle while it ends it" on nectar.battles
  for update to nectar_service using (true) with check (true);
create policy "mosaics are seen by everybody signed in" on nectar.mosaics
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees mosaics" on nectar.mosaics for select to nectar_service using (true);
create policy "sections of mosaics are seen by everybody signed in" on nectar.mosaic_sections
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees sections of mosaics" on nectar.mosaic_sections for select to nectar_service using (true);
create policy "a person sees the numbers of their own weeks" on nectar.weekly_workout_stats
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees chips as they change" on private.chip_changes for select to nectar_service using (true);
create policy "the service sees who is to be told of battles" on private.battle_tellings
  for select to nectar_service using (true);
create policy "the service sees what was told" on private.game_notices for select to nectar_service using (true);
create policy "the service forgets what was told long ago" on private.game_notices
  for delete to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.battles, nectar.mosaics, nectar.mosaic_sections to nectar_user, nectar_service;
grant select on nectar.weekly_workout_stats to nectar_user;
grant select on private.chip_changes, private.battle_tellings to nectar_service;
-- What a lock on a row asks for.
grant update (updated_at) on nectar.battles to nectar_service;
grant select (date), delete on private.game_notices to nectar_service;
revoke execute on all functions in schema private from public;
grant execute on function private.open_current_battle(date, timestamptz) to nectar_user;
grant execute on function private.battle_days(date), private.battle_members(date) to nectar_user, nectar_service;
grant execute on function
  private.join_battle(date),
  private.open_battle(date, timestamptz),
  private.end_battle(date, timestamptz, integer, integer, integer, integer, integer, integer, nectar.battle_winner, jsonb, jsonb, text),
  private.battle_totals(date),
  private.end_days(timestamptz, integer),
  private.remind_players(timestamptz, integer),
  private.tell_battle(date, integer),
  private.shorten_chip_changes(),
  private.count_week(date, timestamptz, integer, uuid[]),
  private.store_mosaic(date, text, integer, text, timestamptz, uuid[], nectar.mosaic_status[], nectar.team_color[])
  to nectar_service;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.battles is 'The battle of a week. Chips, members and power are those at its end; until then they are summed.';
comment on column nectar.battles.battle_result is 'Powers, rounds and the seed from which the rounds follow.';
comment on column nectar.battles.daily_chips is
  'The chips of both teams by the dates on which they were earned, of a battle that is over: objects with date, red and blue.';
comment on table nectar.mosaics is 'A date in one picture, as it was when it was drawn last.';
comment on column nectar.mosaics.image_key is 'Where the picture lies in the private store.';
comment on column nectar.mosaics.image_side is 'Width and height of the picture in pixels.';
comment on column nectar.mosaics.digest is 'SHA-256 of everybody''s state, to tell whether drawing it again would change anything.';
comment on column nectar.mosaics.seen_at is 'When the states were read; a drawing that saw less never replaces it.';
comment on table nectar.mosaic_sections is 'One person in a mosaic. Where their piece lies follows from position and number of participants.';
comment on table nectar.weekly_workout_stats is 'What became of a person''s days of a week, by game date. Their own alone.';
comment on column nectar.weekly_workout_stats.chips_earned is 'Chips of the week''s check-ins, whichever battle they count for.';
comment on table private.chip_changes is 'What check-ins changed about the chips of a battle: their sum is that of its verified check-ins.';
comment on column private.chip_changes.chips is 'Negative where a check-in no longer counts.';
comment on table private.battle_tellings is 'Battles that are over and whose people have not all been told. They are told in the order of their ids.';
comment on table private.game_notices is 'What somebody was told of a game date, so that it is told once.';
comment on column private.game_notices.date is 'The game date; for the numbers of a week its Monday.';
comment on column private.game_notices.window_starts_at is 'The start of the window that a reminder was about: one that was moved since is reminded of again.';
