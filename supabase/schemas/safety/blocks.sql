-- Why: A person blocks another, and from then on neither reaches the other: not by what is public, not by drops, mail or
-- invitations, and not in the game. The other side is never told, so a block works in both directions at once, and only
-- the person who made it sees the row.

create table nectar.blocks (
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  blocked_id uuid not null references nectar.profiles (id) on delete cascade,
  is_named boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, blocked_id),
  constraint blocks_not_oneself check (user_id <> blocked_id),
  constraint blocks_not_the_assistant check (blocked_id <> private.system_user_id())
);
comment on table nectar.blocks is 'A person and another one that they blocked. Deleted with either account.';
comment on column nectar.blocks.is_named is
  'Whether the person could see the page of the other one when they made the block, and so their name; otherwise anyone could learn the name for an id.';

create index blocks_newest_first on nectar.blocks (user_id, created_at desc, blocked_id desc);
create index blocks_of_the_other on nectar.blocks (blocked_id, user_id);

-- Returns whether one of two people blocked the other. Jobs and definer functions call it. Security definer: a block is
-- seen only by the person who made it.
create function private.has_block(p_one uuid, p_other uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from nectar.blocks b where b.user_id = p_one and b.blocked_id = p_other)
    or exists (select from nectar.blocks b where b.user_id = p_other and b.blocked_id = p_one);
end $$;

-- Returns everyone with a block between them and the caller, in either direction; some twice. The result is null
-- without claims, so that nothing public is visible then. Policies always use (select private.blocked_users())::uuid[],
-- so that it is evaluated once per query. Security definer: policies call it, and a block is seen only by the person
-- who made it.
create function private.blocked_users() returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  if v_actor is null then return null; end if;
  return array(
    select b.blocked_id from nectar.blocks b where b.user_id = v_actor
    union all
    select b.user_id from nectar.blocks b where b.blocked_id = v_actor
  );
end $$;
grant execute on function private.blocked_users() to nectar_user;

-- Locks two people as a pair until the transaction ends: exclusively for a block and its end, shared for what one sends
-- to the other or to a room. What is sent looks for a block after it has the lock, so that nothing arrives after the
-- response to the block. What is sent to a room has many recipients, and locks its sender as both of the pair: one lock
-- instead of a thousand.
create function private.lock_pair(p_one uuid, p_other uuid, p_shared boolean) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_least constant text := least(p_one, p_other);
  v_greatest constant text := greatest(p_one, p_other);
begin
  if p_shared then
    perform pg_advisory_xact_lock_shared(hashtextextended('block ' || v_least || ' ' || v_greatest, 0));
  else
    perform pg_advisory_xact_lock(hashtextextended('block ' || v_least || ' ' || v_greatest, 0));
    -- What either of them sends to a room, in one order for both.
    perform pg_advisory_xact_lock(hashtextextended('block ' || v_least || ' ' || v_least, 0));
    perform pg_advisory_xact_lock(hashtextextended('block ' || v_greatest || ' ' || v_greatest, 0));
  end if;
end $$;
grant execute on function private.lock_pair(uuid, uuid, boolean) to nectar_user;

-- Returns whether two people are members of an organization or a team.
create function private.are_both_in(p_one uuid, p_other uuid, p_group uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select count(*) = 2 from private.audience_members m where m.audience_id = p_group and m.user_id in (p_one, p_other)
  );
end $$;

-- Requires that the caller can reach a person: a human, without a block between the two unless both are in p_group.
-- p_group is an organization or a team; null for what is sent. Locks the person and the block until the transaction
-- ends. Raises user.not_found, so that a block cannot be told from a missing account. Security definer: a block is seen
-- only by the person who made it.
create function private.require_reachable(p_person uuid, p_group uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  perform private.lock_profile(p_person);
  perform private.lock_pair(v_actor, p_person, true);
  if private.is_human(p_person) is not true
    or (private.has_block(v_actor, p_person) and not private.are_both_in(v_actor, p_person, p_group))
  then
    raise exception 'no such person' using errcode = 'NX000', detail = 'user.not_found';
  end if;
end $$;
grant execute on function private.require_reachable(uuid, uuid) to nectar_user;

-- Blocks a person for the caller, and returns whether the block is new. Raises block.self_block, block.system_user or
-- user.not_found.
create function private.create_block(p_user_id uuid, p_moment timestamptz) returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  if p_user_id = v_actor then
    raise exception 'a block of oneself' using errcode = 'NX000', detail = 'block.self_block';
  end if;
  if p_user_id = private.system_user_id() then
    raise exception 'a block of the assistant' using errcode = 'NX000', detail = 'block.system_user';
  end if;
  if not private.lock_profile(p_user_id) then
    raise exception 'no such person' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform private.lock_pair(v_actor, p_user_id, false);
  insert into nectar.blocks (blocked_id, is_named)
  values (p_user_id, not (private.read_user(p_user_id, p_moment) is null)) on conflict do nothing;
  return found;
end $$;
grant execute on function private.create_block(uuid, timestamptz) to nectar_user;

-- Ends a block of the caller, and returns whether there was one. The lock waits for a request that is making the same
-- block, which reads it again before it responds.
create function private.delete_block(p_user_id uuid) returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.lock_pair(private.actor_id(), p_user_id, false);
  delete from nectar.blocks b where b.user_id = private.actor_id() and b.blocked_id = p_user_id;
  return found;
end $$;
grant execute on function private.delete_block(uuid) to nectar_user;

-- Deletes the stored responses that contain a deleted block, so that the same request blocks again. Security definer:
-- the block may be deleted with the account of the other person.
create function private.delete_stored_responses_of_blocks() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.idempotency_keys k
  using deleted d
  where k.user_id = d.user_id and k.route = 'POST /api/blocks'
    and k.body::json #>> '{block,user_id}' = d.blocked_id::text;
  return null;
end $$;

-- Takes back what two people with a new block have of each other: active packs, coming games, counted messages.
-- Security definer: the rows belong to both.
create function private.apply_block() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.clear_blocked_tone_packs(new);
  perform private.queue_blocked_players(new);
  perform private.recount_messages(new);
  return null;
end $$;

create trigger blocks__apply
  after insert on nectar.blocks
  for each row execute function private.apply_block();
create trigger blocks__delete_stored_responses
  after delete on nectar.blocks
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses_of_blocks();

alter table nectar.blocks enable row level security;

create policy "a person sees the blocks that they made" on nectar.blocks
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person blocks others for themselves" on nectar.blocks
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person ends a block of their own" on nectar.blocks
  for delete to nectar_user using (user_id = (select private.actor_id()));

grant select, delete, insert (blocked_id, is_named) on nectar.blocks to nectar_user;
