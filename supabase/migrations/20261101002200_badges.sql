-- Why: whoever sends drops climbs a ladder of badges, by how many of them were followed by an entry of the recipient. What
-- counts is kept in one row for each person, written where it happens: by the drop that is sent and by the job that finds
-- the engagement. The leaderboard is an index over these rows. A rank in it must not be counted from the top, so every
-- 256th place is a fence whose rank is known, and what moved since then is in a log that is folded into the fences before it
-- grows long.

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.badge_definitions (
  level smallint primary key,
  name text not null,
  min_engagement_increases integer not null,
  min_success_rate numeric(5,2),
  min_consecutive_days integer,
  emoji text not null,
  color text not null,
  constraint badge_definitions_level_in_range check (level between 1 and 7),
  constraint badge_definitions_name_length check (char_length(name) between 1 and 50),
  constraint badge_definitions_minima_in_range
    check (min_engagement_increases >= 0 and min_success_rate between 0 and 100 and min_consecutive_days >= 1),
  constraint badge_definitions_first_is_free check (
    level > 1 or (min_engagement_increases = 0 and min_success_rate is null and min_consecutive_days is null)
  ),
  constraint badge_definitions_emoji_length check (char_length(emoji) between 1 and 8),
  constraint badge_definitions_color_is_hex check (color ~ '^#[0-9A-F]{6}$')
);

insert into nectar.badge_definitions (level, name, min_engagement_increases, emoji, color)
values
  (1, 'Seedling', 0, '🌱', '#90EE90'),
  (2, 'Sprout', 6, '🌿', '#7CFC00'),
  (3, 'Bloom', 21, '🌸', '#FF69B4'),
  (4, 'Pollinator', 51, '🐝', '#FFD700'),
  (5, 'Hive Keeper', 151, '🍯', '#FF8C00'),
  (6, 'Queen Bee', 501, '👑', '#9370DB'),
  (7, 'Hive Legend', 1501, '🏆', '#FFD700');

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
  -- Engagements, then the success rate, then drops sent: each has its own decimal places, so that none reaches into another.
  standing numeric(26) not null generated always as (
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

create table private.leaderboard_fences (
  standing numeric(26) not null,
  user_id uuid not null,
  ahead bigint not null,
  primary key (standing, user_id)
)
-- Folding the log changes what is ahead of every fence, in the page where the fence is.
with (fillfactor = 45);

create table private.leaderboard_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  old_standing numeric(26),
  new_standing numeric(26)
);

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index user_badges_leaderboard on nectar.user_badges (standing, user_id) where is_listed;
create index user_badges_recent_senders on nectar.user_badges (last_sent_on, user_id) where last_sent_on is not null;

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.current_run(run_days integer, last_sent_on date, moment timestamptz) returns integer
  language sql immutable parallel safe security invoker
  set search_path = ''
  as $$ select case when last_sent_on >= (moment at time zone 'UTC')::date - 1 then run_days else 0 end $$;
comment on function private.current_run(integer, date, timestamptz) is
  'The run of UTC days with a drop sent, as long as it ends at a moment''s day or the day before; else 0.';

create function private.badge_stats(
  total_drops_sent integer, engagement_increases integer, success_rate numeric, bonus_drops_earned integer, run integer
) returns jsonb
  language sql immutable parallel safe security invoker
  set search_path = ''
  as $$
    select jsonb_build_object(
      'total_drops_sent', total_drops_sent,
      'engagement_increases', engagement_increases,
      'success_rate', success_rate,
      'bonus_drops_earned', bonus_drops_earned,
      'consecutive_days', run
    )
  $$;
comment on function private.badge_stats(integer, integer, numeric, integer, integer) is
  'The numbers that a milestone keeps.';

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
comment on function private.give_first_badges() is 'Trigger: everybody begins with the first badge, and its milestone.';

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

