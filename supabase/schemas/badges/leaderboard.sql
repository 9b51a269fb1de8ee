-- Why: The leaderboard is an index over the badges. A rank must not be counted from the top, so every 256th row is a
-- checkpoint that knows how many people are ahead of it. Changes since then are in a log, which is compacted into the
-- checkpoints before it grows long.

-- Tables --------------------------------------------------------------------------------------------------------------
create table private.leaderboard_checkpoints (
  leaderboard_key numeric(26) not null,
  user_id uuid not null,
  people_ahead bigint not null,
  primary key (leaderboard_key, user_id)
)
-- Compacting the log updates every checkpoint; with free space in the page, the new version of a row stays in it.
with (fillfactor = 45);
comment on table private.leaderboard_checkpoints is 'Rows of the leaderboard whose rank is known, apart from the changes in the log.';
comment on column private.leaderboard_checkpoints.people_ahead is 'Listed people ahead of this row, as of the last rebuild or compaction.';

create table private.leaderboard_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  old_key numeric(26),
  new_key numeric(26)
);
comment on table private.leaderboard_changes is 'Changes of the leaderboard that are not in the checkpoints yet; a null key means not listed. Only appended to, so that senders do not wait for each other.';

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.leaderboard_rank(p_user_id uuid) returns bigint
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  v_key numeric;
  v_checkpoint private.leaderboard_checkpoints;
  v_moved bigint := 0;
  v_since_checkpoint bigint;
begin
  -- The function is stable, so the checkpoints, the log and the badges are read in one snapshot.
  select b.leaderboard_key into v_key from nectar.user_badges b where b.user_id = p_user_id and b.is_listed;
  if not found then
    return null;
  end if;
  select * into v_checkpoint
  from private.leaderboard_checkpoints k
  where (k.leaderboard_key, k.user_id) <= (v_key, p_user_id)
  order by k.leaderboard_key desc, k.user_id desc
  limit 1;
  if found then
    select count(*) filter (where (c.new_key, c.user_id) < (v_checkpoint.leaderboard_key, v_checkpoint.user_id))
      - count(*) filter (where (c.old_key, c.user_id) < (v_checkpoint.leaderboard_key, v_checkpoint.user_id))
    into v_moved
    from private.leaderboard_changes c;
    -- The keys alone as well, because of rows the planner expects too many, and would make a plan for every call.
    select count(*) into v_since_checkpoint
    from nectar.user_badges b
    where b.is_listed and b.leaderboard_key between v_checkpoint.leaderboard_key and v_key
      and (b.leaderboard_key, b.user_id) >= (v_checkpoint.leaderboard_key, v_checkpoint.user_id)
      and (b.leaderboard_key, b.user_id) < (v_key, p_user_id);
  else
    select count(*) into v_since_checkpoint
    from nectar.user_badges b
    where b.is_listed and (b.leaderboard_key, b.user_id) < (v_key, p_user_id);
  end if;
  return 1 + coalesce(v_checkpoint.people_ahead, 0) + v_moved + v_since_checkpoint;
end
$$;
comment on function private.leaderboard_rank(uuid) is
  'A person''s rank on the leaderboard, from 1; null if they are not listed. Exact: the people ahead of the checkpoint before them, corrected by the log, and those between the checkpoint and them. Security definer: no role may read the checkpoints and the log of all people.';
grant execute on function private.leaderboard_rank(uuid) to nectar_user;

create function private.list_leaderboard(p_max integer)
  returns table (
    rank bigint, user_id uuid, full_name text, avatar_url text, badge_level smallint, total_drops_sent integer,
    engagement_increases integer, success_rate numeric
  )
  language plpgsql stable security invoker
  set search_path = ''
  as $$
declare
  v_blocked constant uuid[] := private.blocked_users();
begin
  return query
    with blocked as materialized (
      select b.leaderboard_key, b.user_id
      from nectar.user_badges b
      where b.user_id = any ((select v_blocked)::uuid[]) and b.is_listed
    )
    select
      row_number() over (order by top.leaderboard_key, top.user_id) + (
        -- Blocked people are not in the list, but keep their ranks.
        select count(*) from blocked k where (k.leaderboard_key, k.user_id) < (top.leaderboard_key, top.user_id)
      ),
      top.user_id, top.full_name, top.avatar_url, top.level, top.total_drops_sent, top.engagement_increases,
      top.success_rate
    from (
      select b.*, p.full_name, p.avatar_url
      from nectar.user_badges b
      join nectar.profiles p on p.id = b.user_id
      where b.is_listed and b.user_id <> all ((select v_blocked)::uuid[])
      order by b.leaderboard_key, b.user_id
      -- The maximum of a page. For a limit that it does not know, the planner would make a plan in every call.
      limit 100
    ) top
    order by top.leaderboard_key, top.user_id
    limit p_max;
end
$$;
comment on function private.list_leaderboard(integer) is
  'The top of the leaderboard with ranks, in order, without people with a block between them and the caller; at most 100 people.';
grant execute on function private.list_leaderboard(integer) to nectar_user;

create function private.rebuild_leaderboard_checkpoints(p_distance integer default 256) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- A statement of its own, so that the next one sees what the previous owner of the lock wrote.
  perform pg_advisory_xact_lock(hashtextextended('leaderboard checkpoints', 0));
  if not exists (select from private.leaderboard_changes) then
    return;
  end if;
  delete from private.leaderboard_checkpoints;
  -- One statement is one snapshot: it deletes exactly those changes that the new checkpoints cover.
  with covered as (
    delete from private.leaderboard_changes
  )
  insert into private.leaderboard_checkpoints (leaderboard_key, user_id, people_ahead)
  select r.leaderboard_key, r.user_id, r.rank - 1
  from (
    select b.leaderboard_key, b.user_id, row_number() over (order by b.leaderboard_key, b.user_id) as rank
    from nectar.user_badges b
    where b.is_listed
  ) r
  where (r.rank - 1) % p_distance = 0;
