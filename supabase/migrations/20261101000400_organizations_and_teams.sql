-- Why: people share inside organizations and teams. `owner_id` and `admin_id` are the one truth about who owns an
-- organization and who is a team's primary admin; deferred foreign keys make sure that both are members, whatever path
-- changes them. A team member is always a member of the team's organization. Only humans become members, owners and team
-- admins. Owning an organization keeps no account from being deleted: the organization goes to another member.

-- Types -----------------------------------------------------------------------------------------------------------------
create type nectar.member_role as enum ('admin', 'member');

-- Tables ----------------------------------------------------------------------------------------------------------------
create table nectar.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  description text,
  owner_id uuid not null default private.actor_id() references nectar.profiles (id),
  settings jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint organizations_name_length check (char_length(name) between 1 and 100),
  constraint organizations_description_length check (char_length(description) <= 1000),
  constraint organizations_settings_is_object check (jsonb_typeof(settings) = 'object'),
  -- The API holds settings to 16 KB as JSON; PostgreSQL writes 1e300 out in full, so here the same may be 47 times longer.
  constraint organizations_settings_size check (octet_length(settings::text) <= 1048576)
);

create table nectar.organization_members (
  org_id uuid not null references nectar.organizations (id) on delete cascade,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  role nectar.member_role not null default 'member',
  joined_at timestamptz(3) not null default now(),
  acted_at timestamptz(3),
  primary key (org_id, user_id)
);

alter table nectar.organizations
  add constraint organizations_owner_is_member foreign key (id, owner_id)
  references nectar.organization_members (org_id, user_id) deferrable initially deferred;

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

alter table nectar.teams
  add constraint teams_admin_is_member foreign key (id, admin_id)
  references nectar.team_members (team_id, user_id) deferrable initially deferred;

-- Indexes ---------------------------------------------------------------------------------------------------------------
create index organizations_newest_first on nectar.organizations (created_at desc, id desc);
create index organizations_owner on nectar.organizations (owner_id);
create index organizations_id_owner on nectar.organizations (id, owner_id);
create index organization_members_user on nectar.organization_members (user_id, org_id);
create index organization_members_newest_first on nectar.organization_members (org_id, joined_at desc, user_id desc);
create index teams_of_all_newest_first on nectar.teams (created_at desc, id desc);
create index teams_newest_first on nectar.teams (org_id, created_at desc, id desc);
create index teams_admin on nectar.teams (admin_id);
create index teams_id_admin on nectar.teams (id, admin_id);
create index team_members_user on nectar.team_members (user_id, team_id);
create index team_members_organization_member on nectar.team_members (org_id, user_id);
create index team_members_newest_first on nectar.team_members (team_id, joined_at desc, user_id desc);
create index team_members_team_org on nectar.team_members (team_id, org_id);

-- Functions: who am I here? ---------------------------------------------------------------------------------------------
-- Policies call these in every query. PL/pgSQL keeps their plans for the session; SQL functions would be planned anew.
create function private.my_organization_ids() returns setof uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  return query select m.org_id from nectar.organization_members m where m.user_id = private.actor_id();
end
$$;
comment on function private.my_organization_ids() is 'Organizations the caller is a member of.';

create function private.my_owned_organization_ids() returns setof uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  return query select o.id from nectar.organizations o where o.owner_id = private.actor_id();
end
$$;
comment on function private.my_owned_organization_ids() is 'Organizations the caller owns.';

create function private.my_team_ids() returns setof uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  return query select m.team_id from nectar.team_members m where m.user_id = private.actor_id();
end
$$;
comment on function private.my_team_ids() is 'Teams the caller is a member of.';

create function private.my_administered_team_ids() returns setof uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
begin
  return query select m.team_id from nectar.team_members m where m.user_id = private.actor_id() and m.role = 'admin';
end
$$;
comment on function private.my_administered_team_ids() is 'Teams the caller administers, as primary admin or co-admin.';

