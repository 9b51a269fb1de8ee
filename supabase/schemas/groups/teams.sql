-- Why: A team is a group inside one organization, and its members are members of that organization. `admin_id` is the
-- only source of who the primary admin is; a deferred foreign key makes sure that the primary admin is a member of the
-- team.

create table nectar.teams (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references nectar.organizations (id) on delete cascade,
  name text not null,
  description text,
  -- Deferred: when a person is deleted, their teams are handed over by triggers that run after this would be checked.
  admin_id uuid not null default private.actor_id() references nectar.profiles (id) deferrable initially deferred,
  settings jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (id, org_id),
  constraint teams_name_length check (char_length(name) between 1 and 100),
  constraint teams_description_length check (char_length(description) <= 1000),
  constraint teams_settings_is_object check (jsonb_typeof(settings) = 'object'),
  constraint teams_settings_size check (octet_length(settings::text) <= 1048576)
);
comment on table nectar.teams is 'A group inside one organization, looked after by its primary admin.';

create table nectar.team_members (
  team_id uuid not null,
  org_id uuid not null,
  user_id uuid not null,
  role nectar.member_role not null default 'member',
  joined_at timestamptz(3) not null default now(),
  primary key (team_id, user_id),
  constraint team_members_team foreign key (team_id, org_id) references nectar.teams (id, org_id) on delete cascade,
  constraint team_members_are_organization_members foreign key (org_id, user_id)
    references nectar.organization_members (org_id, user_id) on delete cascade
);
comment on table nectar.team_members is 'Everyone in a team, including its primary admin; co-admins have the role admin too.';

alter table nectar.teams
  add constraint teams_admin_is_member foreign key (id, admin_id)
  references nectar.team_members (team_id, user_id) deferrable initially deferred;

create index teams_of_all_newest_first on nectar.teams (created_at desc, id desc);
create index teams_newest_first on nectar.teams (org_id, created_at desc, id desc);
create index teams_admin on nectar.teams (admin_id);
create index team_members_user on nectar.team_members (user_id, team_id);
create index team_members_organization_member on nectar.team_members (org_id, user_id);
create index team_members_newest_first on nectar.team_members (team_id, joined_at desc, user_id desc);

-- Returns the teams that the caller administers, as primary admin or co-admin. Security definer: policies call it.
create function private.my_administered_team_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select m.team_id from nectar.team_members m where m.user_id = private.actor_id() and m.role = 'admin';
end $$;
grant execute on function private.my_administered_team_ids() to nectar_user;

create type private.team_role as enum ('admin', 'member', 'organization_member', 'none');
comment on type private.team_role is 'A person''s role in a team.';

-- Returns the caller's role in a team: admin, member, organization_member or none; null if it does not exist. Security
-- definer: callers may not see the team.
create function private.my_team_role(p_team_id uuid) returns private.team_role
  language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select case when m.role is not null then m.role::text when o.user_id is not null then 'organization_member' else 'none' end
    from nectar.teams t
    left join nectar.team_members m on m.team_id = t.id and m.user_id = private.actor_id()
    left join nectar.organization_members o on o.org_id = t.org_id and o.user_id = private.actor_id()
    where t.id = p_team_id
  );
end $$;
grant execute on function private.my_team_role(uuid) to nectar_user;

-- Makes the primary admin of a team its member with the role admin. Security definer: the policies let only admins add
-- members, and there is none yet.
create function private.enroll_team_admin() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into nectar.team_members (team_id, org_id, user_id, role) values (new.id, new.org_id, new.admin_id, 'admin')
  on conflict (team_id, user_id) do update set role = 'admin';
  return null;
end $$;

-- Gives the team of a primary admin who leaves to the co-admin who joined first, or to the owner if they left the
-- organization. Raises team.last_admin if there is no co-admin. Security definer: no role may write the primary admin
-- directly.
create function private.hand_over_team() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_team nectar.teams;
  v_successor uuid;
