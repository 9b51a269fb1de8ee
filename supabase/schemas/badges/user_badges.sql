-- Why: A sender climbs a ladder of badges, by how many of their drops were followed by an entry of the recipient. What
-- counts is kept in one row per person, which is updated where it happens: when a drop is sent and when the job finds
-- engagement.

create table nectar.user_badges (
  user_id uuid primary key references nectar.profiles (id) on delete cascade,
  is_ai boolean not null default false,
  is_hidden boolean not null default false,
  level smallint not null default 1,
  total_drops_sent integer not null default 0,
  engagement_increases integer not null default 0,
  bonus_drops_earned integer not null default 0,
  run_days integer not null default 0,
  last_sent_on date,
  success_rate numeric(5,2) not null generated always as (
    case when total_drops_sent = 0 then 0 else round(engagement_increases * 100.0 / total_drops_sent, 2) end
  ) stored,
  is_listed boolean not null generated always as (not is_ai and not is_hidden and total_drops_sent > 0) stored,
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
comment on column nectar.user_badges.is_hidden is 'Whether the person wants not to be on the leaderboard, as in the account.';
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

create index user_badges_leaderboard on nectar.user_badges (leaderboard_key, user_id) where is_listed;
create index user_badges_recent_senders on nectar.user_badges (last_sent_on) where last_sent_on is not null;

-- Returns the run of UTC days with a drop sent, as long as it ends at a moment's day or the day before; else 0.
create function private.current_run(p_run_days integer, p_last_sent_on date, p_moment timestamptz) returns integer
  language sql immutable parallel safe security invoker
  return case when p_last_sent_on >= (p_moment at time zone 'UTC')::date - 1 then p_run_days else 0 end;

-- Returns the numbers of a badge that a milestone keeps.
create function private.badge_stats(p_badge nectar.user_badges, p_moment timestamptz) returns jsonb
  language sql stable security invoker
  return jsonb_build_object(
    'total_drops_sent', p_badge.total_drops_sent, 'engagement_increases', p_badge.engagement_increases,
    'success_rate', p_badge.success_rate, 'bonus_drops_earned', p_badge.bonus_drops_earned,
    'consecutive_days', private.current_run(p_badge.run_days, p_badge.last_sent_on, p_moment)
  );

create view nectar.readable_badges with (security_invoker = true) as
select b.user_id, b.level, b.total_drops_sent, b.engagement_increases, b.success_rate::float8, b.bonus_drops_earned,
  b.run_days, b.last_sent_on
from nectar.user_badges b;
comment on view nectar.readable_badges is 'The levels of people and what counts for them.';
grant select on nectar.readable_badges to nectar_user;

-- Adds to the counts of badges, raises levels, and returns the people that it found and whether their level rose. Each
-- element of the array names a user_id, once, with sent, engaged and bonus to add, and the new run_days and
-- last_sent_on; what is missing stays. A level rises to the highest one all of whose minima are met, and never falls.
-- Each new level, skipped ones too, becomes a milestone, and the person is notified of the highest.
create function private.advance_badges(p_changes jsonb, p_moment timestamptz)
  returns table (user_id uuid, climbed boolean)
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  return query
    with advanced as (
      update nectar.user_badges b
      set (total_drops_sent, engagement_increases, bonus_drops_earned, run_days, last_sent_on, level) = (
        select n.sent, n.engaged, n.bonus, n.run_days, n.last_sent_on, (
          select greatest(b.level, max(d.level)) from nectar.badge_definitions d
          where d.min_engagement_increases <= n.engaged
            and (d.min_success_rate is null or d.min_success_rate * n.sent <= n.engaged * 100.0)
            and (
              d.min_consecutive_days is null
              or d.min_consecutive_days <= private.current_run(n.run_days, n.last_sent_on, p_moment)
            )
        )
        from (
          select b.total_drops_sent + coalesce(c.sent, 0) as sent,
            b.engagement_increases + coalesce(c.engaged, 0) as engaged,
            b.bonus_drops_earned + coalesce(c.bonus, 0) as bonus,
            coalesce(c.run_days, b.run_days) as run_days,
            coalesce(c.last_sent_on, b.last_sent_on) as last_sent_on
        ) n
      )
      from jsonb_to_recordset(p_changes) c (
        user_id uuid, sent integer, engaged integer, bonus integer, run_days integer, last_sent_on date
      )
      join nectar.user_badges before on before.user_id = c.user_id
      -- Of jsonb the planner expects a hundred rows, and would rather read all badges.
      where b.user_id = c.user_id
        and b.user_id = any (array(select (e ->> 'user_id')::uuid from jsonb_array_elements(p_changes) e))
      returning b.user_id, b.level, before.level as level_before,
        case when b.level > before.level then private.badge_stats(b, p_moment) end as stats
    ), reached as (
      -- The old level is the one that this statement saw; a concurrent transaction has created the same milestones.
      insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
      select a.user_id, d.level, d.name, p_moment, a.stats from advanced a
      join nectar.badge_definitions d on d.level > a.level_before and d.level <= a.level
      on conflict on constraint badge_milestones_one_for_a_level do nothing
      returning badge_milestones.user_id, badge_milestones.level
    ), highest as (select r.user_id, max(r.level) as level from reached r group by r.user_id), notified as (
      insert into nectar.notifications (user_id, type, data)
      select h.user_id, 'badge_earned', jsonb_build_object('level', d.level, 'badge_name', d.name, 'emoji', d.emoji)
      from highest h
      join nectar.badge_definitions d on d.level = h.level
      join nectar.profiles p on p.id = h.user_id and not p.is_ai
    )
    -- Not joined: the planner expects few of both, and would compare each with each.
    select a.user_id, a.user_id in (select h.user_id from highest h) from advanced a;
end $$;

alter table nectar.user_badges enable row level security;
alter table nectar.badge_milestones enable row level security;

create policy "everyone signed in sees a person's badge" on nectar.user_badges
  for select to nectar_user using ((select private.actor_id()) is not null);

create policy "everyone signed in sees a person's milestones" on nectar.badge_milestones
  for select to nectar_user using ((select private.actor_id()) is not null);

grant select on nectar.user_badges, nectar.badge_milestones to nectar_user;
