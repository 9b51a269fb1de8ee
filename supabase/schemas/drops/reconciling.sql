-- Why: Balances, movements and packs are written by few functions under locks, so they should always agree. This looks
-- whether they do, for all accounts at one moment, and corrects nothing.

create type private.ledger_difference as enum (
  'balance', 'gap', 'negative', 'missing_signup_bonus', 'twice_in_a_month', 'purchase_without_pack',
  'pack_without_purchase'
);

-- Returns the people whose payments for packs that were not refunded do not match the packs that they have, with both
-- numbers.
create function private.pack_differences()
  returns table (user_id uuid, kind private.ledger_difference, expected bigint, found bigint)
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    with paid as (
      select p.id, p.user_id, p.item_id as pack_id from nectar.drop_transactions p
      left join nectar.drop_transactions r
        on r.user_id = p.user_id and r.type = 'refund' and r.event_key = 'refund:' || p.id
      where p.type = 'purchase' and p.item_type = 'tone_pack' and r.id is null
    ), owned as (
      select b.transaction_id as id, b.user_id, b.pack_id from nectar.tone_pack_purchases b
      join nectar.tone_packs t on t.id = b.pack_id
      where b.refunded_at is null
    ), matched as (
      select coalesce(p.user_id, o.user_id) as user_id, count(p.id) as paid, count(o.id) as owned,
        count(*) filter (where p.id is not null and o.id is not null) as both
      from paid p
      full join owned o on o.id = p.id and o.user_id = p.user_id and o.pack_id = p.pack_id
      group by 1
    )
    select m.user_id, d.kind, d.expected, d.found from matched m
    cross join lateral (
      values
        ('purchase_without_pack'::private.ledger_difference, m.paid, m.both),
        ('pack_without_purchase', m.both, m.owned)
    ) d (kind, expected, found)
    where d.expected <> d.found;
end $$;

create type private.reconciliation_difference as (
  user_id uuid, kind private.ledger_difference, expected bigint, found bigint
);
create type private.reconciliation as (
  ok boolean, accounts bigint, movements bigint, issued bigint, spent bigint, refunded bigint, adjusted bigint,
  erased bigint, circulating bigint, differences private.reconciliation_difference[]
);
comment on type private.reconciliation is 'Sums of all balances and movements in drops, and what does not add up.';

-- Returns every balance, movement, monthly award and bought pack that does not agree with the others.
create function private.ledger_differences() returns setof private.reconciliation_difference
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    with movements as (
      select t.user_id, t.type, t.amount, t.balance_after, t.created_at,
        t.amount + lead(t.balance_after, 1, 0) over newest_first as expected_after
      from nectar.drop_transactions t
      window newest_first as (partition by t.user_id order by t.created_at desc, t.id desc)
    ), books as (
      select m.user_id, count(*) as movements, sum(m.amount) as total, min(m.balance_after) as lowest,
        count(*) filter (where m.type = 'signup_bonus') as bonuses,
        count(*) filter (where m.type = 'monthly_recurring') as awards,
        min(array[extract(epoch from m.created_at), m.expected_after, m.balance_after])
          filter (where m.balance_after <> m.expected_after) as first_gap
      from movements m group by m.user_id
    ), awarded as (
      select w.user_id, count(distinct w.month) as months from nectar.monthly_drop_awards w group by w.user_id
    ), people as (
      select coalesce(a.user_id, b.user_id) as user_id, coalesce(a.drops_balance, 0) as balance,
        coalesce(b.total, 0) as total, least(a.drops_balance, b.lowest, 0) as lowest, b.first_gap,
        coalesce(b.bonuses, 0) as bonuses, coalesce(not p.is_ai, false)::int as expected_bonuses,
        coalesce(b.awards, 0) as awards, coalesce(w.months, 0) as months
      from nectar.accounts a
      full join books b on b.user_id = a.user_id
      left join nectar.profiles p on p.id = a.user_id
      left join awarded w on w.user_id = b.user_id
    ), wrong as (
      -- Nearly everyone is right, so nothing is stored or compared one by one for them.
      select * from people p
      where p.balance <> p.total or p.first_gap is not null or p.lowest < 0 or p.bonuses < p.expected_bonuses
        or p.awards > p.months
    )
    select w.user_id, d.kind, d.expected, d.found from wrong w
    cross join lateral (
      values
        ('balance'::private.ledger_difference, w.total, w.balance),
        ('gap', w.first_gap[2]::bigint, w.first_gap[3]::bigint),
        ('negative', 0, w.lowest),
        ('missing_signup_bonus', greatest(w.bonuses, w.expected_bonuses), w.bonuses),
        ('twice_in_a_month', w.months, greatest(w.months, w.awards))
    ) d (kind, expected, found)
    where d.expected <> d.found
    union all
    select d.user_id, d.kind, d.expected, d.found from private.pack_differences() d;
end $$;

-- Compares all balances, movements, monthly awards and bought packs; returns the sums and the first differences. The
-- differences are by kind and user: what was expected and what was found. Security definer: the service may not read
-- the ledger.
create function private.reconcile_drops() returns private.reconciliation
  -- Stable, so that all its statements, and those of what it calls, see the same snapshot.
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    with differences as (select * from private.ledger_differences()), ledger as (
      select count(*) as movements,
        sum(t.amount) filter (where t.type in ('signup_bonus', 'monthly_recurring')) as issued,
        -sum(t.amount) filter (where t.type = 'purchase') as spent,
        sum(t.amount) filter (where t.type = 'refund') as refunded,
        sum(t.amount) filter (where t.type = 'admin_adjustment') as adjusted
      from nectar.drop_transactions t
    ), supply as (
      select (select count(*) from nectar.accounts) as accounts, l.movements,
        coalesce(l.issued, 0) + e.issued as issued, coalesce(l.spent, 0) + e.spent as spent,
        coalesce(l.refunded, 0) + e.refunded as refunded, coalesce(l.adjusted, 0) + e.adjusted as adjusted,
        e.balance as erased, coalesce((select sum(a.drops_balance) from nectar.accounts a), 0) as circulating
      from ledger l
      cross join private.erased_totals e
    )
    select row(
      not exists (select from differences)
        and s.issued + s.refunded + s.adjusted - s.spent - s.erased = s.circulating,
      s.accounts, s.movements, s.issued, s.spent, s.refunded, s.adjusted, s.erased, s.circulating,
      array(
        select row(d.user_id, d.kind, d.expected, d.found)::private.reconciliation_difference
        from differences d order by d.kind, d.user_id limit 100
      )
    )::private.reconciliation
    from supply s
  );
end $$;
grant execute on function private.reconcile_drops() to nectar_service;
