-- Why: A running battle is read from what each check-in changed, logged in the transaction of the check-in and
-- compacted from time to time. No counter is updated, so check-ins do not wait for each other and no chip is lost.

-- Tables --------------------------------------------------------------------------------------------------------------
create table private.chip_changes (
  id bigint primary key generated always as identity,
  battle_week_start date not null,
  date date not null,
  team_color nectar.team_color not null,
  chips integer not null
);
comment on table private.chip_changes is
  'How check-ins changed the chips of a battle: the sum is that of its verified check-ins.';
comment on column private.chip_changes.chips is 'Negative if a check-in no longer counts.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create index chip_changes_of_battle on private.chip_changes (battle_week_start, date, team_color) include (chips);

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.log_chip_changes() returns trigger
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
comment on function private.log_chip_changes() is
  'Trigger: logs how check-ins change the chips of a battle. Rows are only added, so that check-ins never wait for each other. Security definer: no role may write chips directly.';

create function private.compact_chip_changes() returns integer
  language sql volatile security definer
  set search_path = ''
  as $$
    with removed as (
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
      select r.battle_week_start, r.date, r.team_color, sum(r.chips)
      from removed r
      group by r.battle_week_start, r.date, r.team_color
      returning 1
    )
    select count(*)::integer from summed
  $$;
comment on function private.compact_chip_changes() is
  'Replaces the many changes of a team on a date by their sum; returns for how many teams and dates. Readers see either, and changes that are added meanwhile stay beside the sum. Security definer: no role may write chips directly.';
grant execute on function private.compact_chip_changes() to nectar_service;

create function private.battle_days(p_week date) returns table (date date, red_chips integer, blue_chips integer)
  language sql stable security definer
  set search_path = ''
  as $$
    select c.date,
      coalesce(sum(c.chips) filter (where c.team_color = 'red'), 0)::integer,
      coalesce(sum(c.chips) filter (where c.team_color = 'blue'), 0)::integer
    from private.chip_changes c
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
  language sql stable security invoker
  set search_path = ''
  as $$
    select count(*) filter (where m.color = 'red')::integer, count(*) filter (where m.color = 'blue')::integer
    from (
      select t.color from nectar.team_colors t where t.week_start_date = p_week
      union all
      -- Everyone who played in the week itself has its color; some bring chips of another color from a week before.
      select brought.team_color
      from (
        select distinct c.user_id, c.team_color
        from nectar.workout_checkins c
        where c.battle_week_start = p_week and c.status = 'verified' and c.date < p_week
      ) brought
      where not exists (
        select from nectar.team_colors t
        where t.week_start_date = p_week and t.user_id = brought.user_id and t.color = brought.team_color
      )
    ) m
  $$;
comment on function private.battle_members(date) is
  'The members of both teams in the battle of a week: who has the color in that week, or brought chips of it from a week before.';
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

-- Row-level security --------------------------------------------------------------------------------------------------
alter table private.chip_changes enable row level security;

create policy "the service sees chip changes" on private.chip_changes for select to nectar_service using (true);

-- Grants --------------------------------------------------------------------------------------------------------------
grant select on private.chip_changes to nectar_service;