create function private.advance_badges(
  people uuid[], sent integer[], engaged integer[], bonus integer[], runs integer[], last_days date[], moment timestamptz
) returns table (user_id uuid, climbed boolean)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  return query
    with changes as (
      select c.person, coalesce(c.sent, 0) as sent, coalesce(c.engaged, 0) as engaged, coalesce(c.bonus, 0) as bonus,
        c.run, c.last_day
      from unnest(people, sent, engaged, bonus, runs, last_days) c (person, sent, engaged, bonus, run, last_day)
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
                private.current_run(coalesce(c.run, b.run_days), coalesce(c.last_day, b.last_sent_on), moment)
            )
        )
      from changes c
      join nectar.user_badges before on before.user_id = c.person
      where b.user_id = c.person
      returning b.*, before.level as level_before
    ), reached as (
      -- The level before is the one that this statement saw; whoever was faster has made the same milestones.
      insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
      select a.user_id, d.level, d.name, moment,
        private.badge_stats(
          a.total_drops_sent, a.engagement_increases, a.success_rate, a.bonus_drops_earned,
          private.current_run(a.run_days, a.last_sent_on, moment)
        )
      from advanced a
      join nectar.badge_definitions d on d.level > a.level_before and d.level <= a.level
      where a.level > a.level_before
      on conflict on constraint badge_milestones_one_for_a_level do nothing
      returning badge_milestones.user_id, badge_milestones.level
    ), highest as (
      select r.user_id, max(r.level) as level from reached r group by r.user_id
    ), told as (
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
  'Adds to what counts for badges, each person named once; an array that is null changes nothing. Raises levels, never lowers them: the highest level all of whose minima hold. Each level that is new, skipped ones too, becomes a milestone; the person is told of the highest. Returns whom it found and whether they climbed.';

create function private.count_sent_drops() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.advance_badges(
    array_agg(s.sender_id order by s.sender_id),
    array_agg(s.sent order by s.sender_id),
    null,
    null,
    array_agg(s.run order by s.sender_id),
    array_agg(s.last_day order by s.sender_id),
    max(s.moment)
  )
  from (
    with drops as (
      select n.sender_id, n.date_sent, count(*)::integer as sent, max(n.created_at) as moment
      from new_rows n
      where n.sender_id <> private.system_user_id()
      group by n.sender_id, n.date_sent
    ), locked as materialized (
      select b.user_id, b.run_days, b.last_sent_on
      from nectar.user_badges b
      where b.user_id in (select d.sender_id from drops d)
      order by b.user_id
      for no key update
    ), days as (
      -- Days in a row have the same distance to their number.
      select d.*, l.run_days, l.last_sent_on, d.date_sent > coalesce(l.last_sent_on, '-infinity') as is_new,
        d.date_sent - row_number() over (
          partition by d.sender_id, d.date_sent > coalesce(l.last_sent_on, '-infinity') order by d.date_sent
        )::integer as island
      from drops d join locked l on l.user_id = d.sender_id
    ), islands as (
      select y.sender_id, y.island, y.last_sent_on, y.run_days, count(*)::integer as length,
        min(y.date_sent) as first_day, max(y.date_sent) as last_day
      from days y
      where y.is_new
      group by y.sender_id, y.island, y.last_sent_on, y.run_days
    ), newest as (
      select distinct on (i.sender_id) i.sender_id, i.last_day,
        i.length + case when i.first_day = i.last_sent_on + 1 then i.run_days else 0 end as run
      from islands i
      order by i.sender_id, i.last_day desc
    )
    select y.sender_id, sum(y.sent)::integer as sent, max(y.moment) as moment, w.run, w.last_day
    from days y left join newest w on w.sender_id = y.sender_id
    group by y.sender_id, w.run, w.last_day
  ) s
  having count(*) > 0;
  return null;
end
$$;
comment on function private.count_sent_drops() is
  'Trigger: counts drops for the badges of their senders, and the run of days. Drops of the system user count for nobody.';

create function private.recalculate_badges(people uuid[], moment timestamptz) returns table (user_id uuid, climbed boolean)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  due uuid[];
begin
  select array_agg(b.user_id order by b.user_id) into due
  from nectar.user_badges b
  where b.user_id = any (people) and exists (
    select from nectar.badge_definitions d
    where d.level > b.level and d.min_engagement_increases <= b.engagement_increases
  );
  return query
    select a.user_id, a.climbed
    from private.advance_badges(due, null, null, null, null, null, moment) a;
end
$$;
comment on function private.recalculate_badges(uuid[], timestamptz) is
  'Works out levels again from what is counted, for when definitions changed or the calendar went on. Returns those whose engagements are enough for more, and whether they climbed.';

create function private.recalculate_my_badge(moment timestamptz) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.check_moment(moment);
  return coalesce((select r.climbed from private.recalculate_badges(array[private.actor_id()], moment) r), false);
end
$$;
comment on function private.recalculate_my_badge(timestamptz) is
  'Works out the caller''s level again. Returns whether it rose. Raises service.unexpected unless the moment is now. Security definer: no role may write badges directly.';

create function private.recalculate_recent_badges(
  moment timestamptz, after_day date, after_user uuid, size integer,
  out last_day date, out last_user uuid, out seen integer, out climbed uuid[]
)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  people uuid[];
begin
  with page as (
    select b.last_sent_on, b.user_id
    from nectar.user_badges b
    where (b.last_sent_on, b.user_id) > (
      coalesce(after_day, (moment at time zone 'UTC')::date - 1),
      coalesce(after_user, '00000000-0000-0000-0000-000000000000')
    )
    order by b.last_sent_on, b.user_id
    limit size
  )
  select array_agg(p.user_id), count(*),
    (array_agg(p.last_sent_on order by p.last_sent_on desc, p.user_id desc))[1],
    (array_agg(p.user_id order by p.last_sent_on desc, p.user_id desc))[1]
  into people, seen, last_day, last_user
  from page p;
  select coalesce(array_agg(r.user_id) filter (where r.climbed), '{}') into climbed
  from private.recalculate_badges(people, moment) r;
end
$$;
comment on function private.recalculate_recent_badges(timestamptz, date, uuid, integer) is
  'Recalculates the next so many of those who sent a drop today or yesterday (UTC). Returns where it ended, how many it looked at and who climbed.';

create function private.grant_encouragement_bonus(people uuid[], amounts integer[], moment timestamptz) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  today constant date := (moment at time zone 'UTC')::date;
begin
  insert into nectar.encouragement_allowances as a (user_id, date, daily_allowance, bonus_earned, bonus_carried)
    select w.person, today, c.daily_allowance, w.amount, private.carried_bonus(w.person, today)
    from unnest(people, amounts) w (person, amount)
    cross join nectar.encouragement_config c
    where w.amount > 0
    order by w.person
    on conflict (user_id, date) do update
      set bonus_earned = a.bonus_earned + excluded.bonus_earned,
        bonus_carried = excluded.bonus_carried,
        daily_allowance = excluded.daily_allowance;
end
$$;
comment on function private.grant_encouragement_bonus(uuid[], integer[], timestamptz) is
  'Adds to what people earned on the UTC day of a moment, each person named once.';

create function private.process_engagement(
  moment timestamptz, after_sender uuid, after_drop uuid, size integer,
  out last_sender uuid, out last_drop uuid, out checked integer, out engaged integer, out bonus_awarded integer, out badges_updated integer,
  out climbed uuid[]
)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  -- An entry becomes visible when its transaction commits, which is later than its time, by less than this.
  grace constant interval := '1 minute';
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  bonus integer;
  senders uuid[];
  successes integer[];
  bonuses integer[];
begin
  -- One at a time: two that look at the same drops would wait for each other's locks all the way.
  perform pg_advisory_xact_lock(hashtextextended('process engagement', 0));
  select c.bonus_drops_per_engagement into bonus from nectar.encouragement_config c;
  select p.sender_id, p.id, p.place into last_sender, last_drop, checked
  from (
    select d.sender_id, d.id, row_number() over (order by d.sender_id, d.id) as place
    from nectar.encouragement_drops d
    where d.engagement = 'open' and (d.sender_id, d.id) > (coalesce(after_sender, nobody), coalesce(after_drop, nobody))
    order by d.sender_id, d.id
    limit size
  ) p
  order by p.place desc
  limit 1;
  -- Whoever deletes an account holds the profile and waits for its rows: so the senders are held before their drops.
  perform
  from nectar.profiles p
  where p.id in (
    select d.sender_id
    from nectar.encouragement_drops d
    where d.engagement = 'open'
      and (d.sender_id, d.id) > (coalesce(after_sender, nobody), coalesce(after_drop, nobody))
      and (d.sender_id, d.id) <= (last_sender, last_drop)
  )
  order by p.id
  for key share;
  -- Each drop is looked for entries once: before its window is over to be closed at all, afterwards to be closed rightly.
  with closed as (
    update nectar.encouragement_drops d
    set (engagement, engaged_at, bonus_drops_awarded) = (
      select
        (case when b.is_ai then 'never' when c.was_engaged then 'engaged' else 'expired' end)::nectar.engagement_state,
        case when c.was_engaged and not b.is_ai then moment end,
        case when c.was_engaged and not b.is_ai then bonus else 0 end
      from nectar.user_badges b
      cross join lateral (
        select d.engagement_until >= moment - grace
          or exists (
            select from nectar.journal_entries e
            where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until
          )
          or exists (
            select from nectar.wellness_entries e
            where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until
          ) as was_engaged
      ) c
      where b.user_id = d.sender_id
    )
    where d.engagement = 'open'
      and (d.sender_id, d.id) > (coalesce(after_sender, nobody), coalesce(after_drop, nobody))
      and (d.sender_id, d.id) <= (last_sender, last_drop)
      and (
        d.engagement_until < moment - grace
        or exists (
          select from nectar.journal_entries e
          where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until
        )
        or exists (
          select from nectar.wellness_entries e
          where e.user_id = d.recipient_id and e.created_at > d.created_at and e.created_at <= d.engagement_until
        )
      )
    returning d.sender_id, d.engagement
  ), earned as (
    select c.sender_id, count(*)::integer as successes
    from closed c
    where c.engagement = 'engaged'
    group by c.sender_id
  )
  select
    coalesce(sum(e.successes), 0),
    array_agg(e.sender_id order by e.sender_id),
    array_agg(e.successes order by e.sender_id),
    array_agg(e.successes * bonus order by e.sender_id)
  into engaged, senders, successes, bonuses
  from earned e;
  checked := coalesce(checked, 0);
  bonus_awarded := engaged * bonus;
  perform private.grant_encouragement_bonus(senders, bonuses, moment);
  select count(*), coalesce(array_agg(a.user_id) filter (where a.climbed), '{}') into badges_updated, climbed
  from private.advance_badges(senders, null, successes, bonuses, null, null, moment) a;
end
$$;
comment on function private.process_engagement(timestamptz, uuid, uuid, integer) is
  'Looks at the next so many open drops, those of one sender together, so that the sender''s rows are written once. An entry of the recipient after the drop, the end of its window included, closes it as engaged and earns its sender the bonus, today, and a success for the badge; a window that is over closes it as expired. Returns where it ended, its counts, and whose badge rose.';

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

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger profiles_give_first_badges
  after insert on nectar.profiles
  referencing new table as new_rows
  for each statement execute function private.give_first_badges();

create trigger profiles_badge_follows_is_ai
  after update of is_ai on nectar.profiles
  for each row when (old.is_ai <> new.is_ai)
  execute function private.follow_is_ai();

create trigger encouragement_drops_count_sent
  after insert on nectar.encouragement_drops
  referencing new table as new_rows
  for each statement execute function private.count_sent_drops();

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

-- Rows ------------------------------------------------------------------------------------------------------------------
insert into nectar.user_badges (user_id, is_ai) select p.id, p.is_ai from nectar.profiles p;
insert into nectar.badge_milestones (user_id, level, badge_name, achieved_at, stats)
select b.user_id, d.level, d.name, now(), private.badge_stats(0, 0, 0, 0, 0)
from nectar.user_badges b join nectar.badge_definitions d on d.level = b.level;

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.badge_definitions enable row level security;
alter table nectar.user_badges enable row level security;
alter table nectar.badge_milestones enable row level security;
alter table private.leaderboard_fences enable row level security;
alter table private.leaderboard_changes enable row level security;

create policy "anyone signed in sees the badges there are" on nectar.badge_definitions
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "anyone signed in sees a person's badge" on nectar.user_badges
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "anyone signed in sees a person's milestones" on nectar.badge_milestones
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "the service sees how long the log is" on private.leaderboard_changes
  for select to nectar_service using (true);
create policy "the service sees where fences stand" on private.leaderboard_fences
  for select to nectar_service using (true);

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.badge_definitions, nectar.user_badges, nectar.badge_milestones to nectar_user;
grant select on private.leaderboard_fences, private.leaderboard_changes to nectar_service;
revoke execute on all functions in schema private from public;
grant execute on function private.leaderboard_rank(uuid), private.recalculate_my_badge(timestamptz) to nectar_user;
grant execute on function
  private.process_engagement(timestamptz, uuid, uuid, integer),
  private.recalculate_recent_badges(timestamptz, date, uuid, integer),
  private.rebuild_leaderboard_fences(integer) to nectar_service;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.badge_definitions is 'The ladder: what each level asks for. Minima that are null ask for nothing.';
comment on table nectar.user_badges is 'One row for each person: level and what counts for it. Written by private.advance_badges.';
comment on column nectar.user_badges.is_ai is 'As in the profile.';
comment on column nectar.user_badges.run_days is 'Length of the run of UTC days with a drop sent that ends with last_sent_on.';
comment on column nectar.user_badges.success_rate is 'Engagements of a hundred drops sent, 0 to 100.';
comment on column nectar.user_badges.standing is 'The order of the leaderboard as one number, smaller ahead: engagements, success rate, drops sent, all falling; a tie goes by user_id.';
comment on table nectar.badge_milestones is 'When each level was reached. A level that was skipped has its row too.';
comment on column nectar.badge_milestones.stats is 'What counted at that time.';
comment on table private.leaderboard_fences is 'Places of the leaderboard of which is known how many people are ahead, but for what the log says.';
comment on column private.leaderboard_fences.ahead is 'Listed people ahead of this place, as of the last rebuild or folding.';
comment on table private.leaderboard_changes is 'What moved on the leaderboard and is not in the fences yet; null for not listed. Only appended to, so that nobody waits.';
