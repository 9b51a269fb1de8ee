-- Why: a tone pack is a set of images, one for each tone, that its owner makes, shares, publishes or sells. Who sees a pack
-- follows from three things: it is theirs, it is public, or a share or purchase of theirs names it. Who pays does so in
-- one function under the account's lock, and whoever loses a pack does not keep it as the active one.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.tone_pack_theme as enum (
  'origami', 'animals', 'nature', 'abstract', 'geometric', 'minimalist', 'watercolor', 'line-art', 'icons', 'emojis',
  'shapes', 'patterns'
);

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.tone_packs (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  name text not null,
  description text,
  theme nectar.tone_pack_theme not null,
  is_public boolean not null default false,
  price_drops integer not null default 0,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (id, owner_id),
  constraint tone_packs_name_length check (char_length(name) between 1 and 100),
  constraint tone_packs_description_length check (char_length(description) <= 1000),
  constraint tone_packs_price_in_range check (price_drops between 0 and 100000),
  constraint tone_packs_deleted_is_not_public check (deleted_at is null or not is_public)
);

create table nectar.tone_pack_images (
  id uuid primary key default gen_random_uuid(),
  pack_id uuid not null,
  owner_id uuid not null default private.actor_id(),
  tone text not null,
  file_path text not null,
  created_at timestamptz(3) not null default now(),
  foreign key (pack_id, owner_id) references nectar.tone_packs (id, owner_id) on delete cascade,
  constraint tone_pack_images_one_for_a_tone unique (pack_id, tone),
  constraint tone_pack_images_tone_form check (tone ~ '^[a-z][a-z -]{0,29}$'),
  constraint tone_pack_images_file_path_length check (char_length(file_path) between 1 and 1024),
  -- The file is removed with the row, so a row can only name a file of its own pack.
  constraint tone_pack_images_file_path_of_pack
    check (starts_with(file_path, owner_id::text || '/' || pack_id::text || '/'))
);

create table nectar.tone_pack_shares (
  id uuid primary key default gen_random_uuid(),
  pack_id uuid not null,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  owner_id uuid not null default private.actor_id(),
  by_address boolean not null default false,
  created_at timestamptz(3) not null default now(),
  constraint tone_pack_shares_once unique (pack_id, user_id, by_address),
  foreign key (pack_id, owner_id) references nectar.tone_packs (id, owner_id) on delete cascade,
  constraint tone_pack_shares_with_somebody_else check (user_id <> owner_id)
);

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

alter table nectar.accounts
  add column active_tone_pack_id uuid references nectar.tone_packs (id) on delete set null;

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index tone_packs_own on nectar.tone_packs (owner_id, created_at desc, id desc);
create index tone_packs_public on nectar.tone_packs (created_at desc, id desc) where is_public;
create index tone_pack_images_pack on nectar.tone_pack_images (pack_id, owner_id);
create index tone_pack_shares_pack on nectar.tone_pack_shares (pack_id, owner_id);
create index tone_pack_shares_recipient on nectar.tone_pack_shares (user_id, created_at desc, pack_id desc);
create unique index tone_pack_purchases_once on nectar.tone_pack_purchases (user_id, pack_id) where refunded_at is null;
create index tone_pack_purchases_buyer on nectar.tone_pack_purchases (user_id, created_at desc, id desc);
create index tone_pack_purchases_pack on nectar.tone_pack_purchases (pack_id);
create index accounts_active_tone_pack on nectar.accounts (active_tone_pack_id) where active_tone_pack_id is not null;
create index accounts_email on nectar.accounts (lower(email));

-- Functions -------------------------------------------------------------------------------------------------------------
-- PL/pgSQL keeps its plan, which looks a pack up by its id; in the policy itself the planner may gather all packs first.
create function private.sees_tone_pack(pack uuid) returns boolean
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  return exists (select from nectar.tone_packs p where p.id = pack);
end
$$;
comment on function private.sees_tone_pack(uuid) is 'Whether the caller''s policies show them a pack.';

