-- Why: A sender climbs a ladder of badges, by how many of their drops were followed by an entry of the recipient. What counts
-- is kept in one row per person, which is updated where it happens: when a drop is sent and when the job finds engagement.

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.user_badges (
  user_id uuid primary key references nectar.profiles (id) on delete cascade,
  is_ai boolean not null default false,
  level smallint not null default 1,
  total_drops_sent integer not null default 0,
  engagement_increases integer not null default 0,
  bonus_drops_earned integer not null default 0,
  run_days integer not null default 0,
  last_sent_on date,
  success_rate numeric(5,2) not null generated always as (
    case when total_drops_sent = 0 then 0 else round(engagement_increases * 100.0 / total_drops_sent, 2) end
  ) stored,
  is_listed boolean not null generated always as (not is_ai and total_drops_sent > 0) stored,
  -- Engagements, then the success rate, then drops sent: each has its own decimal places, so that they do not overlap.
  leaderboard_key numeric(26) not null generated always as (
    - engagement_increases * 1000000000000000::numeric
    - case when total_drops_sent = 0 then 0 else round(engagement_increases * 100.0 / total_drops_sent, 2) end
      * 1000000000000
    - total_drops_sent
  ) stored,
  constraint user_badges_level_in_range check (level between 1 and 7),
  constraint user_badges_not_negative check (least(engagement_increases, bonus_drops_earned, run_days) >= 0),
  constraint user_badges_engaged_were_sent check (engagement_increases <= total_drops_sent),
  constraint user_badges_run_has_end check ((run_days = 0) = (last_sent_on is null))
);
comment on table nectar.user_badges is 'One row for each person: level and what counts for it. Written by private.advance_badges.';
comment on column nectar.user_badges.is_ai is 'As in the profile.';
comment on column nectar.user_badges.run_days is 'Length of the run of UTC days with a drop sent that ends with last_sent_on.';
comment on column nectar.user_badges.success_rate is 'Engagements of a hundred drops sent, 0 to 100.';
comment on column nectar.user_badges.leaderboard_key is 'The order of the leaderboard as one number, smaller ahead: engagements, success rate, drops sent, all falling; a tie goes by user_id.';

create table nectar.badge_milestones (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  level smallint not null,
  badge_name text not null,
  achieved_at timestamptz(3) not null,
  stats jsonb not null,
  constraint badge_milestones_one_for_a_level unique (user_id, level),
  constraint badge_milestones_level_in_range check (level between 1 and 7)
);
comment on table nectar.badge_milestones is 'When each level was reached. A level that was skipped has its row too.';
comment on column nectar.badge_milestones.stats is 'What counted at that time.';

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index user_badges_leaderboard on nectar.user_badges (leaderboard_key, user_id) where is_listed;
create index user_badges_recent_senders on nectar.user_badges (last_sent_on, user_id) where last_sent_on is not null;

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.current_run(p_run_days integer, p_last_sent_on date, p_moment timestamptz) returns integer
  language sql immutable parallel safe security invoker
  set search_path = ''
  as $$ select case when p_last_sent_on >= (p_moment at time zone 'UTC')::date - 1 then p_run_days else 0 end $$;
comment on function private.current_run(integer, date, timestamptz) is
  'The run of UTC days with a drop sent, as long as it ends at a moment''s day or the day before; else 0.';

create function private.badge_stats(
  p_total_drops_sent integer, p_engagement_increases integer, p_success_rate numeric, p_bonus_drops_earned integer, p_run integer
) returns jsonb
  language sql immutable parallel safe security invoker
  set search_path = ''
  as $$
    select jsonb_build_object(
      'total_drops_sent', p_total_drops_sent,
      'engagement_increases', p_engagement_increases,
      'success_rate', p_success_rate,
      'bonus_drops_earned', p_bonus_drops_earned,
      'consecutive_days', p_run
    )
  $$;
comment on function private.badge_stats(integer, integer, numeric, integer, integer) is
  'The numbers that a milestone keeps.';

