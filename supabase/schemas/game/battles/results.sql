-- Why: A battle ends with a result, and every member is notified of it once, in batches, also if the process that ended
-- the battle dies in between.

create table private.battle_announcements (
  week_start_date date primary key references nectar.battles (week_start_date) on delete cascade,
  notified_up_to uuid not null default '00000000-0000-0000-0000-000000000000'
);
comment on table private.battle_announcements is
  'Battles that are over and whose members have not all been notified. They are notified in the order of their ids.';

-- Ends a battle with its result and queues the notification of its members; does nothing if it is already over.
-- Security definer: no role may write battles directly.
create function private.end_battle(p_week date, p_moment timestamptz, p_result jsonb) returns setof nectar.battles
  language plpgsql volatile security definer set search_path = '' as $$
begin
  return query
    update nectar.battles b
    set battle_status = 'completed', winner = r.winner, battle_result = r.battle_result, daily_chips = r.daily_chips,
      updated_at = p_moment,
      red_team_chips = r.red_chips, blue_team_chips = r.blue_chips,
      red_team_members = r.red_members, blue_team_members = r.blue_members,
      red_team_robot_power = r.red_power, blue_team_robot_power = r.blue_power
    from jsonb_to_record(p_result) r (
      red_chips integer, blue_chips integer, red_members integer, blue_members integer, red_power integer,
      blue_power integer, winner nectar.battle_winner, battle_result jsonb, daily_chips jsonb
    )
    where b.week_start_date = p_week and b.battle_status <> 'completed' returning b.*;
  if found then insert into private.battle_announcements (week_start_date) values (p_week); end if;
end $$;
grant execute on function private.end_battle(date, timestamptz, jsonb) to nectar_service;

-- Notifies at most p_max members of both teams how a battle ended, each once, and returns whether there are more.
-- Synthetic users are left out. Security definer: no role may write notifications directly.
create function private.notify_battle_results(p_week date, p_max integer) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_announcement private.battle_announcements;
  v_result jsonb;
  v_people uuid[];
  v_colors nectar.team_color[];
begin
  -- One at a time: the next one continues where the previous one stopped.
  select a.* into v_announcement from private.battle_announcements a where a.week_start_date = p_week for update;
  if not found then return false; end if;
  select jsonb_build_object(
    'week_start_date', p_week, 'winner', b.winner, 'red_damage', d.red, 'blue_damage', d.blue
  ) into v_result
  from nectar.battles b
  cross join lateral (
    select sum(r."redDamage") as red, sum(r."blueDamage") as blue
    from jsonb_to_recordset(b.battle_result -> 'rounds') r ("redDamage" integer, "blueDamage" integer)
  ) d
  where b.week_start_date = p_week;
  -- A person who brought chips of last week's color is notified for the color that they have now.
  select array_agg(m.user_id order by m.user_id), array_agg(m.color order by m.user_id) into v_people, v_colors
  from (
    select distinct on (e.user_id) e.user_id, e.color
    from (
      (
        select t.user_id, t.color, 1 as preference from nectar.team_colors t
        where t.week_start_date = p_week and t.user_id > v_announcement.notified_up_to order by t.user_id limit p_max
      )
      union all
      (
        select c.user_id, c.team_color, 2 from nectar.workout_checkins c
        where c.battle_week_start = p_week and c.status = 'verified' and c.date < p_week and c.team_color is not null
          and c.user_id > v_announcement.notified_up_to
        order by c.user_id
      )
    ) e
    order by e.user_id, e.preference limit p_max
  ) m;
  insert into nectar.notifications (user_id, type, data)
  select m.user_id, 'battle_results', v_result || jsonb_build_object('team_color', m.color)
  from unnest(v_people, v_colors) m (user_id, color)
  join nectar.profiles p on p.id = m.user_id and not p.is_ai
  for key share of p;
  if coalesce(cardinality(v_people), 0) < p_max then
    delete from private.battle_announcements a where a.week_start_date = p_week;
    return false;
  end if;
  update private.battle_announcements a set notified_up_to = v_people[p_max] where a.week_start_date = p_week;
  return true;
end $$;
grant execute on function private.notify_battle_results(date, integer) to nectar_service;

alter table private.battle_announcements enable row level security;

create policy "the service sees the battles to announce" on private.battle_announcements
  for select to nectar_service using (true);

grant select on private.battle_announcements to nectar_service;