create function private.my_tone_pack_ids() returns setof uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  me constant uuid := private.actor_id();
begin
  return query select s.pack_id from nectar.tone_pack_shares s where s.user_id = me;
  return query select b.pack_id from nectar.tone_pack_purchases b where b.user_id = me and b.refunded_at is null;
end
$$;
comment on function private.my_tone_pack_ids() is
  'The tone packs that the caller sees although they are not theirs: shared with them or bought. Definer: policies call it.';

create function private.may_use_tone_pack(person uuid, pack uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
        select from nectar.tone_packs p
        where p.id = pack and p.deleted_at is null and (p.owner_id = person or (p.is_public and p.price_drops = 0))
      )
      or exists (select from nectar.tone_pack_shares s where s.pack_id = pack and s.user_id = person)
      or exists (
        select from nectar.tone_pack_purchases b
        where b.pack_id = pack and b.user_id = person and b.refunded_at is null
      )
  $$;
comment on function private.may_use_tone_pack(uuid, uuid) is
  'Whether a person may activate a pack: their own, shared with them, bought, or public and free. Definer: it asks about others too.';

create function private.activate_tone_pack(pack uuid) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  me constant uuid := private.actor_id();
begin
  if pack is null then
    update nectar.accounts set active_tone_pack_id = null where user_id = me and active_tone_pack_id is not null;
    return true;
  end if;
  perform private.hold_account(me);
  -- Whoever takes the pack away locks it too: either they come first and are seen here, or they clear what is set here.
  perform from nectar.tone_packs p where p.id = pack for share;
  perform from nectar.accounts a where a.user_id = me for update;
  if not private.may_use_tone_pack(me, pack) then
    if exists (select from nectar.tone_packs p where p.id = pack and p.is_public) then
      return false;
    end if;
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  update nectar.accounts set active_tone_pack_id = pack where user_id = me;
  return true;
end
$$;
comment on function private.activate_tone_pack(uuid) is
  'Makes a pack the caller''s active one; null puts the active one away. False: it must be bought first. Raises tone_pack.not_found. Definer: nobody writes the column by hand.';

create function private.purchase_tone_pack(
  pack uuid,
  expected_price bigint,
  out purchase nectar.tone_pack_purchases,
  out movement nectar.drop_transactions
)
  language plpgsql volatile security definer
  set search_path = ''
  -- A connection that met the table while it was empty would otherwise walk through all of it from then on.
  set enable_seqscan = off
  as $$
declare
  me constant uuid := private.actor_id();
  offer nectar.tone_packs;
  new_id constant uuid := gen_random_uuid();
begin
  perform private.hold_account(me);
  select * into offer from nectar.tone_packs p where p.id = pack for share;
  if not found then
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  perform from nectar.accounts a where a.user_id = me for update;
  if not found then
    return;
  end if;
  if exists (
    select from nectar.tone_pack_purchases b where b.pack_id = pack and b.user_id = me and b.refunded_at is null
  ) then
    raise exception 'bought already' using errcode = 'NX000', detail = 'tone_pack.already_purchased';
  end if;
  if offer.deleted_at is not null then
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  if offer.owner_id = me then
    raise exception 'own tone pack' using errcode = 'NX000', detail = 'tone_pack.own_pack';
  end if;
  if not offer.is_public
    and not exists (select from nectar.tone_pack_shares s where s.pack_id = pack and s.user_id = me) then
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  if offer.price_drops <> expected_price then
    raise exception 'price changed' using errcode = 'NX000', detail = 'tone_pack.price_changed';
  end if;
  movement := private.post_drop_transaction(
    me, 'purchase', -offer.price_drops, 'purchase:' || new_id, 'Tone pack: ' || offer.name, pack, 'tone_pack'
  );
  insert into nectar.tone_pack_purchases (id, pack_id, user_id, price_drops, transaction_id)
    values (new_id, pack, me, offer.price_drops, movement.id)
    returning * into purchase;
