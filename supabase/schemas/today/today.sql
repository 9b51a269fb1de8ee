-- Why: A start screen shows a number of each part. They are read in one round trip, each by the function that the
-- endpoints of its part have, so that they say the same.

create type private.window_of_day as (
  date date, activity_type nectar.activity_type, window_starts_at text, window_ends_at text
);
create type private.own_days as (matched private.window_of_day[], days private.days_in_state[]);
comment on type private.own_days is 'The windows of the dates that may not be over, in order, and the states of all dates.';

-- Returns the days of the caller in the game at a moment.
create function private.read_own_days(p_moment timestamptz, p_grace_minutes integer) returns private.own_days
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
begin
  return row(
    array(
      select row(
        c.date, c.activity_type, private.rfc3339(c.window_starts_at), private.rfc3339(c.window_ends_at)
      )::private.window_of_day
      from nectar.chains c
      where c.user_id = (select v_me) and c.date >= (select (p_moment at time zone 'UTC')::date - 3) order by c.date
    ),
    private.read_days(p_moment, p_grace_minutes)
  )::private.own_days;
end $$;
grant execute on function private.read_own_days(timestamptz, integer) to nectar_user;

create type private.own_drops as (balance integer, allowance private.drop_allowance, unread bigint);
create type private.today as (
  date date, timezone text, game private.own_days, goals private.due_goal[], journal private.journal_of_day,
  drops private.own_drops, unread_notifications integer
);

-- Returns what a start screen of the caller shows of some parts at a moment; all others are null. The parts are game,
-- goals, journal, drops and notifications. A function because one statement is one round trip.
create function private.read_today(
  p_parts text[], p_moment timestamptz, p_grace_minutes integer, p_max_goals integer, p_max_bytes bigint,
  p_max_counted integer
) returns private.today
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
  v_today constant date := private.date_of(v_me, p_moment);
  v_balance integer;
  v_result private.today;
begin
  v_result.date := v_today;
  select a.timezone, a.drops_balance into v_result.timezone, v_balance from nectar.accounts a where a.user_id = v_me;
  if 'game' = any (p_parts) then v_result.game := private.read_own_days(p_moment, p_grace_minutes); end if;
  if 'goals' = any (p_parts) then v_result.goals := private.list_due_goals(v_today, p_max_goals); end if;
  if 'journal' = any (p_parts) then v_result.journal := private.read_journal_of_day(v_today, p_max_bytes); end if;
  if 'drops' = any (p_parts) then
    v_result.drops := row(
      v_balance, private.read_allowance(v_me, (p_moment at time zone 'UTC')::date), private.count_unread_drops(v_me)
    );
  end if;
  if 'notifications' = any (p_parts) then
    v_result.unread_notifications := private.count_unread_notifications(v_me, p_max_counted);
  end if;
  return v_result;
end $$;
grant execute on function private.read_today(text[], timestamptz, integer, integer, bigint, integer) to nectar_user;
