-- Why: A check-in depends on results that become final later: that of the previous person in the chain, and those of
-- the person's own days before. One function corrects the check-ins that depend on them, and notifies people when their
-- chain breaks or continues after all.

create table private.game_notices (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  date date not null,
  kind nectar.notification_type not null,
  window_starts_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (user_id, date, kind)
);
comment on table private.game_notices is
  'Notifications about a game date that are sent once, so that a job that runs twice does not repeat them.';
comment on column private.game_notices.date is 'The game date.';
comment on column private.game_notices.window_starts_at is
  'The start of the window that a reminder was for: after a change of the window there is another reminder.';

create index game_notices_of_date on private.game_notices (date);

-- Notifies people that their chain of a date broke, unless their last notification says so already, and returns them.
-- Synthetic users are left out.
create function private.notify_broken_chains(p_days jsonb) returns table (user_id uuid, date date)
  language sql volatile security invoker set search_path = '' as $$
    with noticed as (
      insert into private.game_notices (user_id, date, kind)
      select n.user_id, n.date, 'chain_broken' from jsonb_to_recordset(p_days) n (user_id uuid, date date)
      join nectar.profiles p on p.id = n.user_id and not p.is_ai
      on conflict do nothing returning user_id, date
    ), messages as (
      insert into nectar.notifications (user_id, type, data, caused_by)
      select n.user_id, 'chain_broken', jsonb_build_object('date', n.date),
        (select c.before_user_id from nectar.chains c where c.user_id = n.user_id and c.date = n.date)
      from noticed n returning user_id, (data ->> 'date')::date as date
    )
    select m.user_id, m.date from messages m
  $$;

-- Returns the check-ins that depend on results of people on dates. A check-in depends on the person before in the chain
-- (before_user_id), and on the six dates before of the same person (has_earlier).
create function private.check_ins_to_recount(p_days jsonb)
  returns table (id uuid, before_user_id uuid, has_earlier boolean)
  language plpgsql stable security invoker set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select k.id, (array_agg(k.before_user_id order by k.before_user_id))[1] as before_user_id,
      bool_or(k.before_user_id is null) as has_earlier
    from (
      select k.id, r.user_id as before_user_id from jsonb_to_recordset(p_days) r (user_id uuid, date date)
      join nectar.chains c on c.before_user_id = r.user_id and c.date = r.date
      join nectar.workout_checkins k on k.user_id = c.user_id and k.date = c.date
      union all
      select k.id, null from jsonb_to_recordset(p_days) r (user_id uuid, date date)
      join nectar.workout_checkins k on k.user_id = r.user_id and k.date between r.date + 1 and r.date + 6
    ) k
    group by k.id;
end $$;

-- Locks check-ins that are about to be recounted, and shares the battles that they count in.
create function private.lock_recounted(p_checkin_ids uuid[]) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- In the order of dates and chains: neighbors often check in at the same time, and each lost deadlock would cost a
  -- second. The later of two recounts reads what the earlier one has committed.
  perform
  from nectar.workout_checkins k
  left join nectar.chains c on c.user_id = k.user_id and c.date = k.date
  where k.id = any (p_checkin_ids) order by k.date, c.window_starts_at, k.user_id for no key update of k;
  -- Shared with check-ins: a battle either ended before this and keeps its chips, or ends with what is written here.
  perform private.share_battle(b.week)
  from (
    select distinct k.battle_week_start as week from nectar.workout_checkins k
    where k.id = any (p_checkin_ids) and k.status = 'verified'
  ) b;
end $$;

-- Corrects the check-ins that depend on results of people on dates, and returns who was notified that their chain
-- broke. Results are as they are at a moment; at infinity they are final. The chain of the next person and the streak
-- of the same person's next six dates depend on them. Everything that writes the status of check-ins calls it. Chips
-- are generated columns and follow, and so does a running battle; check-ins that a battle has ended with stay. People
-- whose chain broke or continues after all are notified. Security definer: no role may write these columns and
-- notifications directly.
create function private.recount_check_ins(p_days jsonb, p_moment timestamptz, p_grace_minutes integer)
  returns table (user_id uuid, date date)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_affected uuid[];
  v_final_before uuid[];
  v_has_earlier boolean[];
begin
  select array_agg(a.id), array_agg(a.before_user_id), array_agg(a.has_earlier)
  into v_affected, v_final_before, v_has_earlier
  from private.check_ins_to_recount(p_days) a;
  if v_affected is null then return; end if;
  perform private.lock_recounted(v_affected);
  return query
    -- Materialized, because the planner would evaluate the functions once for each place where a fact is used.
    with facts as materialized (
      select k.id, k.chain_status as previous_chain_status,
        case when a.has_earlier then private.has_streak(k.user_id, k.date) else k.has_streak end as has_streak,
        case when c.id is null then k.chain_status else s.chain_status end as chain_status
      from unnest(v_affected, v_final_before, v_has_earlier) a (id, before_user_id, has_earlier)
      join nectar.workout_checkins k on k.id = a.id
      left join nectar.chains c on c.user_id = k.user_id and c.date = k.date and c.before_user_id = a.before_user_id
      cross join lateral private.chain_status(c.before_user_id, c.date, p_moment, p_grace_minutes) s (chain_status)
      -- A battle that has ended with the chips of a check-in keeps them, and its chain status.
      left join nectar.battles b on b.week_start_date = k.battle_week_start and b.battle_status = 'completed'
        and (k.status = 'verified' or k.is_counted)
      where b.week_start_date is null
    ), changed as (
      update nectar.workout_checkins k set chain_status = f.chain_status, has_streak = f.has_streak
      from facts f where k.id = f.id and (k.chain_status, k.has_streak) is distinct from (f.chain_status, f.has_streak)
      returning k.user_id, k.date, k.chain_status, f.previous_chain_status
    ), turned as (
      select h.user_id, h.date, h.chain_status from changed h
      -- Not joined, because the planner would read all profiles.
      where h.chain_status <> h.previous_chain_status
        and not (select p.is_ai from nectar.profiles p where p.id = h.user_id)
    ), removed_notices as (
      delete from private.game_notices g
      -- An array, because the planner would compare all notices with all check-ins that turned.
      where g.user_id = any (array(select t.user_id from turned t where t.chain_status = 'continued'))
        and g.kind = 'chain_broken'
        and (g.user_id, g.date) in (select t.user_id, t.date from turned t where t.chain_status = 'continued')
    ), restored as (
      insert into nectar.notifications (user_id, type, data, caused_by)
      select t.user_id, 'chain_restored', jsonb_build_object('date', t.date),
        (select c.before_user_id from nectar.chains c where c.user_id = t.user_id and c.date = t.date)
      from turned t where t.chain_status = 'continued'
    )
    select b.user_id, b.date
    from private.notify_broken_chains((
      select jsonb_agg(jsonb_build_object('user_id', t.user_id, 'date', t.date)) from turned t
      where t.chain_status = 'broken'
    )) b;
end $$;

alter table private.game_notices enable row level security;

create policy "the service sees the notices" on private.game_notices for select to nectar_service using (true);
create policy "the service deletes old notices" on private.game_notices for delete to nectar_service using (true);

grant select (date), delete on private.game_notices to nectar_service;