end
$$;
comment on function private.purchase_tone_pack(uuid, bigint) is
  'The caller buys a pack: everything is decided under the locks of the pack and of the account. Nothing is returned when the account is gone. Raises tone_pack.not_found, tone_pack.own_pack, tone_pack.already_purchased, tone_pack.price_changed or drops.insufficient_balance.';

create function private.discard_unseen_images(packs uuid[]) returns void
  language plpgsql volatile security definer
  set search_path = ''
  set enable_seqscan = off
  as $$
begin
  -- Whoever deletes a pack and whoever ends its last purchase do this last: the later one sees what the earlier one did.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('images of tone pack ' || o.pack, 0))
  from (select p.pack from unnest(packs) p (pack) order by p.pack offset 0) o;
  delete from nectar.tone_pack_images i
  where i.pack_id = any (packs)
    and exists (select from nectar.tone_packs p where p.id = i.pack_id and p.deleted_at is not null)
    and not exists (
      select from nectar.tone_pack_purchases b where b.pack_id = i.pack_id and b.refunded_at is null
    );
end
$$;
comment on function private.discard_unseen_images(uuid[]) is
  'Removes the images of packs that are deleted and that no buyer has any more: nobody will ever see them again.';

create function private.delete_tone_pack(pack uuid) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- Locks the profiles before the pack and the shares, in the same order as account deletion, to avoid deadlocks.
  perform private.hold_accounts(array(
    select p.owner_id from nectar.tone_packs p where p.id = pack
    union select s.user_id from nectar.tone_pack_shares s where s.pack_id = pack
    union select a.user_id from nectar.accounts a where a.active_tone_pack_id = pack
  ));
  update nectar.tone_packs set deleted_at = now(), is_public = false
    where id = pack and owner_id = private.actor_id() and deleted_at is null;
  if not found then
    return false;
  end if;
  delete from nectar.tone_pack_shares where pack_id = pack;
  perform private.discard_unseen_images(array[pack]);
  return true;
end
$$;
comment on function private.delete_tone_pack(uuid) is
  'Hides a pack of the caller from all but its buyers. Returns whether there was one. Definer: afterwards the owner does not see the row either.';

create function private.person_with_email(address text) returns uuid
  language sql stable security definer
  set search_path = ''
  as $$ select a.user_id from nectar.accounts a where lower(a.email) = lower(address) limit 1 $$;
comment on function private.person_with_email(text) is
  'Whose address this is, or null. Definer: a person shares with an address that they know and cannot read.';

create function private.clear_active_tone_pack() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  update nectar.accounts a set active_tone_pack_id = null
    where a.active_tone_pack_id = new.id and not private.may_use_tone_pack(a.user_id, new.id);
  return null;
end
$$;
comment on function private.clear_active_tone_pack() is
  'Trigger: a pack that is deleted or not public any more stays active only for those who have it otherwise.';

create function private.end_tone_pack_share() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- The share goes with the recipient's account: there is no active pack left to clear, and locking the pack now would be
  -- a deadlock with an owner who shares it at this moment.
  if not exists (select from nectar.profiles p where p.id = old.user_id) then
    return null;
  end if;
  perform from nectar.tone_packs p where p.id = old.pack_id for no key update;
  update nectar.accounts a set active_tone_pack_id = null
    where a.user_id = old.user_id and a.active_tone_pack_id = old.pack_id
      and not private.may_use_tone_pack(old.user_id, old.pack_id);
  return null;
end
$$;
comment on function private.end_tone_pack_share() is
  'Trigger: a pack that is no longer shared does not stay active. Its lock makes an activation at the same time wait.';

create function private.clear_removed_tone_pack() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.hold_accounts(array(select a.user_id from nectar.accounts a where a.active_tone_pack_id = old.id));
  update nectar.accounts a set active_tone_pack_id = null where a.active_tone_pack_id = old.id;
  return old;