create function private.organization_standing(organization uuid) returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select case when o.owner_id = private.actor_id() then 'owner' else coalesce(m.role::text, 'stranger') end
    from nectar.organizations o
    left join nectar.organization_members m on m.org_id = o.id and m.user_id = private.actor_id()
    where o.id = organization
  $$;
comment on function private.organization_standing(uuid) is
  'What the caller is in an organization: owner, admin, member, stranger; null when it does not exist.';

create function private.team_standing(team uuid) returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select case
      when m.role is not null then m.role::text
      when o.user_id is not null then 'organization_member'
      else 'stranger'
    end
    from nectar.teams t
    left join nectar.team_members m on m.team_id = t.id and m.user_id = private.actor_id()
    left join nectar.organization_members o on o.org_id = t.org_id and o.user_id = private.actor_id()
    where t.id = team
  $$;
comment on function private.team_standing(uuid) is
  'What the caller is in a team: admin, member, organization_member, stranger; null when it does not exist.';

-- Functions: commands that no single policy can express -----------------------------------------------------------------
create function private.transfer_organization(organization uuid, new_owner uuid) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  old_owner uuid;
begin
  select o.owner_id into old_owner from nectar.organizations o where o.id = organization for update;
  if old_owner is distinct from private.actor_id() and not private.is_super_admin() then
    raise exception 'only the owner may transfer an organization' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if private.is_human(new_owner) = false then
    raise exception 'the new owner is not human' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform from nectar.organization_members m where m.org_id = organization and m.user_id = new_owner for key share;
  if not found then
    raise exception 'the new owner is no member' using errcode = 'NX000', detail = 'organization.not_a_member';
  end if;
  update nectar.organizations set owner_id = new_owner, updated_at = now() where id = organization;
  update nectar.organization_members set role = 'admin' where org_id = organization and user_id = old_owner;
end
$$;
comment on function private.transfer_organization(uuid, uuid) is
  'Makes a member the owner; the old owner stays as admin. Raises auth.forbidden unless the caller is the owner, user.not_found if the new owner is not human, organization.not_a_member.';

create function private.change_team_admin(team uuid, new_admin uuid) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  current_team nectar.teams;
begin
  select * into current_team from nectar.teams t where t.id = team for update;
  if not private.is_super_admin() and not exists (
    select from nectar.organizations o where o.id = current_team.org_id and o.owner_id = private.actor_id()
  ) then
    raise exception 'not the owner of the organization' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if current_team.admin_id = new_admin then
    return;
  end if;
  if private.is_human(new_admin) = false then
    raise exception 'the new admin is not human' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform from nectar.organization_members m
    where m.org_id = current_team.org_id and m.user_id = new_admin for key share;
  if not found then
    raise exception 'not a member' using errcode = 'NX000', detail = 'organization.not_a_member';
  end if;
  update nectar.teams set admin_id = new_admin, updated_at = now() where id = team;
  update nectar.team_members set role = 'member' where team_id = team and user_id = current_team.admin_id;
end
$$;
comment on function private.change_team_admin(uuid, uuid) is
  'Names another organization member as primary admin; the old one stays as member. Raises auth.forbidden unless the caller owns the organization, user.not_found if the new admin is not human, organization.not_a_member.';

create function private.lock_people_of(p_group uuid) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_teams constant uuid[] := array(select t.id from nectar.teams t where t.id = p_group or t.org_id = p_group);
begin
  perform private.hold_accounts(array(
    select m.user_id from nectar.organization_members m where m.org_id = p_group
    union select m.user_id from nectar.team_members m where m.team_id = any (v_teams)
    union select n.user_id from nectar.notebooks n where n.org_id = p_group
    union select n.user_id from nectar.notebooks n where n.team_id = any (v_teams)
    union select e.user_id from nectar.journal_entries e where e.org_id = p_group
    union select e.user_id from nectar.journal_entries e where e.team_id = any (v_teams)
  ));
