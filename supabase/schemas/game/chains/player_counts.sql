-- Why: How the players of a date are doing is asked by everyone who looks at the teams or the check-ins of a date. It is read
-- from a log of what changed, like the chips of a battle: written in the transaction of the change and compacted from time to
-- time. Counting a hundred thousand players for each request would take a hundred milliseconds.

-- Tables --------------------------------------------------------------------------------------------------------------
create table private.player_changes (
  id bigint primary key generated always as identity,
  date date not null,
  team_color nectar.team_color,
  status nectar.checkin_status,
  window_ends_at timestamptz(3),
  day_ends_at timestamptz(3),
  players integer not null,
  chips integer not null
);
comment on table private.player_changes is
  'How the numbers of players of a date changed: the sums are those of its chains and check-ins.';
comment on column private.player_changes.team_color is 'Of the chain; null for a check-in without a chain.';
comment on column private.player_changes.status is 'Of the check-in; null for players without one.';
comment on column private.player_changes.window_ends_at is
  'Like day_ends_at, only for players without a check-in, because their result depends on them.';
comment on column private.player_changes.players is 'Negative if there are fewer.';
comment on column private.player_changes.chips is 'Only of verified check-ins.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create index player_changes_of_date on private.player_changes (date)
  include (team_color, status, window_ends_at, day_ends_at, players, chips);

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.matching_lock(p_date date) returns bigint
  language sql stable security invoker
  return hashtextextended('chains ' || private.week_start(p_date), 0);
comment on function private.matching_lock(date) is
  'The advisory lock of matching the players of a date. It is that of the week, because the dates of a week share its teams.';
grant execute on function private.matching_lock(date) to nectar_service;

create function private.counted_chips(p_status nectar.checkin_status, p_chips integer) returns integer
  language sql immutable parallel safe security invoker
  return case when p_status = 'verified' then p_chips else 0 end;
comment on function private.counted_chips(nectar.checkin_status, integer) is 'The chips of a check-in if it is verified, else 0.';

create function private.log_checked_in_player() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_check_in constant nectar.workout_checkins := coalesce(new, old);
  v_sign constant integer := case tg_op when 'INSERT' then 1 else -1 end;
  v_chain nectar.chains;
begin
  select * into v_chain from nectar.chains c where c.user_id = v_check_in.user_id and c.date = v_check_in.date;
  if not found and tg_op = 'INSERT' then
    -- They check in before they are matched. A matching that runs now does not see the check-in, nor does this see the new
    -- chain, so the one that comes later waits.
    perform pg_advisory_xact_lock_shared(private.matching_lock(v_check_in.date));
    select * into v_chain from nectar.chains c where c.user_id = v_check_in.user_id and c.date = v_check_in.date;
  end if;
  insert into private.player_changes (date, team_color, status, players, chips)
  values (
    v_check_in.date, v_chain.team_color, v_check_in.status, v_sign,
    v_sign * private.counted_chips(v_check_in.status, v_check_in.battle_chips_earned)
  );
  if v_chain.id is not null then
    insert into private.player_changes (date, team_color, window_ends_at, day_ends_at, players, chips)
    values (v_chain.date, v_chain.team_color, v_chain.window_ends_at, v_chain.day_ends_at, -v_sign, 0);
  end if;
  return v_check_in;
end
$$;
comment on function private.log_checked_in_player() is
  'Trigger: logs that a player has checked in, or that a check-in is deleted: before it is, because the triggers after the deletion of an account run when its chains are gone as well. Rows are only added, so that check-ins never wait for each other. Security definer: no role may write the log directly.';

create function private.log_changed_check_ins() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into private.player_changes (date, team_color, status, players, chips)
  select n.date, c.team_color, v.status, sum(v.players), sum(v.chips)
  from old_rows o
  join new_rows n on n.id = o.id
  left join nectar.chains c on c.user_id = n.user_id and c.date = n.date
  cross join lateral (
    values (o.status, -1, -private.counted_chips(o.status, o.battle_chips_earned)),
      (n.status, 1, private.counted_chips(n.status, n.battle_chips_earned))
  ) v (status, players, chips)
  where o.status <> n.status or o.battle_chips_earned <> n.battle_chips_earned
  group by n.date, c.team_color, v.status;
  return null;
end
$$;
comment on function private.log_changed_check_ins() is
  'Trigger: logs how status and chips of check-ins changed. Security definer: no role may write the log directly.';

create function private.log_matched_players() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into private.player_changes (date, team_color, status, window_ends_at, day_ends_at, players, chips)
  select n.date, v.team_color, k.status, v.window_ends_at, v.day_ends_at, sum(v.players),
    sum(v.players * private.counted_chips(k.status, k.battle_chips_earned))
  from new_rows n
  left join nectar.workout_checkins k on k.user_id = n.user_id and k.date = n.date
  cross join lateral (
    values (n.team_color, case when k.id is null then n.window_ends_at end, case when k.id is null then n.day_ends_at end, 1),
      -- The check-in was without a chain.
      (null, null, null, -1)
  ) v (team_color, window_ends_at, day_ends_at, players)
  where v.players = 1 or k.id is not null
  group by n.date, v.team_color, k.status, v.window_ends_at, v.day_ends_at;
  return null;
end
$$;
comment on function private.log_matched_players() is
  'Trigger: logs that players were matched. Security definer: no role may write the log directly.';

create function private.log_moved_player() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  if not exists (select from nectar.workout_checkins k where k.user_id = new.user_id and k.date = new.date) then
    insert into private.player_changes (date, team_color, window_ends_at, day_ends_at, players, chips)
    values (old.date, old.team_color, old.window_ends_at, old.day_ends_at, -1, 0),
      (new.date, new.team_color, new.window_ends_at, new.day_ends_at, 1, 0);
  end if;
  return null;
