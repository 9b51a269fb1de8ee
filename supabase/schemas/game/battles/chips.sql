-- Why: A running battle is read from what each check-in and each matching changed, logged in their transactions and
-- compacted from time to time. No counter is updated, so check-ins do not wait for each other and no chip is lost.

-- Tables --------------------------------------------------------------------------------------------------------------
create table private.battle_changes (
  id bigint primary key generated always as identity,
  battle_week_start date not null,
  date date not null,
  team_color nectar.team_color not null,
  chips integer not null default 0,
  members integer not null default 0
);
comment on table private.battle_changes is
  'How the teams of a battle changed: the sum of the chips is that of its verified check-ins, the sum of the members that of nectar.team_colors.';
comment on column private.battle_changes.date is 'When the chips were earned; Monday for members.';
comment on column private.battle_changes.chips is 'Negative if a check-in no longer counts.';
comment on column private.battle_changes.members is 'Negative if players have left.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create index battle_changes_of_week on private.battle_changes (battle_week_start, date, team_color)
  include (chips, members);

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.log_chip_changes() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'TRUNCATE' then
    update private.battle_changes c set chips = 0 where c.chips <> 0;
    delete from private.battle_changes c where c.chips = 0 and c.members = 0;
    return null;
  end if;
  if tg_op <> 'INSERT' then
    insert into private.battle_changes (battle_week_start, date, team_color, chips)
    select c.battle_week_start, c.date, c.team_color, -sum(c.battle_chips_earned)
    from before_change c
    where c.status = 'verified' and c.team_color is not null
    group by c.battle_week_start, c.date, c.team_color;
  end if;
  if tg_op <> 'DELETE' then
    insert into private.battle_changes (battle_week_start, date, team_color, chips)
    select c.battle_week_start, c.date, c.team_color, sum(c.battle_chips_earned)
    from after_change c
    where c.status = 'verified' and c.team_color is not null
    group by c.battle_week_start, c.date, c.team_color;
  end if;
  return null;
end
$$;
comment on function private.log_chip_changes() is
  'Trigger: logs how check-ins change the chips of a battle. Rows are only added, so that check-ins never wait for each other. Security definer: no role may write chips directly.';

create function private.log_member_changes() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'TRUNCATE' then
    update private.battle_changes c set members = 0 where c.members <> 0;
    delete from private.battle_changes c where c.chips = 0 and c.members = 0;
    return null;
  end if;
  insert into private.battle_changes (battle_week_start, date, team_color, members)
  select c.week_start_date, c.week_start_date, c.color, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed c
  group by c.week_start_date, c.color;
  return null;
end
$$;
comment on function private.log_member_changes() is
  'Trigger: logs who joined or left a team; a color never changes. Security definer: no role may write members directly.';

create function private.compact_battle_changes() returns integer
  language sql volatile security definer
  set search_path = ''
  as $$
    with removed as (
      delete from private.battle_changes c
      using (
        select g.battle_week_start, g.date, g.team_color
        from private.battle_changes g
        group by g.battle_week_start, g.date, g.team_color
        having count(*) > 1
      ) many
      where c.battle_week_start = many.battle_week_start and c.date = many.date and c.team_color = many.team_color
      returning c.battle_week_start, c.date, c.team_color, c.chips, c.members
    ), summed as (
      insert into private.battle_changes (battle_week_start, date, team_color, chips, members)
      select r.battle_week_start, r.date, r.team_color, sum(r.chips), sum(r.members)
      from removed r
      group by r.battle_week_start, r.date, r.team_color
      returning 1
    )
    select count(*)::integer from summed
  $$;
comment on function private.compact_battle_changes() is
  'Replaces the many changes of a team on a date by their sum; returns for how many teams and dates. Readers see either, and changes that are added meanwhile stay beside the sum. Security definer: no role may write the log directly.';
grant execute on function private.compact_battle_changes() to nectar_service;