begin
  select * into v_team from nectar.teams t where t.id = old.team_id for no key update;
  if not found or v_team.admin_id <> old.user_id then return null; end if;
  if exists (select from nectar.organization_members m where m.org_id = old.org_id and m.user_id = old.user_id) then
    -- Skips a co-admin who is leaving at the same time: waiting for them while they wait for the team would be a
    -- deadlock.
    select m.user_id into v_successor
      from nectar.team_members m where m.team_id = old.team_id and m.role = 'admin' and private.is_human(m.user_id)
      order by m.joined_at, m.user_id limit 1 for no key update skip locked;
    if v_successor is null then
      raise exception 'the last team admin cannot leave' using errcode = 'NX000', detail = 'team.last_admin';
    end if;
  else
    -- Removed from the organization altogether: the organization's owner takes over the team.
    select o.owner_id into v_successor from nectar.organizations o where o.id = old.org_id;
    if not found then
      return null; -- the whole organization is being deleted, and this team with it
    end if;
  end if;
  update nectar.teams set admin_id = v_successor where id = old.team_id;
  return null;
end $$;

-- Records that the creator of a team acts as a member, and that an owner who writes it uses the organization. Security
-- definer: no role may write either directly.
create function private.record_use_by_team() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then perform private.record_member_acted(array[new.org_id]); end if;
  perform private.record_owner_acted(coalesce(new.org_id, old.org_id));
  return null;
end $$;

-- Returns whether a person is the primary admin of a team. Volatile, so that it sees a primary admin who was named
-- while the update waited. Security definer: policies call it.
create function private.is_primary_admin(p_team_id uuid, p_user_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  return exists (select from nectar.teams t where t.id = p_team_id and t.admin_id = p_user_id);
end $$;
grant execute on function private.is_primary_admin(uuid, uuid) to nectar_user;

create trigger teams__enroll_admin
  after insert or update of admin_id on nectar.teams
  for each row execute function private.enroll_team_admin();
create trigger teams__record_use
  after insert or update or delete on nectar.teams
  for each row execute function private.record_use_by_team();
create trigger team_members__hand_over
  after delete on nectar.team_members
  for each row execute function private.hand_over_team();
create trigger teams__delete_stored_responses
  after delete on nectar.teams
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.teams enable row level security;
alter table nectar.team_members enable row level security;

create policy "organization members see its teams" on nectar.teams
  for select to nectar_user using (
    org_id in (select private.my_organization_ids()) or (select private.is_super_admin())
  );
create policy "organization members create teams" on nectar.teams
  for insert to nectar_user with check (
    (org_id in (select private.my_organization_ids()) or (select private.is_super_admin()))
    and private.is_human(admin_id)
  );
create policy "team admins edit a team" on nectar.teams
  for update to nectar_user
  using (id in (select private.my_administered_team_ids()) or (select private.is_super_admin()));
create policy "team admins delete a team" on nectar.teams
  for delete to nectar_user using (
    id in (select private.my_administered_team_ids()) or (select private.is_super_admin())
  );

create policy "organization members see team members" on nectar.team_members
  for select to nectar_user using (
    org_id in (select private.my_organization_ids()) or (select private.is_super_admin())
  );
create policy "team admins add members" on nectar.team_members
  for insert to nectar_user with check (
    (team_id in (select private.my_administered_team_ids()) or (select private.is_super_admin()))
    and private.is_human(user_id)
  );
create policy "team admins change roles, but the primary admin stays admin" on nectar.team_members
  for update to nectar_user
  using (team_id in (select private.my_administered_team_ids()) or (select private.is_super_admin())) with check (
    (team_id in (select private.my_administered_team_ids()) or (select private.is_super_admin()))
    and (role = 'admin' or not private.is_primary_admin(team_id, user_id))
  );
create policy "team admins remove others, and members leave" on nectar.team_members
  for delete to nectar_user using (
    user_id = (select private.actor_id())
    or (
      (team_id in (select private.my_administered_team_ids()) or (select private.is_super_admin()))
      and not exists (select from nectar.teams t where t.id = team_id and t.admin_id = user_id)
    )
  );

grant select, delete, insert (org_id, name, description, admin_id, settings),
  update (name, description, settings, updated_at) on nectar.teams to nectar_user;
grant select, delete, insert (team_id, org_id, user_id, role), update (role) on nectar.team_members to nectar_user;