end
$$;
comment on function private.log_moved_player() is
  'Trigger: logs that the window of a player without a check-in has moved. Security definer: no role may write the log directly.';

create function private.log_removed_player() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_check_in nectar.workout_checkins;
  v_chips integer;
begin
  select * into v_check_in from nectar.workout_checkins k where k.user_id = old.user_id and k.date = old.date;
  if v_check_in.id is null then
    insert into private.player_changes (date, team_color, window_ends_at, day_ends_at, players, chips)
    values (old.date, old.team_color, old.window_ends_at, old.day_ends_at, -1, 0);
  else
    v_chips := private.counted_chips(v_check_in.status, v_check_in.battle_chips_earned);
    insert into private.player_changes (date, team_color, status, players, chips)
    values (old.date, old.team_color, v_check_in.status, -1, -v_chips), (old.date, null, v_check_in.status, 1, v_chips);
  end if;
  return old;
end
$$;
comment on function private.log_removed_player() is
  'Trigger: logs that a chain row is deleted, before it is, as private.log_checked_in_player. Security definer: no role may write the log directly.';

create function private.recount_players() returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  delete from private.player_changes;
  insert into private.player_changes (date, team_color, status, window_ends_at, day_ends_at, players, chips)
  select p.date, p.team_color, p.status, p.window_ends_at, p.day_ends_at, count(*), sum(p.chips)
  from (
    select date, c.team_color, k.status, case when k.id is null then c.window_ends_at end as window_ends_at,
      case when k.id is null then c.day_ends_at end as day_ends_at,
      private.counted_chips(k.status, k.battle_chips_earned) as chips
    from nectar.chains c
    full join nectar.workout_checkins k using (user_id, date)
  ) p
  group by p.date, p.team_color, p.status, p.window_ends_at, p.day_ends_at;
end
$$;
comment on function private.recount_players() is
  'Makes the log again, for when tables were emptied or filled without triggers. Security definer: no role may write the log directly.';

create function private.recount_emptied_players() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.recount_players();
  return null;
end
$$;
comment on function private.recount_emptied_players() is
  'Trigger: counts again after a table was truncated. Security definer, as private.recount_players.';

create function private.compact_player_changes(p_from date) returns integer
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_many constant bigint[] := array(
    select unnest(array_agg(c.id))
    from private.player_changes c
    where c.date >= p_from
    group by c.date, c.team_color, c.status, c.window_ends_at, c.day_ends_at
    having count(*) > 1
  );
  v_count integer;
begin
  with removed as (
    delete from private.player_changes c where c.id = any (v_many) returning c.*
  )
  insert into private.player_changes (date, team_color, status, window_ends_at, day_ends_at, players, chips)
  select r.date, r.team_color, r.status, r.window_ends_at, r.day_ends_at, sum(r.players), sum(r.chips)
  from removed r
  group by r.date, r.team_color, r.status, r.window_ends_at, r.day_ends_at
  having sum(r.players) <> 0 or sum(r.chips) <> 0;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function private.compact_player_changes(date) is
  'Replaces the many changes of the dates from p_from on by their sums; returns how many sums. Readers see either, and changes that are added meanwhile stay beside the sums. Security definer: no role may write the log directly.';
grant execute on function private.compact_player_changes(date) to nectar_service;

create function private.players_of_date(p_date date)
  returns table (
    team_color nectar.team_color, status nectar.checkin_status, window_ends_at timestamptz, day_ends_at timestamptz,
    players bigint, chips bigint
  )
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  return query
    select c.team_color, c.status, c.window_ends_at::timestamptz, c.day_ends_at::timestamptz, sum(c.players), sum(c.chips)
    from private.player_changes c
    where c.date = p_date
    group by c.team_color, c.status, c.window_ends_at, c.day_ends_at
    having sum(c.players) <> 0;
end
$$;
comment on function private.players_of_date(date) is
  'How many players of a date have a check-in, by its status, with their chips; and how many have none, by the ends of their windows and days. By the team of their chain, null without a chain. Security definer: callers may not read the log of changes.';
grant execute on function private.players_of_date(date) to nectar_user;

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger workout_checkins_log_players
  after insert on nectar.workout_checkins
  for each row execute function private.log_checked_in_player();
create trigger workout_checkins_log_changed_players
  after update on nectar.workout_checkins
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.log_changed_check_ins();
create trigger workout_checkins_log_removed_players
  before delete on nectar.workout_checkins
  for each row execute function private.log_checked_in_player();
create trigger workout_checkins_recount_players
  after truncate on nectar.workout_checkins
  for each statement execute function private.recount_emptied_players();

create trigger chains_log_players
  after insert on nectar.chains
  referencing new table as new_rows
  for each statement execute function private.log_matched_players();
create trigger chains_log_moved_players
  after update on nectar.chains
  for each row when (
    old.window_ends_at <> new.window_ends_at or old.day_ends_at <> new.day_ends_at
  )
  execute function private.log_moved_player();
create trigger chains_log_removed_players
  before delete on nectar.chains
  for each row execute function private.log_removed_player();
create trigger chains_recount_players
  after truncate on nectar.chains
  for each statement execute function private.recount_emptied_players();

-- Row-level security --------------------------------------------------------------------------------------------------
alter table private.player_changes enable row level security;

create policy "the service sees how many players changed" on private.player_changes for select to nectar_service using (true);

-- Grants --------------------------------------------------------------------------------------------------------------
grant select on private.player_changes to nectar_service;
