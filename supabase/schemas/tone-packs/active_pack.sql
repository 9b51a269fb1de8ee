-- Why: Each person may have one active tone pack, whose images are shown on entries. A pack that a person may no longer
-- use does not stay active.

alter table nectar.accounts add column active_tone_pack_id uuid references nectar.tone_packs (id) on delete set null;
comment on column nectar.accounts.active_tone_pack_id is
  'The pack whose images are shown on entries. Written only by private.activate_tone_pack and by what takes a pack away, which set updated_at too.';

create trigger accounts__stamp_version
  before update on nectar.accounts
  for each row when (
    (
      old.email, old.preferences, old.read_notes_enabled, old.check_in_enabled, old.timezone, old.leaderboard_visible,
      old.is_premium, old.suspended_until, old.active_tone_pack_id
    )
    is distinct from
    (
      new.email, new.preferences, new.read_notes_enabled, new.check_in_enabled, new.timezone, new.leaderboard_visible,
      new.is_premium, new.suspended_until, new.active_tone_pack_id
    )
  )
  execute function private.stamp_version();

create index accounts_active_tone_pack on nectar.accounts (active_tone_pack_id) where active_tone_pack_id is not null;

-- Returns whether a person may activate a pack: their own, or one not hidden that is shared with them, bought, or
-- public and free. A block between the person and the owner excludes the public one.
create function private.may_use_tone_pack(p_user_id uuid, p_pack_id uuid) returns boolean
  language sql stable security invoker set search_path = '' as $$
    select exists (
        select from nectar.tone_packs p where p.id = p_pack_id and p.deleted_at is null and p.owner_id = p_user_id
      )
      or exists (
        select from nectar.tone_packs p
        where p.id = p_pack_id and p.hidden_at is null and (
          (p.is_public and p.price_drops = 0 and not private.has_block(p_user_id, p.owner_id))
          or exists (select from nectar.tone_pack_shares s where s.pack_id = p_pack_id and s.user_id = p_user_id)
          or exists (
            select from nectar.tone_pack_purchases b
            where b.pack_id = p_pack_id and b.user_id = p_user_id and b.refunded_at is null
          )
        )
      )
  $$;

-- Makes a pack the caller's active one (null clears it); false if the pack must be bought first. Raises
-- tone_pack.not_found. Security definer: no role may write the column directly.
create function private.activate_tone_pack(p_pack_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  if p_pack_id is null then
    update nectar.accounts set active_tone_pack_id = null, updated_at = now()
    where user_id = v_actor and active_tone_pack_id is not null;
    return true;
  end if;
  perform private.lock_profile(v_actor);
  -- Taking a pack away locks it too: it either comes first and is seen here, or it clears what is set here.
  perform from nectar.tone_packs p where p.id = p_pack_id for share;
  perform from nectar.accounts a where a.user_id = v_actor for update;
  if not private.may_use_tone_pack(v_actor, p_pack_id) then
    if exists (
      select from nectar.tone_packs p
      where p.id = p_pack_id and p.is_public and p.hidden_at is null and not private.has_block(v_actor, p.owner_id)
    ) then
      return false;
    end if;
    raise exception 'no such tone pack' using errcode = 'NX000', detail = 'tone_pack.not_found';
  end if;
  update nectar.accounts set active_tone_pack_id = p_pack_id, updated_at = now()
  where user_id = v_actor and active_tone_pack_id is distinct from p_pack_id;
  return true;
end $$;
grant execute on function private.activate_tone_pack(uuid) to nectar_user;

-- Clears a deleted or no longer public pack for people who may not use it for another reason. Security definer: the
-- accounts belong to other people.
create function private.clear_active_tone_pack() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update nectar.accounts a set active_tone_pack_id = null, updated_at = now()
    where a.active_tone_pack_id = new.id and not private.may_use_tone_pack(a.user_id, new.id);
  return null;
end $$;

-- Clears a pack that is no longer shared for its recipient, unless they may use it for another reason. Its lock makes
-- an activation at the same time wait. Security definer: the account belongs to another person.
create function private.end_tone_pack_share() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The share is deleted with the recipient's account: there is no active pack to clear, and to lock the pack now would
  -- be a deadlock with an owner who is sharing it.
  if not exists (select from nectar.profiles p where p.id = old.user_id) then return null; end if;
  perform from nectar.tone_packs p where p.id = old.pack_id for no key update;
  update nectar.accounts a set active_tone_pack_id = null, updated_at = now()
    where a.user_id = old.user_id and a.active_tone_pack_id = old.pack_id
      and not private.may_use_tone_pack(old.user_id, old.pack_id);
  return null;
end $$;

-- Clears the active packs that two people have of each other after a block, unless they were bought or shared before.
create function private.clear_blocked_tone_packs(p_block nectar.blocks) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.lock_profiles(array[p_block.user_id, p_block.blocked_id]);
  -- An activation at the same time locks the pack too, and sees the block if it comes second.
  perform from nectar.tone_packs p
    where p.owner_id in (p_block.user_id, p_block.blocked_id) and p.is_public order by p.id for no key update;
  update nectar.accounts a set active_tone_pack_id = null, updated_at = now()
    from nectar.tone_packs p
    where p.id = a.active_tone_pack_id
      and (a.user_id, p.owner_id) in ((p_block.user_id, p_block.blocked_id), (p_block.blocked_id, p_block.user_id))
      and not private.may_use_tone_pack(a.user_id, p.id);
end $$;

-- Clears a pack that is deleted with its owner's account for everyone. It runs before the foreign keys act: they would
-- lock the purchases before the accounts, and a refund locks the account first. Security definer: the accounts belong
-- to other people.
create function private.clear_removed_tone_pack() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_profiles(array(select a.user_id from nectar.accounts a where a.active_tone_pack_id = old.id));
  update nectar.accounts a set active_tone_pack_id = null, updated_at = now() where a.active_tone_pack_id = old.id;
  return old;
end $$;

create trigger tone_packs__clear_active
  after update of is_public, deleted_at on nectar.tone_packs
  for each row when (old.is_public and not new.is_public or old.deleted_at is null and new.deleted_at is not null)
  execute function private.clear_active_tone_pack();
create trigger tone_packs__clear_deleted
  before delete on nectar.tone_packs
  for each row execute function private.clear_removed_tone_pack();
create trigger tone_pack_shares__clear_active
  after delete on nectar.tone_pack_shares
  for each row execute function private.end_tone_pack_share();
