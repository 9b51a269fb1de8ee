-- Why: The leaderboard is an index over the badges. A rank is not counted from the top: behind the first thousand, every
-- 256th person is a checkpoint that knows how many people were ahead, which a job counts every few minutes.

create table private.leaderboard_checkpoints (
  leaderboard_key numeric(26) not null,
  user_id uuid not null,
  people_ahead bigint not null,
  counted_at timestamptz(3) not null,
  primary key (leaderboard_key, user_id)
);
comment on table private.leaderboard_checkpoints is 'How many people were ahead of every 256th person behind the first thousand.';

-- Returns a person's rank on the leaderboard, from 1, and when the people ahead were counted. as_of is null if that is
-- now, and both are if the person is not listed. Security definer: no role of users may read the checkpoints.
create function private.leaderboard_rank(p_user_id uuid, out rank bigint, out as_of timestamptz)
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_key numeric;
  v_checkpoint private.leaderboard_checkpoints;
begin
  select b.leaderboard_key into v_key from nectar.user_badges b where b.user_id = p_user_id and b.is_listed;
  if not found then return; end if;
  select * into v_checkpoint from private.leaderboard_checkpoints k
  where (k.leaderboard_key, k.user_id) <= (v_key, p_user_id) order by k.leaderboard_key desc, k.user_id desc limit 1;
  if found then
    as_of := v_checkpoint.counted_at;
    -- The keys alone as well, because of rows the planner expects too many, and would make a plan for every call.
    select 1 + v_checkpoint.people_ahead + count(*) into rank from nectar.user_badges b
    where b.is_listed and b.leaderboard_key between v_checkpoint.leaderboard_key and v_key
      and (b.leaderboard_key, b.user_id) >= (v_checkpoint.leaderboard_key, v_checkpoint.user_id)
      and (b.leaderboard_key, b.user_id) < (v_key, p_user_id);
  else
    select 1 + count(*) into rank from nectar.user_badges b
    where b.is_listed and (b.leaderboard_key, b.user_id) < (v_key, p_user_id);
  end if;
end $$;
grant execute on function private.leaderboard_rank(uuid) to nectar_user;

-- Returns the top of the leaderboard with ranks, in order, without people with a block between them and the caller.
create function private.list_leaderboard(p_max integer) returns table (
  rank bigint, user_id uuid, full_name text, avatar_url text, badge_level smallint, total_drops_sent integer,
  engagement_increases integer, success_rate numeric
)
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_blocked constant uuid[] := private.blocked_users();
begin
  return query
    with blocked as materialized (
      select b.leaderboard_key, b.user_id from nectar.user_badges b
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
      select b.*, p.full_name, p.avatar_url from nectar.user_badges b
      join nectar.profiles p on p.id = b.user_id
      where b.is_listed and b.user_id <> all ((select v_blocked)::uuid[]) order by b.leaderboard_key, b.user_id
      -- The maximum of a page. For a limit that it does not know, the planner would make a plan in every call.
      limit 100
    ) top
    order by top.leaderboard_key, top.user_id limit p_max;
end $$;
grant execute on function private.list_leaderboard(integer) to nectar_user;

-- Counts how many people are ahead of each checkpoint, and returns how many checkpoints there are. Security definer: no
-- role may write checkpoints directly.
create function private.count_leaderboard(p_moment timestamptz, p_first bigint default 1000, p_distance bigint default 256)
  returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count integer;
begin
  -- Readers see the old checkpoints until this commits; another run waits.
  lock table private.leaderboard_checkpoints in share row exclusive mode;
  delete from private.leaderboard_checkpoints;
  insert into private.leaderboard_checkpoints (leaderboard_key, user_id, people_ahead, counted_at)
  select r.leaderboard_key, r.user_id, r.people_ahead, p_moment
  from (
    select b.leaderboard_key, b.user_id, row_number() over (order by b.leaderboard_key, b.user_id) - 1 as people_ahead
    from nectar.user_badges b where b.is_listed
  ) r
  where r.people_ahead >= p_first and (r.people_ahead - p_first) % p_distance = 0;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
grant execute on function private.count_leaderboard(timestamptz, bigint, bigint) to nectar_service;

alter table private.leaderboard_checkpoints enable row level security;

create policy "the service sees the checkpoints" on private.leaderboard_checkpoints
  for select to nectar_service using (true);

grant select on private.leaderboard_checkpoints to nectar_service;
