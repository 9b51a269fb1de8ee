-- Why: A person blocks another, and from then on neither reaches the other: not by what is public, not by drops, mail or
-- invitations, and not in the game. The other side is never told, so a block works in both directions at once, and only
-- the person who made it sees the row.

-- Tables --------------------------------------------------------------------------------------------------------------
create table nectar.blocks (
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  blocked_id uuid not null references nectar.profiles (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, blocked_id),
  constraint blocks_not_oneself check (user_id <> blocked_id)
);
comment on table nectar.blocks is 'A person and another one that they blocked. Deleted with either account.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create index blocks_newest_first on nectar.blocks (user_id, created_at desc, blocked_id desc);
create index blocks_of_the_other on nectar.blocks (blocked_id, user_id);

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.has_block(p_one uuid, p_other uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  return exists (select from nectar.blocks b where b.user_id = p_one and b.blocked_id = p_other)
    or exists (select from nectar.blocks b where b.user_id = p_other and b.blocked_id = p_one);
end
$$;
comment on function private.has_block(uuid, uuid) is
  'Whether one of two people blocked the other. For functions of jobs and for definer functions. Security definer: a block is seen only by the person who made it.';

create function private.blocked_users() returns uuid[]
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  return array(
    select b.blocked_id from nectar.blocks b where b.user_id = v_actor
    union all
    select b.user_id from nectar.blocks b where b.blocked_id = v_actor
  );
end
$$;
comment on function private.blocked_users() is
  'Everyone with a block between them and the caller, in either direction; some twice. In policies always (select private.blocked_users())::uuid[], so that it is evaluated once per query. Security definer: policies call it, and a block is seen only by the person who made it.';
grant execute on function private.blocked_users() to nectar_user;

-- Row-level security --------------------------------------------------------------------------------------------------
alter table nectar.blocks enable row level security;

create policy "a person sees the blocks that they made" on nectar.blocks
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person blocks others for themselves" on nectar.blocks
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person ends a block of their own" on nectar.blocks
  for delete to nectar_user using (user_id = (select private.actor_id()));

-- Grants --------------------------------------------------------------------------------------------------------------
grant select, delete on nectar.blocks to nectar_user;
grant insert (blocked_id) on nectar.blocks to nectar_user;
