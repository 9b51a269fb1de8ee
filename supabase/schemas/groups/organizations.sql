-- Why: People share inside organizations and teams. `owner_id` is the only source of who owns an organization; a
-- deferred foreign key makes sure that the owner is a member, whichever way the owner changes. Only humans become
-- members and owners.

create type private.named as (id uuid, name text);
comment on type private.named is 'A team or an organization with its name.';

create type nectar.member_role as enum ('admin', 'member');

create table nectar.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  description text,
  owner_id uuid not null default private.actor_id() references nectar.profiles (id),
  settings jsonb not null default '{}',
  received_at timestamptz(3),
  received_from uuid references nectar.profiles (id) on delete set null,
  is_used boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint organizations_name_length check (char_length(name) between 1 and 100),
  constraint organizations_description_length check (char_length(description) <= 1000),
  constraint organizations_settings_is_object check (jsonb_typeof(settings) = 'object'),
  -- The API holds settings to 16 KB as JSON; PostgreSQL writes 1e300 out in full, so here the same may be 47 times
  -- longer.
  constraint organizations_settings_size check (octet_length(settings::text) <= 1048576)
);
comment on table nectar.organizations is 'Owned by exactly one member.';
comment on column nectar.organizations.received_at is 'When the owner received it from another one; null: they created it, or got it back.';
comment on column nectar.organizations.received_from is 'Who owned it before the owner received it.';
comment on column nectar.organizations.is_used is 'Whether the owner has changed it, its members, teams or invitations since. An organization that was received and not used keeps no one from erasing their account.';

create table nectar.organization_members (
  org_id uuid not null references nectar.organizations (id) on delete cascade,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  role nectar.member_role not null default 'member',
  joined_at timestamptz(3) not null default now(),
  acted_at timestamptz(3),
  primary key (org_id, user_id)
);
comment on table nectar.organization_members is 'Everyone in an organization, including its owner.';
comment on column nectar.organization_members.role is 'admin or member; organizations.owner_id says who the owner is.';
comment on column nectar.organization_members.acted_at is
  'When the member first did something here as themselves: created the organization or a team, accepted the membership, shared an entry or a notebook. Null: they were added and have done nothing yet. Mail under the recipient policy `members` needs it.';

alter table nectar.organizations
  add constraint organizations_owner_is_member foreign key (id, owner_id)
  references nectar.organization_members (org_id, user_id) deferrable initially deferred;

create index organizations_newest_first on nectar.organizations (created_at desc, id desc);
create index organizations_owner on nectar.organizations (owner_id);
create index organizations_received_from on nectar.organizations (received_from) where received_from is not null;
create index organization_members_user on nectar.organization_members (user_id, org_id);
create index organization_members_newest_first on nectar.organization_members (org_id, joined_at desc, user_id desc);

-- Returns the organizations that the caller is a member of. PL/pgSQL, because policies call these in every query, and
-- it keeps their plans for the session. Security definer: policies call it.
create function private.my_organization_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select m.org_id from nectar.organization_members m where m.user_id = private.actor_id();
end $$;
grant execute on function private.my_organization_ids() to nectar_user;

-- Returns the organizations that the caller owns. Security definer: policies call it.
create function private.my_owned_organization_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select o.id from nectar.organizations o where o.owner_id = private.actor_id();
end $$;
grant execute on function private.my_owned_organization_ids() to nectar_user;

create type private.organization_role as enum ('owner', 'admin', 'member', 'none');
comment on type private.organization_role is 'A person''s role in an organization.';

-- Returns the caller's role in an organization: owner, admin, member or none; null if it does not exist. Security
-- definer: callers may not see the organization.
create function private.my_organization_role(p_org_id uuid) returns private.organization_role
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select case when o.owner_id = private.actor_id() then 'owner' else coalesce(m.role::text, 'none') end
    from nectar.organizations o
    left join nectar.organization_members m on m.org_id = o.id and m.user_id = private.actor_id()
    where o.id = p_org_id
  );
end $$;
grant execute on function private.my_organization_role(uuid) to nectar_user;