end
$$;
comment on function private.clear_removed_tone_pack() is
  'Trigger: a pack that is deleted with its owner''s account is no longer active for anyone. It runs before the foreign keys act: they would lock the purchases before the accounts, and a refund locks the account first.';

create function private.end_tone_pack_purchase() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  refunded uuid;
begin
  update nectar.tone_pack_purchases b set refunded_at = now()
    where b.user_id = new.user_id and b.refunded_at is null and 'refund:' || b.transaction_id = new.event_key
    returning b.pack_id into refunded;
  if found then
    update nectar.accounts a set active_tone_pack_id = null
      where a.user_id = new.user_id and a.active_tone_pack_id = refunded
        and not private.may_use_tone_pack(a.user_id, refunded);
    perform private.discard_unseen_images(array[refunded]);
  end if;
  return null;
end
$$;
comment on function private.end_tone_pack_purchase() is
  'Trigger: giving back what a purchase cost ends the purchase. The account is locked by the booking already. The pack is not: an activation holds it while it waits for the account.';

create function private.follow_removed_purchases() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.discard_unseen_images(array(select distinct r.pack_id from removed r where r.refunded_at is null));
  return null;
end
$$;
comment on function private.follow_removed_purchases() is
  'Trigger: purchases go with the account of their buyer, who may have been the last to see the images of a deleted pack.';

create function private.keep_tone_pack_image() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.keep_file('tone-packs', new.file_path);
  return null;
end
$$;
comment on function private.keep_tone_pack_image() is
  'Trigger: the file of an image stays while its row does. Security definer: no role may keep files directly.';

create function private.discard_tone_pack_image() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.discard_file('tone-packs', old.file_path);
  return null;
end
$$;
comment on function private.discard_tone_pack_image() is 'Trigger: the file of an image that is replaced or removed goes too.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger tone_packs_touch_updated_at
  before update on nectar.tone_packs
  for each row when (
    (old.name, old.description, old.theme, old.is_public, old.price_drops)
    is distinct from (new.name, new.description, new.theme, new.is_public, new.price_drops)
  )
  execute function private.touch_updated_at();
create trigger tone_packs_clear_active
  after update of is_public, deleted_at on nectar.tone_packs
  for each row when (old.is_public and not new.is_public or old.deleted_at is null and new.deleted_at is not null)
  execute function private.clear_active_tone_pack();
create trigger tone_packs_clear_removed
  before delete on nectar.tone_packs
  for each row execute function private.clear_removed_tone_pack();
create trigger tone_pack_shares_end
  after delete on nectar.tone_pack_shares
  for each row execute function private.end_tone_pack_share();
create trigger drop_transactions_end_tone_pack_purchase
  after insert on nectar.drop_transactions
  for each row when (new.type = 'refund')
  execute function private.end_tone_pack_purchase();
create trigger tone_pack_purchases_removed
  after delete on nectar.tone_pack_purchases
  referencing old table as removed
  for each statement execute function private.follow_removed_purchases();
create trigger tone_pack_images_keep
  after insert or update of file_path on nectar.tone_pack_images
  for each row execute function private.keep_tone_pack_image();
create trigger tone_pack_images_discard
  after delete on nectar.tone_pack_images
  for each row execute function private.discard_tone_pack_image();
create trigger tone_pack_images_discard_replaced
  after update of file_path on nectar.tone_pack_images
  for each row when (old.file_path <> new.file_path)
  execute function private.discard_tone_pack_image();
create trigger accounts_touch_active_tone_pack
  before update of active_tone_pack_id on nectar.accounts
  for each row when (old.active_tone_pack_id is distinct from new.active_tone_pack_id)
  execute function private.touch_updated_at();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.tone_packs enable row level security;
