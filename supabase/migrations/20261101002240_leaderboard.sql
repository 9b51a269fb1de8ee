-- Why: The leaderboard is an index over the badges. A rank must not be counted from the top, so every 256th row is a
-- checkpoint with a known rank. What has moved since then is in a log that is compacted into the checkpoints before it grows
-- long.

-- Tables ----------------------------------------------------------------------------------------------------------------
create table private.leaderboard_fences (
  standing numeric(26) not null,
  user_id uuid not null,
  ahead bigint not null,
  primary key (standing, user_id)
)
-- Folding the log changes what is ahead of every fence, in the page where the fence is.
with (fillfactor = 45);
comment on table private.leaderboard_fences is 'Places of the leaderboard of which is known how many people are ahead, but for what the log says.';
comment on column private.leaderboard_fences.ahead is 'Listed people ahead of this place, as of the last rebuild or folding.';

create table private.leaderboard_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  old_standing numeric(26),
  new_standing numeric(26)
);
comment on table private.leaderboard_changes is 'What moved on the leaderboard and is not in the fences yet; null for not listed. Only appended to, so that nobody waits.';

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.leaderboard_rank(target uuid) returns bigint
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  mine numeric;
  fence private.leaderboard_fences;
  moved bigint := 0;
  since_fence bigint;
begin
  -- Stable: all that is read here is one snapshot, the fences, the log and the rows.
  select b.standing into mine from nectar.user_badges b where b.user_id = target and b.is_listed;
  if not found then
    return null;
  end if;
  select * into fence
  from private.leaderboard_fences f
  where (f.standing, f.user_id) <= (mine, target)
  order by f.standing desc, f.user_id desc
  limit 1;
  if found then
    select count(*) filter (where (c.new_standing, c.user_id) < (fence.standing, fence.user_id))
      - count(*) filter (where (c.old_standing, c.user_id) < (fence.standing, fence.user_id))
    into moved
    from private.leaderboard_changes c;
    select count(*) into since_fence
    from nectar.user_badges b
    where b.is_listed and (b.standing, b.user_id) >= (fence.standing, fence.user_id)
      and (b.standing, b.user_id) < (mine, target);
  else
    select count(*) into since_fence
    from nectar.user_badges b
    where b.is_listed and (b.standing, b.user_id) < (mine, target);
  end if;
  return 1 + coalesce(fence.ahead, 0) + moved + since_fence;
end
$$;
comment on function private.leaderboard_rank(uuid) is
  'Somebody''s place on the leaderboard, from 1; null for who is not on it. Exact: those ahead of the fence before them, corrected by what the log says, and those between fence and them. Definer: fences and log are nobody''s to read.';
grant execute on function private.leaderboard_rank(uuid) to nectar_user;

create function private.rebuild_leaderboard_fences(distance integer default 256) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- Whoever comes second must see what the first left, so the lock is taken in a statement of its own.
  perform pg_advisory_xact_lock(hashtextextended('rebuild leaderboard fences', 0));
  if not exists (select from private.leaderboard_changes) then
    return;
  end if;
  delete from private.leaderboard_fences;
  -- One statement is one snapshot: exactly those changes go that the new fences know.
  with known as (
    delete from private.leaderboard_changes
  )
  insert into private.leaderboard_fences (standing, user_id, ahead)
  select p.standing, p.user_id, p.place - 1
  from (
    select b.standing, b.user_id, row_number() over (order by b.standing, b.user_id) as place
    from nectar.user_badges b
    where b.is_listed
  ) p
  where (p.place - 1) % distance = 0;
end
$$;
comment on function private.rebuild_leaderboard_fences(integer) is
  'Sets a fence at every so manieth place of the leaderboard and forgets the changes that the new fences know.';
grant execute on function private.rebuild_leaderboard_fences(integer) to nectar_service;

