-- Why: Deleting an account deletes its movements of drops, also if Supabase's dashboard or a cascade deletes it. Triggers
-- add what is deleted to one row of sums, in the same transaction, so that the drops that were ever given and taken still
-- add up to those in circulation. The sums have no names.

create table private.erased_totals (
  id boolean primary key default true,
  issued bigint not null default 0,
  spent bigint not null default 0,
  refunded bigint not null default 0,
  adjusted bigint not null default 0,
  balance bigint not null default 0,
  constraint erased_totals_is_one_row check (id)
);
comment on table private.erased_totals is 'The one row with the sums of drops of all deleted accounts.';
comment on column private.erased_totals.issued is 'Signup bonuses and monthly drops that deleted accounts were given.';
comment on column private.erased_totals.spent is 'What deleted accounts paid; not negative.';
comment on column private.erased_totals.adjusted is 'What admins gave deleted accounts, less what they took.';
comment on column private.erased_totals.balance is 'The balances that deleted accounts had at their end.';

-- Adds the movements of deleted accounts to private.erased_totals. Security definer: accounts are deleted by Auth's
-- role.
create function private.add_erased_movements() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.erased_totals t
  set issued = t.issued + e.issued, spent = t.spent + e.spent, refunded = t.refunded + e.refunded,
    adjusted = t.adjusted + e.adjusted
  from (
    select
      coalesce(sum(m.amount) filter (where m.type in ('signup_bonus', 'monthly_recurring')), 0) as issued,
      coalesce(-sum(m.amount) filter (where m.type = 'purchase'), 0) as spent,
      coalesce(sum(m.amount) filter (where m.type = 'refund'), 0) as refunded,
      coalesce(sum(m.amount) filter (where m.type = 'admin_adjustment'), 0) as adjusted,
      count(*) as movements
    from erased m
  ) e
  where e.movements > 0;
  return null;
end $$;

create trigger drop_transactions__record_erased
  after delete on nectar.drop_transactions
  referencing old table as erased
  for each statement execute function private.add_erased_movements();

alter table private.erased_totals enable row level security;

create policy "the service reads what deleted accounts leave" on private.erased_totals
  for select to nectar_service using (true);

grant select on private.erased_totals to nectar_service;