end
$$;
comment on function private.lock_people_of(uuid) is
  'Locks the profiles of everyone whose rows are changed when an organization or a team is deleted: its members, and the authors of what is shared with it. Called first, because account deletion locks the profile before those rows. Security definer: the caller does not see all of them.';

create function private.note_member_acted(p_groups uuid[]) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  update nectar.organization_members m set acted_at = now()
  where m.user_id = private.actor_id() and m.acted_at is null
    and m.org_id = any (
      p_groups || array(select t.org_id from nectar.teams t where t.id = any (p_groups))
    );
end
$$;
comment on function private.note_member_acted(uuid[]) is
  'Notes that the caller has acted as a member of these organizations, or of the organizations of these teams; only the first time is written. Security definer: no role may write acted_at directly, or an owner could claim it for others.';

-- Functions: triggers ---------------------------------------------------------------------------------------------------
create function private.enroll_owner() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into nectar.organization_members (org_id, user_id, role) values (new.id, new.owner_id, 'admin');
  perform private.note_member_acted(array[new.id]);
  return null;
end
$$;
comment on function private.enroll_owner() is 'Trigger: who creates an organization is its first member.';

create function private.note_team_created() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.note_member_acted(array[new.org_id]);
  return null;
end
$$;
comment on function private.note_team_created() is 'Trigger: a member who creates a team has acted in its organization.';

create function private.notify_added_member() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_team constant text := to_jsonb(new) ->> 'team_id';
begin
  -- The person's account may be being deleted at this moment. Waiting for that while this transaction has rows that the
  -- deletion needs would be a deadlock, so such a person is not notified.
  insert into nectar.notifications (user_id, type, title, body, data)
  select p.id, 'member_added',
    case when v_team is null then 'You were added to an organization' else 'You were added to a team' end,
    case
      when v_team is null then 'You can see what its members share with it, and leave it at any time.'
      else 'You can see what its members share with the team, and leave it at any time.'
    end,
    jsonb_strip_nulls(jsonb_build_object('org_id', new.org_id, 'team_id', v_team, 'added_by', private.actor_id()))
  from nectar.profiles p
  where p.id = new.user_id and not p.is_ai and p.id <> private.actor_id()
  for key share skip locked;
  return null;
end
$$;
comment on function private.notify_added_member() is
  'Trigger: notifies a person who is added to an organization or team by another person. The text does not contain its name, so that it cannot be used to send words of one''s own to strangers. Security definer: no role may write notifications directly.';

create function private.enroll_team_admin() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  insert into nectar.team_members (team_id, org_id, user_id, role)
  values (new.id, new.org_id, new.admin_id, 'admin')
  on conflict (team_id, user_id) do update set role = 'admin';
  return null;
end
$$;
comment on function private.enroll_team_admin() is 'Trigger: a team''s primary admin is always its member with role admin.';

create function private.keep_owner_in() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- When the organization itself is being deleted its row is gone by now, and its members may go with it.
  if exists (select from nectar.organizations o where o.id = old.org_id and o.owner_id = old.user_id) then
    raise exception 'the owner cannot leave' using errcode = 'NX000', detail = 'organization.owner_cannot_leave';
  end if;
  return null;
end
$$;
comment on function private.keep_owner_in() is 'Trigger: an owner leaves only after a transfer (organization.owner_cannot_leave).';

create function private.hand_over_team() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  team nectar.teams;
  successor uuid;
begin
  select * into team from nectar.teams t where t.id = old.team_id for update;
  if not found or team.admin_id <> old.user_id then
    return null;
  end if;
  if exists (
    select from nectar.organization_members m where m.org_id = old.org_id and m.user_id = old.user_id
  ) then
    -- A co-admin who is leaving at this very moment is locked and passed over: waiting for them while they wait for the
    -- team would be a deadlock.
    select m.user_id into successor
      from nectar.team_members m
      where m.team_id = old.team_id and m.role = 'admin' and private.is_human(m.user_id)
      order by m.joined_at, m.user_id
      limit 1
      for no key update skip locked;
    if successor is null then
      raise exception 'the last team admin cannot leave' using errcode = 'NX000', detail = 'team.last_admin';
    end if;
  else
    -- Removed from the organization altogether: there must be somebody to look after the team.
    select o.owner_id into successor from nectar.organizations o where o.id = old.org_id;
    if not found then
      return null; -- the whole organization is being deleted, and this team with it
    end if;
  end if;
  update nectar.teams set admin_id = successor where id = old.team_id;
  return null;
