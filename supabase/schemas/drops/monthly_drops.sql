-- Why: Each person gets drops once in a calendar month (UTC), by the job or on request, however often and in whatever
-- order the two happen.

create table nectar.monthly_drop_awards (
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  month date not null,
  amount integer not null,
  transaction_id uuid not null references nectar.drop_transactions (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, month),
  constraint monthly_drop_awards_month_is_first_day check (extract(day from month) = 1),
  constraint monthly_drop_awards_amount_positive check (amount > 0)
);
comment on table nectar.monthly_drop_awards is 'The months for which a person was given drops, at most one row per month.';
comment on column nectar.monthly_drop_awards.month is 'First day of the month, by the UTC calendar.';
comment on column nectar.monthly_drop_awards.transaction_id is 'The movement that gave the drops.';

create unique index monthly_drop_awards_transaction on nectar.monthly_drop_awards (transaction_id);

-- Returns the drops that a person gets each month.
create function private.monthly_drops(p_is_premium boolean) returns integer
  language sql immutable security invoker
  return case when p_is_premium then 250 else 30 end;

-- Books the award of a month on those accounts that do not have it yet. Each element of the array names a user_id,
-- once, and an amount.
create function private.book_monthly_awards(p_amounts jsonb, p_month date) returns setof nectar.monthly_drop_awards
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_month_name constant text := to_char(p_month, 'YYYY-MM');
begin
  -- The lock of the account and the event key allow one award per month, so this insert has no conflict.
  return query
    insert into nectar.monthly_drop_awards (user_id, month, amount, transaction_id)
    select t.user_id, p_month, t.amount, t.id
    from private.post_drop_transactions(
      p_amounts, 'monthly_recurring', 'monthly:' || v_month_name, 'Monthly drops for ' || v_month_name
    ) t
    returning *;
end $$;

-- Awards the current month to the caller and returns the drops; 0 if nothing was due. Raises service.unexpected unless
-- the moment is now. Security definer: no role may write balances.
create function private.award_monthly_drops(p_moment timestamptz) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_amount integer;
  v_awarded integer;
begin
  perform private.check_moment(p_moment);
  select private.monthly_drops(a.is_premium) into v_amount from nectar.accounts a
  join nectar.profiles p on p.id = a.user_id
  where a.user_id = private.actor_id() and not p.is_ai;
  if not found then return 0; end if;
  select b.amount into v_awarded
  from private.book_monthly_awards(
    jsonb_build_array(jsonb_build_object('user_id', private.actor_id(), 'amount', v_amount)),
    date_trunc('month', p_moment at time zone 'UTC')::date
  ) b;
  return coalesce(v_awarded, 0);
end $$;
grant execute on function private.award_monthly_drops(timestamptz) to nectar_user;

-- Awards the month to the next people in the order of their ids. Returns the last of them, how many it looked at, how
-- many got the award, and how many balances would get too high; the others had the award before. Security definer: no
-- role may write balances directly.
create function private.award_monthly_batch(
  p_month date, p_after_user_id uuid, p_limit integer, out last_user uuid, out seen integer, out awarded integer,
  out failed integer
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_max_balance constant bigint := 2147483647;
  v_due jsonb;
begin
  -- The nil id is before every id, so the index range starts here; "or p_after_user_id is null" would read from the
  -- start.
  with page as (
    select a.user_id, a.drops_balance,
      -- With constants the amount is computed once per query, not once per row.
      case when a.is_premium then private.monthly_drops(true) else private.monthly_drops(false) end as amount
    from nectar.accounts a
    join nectar.profiles p on p.id = a.user_id
    where a.user_id > coalesce(p_after_user_id, '00000000-0000-0000-0000-000000000000') and not p.is_ai
    order by a.user_id limit p_limit
  ), checked as materialized (
    -- One look into the primary key for each person. A join would be planned by the statistics, which know no rows of a
    -- new month, and would compare each person with every award of the batches before.
    select page.user_id, page.amount,
      (select m.month from nectar.monthly_drop_awards m where m.user_id = page.user_id and m.month = p_month)
        is null as is_missing,
      page.drops_balance + page.amount::bigint <= v_max_balance as fits
    from page
  )
  select
    (array_agg(c.user_id order by c.user_id desc))[1],
    count(*),
    count(*) filter (where c.is_missing and not c.fits),
    jsonb_agg(jsonb_build_object('user_id', c.user_id, 'amount', c.amount)) filter (where c.is_missing and c.fits)
  into last_user, seen, failed, v_due
  from checked c;
  select count(*) into awarded from private.book_monthly_awards(v_due, p_month);
end $$;
grant execute on function private.award_monthly_batch(date, uuid, integer) to nectar_service;

alter table nectar.monthly_drop_awards enable row level security;

create policy "a person sees their own awards" on nectar.monthly_drop_awards
  for select to nectar_user using (user_id = (select private.actor_id()));

grant select on nectar.monthly_drop_awards to nectar_user;