create function private.battle_days(p_week date) returns table (date date, red_chips integer, blue_chips integer)
  language sql stable security definer
  set search_path = ''
  as $$
    select c.date,
      coalesce(sum(c.chips) filter (where c.team_color = 'red'), 0)::integer,
      coalesce(sum(c.chips) filter (where c.team_color = 'blue'), 0)::integer
    from private.battle_changes c
    where c.battle_week_start = p_week
      and not exists (
        select from nectar.battles b where b.week_start_date = p_week and b.battle_status = 'completed'
      )
    group by c.date
    having bool_or(c.chips <> 0)
    union all
    -- Later changes of check-ins do not change a battle that is over.
    select d.date, d.red, d.blue
    from nectar.battles b
    cross join jsonb_to_recordset(b.daily_chips) d (date date, red integer, blue integer)
    where b.week_start_date = p_week
  $$;
comment on function private.battle_days(date) is
  'The chips of both teams in the battle of a week, by the dates on which they were earned: so far while it runs, as it ended once it is over. Security definer: callers may not read the log of changes.';
grant execute on function private.battle_days(date) to nectar_user, nectar_service;

create function private.battle_members(p_week date) returns table (red_members integer, blue_members integer)
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  return query
    select coalesce(sum(m.members) filter (where m.color = 'red'), 0)::integer,
      coalesce(sum(m.members) filter (where m.color = 'blue'), 0)::integer
    from (
      select c.team_color as color, c.members from private.battle_changes c where c.battle_week_start = p_week
      union all
      -- Everyone who played in the week itself has its color; some bring chips of another color from a week before.
      select brought.team_color, 1
      from (
        select distinct c.user_id, c.team_color
        from nectar.workout_checkins c
        where c.battle_week_start = p_week and c.status = 'verified' and c.date < p_week
      ) brought
      where not exists (
        select from nectar.team_colors t
        where t.week_start_date = p_week and t.user_id = brought.user_id and t.color = brought.team_color
      )
    ) m;
end
$$;
comment on function private.battle_members(date) is
  'The members of both teams in the battle of a week: who has the color in that week, or brought chips of it from a week before. Security definer: callers may not read the log of changes.';
grant execute on function private.battle_members(date) to nectar_user, nectar_service;

create function private.battle_totals(p_week date)
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
        where c.battle_week_start = p_week and c.status = 'verified'
        group by c.date
      ) d
    ) chips
    cross join private.battle_members(p_week) m
  $$;
comment on function private.battle_totals(date) is
  'Chips, also by the dates on which they were earned, and members of both teams with which the battle of a week ends: summed from the check-ins themselves.';
grant execute on function private.battle_totals(date) to nectar_service;

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger workout_checkins_log_added_chips
  after insert on nectar.workout_checkins
  referencing new table as after_change
  for each statement execute function private.log_chip_changes();
create trigger workout_checkins_log_changed_chips
  after update on nectar.workout_checkins
  referencing old table as before_change new table as after_change
  for each statement execute function private.log_chip_changes();
create trigger workout_checkins_log_removed_chips
  after delete on nectar.workout_checkins
  referencing old table as before_change
  for each statement execute function private.log_chip_changes();
create trigger workout_checkins_remove_chips
  after truncate on nectar.workout_checkins
  for each statement execute function private.log_chip_changes();

create trigger team_colors_log_new_members
  after insert on nectar.team_colors
  referencing new table as changed
  for each statement execute function private.log_member_changes();
create trigger team_colors_log_removed_members
  after delete on nectar.team_colors
  referencing old table as changed
  for each statement execute function private.log_member_changes();
create trigger team_colors_remove_members
  after truncate on nectar.team_colors
  for each statement execute function private.log_member_changes();

-- Row-level security --------------------------------------------------------------------------------------------------
alter table private.battle_changes enable row level security;

create policy "the service sees how battles change" on private.battle_changes for select to nectar_service using (true);

-- Grants --------------------------------------------------------------------------------------------------------------
grant select on private.battle_changes to nectar_service;