create function private.advance_badges(
  p_user_ids uuid[], p_sent integer[], p_engaged integer[], p_bonus integer[], p_runs integer[], p_last_days date[], p_moment timestamptz
) returns table (user_id uuid, climbed boolean)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  return query
    with changes as (
      select c.person, coalesce(c.sent, 0) as sent, coalesce(c.engaged, 0) as engaged, coalesce(c.bonus, 0) as bonus,
        c.run, c.last_day
      from unnest(p_user_ids, p_sent, p_engaged, p_bonus, p_runs, p_last_days) c (person, sent, engaged, bonus, run, last_day)
    ), advanced as (
      update nectar.user_badges b
      set total_drops_sent = b.total_drops_sent + c.sent,
        engagement_increases = b.engagement_increases + c.engaged,
        bonus_drops_earned = b.bonus_drops_earned + c.bonus,
        run_days = coalesce(c.run, b.run_days),
        last_sent_on = coalesce(c.last_day, b.last_sent_on),
        level = (
          select greatest(b.level, max(d.level))
          from nectar.badge_definitions d
          where d.min_engagement_increases <= b.engagement_increases + c.engaged
            and (
              d.min_success_rate is null
              or d.min_success_rate * (b.total_drops_sent + c.sent) <= (b.engagement_increases + c.engaged) * 100.0
            )
            and (
              d.min_consecutive_days is null
              or d.min_consecutive_days <=
                private.current_run(coalesce(c.run, b.run_days), coalesce(c.last_day, b.last_sent_on), p_moment)
            )
        )
      from changes c
      join nectar.user_badges before on before.user_id = c.person
      where b.user_id = c.person
      returning b.*, before.level as level_before
    ), reached as (
      -- The old level is the one that this statement saw; a concurrent transaction has created the same milestones.
      insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
      select a.user_id, d.level, d.name, p_moment,
        private.badge_stats(
          a.total_drops_sent, a.engagement_increases, a.success_rate, a.bonus_drops_earned,
          private.current_run(a.run_days, a.last_sent_on, p_moment)
        )
      from advanced a
      join nectar.badge_definitions d on d.level > a.level_before and d.level <= a.level
      where a.level > a.level_before
      on conflict on constraint badge_milestones_one_for_a_level do nothing
      returning badge_milestones.user_id, badge_milestones.level
    ), highest as (
      select r.user_id, max(r.level) as level from reached r group by r.user_id
    ), notified as (
      insert into nectar.notifications (user_id, type, title, body, data)
      select h.user_id, 'badge_earned', 'A new badge: ' || d.name || ' ' || d.emoji,
        'Your drops brought you to level ' || d.level || '.',
        jsonb_build_object('level', d.level, 'badge_name', d.name)
      from highest h
      join nectar.badge_definitions d on d.level = h.level
      join nectar.profiles p on p.id = h.user_id and not p.is_ai
    )
    select a.user_id, h.user_id is not null from advanced a left join highest h on h.user_id = a.user_id;
end
$$;
comment on function private.advance_badges(uuid[], integer[], integer[], integer[], integer[], date[], timestamptz) is
  'Adds to the counts of badges; each person may be given once, and an array may be null. Raises each level to the highest one all of whose minima are met, and never lowers it. Each new level, skipped ones too, becomes a milestone, and the person is notified of the highest. Returns the people that it found and whether their level rose.';

create function private.give_first_badges() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  with given as (
    insert into nectar.user_badges (user_id, is_ai) select n.id, n.is_ai from new_rows n
    returning user_id
  )
  insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
  select g.user_id, d.level, d.name, now(), private.badge_stats(0, 0, 0, 0, 0)
  from given g cross join nectar.badge_definitions d
  where d.level = 1;
  return null;
end
$$;
comment on function private.give_first_badges() is 'Trigger: everyone starts with the first badge and its milestone.';

create function private.follow_is_ai() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  update nectar.user_badges b set is_ai = new.is_ai where b.user_id = new.id;
  return null;
end
$$;
comment on function private.follow_is_ai() is 'Trigger: a badge knows whether its person is synthetic, so that the leaderboard is one index.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger profiles_give_first_badges
  after insert on nectar.profiles
  referencing new table as new_rows
  for each statement execute function private.give_first_badges();
create trigger profiles_badge_follows_is_ai
  after update of is_ai on nectar.profiles
  for each row when (old.is_ai <> new.is_ai)
  execute function private.follow_is_ai();

-- Rows ------------------------------------------------------------------------------------------------------------------
insert into nectar.user_badges (user_id, is_ai) select p.id, p.is_ai from nectar.profiles p;

insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
select b.user_id, d.level, d.name, now(), private.badge_stats(0, 0, 0, 0, 0)
from nectar.user_badges b join nectar.badge_definitions d on d.level = b.level;

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.user_badges enable row level security;
alter table nectar.badge_milestones enable row level security;

create policy "anyone signed in sees a person's badge" on nectar.user_badges
  for select to nectar_user using ((select private.actor_id()) is not null);

create policy "anyone signed in sees a person's milestones" on nectar.badge_milestones
  for select to nectar_user using ((select private.actor_id()) is not null);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.user_badges to nectar_user;
grant select on nectar.badge_milestones to nectar_user;

revoke execute on all functions in schema private from public;
