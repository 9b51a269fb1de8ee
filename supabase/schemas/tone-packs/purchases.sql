-- Why: A purchase takes drops from the buyer in one function, under the lock of the account. A deleted pack stays
-- visible to its buyers, until the last purchase is refunded. So does the pack of an owner whose account is erased.

create table nectar.tone_pack_purchases (
  id uuid primary key default gen_random_uuid(),
  pack_id uuid not null references nectar.tone_packs (id) on delete cascade,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  price_drops integer not null,
  transaction_id uuid not null unique references nectar.drop_transactions (id) on delete cascade,
  refunded_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint tone_pack_purchases_price_not_negative check (price_drops >= 0)
);
comment on table nectar.tone_pack_purchases is 'Who bought which pack; ended when the purchase is refunded.';
comment on column nectar.tone_pack_purchases.transaction_id is 'The movement of drops that paid for it.';

create unique index tone_pack_purchases_once on nectar.tone_pack_purchases (user_id, pack_id) where refunded_at is null;
create index tone_pack_purchases_buyer on nectar.tone_pack_purchases (user_id, created_at desc, id desc);
create index tone_pack_purchases_pack on nectar.tone_pack_purchases (pack_id);

create type private.tone_pack_purchase as (id uuid, pack_id uuid, user_id uuid, price_drops integer, created_at text);
create type private.paying_movement as (
  id uuid, amount integer, balance_after integer, description text, item_id uuid, created_at text
);
create type private.tone_pack_receipt as (
  purchase private.tone_pack_purchase, transaction private.paying_movement, balance integer
);

-- Buys a pack for the caller; returns the purchase, the movement that paid for it (transaction) and the balance.
-- Everything is decided under the locks of the pack and of the account. Raises tone_pack.not_found, tone_pack.own_pack,
-- tone_pack.already_purchased, tone_pack.price_changed or drops.insufficient_balance. Security definer: no role may
-- write balances directly.
create function private.purchase_tone_pack(p_pack_id uuid, p_expected_price bigint)
  returns private.tone_pack_receipt
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_offer nectar.tone_packs;
  v_id constant uuid := gen_random_uuid();
  v_movement nectar.drop_transactions;
  v_purchase nectar.tone_pack_purchases;
begin
  select * into v_offer from nectar.tone_packs p where p.id = p_pack_id for share;
  if not found or (v_offer.hidden_at is not null and v_offer.owner_id <> v_actor) then
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  perform from nectar.accounts a where a.user_id = v_actor for no key update;
  if exists (
    select from nectar.tone_pack_purchases b where b.pack_id = p_pack_id and b.user_id = v_actor and b.refunded_at is null
  ) then
    raise exception 'bought already' using errcode = 'NX000', detail = 'tone_pack.already_purchased';
  end if;
  if v_offer.deleted_at is not null then
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  if v_offer.owner_id = v_actor then
    raise exception 'own tone pack' using errcode = 'NX000', detail = 'tone_pack.own_pack';
  end if;
  if (not v_offer.is_public or private.has_block(v_actor, v_offer.owner_id))
    and not exists (select from nectar.tone_pack_shares s where s.pack_id = p_pack_id and s.user_id = v_actor) then
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  if v_offer.price_drops <> p_expected_price then
    raise exception 'price changed' using errcode = 'NX000', detail = 'tone_pack.price_changed';
  end if;
  v_movement := private.post_drop_transaction(
    v_actor, 'purchase', -v_offer.price_drops, 'purchase:' || v_id, 'Tone pack: ' || v_offer.name, p_pack_id, 'tone_pack'
  );
  insert into nectar.tone_pack_purchases (id, pack_id, user_id, price_drops, transaction_id)
    values (v_id, p_pack_id, v_actor, v_offer.price_drops, v_movement.id) returning * into v_purchase;
  return row(
    row(
      v_purchase.id, v_purchase.pack_id, v_purchase.user_id, v_purchase.price_drops, private.rfc3339(v_purchase.created_at)
    )::private.tone_pack_purchase,
    row(
      v_movement.id, v_movement.amount, v_movement.balance_after, v_movement.description, v_movement.item_id,
      private.rfc3339(v_movement.created_at)
    )::private.paying_movement,
    v_movement.balance_after
  )::private.tone_pack_receipt;
end $$;
grant execute on function private.purchase_tone_pack(uuid, bigint) to nectar_user;