end
$$;
comment on function private.hand_over_team() is
  'Trigger: when a primary admin leaves, the co-admin who joined first takes over (none: team.last_admin); when he is removed from the organization, its owner does.';

create function private.hand_over_organizations() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_humans uuid[];
  v_organization uuid;
  v_successor uuid;
begin
  -- Locks the profiles first, in the same order as everywhere, so that no successor's account is deleted meanwhile.
  v_humans := array(
    select p.id
    from nectar.profiles p
    where not p.is_ai and p.id <> old.id and p.id in (
      select m.user_id
      from nectar.organization_members m
      join nectar.organizations o on o.id = m.org_id
      where o.owner_id = old.id
    )
    order by p.id
    for key share
  );
  for v_organization in
    select o.id from nectar.organizations o where o.owner_id = old.id order by o.id for update
  loop
    select m.user_id into v_successor
    from nectar.organization_members m
    where m.org_id = v_organization and m.user_id = any (v_humans)
    order by m.joined_at, m.user_id
    limit 1
    for key share skip locked; -- a member who is leaving at this moment is no successor
    if found then
      update nectar.organizations set owner_id = v_successor, updated_at = now() where id = v_organization;
    else
      delete from nectar.organizations where id = v_organization;
    end if;
  end loop;
  return old;
end
$$;
comment on function private.hand_over_organizations() is
  'Trigger: when the account of an owner is deleted, each of their organizations goes to the other human who has been a member for the longest time; without one it is deleted. Security definer: no role may write owners directly.';

create function private.guard_primary_admin() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  if new.role <> 'admin' and exists (
    select from nectar.teams t where t.id = new.team_id and t.admin_id = new.user_id
  ) then
    raise exception 'the primary admin stays admin' using errcode = 'NX000', detail = 'team.primary_admin_protected';
  end if;
  return new;
end
$$;
comment on function private.guard_primary_admin() is 'Trigger: the primary admin changes through the team, not through its members (team.primary_admin_protected).';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger organizations_enroll_owner
  after insert on nectar.organizations
  for each row execute function private.enroll_owner();
create trigger organizations_touch_updated_at
  before update of name, description, settings on nectar.organizations
  for each row execute function private.touch_updated_at();
create trigger organization_members_keep_owner_in
  after delete on nectar.organization_members
  for each row execute function private.keep_owner_in();
create trigger teams_enroll_admin
  after insert or update of admin_id on nectar.teams
  for each row execute function private.enroll_team_admin();
create trigger teams_touch_updated_at
  before update of name, description, settings on nectar.teams
  for each row execute function private.touch_updated_at();
create trigger teams_note_created
  after insert on nectar.teams
  for each row execute function private.note_team_created();
create trigger organization_members_notify_added
  after insert on nectar.organization_members
  for each row execute function private.notify_added_member();
create trigger team_members_notify_added
  after insert on nectar.team_members
  for each row execute function private.notify_added_member();
create trigger profiles_hand_over_organizations
  before delete on nectar.profiles
  for each row execute function private.hand_over_organizations();
create trigger team_members_hand_over
  after delete on nectar.team_members
  for each row execute function private.hand_over_team();
create trigger team_members_guard_primary_admin
  before update of role on nectar.team_members
  for each row execute function private.guard_primary_admin();