alter table nectar.tone_pack_images enable row level security;
alter table nectar.tone_pack_shares enable row level security;
alter table nectar.tone_pack_purchases enable row level security;

create policy "a pack is seen by its owner, who has it, and when public by all" on nectar.tone_packs
  for select to nectar_user using (
    (owner_id = (select private.actor_id()) and deleted_at is null)
    or (is_public and (select private.actor_id()) is not null)
    or id in (select private.my_tone_pack_ids())
  );
create policy "a person starts packs of their own" on nectar.tone_packs
  for insert to nectar_user with check (owner_id = (select private.actor_id()));
create policy "the owner edits a pack" on nectar.tone_packs
  for update to nectar_user
  using (owner_id = (select private.actor_id()) and deleted_at is null)
  with check (owner_id = (select private.actor_id()));

create policy "an image is seen by those who see its pack" on nectar.tone_pack_images
  for select to nectar_user using (private.sees_tone_pack(pack_id));
create policy "the owner adds images to a pack" on nectar.tone_pack_images
  for insert to nectar_user with check (owner_id = (select private.actor_id()));
create policy "the owner replaces images of a pack" on nectar.tone_pack_images
  for update to nectar_user
  using (owner_id = (select private.actor_id())) with check (owner_id = (select private.actor_id()));

create policy "a share is seen by both sides" on nectar.tone_pack_shares
  for select to nectar_user using (user_id = (select private.actor_id()) or owner_id = (select private.actor_id()));
create policy "the owner shares a pack with a human" on nectar.tone_pack_shares
  for insert to nectar_user with check (owner_id = (select private.actor_id()) and private.is_human(user_id));
create policy "both sides may end a share" on nectar.tone_pack_shares
  for delete to nectar_user using (user_id = (select private.actor_id()) or owner_id = (select private.actor_id()));

create policy "a person sees what they bought" on nectar.tone_pack_purchases
  for select to nectar_user using (user_id = (select private.actor_id()));

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select on nectar.tone_packs, nectar.tone_pack_images, nectar.tone_pack_shares, nectar.tone_pack_purchases
  to nectar_user;
grant insert (name, description, theme, is_public, price_drops) on nectar.tone_packs to nectar_user;
grant update (name, description, theme, is_public, price_drops) on nectar.tone_packs to nectar_user;
grant insert (pack_id, tone, file_path), update (file_path, created_at) on nectar.tone_pack_images to nectar_user;
grant insert (pack_id, user_id, by_address), delete on nectar.tone_pack_shares to nectar_user;

revoke execute on all functions in schema private from public;
grant execute on function
  private.sees_tone_pack(uuid), private.my_tone_pack_ids(), private.activate_tone_pack(uuid), private.purchase_tone_pack(uuid, bigint),
  private.delete_tone_pack(uuid), private.person_with_email(text)
  to nectar_user;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.tone_packs is 'Sets of images for tones, with who offers them at which price.';
comment on column nectar.tone_packs.deleted_at is 'Since then only its buyers see the pack.';
comment on column nectar.tone_packs.price_drops is 'What a new buyer pays, in drops.';
comment on table nectar.tone_pack_images is 'The image of a pack for a tone.';
comment on column nectar.tone_pack_images.file_path is 'Path in the public bucket tone-packs.';
comment on table nectar.tone_pack_shares is 'With whom the owner of a pack shares it, free of charge.';
comment on column nectar.tone_pack_shares.by_address is
  'Whether the owner named an address. Such a share is a row of its own that the owner knows by its id only: otherwise sharing or ending a share by user id would reveal whose address it is.';
comment on table nectar.tone_pack_purchases is 'Who bought which pack; ended when the purchase is refunded.';
comment on column nectar.tone_pack_purchases.transaction_id is 'The movement of drops that paid for it.';
comment on column nectar.accounts.active_tone_pack_id is
  'The pack whose images are shown on entries. Written only by private.activate_tone_pack and by those who take a pack away.';