-- Deletes the images of deleted packs that no buyer has any more.
create function private.delete_unused_images(p_pack_ids uuid[]) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  -- Deleting a pack and ending its last purchase both do this last, so that the later one sees the result of the
  -- earlier one.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('images of tone pack ' || p.pack, 0))
  from unnest(p_pack_ids) p (pack);
  delete from nectar.tone_pack_images i
  where i.pack_id = any (p_pack_ids)
    and exists (select from nectar.tone_packs p where p.id = i.pack_id and p.deleted_at is not null)
    and not exists (select from nectar.tone_pack_purchases b where b.pack_id = i.pack_id and b.refunded_at is null);
end $$;

-- Ends the purchase that a movement paid for, because it was refunded. The booking has locked the account already. The
-- pack is not locked: an activation locks the pack and then waits for the account.
create function private.end_tone_pack_purchase(p_transaction_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_refunded uuid;
  v_buyer uuid;
begin
  update nectar.tone_pack_purchases b set refunded_at = now()
    where b.transaction_id = p_transaction_id and b.refunded_at is null
    returning b.pack_id, b.user_id into v_refunded, v_buyer;
  if found then
    update nectar.accounts a set active_tone_pack_id = null, updated_at = now()
      where a.user_id = v_buyer and a.active_tone_pack_id = v_refunded
        and not private.may_use_tone_pack(a.user_id, v_refunded);
    perform private.delete_unused_images(array[v_refunded]);
  end if;
end $$;

-- Deletes the images of deleted packs whose last buyers have deleted their accounts. Security definer: accounts are
-- deleted by Auth's role.
create function private.delete_images_of_purchases() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.delete_unused_images(array(select distinct r.pack_id from removed r where r.refunded_at is null));
  return null;
end $$;

-- Hides a pack of the caller from everyone but its buyers, and returns whether there was one. Security definer: after
-- it, the owner does not see the row either.
create function private.delete_tone_pack(p_pack_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Locks the profiles before the pack and the shares, as account deletion does, to avoid deadlocks.
  perform private.lock_profiles(array(
    select p.owner_id from nectar.tone_packs p where p.id = p_pack_id
    union select s.user_id from nectar.tone_pack_shares s where s.pack_id = p_pack_id
    union select a.user_id from nectar.accounts a where a.active_tone_pack_id = p_pack_id
  ));
  update nectar.tone_packs set deleted_at = now(), is_public = false
    where id = p_pack_id and owner_id = private.actor_id() and deleted_at is null;
  if not found then return false; end if;
  delete from nectar.tone_pack_shares where pack_id = p_pack_id;
  perform private.delete_unused_images(array[p_pack_id]);
  return true;
end $$;
grant execute on function private.delete_tone_pack(uuid) to nectar_user;

-- Gives bought packs of an owner whose account is being deleted to the system user, for their buyers only. They lose
-- the owner's texts. Packs that were never bought are deleted with the account.
create function private.leave_tone_packs_to_buyers(p_user_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_bought uuid[];
begin
  perform private.lock_profiles(array(
    select s.user_id from nectar.tone_pack_shares s where s.owner_id = p_user_id
    union select a.user_id from nectar.accounts a
      where a.active_tone_pack_id in (select p.id from nectar.tone_packs p where p.owner_id = p_user_id)
  ));
  -- A purchase at the same time locks the pack too: it is seen here, or finds no pack.
  perform from nectar.tone_packs p where p.owner_id = p_user_id order by p.id for update;
  v_bought := array(
    select p.id from nectar.tone_packs p
    where p.owner_id = p_user_id and exists (select from nectar.tone_pack_purchases b where b.pack_id = p.id)
  );
  delete from nectar.tone_pack_shares s where s.pack_id = any (v_bought);
  delete from private.idempotency_keys k
  using nectar.tone_pack_purchases b
  where b.pack_id = any (v_bought) and k.resource_id in (b.id, b.pack_id, b.transaction_id);
  -- Its text has the name of the pack.
  update nectar.drop_transactions t set description = 'Tone pack'
  from nectar.tone_pack_purchases b where b.pack_id = any (v_bought) and t.id = b.transaction_id;
  update nectar.tone_packs p
  set owner_id = private.system_user_id(), name = initcap(p.theme::text), description = null, is_public = false,
      deleted_at = coalesce(p.deleted_at, now())
  where p.id = any (v_bought);
  perform private.delete_unused_images(v_bought);
end $$;

create trigger tone_pack_purchases__delete_images
  after delete on nectar.tone_pack_purchases
  referencing old table as removed
  for each statement execute function private.delete_images_of_purchases();

alter table nectar.tone_pack_purchases enable row level security;

create policy "a person sees what they bought" on nectar.tone_pack_purchases
  for select to nectar_user using (user_id = (select private.actor_id()));

grant select on nectar.tone_pack_purchases to nectar_user;
