-- Why: The drops that a person sends on a day (UTC) are counted in one row per person and day. Its lock makes requests
-- at the same time count correctly.

create table nectar.encouragement_config (
  id boolean primary key default true,
  daily_allowance integer not null default 5,
  bonus_drops_per_engagement integer not null default 2,
  engagement_window_hours integer not null default 24,
  max_custom_drops_per_day integer not null default 3,
  updated_at timestamptz(3) not null default now(),
  constraint encouragement_config_is_one_row check (id),
  constraint encouragement_config_allowance_in_range check (daily_allowance between 0 and 100),
  constraint encouragement_config_bonus_in_range check (bonus_drops_per_engagement between 0 and 100),
  constraint encouragement_config_window_in_range check (engagement_window_hours between 1 and 168),
  constraint encouragement_config_custom_in_range check (max_custom_drops_per_day between 0 and 100)
);
comment on table nectar.encouragement_config is 'The one row of rules for encouragement drops.';

create table nectar.encouragement_allowances (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  date date not null,
  daily_allowance integer not null,
  drops_used integer not null default 0,
  custom_drops_used integer not null default 0,
  bonus_earned integer not null default 0,
  bonus_carried integer not null default 0,
  primary key (user_id, date),
  constraint encouragement_allowances_not_negative
    check (least(daily_allowance, drops_used, custom_drops_used, bonus_earned, bonus_carried) >= 0),
  constraint encouragement_allowances_custom_are_used check (custom_drops_used <= drops_used)
);
comment on table nectar.encouragement_allowances is 'What a person had and used on a day (UTC). Written only by functions, under its lock.';
comment on column nectar.encouragement_allowances.daily_allowance is 'The rule when the row was last written.';
comment on column nectar.encouragement_allowances.bonus_earned is 'Drops earned on this day; the unused ones may be used on the next day.';
comment on column nectar.encouragement_allowances.bonus_carried is 'What was left of the drops earned the day before.';

-- Returns what is left of the bonus that was earned on a day; 0 if there is no such day. A day uses its allowance
-- first, then the carried bonus, then the bonus earned on that day; a carried bonus is not carried again.
create function private.unused_bonus(p_allowance nectar.encouragement_allowances) returns integer
  language sql immutable security invoker
  return least(
    p_allowance.bonus_earned,
    greatest(
      0, p_allowance.daily_allowance + p_allowance.bonus_carried + p_allowance.bonus_earned - p_allowance.drops_used
    )
  );
grant execute on function private.unused_bonus(nectar.encouragement_allowances) to nectar_user;

-- It is a security invoker: people see their own.
create type private.drop_allowance as (
  daily_allowance integer, drops_used integer, bonus_drops_earned integer, custom_drops_used integer,
  max_custom_drops_per_day integer
);

-- Returns what a person has and used on a day, by the current rules.
create function private.read_allowance(p_user_id uuid, p_date date) returns private.drop_allowance
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select row(
      c.daily_allowance, coalesce(a.drops_used, 0),
      coalesce(a.bonus_earned, 0) + private.unused_bonus(y), coalesce(a.custom_drops_used, 0),
      c.max_custom_drops_per_day
    )::private.drop_allowance
    from nectar.encouragement_config c
    left join nectar.encouragement_allowances a on a.user_id = p_user_id and a.date = p_date
    left join nectar.encouragement_allowances y on y.user_id = p_user_id and y.date = p_date - 1
  );
end $$;
grant execute on function private.read_allowance(uuid, date) to nectar_user;

-- Counts a drop of a person on a day, by the current rules, and returns the day as private.read_allowance does. Its row
-- is locked until the transaction ends. Raises encouragement.allowance_exhausted and
-- encouragement.custom_drops_exhausted.
create function private.use_allowance(p_user_id uuid, p_date date, p_is_custom boolean)
  returns private.drop_allowance
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_max_custom constant integer := (select c.max_custom_drops_per_day from nectar.encouragement_config c);
  v_day nectar.encouragement_allowances;
begin
  -- The carried bonus is computed each time, because a transaction that began before midnight may have changed it.
  insert into nectar.encouragement_allowances as a
    (user_id, date, daily_allowance, drops_used, custom_drops_used, bonus_carried)
  select p_user_id, p_date, c.daily_allowance, 1, p_is_custom::integer, private.unused_bonus(y)
  from nectar.encouragement_config c
  left join nectar.encouragement_allowances y on y.user_id = p_user_id and y.date = p_date - 1
  on conflict (user_id, date) do update
    set daily_allowance = excluded.daily_allowance, bonus_carried = excluded.bonus_carried,
      drops_used = a.drops_used + 1, custom_drops_used = a.custom_drops_used + excluded.custom_drops_used
  returning a.* into v_day;
  if v_day.drops_used > v_day.daily_allowance + v_day.bonus_carried + v_day.bonus_earned then
    raise exception 'allowance exhausted' using errcode = 'NX000', detail = 'encouragement.allowance_exhausted';
  end if;
  if p_is_custom and v_day.custom_drops_used > v_max_custom then
    raise exception 'custom drops exhausted' using errcode = 'NX000', detail = 'encouragement.custom_drops_exhausted';
  end if;
  return row(
    v_day.daily_allowance, v_day.drops_used, v_day.bonus_carried + v_day.bonus_earned, v_day.custom_drops_used, v_max_custom
  )::private.drop_allowance;
end $$;

-- Adds to the bonus that people earned on the UTC day of a moment. Each element of the array names a user_id, once, and
-- a bonus.
create function private.grant_encouragement_bonus(p_changes jsonb, p_moment timestamptz) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_today constant date := (p_moment at time zone 'UTC')::date;
begin
  insert into nectar.encouragement_allowances as a (user_id, date, daily_allowance, bonus_earned, bonus_carried)
    select w.user_id, v_today, c.daily_allowance, w.bonus, private.unused_bonus(y)
    from jsonb_to_recordset(p_changes) w (user_id uuid, bonus integer)
    cross join nectar.encouragement_config c
    left join nectar.encouragement_allowances y on y.user_id = w.user_id and y.date = v_today - 1
    where w.bonus > 0
    on conflict (user_id, date) do update
      set bonus_earned = a.bonus_earned + excluded.bonus_earned,
        bonus_carried = excluded.bonus_carried,
        daily_allowance = excluded.daily_allowance;
end $$;

alter table nectar.encouragement_config enable row level security;
alter table nectar.encouragement_allowances enable row level security;

create policy "everyone signed in reads the rules" on nectar.encouragement_config
  for select to nectar_user using ((select private.actor_id()) is not null);
create policy "an admin changes the rules" on nectar.encouragement_config
  for update to nectar_user using ((select private.is_admin()));

create policy "a person sees their own allowance" on nectar.encouragement_allowances
  for select to nectar_user using (user_id = (select private.actor_id()));

grant select,
  update (daily_allowance, bonus_drops_per_engagement, engagement_window_hours, max_custom_drops_per_day, updated_at)
  on nectar.encouragement_config to nectar_user;
grant select on nectar.encouragement_allowances to nectar_user;
