-- Why: The owner of a tone pack shares it with other people, free of charge, by user id or by address.

create table nectar.tone_pack_shares (
  id uuid primary key default gen_random_uuid(),
  pack_id uuid not null,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  owner_id uuid not null default private.actor_id(),
  by_address boolean not null default false,
  email text,
  created_at timestamptz(3) not null default now(),
  constraint tone_pack_shares_once unique (pack_id, user_id, by_address),
  foreign key (pack_id, owner_id) references nectar.tone_packs (id, owner_id) on delete cascade,
  constraint tone_pack_shares_email_length check (char_length(email) between 1 and 320),
  constraint tone_pack_shares_email_only_by_address check (by_address or email is null),
  constraint tone_pack_shares_not_with_owner check (user_id <> owner_id)
);
comment on table nectar.tone_pack_shares is 'Users that a pack is shared with.';
comment on column nectar.tone_pack_shares.by_address is
  'Whether the owner named an address. Such a share is a row of its own: otherwise sharing by user id would reveal whose address it is.';
comment on column nectar.tone_pack_shares.email is 'The address that the owner named; null in rows of versions before 0.3.';

create index tone_pack_shares_newest_first on nectar.tone_pack_shares (pack_id, created_at desc, id desc);
create index tone_pack_shares_recipient on nectar.tone_pack_shares (user_id, created_at desc, pack_id desc);

-- Returns the id of the person with an address, or null. Security definer: people cannot read the addresses of others.
create function private.person_with_email(p_address text) returns uuid
  language sql stable security definer set search_path = ''
  as $$ select a.user_id from nectar.accounts a where lower(a.email) = lower(p_address) limit 1 $$;
grant execute on function private.person_with_email(text) to nectar_user;

alter table nectar.tone_pack_shares enable row level security;

create policy "a share is seen by both sides" on nectar.tone_pack_shares
  for select to nectar_user using (user_id = (select private.actor_id()) or owner_id = (select private.actor_id()));
create policy "the owner shares a pack with a human, unless there is a block" on nectar.tone_pack_shares
  for insert to nectar_user with check (
    owner_id = (select private.actor_id()) and private.is_human(user_id)
    and user_id <> all ((select private.blocked_users())::uuid[])
  );
create policy "both sides may end a share" on nectar.tone_pack_shares
  for delete to nectar_user using (user_id = (select private.actor_id()) or owner_id = (select private.actor_id()));

grant select, insert (pack_id, user_id, by_address, email), delete on nectar.tone_pack_shares to nectar_user;