create function private.fold_leaderboard_changes(few integer default 40) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- Whoever has the lock folds or rebuilds at this moment. The lock is taken in a statement of its own, so that the next
  -- one sees what the last holder left.
  if not pg_try_advisory_xact_lock(hashtextextended('rebuild leaderboard fences', 0)) then
    return;
  end if;
  if (select count(*) from private.leaderboard_fences) < few then
    perform private.rebuild_leaderboard_fences();
    return;
  end if;
  with known as (
    delete from private.leaderboard_changes c
    returning c.user_id, c.old_standing, c.new_standing
  ), steps as (
    select k.old_standing as standing, k.user_id, -1 as people from known k where k.old_standing is not null
    union all
    select k.new_standing, k.user_id, 1 from known k where k.new_standing is not null
  ), at_fences as (
    -- A person is ahead of the next fence behind them, and of all after it.
    select next.standing, next.user_id, sum(s.people) as people
    from steps s
    cross join lateral (
      select f.standing, f.user_id
      from private.leaderboard_fences f
      where (f.standing, f.user_id) > (s.standing, s.user_id)
      order by f.standing, f.user_id
      limit 1
    ) next
    group by next.standing, next.user_id
  ), moved as (
    select f.standing, f.user_id, sum(coalesce(a.people, 0)) over (order by f.standing, f.user_id) as people
    from private.leaderboard_fences f
    left join at_fences a on a.standing = f.standing and a.user_id = f.user_id
  )
  update private.leaderboard_fences f
  set ahead = f.ahead + m.people
  from moved m
  where m.standing = f.standing and m.user_id = f.user_id and m.people <> 0;
  -- A row that says nothing, for the next rebuild to see that places have changed.
  insert into private.leaderboard_changes (user_id) values (private.system_user_id());
end
$$;
comment on function private.fold_leaderboard_changes(integer) is
  'Adds what moved to what is known of the fences and forgets it, so that the log stays short until the next rebuild. With fewer fences than so many it rebuilds them, which is as quickly done. Nothing when somebody else is at it.';

create function private.keep_leaderboard_log_short(noted integer, noted_until bigint) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  length constant integer := 1000;
begin
  -- By the ids, since counting the log would cost each drop that is sent as much as reading it costs each rank. Not when
  -- this many rows come at once: that is a job, which sets the fences anew when it is done.
  if noted < length and noted_until / length <> (noted_until - noted) / length then
    perform private.fold_leaderboard_changes();
  end if;
end
$$;
comment on function private.keep_leaderboard_log_short(integer, bigint) is
  'For those who note changes: how many they noted and the last id. Folds the log about once in a thousand changes.';

create function private.note_standings_given() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  noted integer;
  noted_until bigint;
begin
  with notes as (
    insert into private.leaderboard_changes (user_id, new_standing)
    select n.user_id, n.standing from new_rows n where n.is_listed
    returning leaderboard_changes.id
  )
  select count(*), max(n.id) into noted, noted_until from notes n;
  perform private.keep_leaderboard_log_short(noted, noted_until);
  return null;
end
$$;
comment on function private.note_standings_given() is 'Trigger: notes who came to the leaderboard.';

create function private.note_standings_changed() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  noted integer;
  noted_until bigint;
begin
  with notes as (
    insert into private.leaderboard_changes (user_id, old_standing, new_standing)
    select n.user_id, case when o.is_listed then o.standing end, case when n.is_listed then n.standing end
    from old_rows o
    join new_rows n on n.user_id = o.user_id
    where (o.is_listed or n.is_listed) and (o.standing <> n.standing or o.is_listed <> n.is_listed)
    returning leaderboard_changes.id
  )
  select count(*), max(n.id) into noted, noted_until from notes n;
  perform private.keep_leaderboard_log_short(noted, noted_until);
  return null;
end
$$;
comment on function private.note_standings_changed() is 'Trigger: notes who moved on the leaderboard, from where and where to.';

create function private.note_standings_taken() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  noted integer;
  noted_until bigint;
begin
  with notes as (
    insert into private.leaderboard_changes (user_id, old_standing)
    select o.user_id, o.standing from old_rows o where o.is_listed
    returning leaderboard_changes.id
  )
  select count(*), max(n.id) into noted, noted_until from notes n;
  perform private.keep_leaderboard_log_short(noted, noted_until);
  return null;
end
$$;
comment on function private.note_standings_taken() is 'Trigger: notes who left the leaderboard.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger user_badges_note_given
  after insert on nectar.user_badges
  referencing new table as new_rows
  for each statement execute function private.note_standings_given();
create trigger user_badges_note_changed
  after update on nectar.user_badges
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.note_standings_changed();
create trigger user_badges_note_taken
  after delete on nectar.user_badges
  referencing old table as old_rows
  for each statement execute function private.note_standings_taken();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table private.leaderboard_fences enable row level security;
alter table private.leaderboard_changes enable row level security;

create policy "the service sees where fences stand" on private.leaderboard_fences
  for select to nectar_service using (true);

create policy "the service sees how long the log is" on private.leaderboard_changes
  for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on private.leaderboard_fences to nectar_service;
grant select on private.leaderboard_changes to nectar_service;

revoke execute on all functions in schema private from public;
