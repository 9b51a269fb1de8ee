-- Why: A running battle is the sum of its verified check-ins and of its teams, read from an index each. No counter is
-- updated, so check-ins do not wait for each other and no chip is lost.

-- Returns the chips of both teams in the battle of a week, by the dates on which they were earned. They are those so
-- far while it runs, and those that it ended with once it is over. Security definer: check-ins of blocked people count
-- as well.
create function private.battle_days(p_week date) returns table (date date, red_chips integer, blue_chips integer)
  language sql stable security definer set search_path = '' as $$
    select c.date,
      coalesce(sum(c.battle_chips_earned) filter (where c.team_color = 'red'), 0)::integer,
      coalesce(sum(c.battle_chips_earned) filter (where c.team_color = 'blue'), 0)::integer
    from nectar.workout_checkins c
    where c.battle_week_start = p_week and c.status = 'verified' and c.team_color is not null
      and not exists (select from nectar.battles b where b.week_start_date = p_week and b.battle_status = 'completed')
    group by c.date
    union all
    -- Later changes of check-ins do not change a battle that is over.
    select d.date, d.red, d.blue from nectar.battles b
    cross join jsonb_to_recordset(b.daily_chips) d (date date, red integer, blue integer)
    where b.week_start_date = p_week
  $$;
grant execute on function private.battle_days(date) to nectar_user, nectar_service;

-- Returns the members of both teams in the battle of a week: who has the color in that week, or brought chips of it
-- from a week before. Security definer: callers may not read the teams of everyone.
create function private.battle_members(p_week date) returns table (red_members integer, blue_members integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select (count(*) filter (where m.color = 'red'))::integer, (count(*) filter (where m.color = 'blue'))::integer
    from (
      select t.color from nectar.team_colors t where t.week_start_date = p_week
      union all
      -- Everyone who played in the week itself has its color; some bring chips of another color from a week before.
      select brought.team_color
      from (
        select distinct c.user_id, c.team_color from nectar.workout_checkins c
        where c.battle_week_start = p_week and c.status = 'verified' and c.date < p_week
      ) brought
      where not exists (
        select from nectar.team_colors t
        where t.week_start_date = p_week and t.user_id = brought.user_id and t.color = brought.team_color
      )
    ) m;
end $$;
grant execute on function private.battle_members(date) to nectar_user, nectar_service;

-- Returns chips, also by the dates on which they were earned, and members of both teams in the battle of a week.
create function private.battle_totals(p_week date) returns table (
  red_chips integer, blue_chips integer, red_members integer, blue_members integer, daily_chips jsonb
)
  language sql stable security invoker set search_path = '' as $$
    select chips.red, chips.blue, m.red_members, m.blue_members, chips.by_day
    from (
      select coalesce(sum(d.red_chips), 0)::integer as red, coalesce(sum(d.blue_chips), 0)::integer as blue,
        coalesce(
          jsonb_agg(jsonb_build_object('date', d.date, 'red', d.red_chips, 'blue', d.blue_chips) order by d.date), '[]'
        ) as by_day
      from private.battle_days(p_week) d
    ) chips
    cross join private.battle_members(p_week) m
  $$;
grant execute on function private.battle_totals(date) to nectar_service;