-- Row-level security ----------------------------------------------------------------------------------------------------
alter table nectar.organizations enable row level security;
alter table nectar.organization_members enable row level security;
alter table nectar.teams enable row level security;
alter table nectar.team_members enable row level security;

-- The owner is named beside the members because an insert must see its own row before the owner is enrolled.
create policy "members see their organization" on nectar.organizations
  for select to nectar_user using (
    id in (select private.my_organization_ids())
    or owner_id = (select private.actor_id())
    or (select private.is_super_admin())
  );
create policy "anyone creates an organization of their own" on nectar.organizations
  for insert to nectar_user with check (owner_id = (select private.actor_id()));
create policy "the owner edits an organization" on nectar.organizations
  for update to nectar_user
  using (owner_id = (select private.actor_id()) or (select private.is_super_admin()))
  with check (owner_id = (select private.actor_id()) or (select private.is_super_admin()));
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
  using (org_id in (select private.my_owned_organization_ids()) or (select private.is_super_admin()))
  with check (org_id in (select private.my_owned_organization_ids()) or (select private.is_super_admin()));
create policy "the owner removes members and members leave" on nectar.organization_members
  for delete to nectar_user using (
    user_id = (select private.actor_id())
    or org_id in (select private.my_owned_organization_ids())
    or (select private.is_super_admin())
  );

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
  using (id in (select private.my_administered_team_ids()) or (select private.is_super_admin()))
  with check (id in (select private.my_administered_team_ids()) or (select private.is_super_admin()));
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
create policy "team admins change roles" on nectar.team_members
  for update to nectar_user
  using (team_id in (select private.my_administered_team_ids()) or (select private.is_super_admin()))
  with check (team_id in (select private.my_administered_team_ids()) or (select private.is_super_admin()));
create policy "team admins remove others, everybody may leave" on nectar.team_members
  for delete to nectar_user using (
    user_id = (select private.actor_id())
    or (
      (team_id in (select private.my_administered_team_ids()) or (select private.is_super_admin()))
      and not exists (select from nectar.teams t where t.id = team_id and t.admin_id = user_id)
    )
  );

-- Grants ----------------------------------------------------------------------------------------------------------------
grant select, delete on nectar.organizations, nectar.organization_members, nectar.teams, nectar.team_members to nectar_user;
grant insert (name, description, settings) on nectar.organizations to nectar_user;
grant update (name, description, settings) on nectar.organizations to nectar_user;
grant insert (org_id, user_id, role) on nectar.organization_members to nectar_user;
grant update (role) on nectar.organization_members to nectar_user;
grant insert (org_id, name, description, admin_id, settings) on nectar.teams to nectar_user;
grant update (name, description, settings) on nectar.teams to nectar_user;
grant insert (team_id, org_id, user_id, role) on nectar.team_members to nectar_user;
grant update (role) on nectar.team_members to nectar_user;

revoke execute on all functions in schema private from public;
grant execute on function
  private.my_organization_ids(), private.my_owned_organization_ids(),
  private.my_team_ids(), private.my_administered_team_ids(),
  private.organization_standing(uuid), private.team_standing(uuid),
  private.transfer_organization(uuid, uuid), private.change_team_admin(uuid, uuid), private.lock_people_of(uuid),
  private.note_member_acted(uuid[])
  to nectar_user;

-- Comments --------------------------------------------------------------------------------------------------------------
comment on table nectar.organizations is 'Owned by exactly one member.';
comment on table nectar.organization_members is 'Everybody in an organization, its owner included.';
comment on column nectar.organization_members.role is 'admin or member; the owner is told by organizations.owner_id.';
comment on column nectar.organization_members.acted_at is
  'When the member first did something here as themselves: created the organization or a team, accepted the membership, shared an entry or a notebook. Null: they were added and have done nothing yet. Mail under the recipient policy `members` needs it.';
comment on table nectar.teams is 'A group inside one organization, looked after by its primary admin.';
comment on table nectar.team_members is 'Everybody in a team, its primary admin included; co-admins have the role admin too.';