end
$$;
comment on function private.rebuild_leaderboard_checkpoints(integer) is
  'Stores a checkpoint every 256 ranks and deletes the changes that it now covers. Security definer: no role may write checkpoints directly.';
grant execute on function private.rebuild_leaderboard_checkpoints(integer) to nectar_service;

create function private.compact_leaderboard_changes(p_min_checkpoints integer default 40) returns void
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  -- If another transaction is compacting or rebuilding, there is nothing to do. A statement of its own, so that the
  -- next one sees what the previous owner of the lock wrote.
  if not pg_try_advisory_xact_lock(hashtextextended('leaderboard checkpoints', 0)) then
    return;
  end if;
  if (select count(*) from private.leaderboard_checkpoints) < p_min_checkpoints then
    perform private.rebuild_leaderboard_checkpoints();
    return;
  end if;
  with covered as (
    delete from private.leaderboard_changes c
    returning c.user_id, c.old_key, c.new_key
  ), steps as (
    select c.old_key as leaderboard_key, c.user_id, -1 as people from covered c where c.old_key is not null
    union all
    select c.new_key, c.user_id, 1 from covered c where c.new_key is not null
  ), steps_per_checkpoint as (
    -- A person is ahead of the next checkpoint behind them, and of all after it.
    select next.leaderboard_key, next.user_id, sum(s.people) as people
    from steps s
    cross join lateral (
      select k.leaderboard_key, k.user_id
      from private.leaderboard_checkpoints k
      where (k.leaderboard_key, k.user_id) > (s.leaderboard_key, s.user_id)
      order by k.leaderboard_key, k.user_id
      limit 1
    ) next
    group by next.leaderboard_key, next.user_id
  ), moved as (
    select k.leaderboard_key, k.user_id, sum(coalesce(s.people, 0)) over (order by k.leaderboard_key, k.user_id) as people
    from private.leaderboard_checkpoints k
    left join steps_per_checkpoint s on s.leaderboard_key = k.leaderboard_key and s.user_id = k.user_id
  )
  update private.leaderboard_checkpoints k
  set people_ahead = k.people_ahead + m.people
  from moved m
  where m.leaderboard_key = k.leaderboard_key and m.user_id = k.user_id and m.people <> 0;
  -- An empty change, so that the next rebuild knows that ranks have changed.
  insert into private.leaderboard_changes (user_id) values (private.system_user_id());
end
$$;
comment on function private.compact_leaderboard_changes(integer) is
  'Adds the changes in the log to the checkpoints and deletes them, so that the log stays short until the next rebuild. With fewer checkpoints than the minimum it rebuilds them, which takes no longer. Does nothing while another transaction compacts or rebuilds.';

create function private.log_leaderboard_changes() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_max_length constant integer := 1000;
  v_count integer;
  v_last_id bigint;
begin
  if tg_op = 'INSERT' then
    insert into private.leaderboard_changes (user_id, new_key)
    select n.user_id, n.leaderboard_key from new_rows n where n.is_listed;
  elsif tg_op = 'DELETE' then
    insert into private.leaderboard_changes (user_id, old_key)
    select o.user_id, o.leaderboard_key from old_rows o where o.is_listed;
  else
    insert into private.leaderboard_changes (user_id, old_key, new_key)
    select n.user_id, case when o.is_listed then o.leaderboard_key end, case when n.is_listed then n.leaderboard_key end
    from old_rows o
    join new_rows n on n.user_id = o.user_id
    where (o.is_listed or n.is_listed) and (o.leaderboard_key <> n.leaderboard_key or o.is_listed <> n.is_listed);
  end if;
  get diagnostics v_count = row_count;
  -- A statement that logs more than the maximum belongs to a job, which rebuilds the checkpoints when it is done.
  if v_count between 1 and v_max_length - 1 then
    -- By the ids, because counting the log would cost each sent drop as much as reading it costs each rank.
    v_last_id := currval('private.leaderboard_changes_id_seq');
    if v_last_id / v_max_length <> (v_last_id - v_count) / v_max_length then
      perform private.compact_leaderboard_changes();
    end if;
  end if;
  return null;
end
$$;
comment on function private.log_leaderboard_changes() is
  'Trigger: logs who joins, moves on or leaves the leaderboard, and compacts the log about once in a thousand changes. Security definer: no role may write the log directly.';

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger user_badges_log_inserts
  after insert on nectar.user_badges
  referencing new table as new_rows
  for each statement execute function private.log_leaderboard_changes();
create trigger user_badges_log_updates
  after update on nectar.user_badges
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.log_leaderboard_changes();
create trigger user_badges_log_deletes
  after delete on nectar.user_badges
  referencing old table as old_rows
  for each statement execute function private.log_leaderboard_changes();

-- Row-level security --------------------------------------------------------------------------------------------------
alter table private.leaderboard_checkpoints enable row level security;
alter table private.leaderboard_changes enable row level security;

create policy "the service sees the checkpoints" on private.leaderboard_checkpoints
  for select to nectar_service using (true);
create policy "the service sees how long the log is" on private.leaderboard_changes
  for select to nectar_service using (true);

-- Grants --------------------------------------------------------------------------------------------------------------
grant select on private.leaderboard_checkpoints, private.leaderboard_changes to nectar_service;