-- Records that the caller uses an organization, if they own it.
create function private.record_owner_acted(p_org_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  update nectar.organizations o set is_used = true
  where o.id = p_org_id and o.owner_id = private.actor_id() and not o.is_used;
end $$;

-- Records that an owner who writes this row uses its organization. Security definer: no role may write is_used
-- directly.
create function private.record_acting_owner() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.record_owner_acted(coalesce(new.org_id, old.org_id));
  return null;
end $$;

-- Stamps updated_at of an organization, and records that an owner who updates it uses it.
create function private.record_organization_update() returns trigger
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  new.updated_at := now();
  new.is_used := new.is_used or new.owner_id is not distinct from private.actor_id();
  return new;
end $$;

-- Records the first time that the caller acts as a member of these organizations, or of those of these teams. Security
-- definer: no role may write acted_at directly, or an owner could claim it for others.
create function private.record_member_acted(p_groups uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update nectar.organization_members m set acted_at = now()
  where m.user_id = private.actor_id() and m.acted_at is null
    and m.org_id = any (p_groups || array(select t.org_id from nectar.teams t where t.id = any (p_groups)));
end $$;
grant execute on function private.record_member_acted(uuid[]) to nectar_user;

-- Records that a user who writes this row acts as a member of its organizations or teams. The arguments are the columns
-- with their ids.
create function private.record_acting_member() returns trigger
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  perform private.record_member_acted(array(select (to_jsonb(new) ->> c.name)::uuid from unnest(tg_argv) c (name)));
  return null;
end $$;

-- Makes the creator of an organization its first member. Security definer: the policies let only owners add members,
-- and there is none yet.
create function private.enroll_owner() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into nectar.organization_members (org_id, user_id, role) values (new.id, new.owner_id, 'admin');
  perform private.record_member_acted(array[new.id]);
  return null;
end $$;

-- Refuses that an owner leaves before a transfer (organization.owner_cannot_leave). Security definer: it must see the
-- organization regardless of the policies.
create function private.keep_owner_in() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- When the organization itself is being deleted, its row is gone by now, and its members may be deleted too.
  if exists (select from nectar.organizations o where o.id = old.org_id and o.owner_id = old.user_id) then
    raise exception 'the owner cannot leave' using errcode = 'NX000', detail = 'organization.owner_cannot_leave';
  end if;
  return null;
end $$;

create trigger organizations__enroll_owner
  after insert on nectar.organizations
  for each row execute function private.enroll_owner();
create trigger organizations__record_update
  before update of name, description, settings on nectar.organizations
  for each row execute function private.record_organization_update();
create trigger organization_members__record_use
  after insert or update or delete on nectar.organization_members
  for each row execute function private.record_acting_owner();
create trigger organization_members__keep_owner
  after delete on nectar.organization_members
  for each row execute function private.keep_owner_in();
create trigger organizations__delete_stored_responses
  after delete on nectar.organizations
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.organizations enable row level security;
alter table nectar.organization_members enable row level security;

-- The owner is listed besides the members because an insert must see its own row before the owner is enrolled.
create policy "members see their organization" on nectar.organizations
  for select to nectar_user using (
    id in (select private.my_organization_ids())
    or owner_id = (select private.actor_id())
    or (select private.is_super_admin())
  );
create policy "anyone creates an organization of their own" on nectar.organizations
  for insert to nectar_user with check (owner_id = (select private.actor_id()));
create policy "the owner edits an organization" on nectar.organizations
  for update to nectar_user using (owner_id = (select private.actor_id()) or (select private.is_super_admin()));
create policy "the owner deletes an organization" on nectar.organizations
  for delete to nectar_user using (owner_id = (select private.actor_id()) or (select private.is_super_admin()));

create policy "members see each other" on nectar.organization_members
  for select to nectar_user using (
    org_id in (select private.my_organization_ids()) or (select private.is_super_admin())
  );
create policy "the owner adds members" on nectar.organization_members
  for insert to nectar_user with check (
    (org_id in (select private.my_owned_organization_ids()) or (select private.is_super_admin()))
    and private.is_human(user_id)
  );
create policy "the owner changes roles" on nectar.organization_members
  for update to nectar_user
  using (org_id in (select private.my_owned_organization_ids()) or (select private.is_super_admin()));
create policy "the owner removes members and members leave" on nectar.organization_members
  for delete to nectar_user using (
    user_id = (select private.actor_id())
    or org_id in (select private.my_owned_organization_ids())
    or (select private.is_super_admin())
  );

grant select, delete, insert (name, description, settings), update (name, description, settings)
  on nectar.organizations to nectar_user;
grant select, delete, insert (org_id, user_id, role), update (role) on nectar.organization_members to nectar_user;
