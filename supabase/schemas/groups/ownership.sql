-- Why: Ownership of organizations and teams changes hands through functions, because no single policy can express it.
-- Owning an organization does not keep an account from being deleted: the organization goes to another member. Who receives
-- an organization may hand it back.

-- Makes a member, whose profile is locked, the owner, and notifies them. p_given_by is the person who does it, null
-- when an account is deleted. Someone who gets back within 14 days what they gave away owns it as before, and cannot
-- hand it back.
create function private.give_organization(p_org_id uuid, p_new_owner_id uuid, p_given_by uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_is_returned boolean;
begin
  update nectar.organizations o
  set owner_id = p_new_owner_id,
    received_at = case when r.is_returned then null else now() end,
    received_from = case when r.is_returned then null else r.owner_id end,
    is_used = r.is_returned,
    updated_at = now()
  from (
    select f.id, f.owner_id, coalesce(
      f.received_from = p_new_owner_id and f.received_at > now() - interval '14 days', false
    ) as is_returned
    from nectar.organizations f
  ) r
  where o.id = p_org_id and r.id = o.id returning r.is_returned into v_is_returned;
  if p_new_owner_id is distinct from p_given_by then
    -- Without the name of the organization, as in private.notify_added_member.
    perform private.notify(
      p_new_owner_id, 'organization_received',
      jsonb_strip_nulls(jsonb_build_object('org_id', p_org_id, 'given_by', p_given_by, 'is_returned', v_is_returned)),
      p_given_by
    );
  end if;
end $$;

-- Gives an organization to its former owner or to its longest member among these people, or deletes it; returns whether
-- it exists. The profiles of the people are locked. The former owner comes first if they are still a member.
create function private.hand_over_organization(p_org_id uuid, p_former_owner_id uuid, p_humans uuid[], p_given_by uuid)
  returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_successor uuid;
begin
  select m.user_id into v_successor from nectar.organization_members m
  where m.org_id = p_org_id and m.user_id = any ((select p_humans)::uuid[])
  order by m.user_id is not distinct from p_former_owner_id desc, m.joined_at, m.user_id limit 1
  for key share skip locked; -- skips a member who is leaving at the same time
  if found then
    perform private.give_organization(p_org_id, v_successor, p_given_by);
  else
    delete from nectar.organizations where id = p_org_id;
  end if;
  return v_successor is not null;
end $$;

-- Makes a member the owner; the old owner stays as admin. Raises auth.forbidden unless the caller is the owner,
-- user.not_found if the new owner is not human or there is a block between them and the caller, organization.not_found,
-- organization.not_a_member. Security definer: no role may write owners directly.
create function private.transfer_organization(p_org_id uuid, p_new_owner_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_old_owner uuid;
begin
  perform private.lock_profiles(array[p_new_owner_id]);
  perform private.lock_pair(v_actor, p_new_owner_id, true);
  select o.owner_id into v_old_owner from nectar.organizations o where o.id = p_org_id for update;
  if not found then
    raise exception 'no such organization' using errcode = 'NX000', detail = 'organization.not_found';
  end if;
  if v_old_owner is distinct from v_actor and not private.is_super_admin() then
    raise exception 'only the owner may transfer an organization' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if private.is_human(p_new_owner_id) = false then
    raise exception 'the new owner is not human' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform from nectar.organization_members m where m.org_id = p_org_id and m.user_id = p_new_owner_id for key share;
  if not found then
    raise exception 'the new owner is no member' using errcode = 'NX000', detail = 'organization.not_a_member';
  end if;
  if private.has_block(v_actor, p_new_owner_id) then
    raise exception 'a block between the two' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform private.give_organization(p_org_id, p_new_owner_id, v_actor);
  update nectar.organization_members set role = 'admin' where org_id = p_org_id and user_id = v_old_owner;
end $$;
grant execute on function private.transfer_organization(uuid, uuid) to nectar_user;

-- Names another organization member as primary admin; the old one stays as member. Raises auth.forbidden unless the
-- caller owns the organization, user.not_found if the new admin is not human, team.not_found,
-- team.not_an_organization_member. Security definer: no role may write the primary admin directly.
create function private.change_team_admin(p_team_id uuid, p_new_admin_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_current_team nectar.teams;
begin
  select * into v_current_team from nectar.teams t where t.id = p_team_id for update;
  if not found then raise exception 'no such team' using errcode = 'NX000', detail = 'team.not_found'; end if;
  if not private.is_super_admin() and not exists (
    select from nectar.organizations o where o.id = v_current_team.org_id and o.owner_id = private.actor_id()
  ) then
    raise exception 'not the owner of the organization' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if v_current_team.admin_id = p_new_admin_id then return; end if;
  if private.is_human(p_new_admin_id) = false then
    raise exception 'the new admin is not human' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  perform from nectar.organization_members m
    where m.org_id = v_current_team.org_id and m.user_id = p_new_admin_id for key share;
  if not found then
    raise exception 'not a member' using errcode = 'NX000', detail = 'team.not_an_organization_member';
  end if;
  update nectar.teams set admin_id = p_new_admin_id, updated_at = now() where id = p_team_id;
  update nectar.team_members set role = 'member' where team_id = p_team_id and user_id = v_current_team.admin_id;
end $$;
grant execute on function private.change_team_admin(uuid, uuid) to nectar_user;

-- Locks what the deletion of an organization or a team changes, in the order in which other transactions lock it. The
-- order is: the writes of the people whose notebooks and goals are shared with it, the profiles of its members, of the
-- authors of what is shared with it and of the senders of messages, then what is shared with it, the organization, its
-- teams. The deletion alone would lock memberships first, and lose a deadlock to everyone who joins or shares something
-- meanwhile. Security definer: the caller does not see all of it.
create function private.lock_group(p_group uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_teams constant uuid[] := array(select t.id from nectar.teams t where t.id = p_group or t.org_id = p_group);
  v_org_id constant uuid := coalesce((select t.org_id from nectar.teams t where t.id = p_group), p_group);
  v_authors constant uuid[] := array(
    select n.user_id from nectar.notebooks n where n.org_id = p_group
    union select n.user_id from nectar.notebooks n where n.team_id = any (v_teams)
    union select g.user_id from nectar.goals g where g.org_id = p_group
    union select g.user_id from nectar.goals g where g.team_id = any (v_teams)
    order by 1
  );
begin
  -- Only so many, because PostgreSQL has room for some thousand advisory locks of all transactions together.
  perform private.lock_fairly(a.id, false) from unnest(v_authors[:500]) a (id);
  perform private.lock_profiles(v_authors || array(
    select m.user_id from nectar.organization_members m where m.org_id = p_group
    union select m.user_id from nectar.team_members m where m.team_id = any (v_teams)
    union select e.user_id from nectar.journal_entries e where e.org_id = p_group
    union select e.user_id from nectar.journal_entries e where e.team_id = any (v_teams)
    union select c.sender_id from nectar.team_messages c where c.team_id = any (v_teams)
  ));
  perform from nectar.notebooks n where n.org_id = p_group or n.team_id = any (v_teams) order by n.id for no key update;
  perform from nectar.goals g where g.org_id = p_group or g.team_id = any (v_teams) order by g.id for no key update;
  perform private.lock_fairly(v_org_id, false);
  perform from nectar.organizations o where o.id = p_group for update;
  perform from nectar.teams t where t.id = any (v_teams) order by t.id for update;
end $$;
grant execute on function private.lock_group(uuid) to nectar_user;

-- Locks what the removal of a member from an organization or a team changes, in the same order as private.lock_group.
-- Removing a member waits for what that person writes. Security definer: locking needs a privilege to update.
create function private.lock_membership(p_group uuid, p_user_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_teams constant uuid[] := array(
    select m.team_id from nectar.team_members m where m.user_id = p_user_id and p_group in (m.team_id, m.org_id)
  );
  v_org_id constant uuid := coalesce((select t.org_id from nectar.teams t where t.id = p_group), p_group);
begin
  perform private.stop_writes(p_user_id);
  perform from nectar.notebooks n where n.user_id = p_user_id and (n.org_id = p_group or n.team_id = any (v_teams))
    order by n.id for no key update;
  perform from nectar.goals g where g.user_id = p_user_id and (g.org_id = p_group or g.team_id = any (v_teams))
    order by g.id for no key update;
  perform private.lock_fairly(v_org_id, true);
  perform from nectar.organizations o where o.id = p_group for key share;
  perform from nectar.teams t where t.id = any (v_teams) order by t.id for no key update;
end $$;
grant execute on function private.lock_membership(uuid, uuid) to nectar_user;

-- Gives the organizations of an owner whose account is being deleted to other human members, or deletes them. An
-- organization that the owner received and never used goes back to the former owner, any other to the human who has
-- been a member for the longest time.
create function private.hand_over_organizations(p_user_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_humans uuid[];
  v_organization record;
begin
  -- Locks the profiles first, so that no successor's account is deleted meanwhile.
  v_humans := array(
    select p.id from nectar.profiles p
    where not p.is_ai and p.id <> p_user_id and p.id in (
      select m.user_id from nectar.organization_members m
      join nectar.organizations o on o.id = m.org_id
      where o.owner_id = p_user_id
    )
    for key share
  );
  for v_organization in
    select o.id, case when not o.is_used then o.received_from end as former_owner_id from nectar.organizations o
    where o.owner_id = p_user_id for update
  loop
    perform private.hand_over_organization(v_organization.id, v_organization.former_owner_id, v_humans, null);
  end loop;
end $$;

-- Hands back an organization that the caller received not long ago; returns whether it still exists. It goes to its
-- former owner or, if they are no longer a member, to the human who has been one for the longest time; without another
-- human it is deleted. The caller stays a member with the role that they had before. Raises auth.forbidden unless the
-- caller is the owner, organization.not_received. Security definer: no role may write owners directly.
create function private.decline_organization(p_org_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_organization nectar.organizations;
begin
  -- Also the profiles of all members: one of them is the next owner.
  perform private.lock_group(p_org_id);
  select * into v_organization from nectar.organizations o where o.id = p_org_id and o.owner_id = v_actor;
  if not found then
    raise exception 'only the owner may decline' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  if (v_organization.received_at > now() - interval '14 days') is not true then
    raise exception 'not received in time' using errcode = 'NX000', detail = 'organization.not_received';
  end if;
  return private.hand_over_organization(
    p_org_id, v_organization.received_from,
    array(
      select m.user_id from nectar.organization_members m
      where m.org_id = p_org_id and m.user_id <> v_actor and private.is_human(m.user_id)
    ),
    v_actor
  );
end $$;
grant execute on function private.decline_organization(uuid) to nectar_user;

-- Notifies a person who is added to an organization or team by another person. The notification does not contain the
-- group's name, which could be used to send any text to strangers. Security definer: no role may write notifications
-- directly.
create function private.notify_added_member() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Skips a person whose account is being deleted: waiting for the deletion while it waits for rows of this transaction
  -- would be a deadlock.
  insert into nectar.notifications (user_id, type, data, caused_by)
  select p.id, 'member_added',
    jsonb_strip_nulls(jsonb_build_object(
      'org_id', new.org_id, 'team_id', to_jsonb(new) ->> 'team_id', 'added_by', private.actor_id()
    )),
    private.actor_id()
  from nectar.profiles p where p.id = new.user_id and not p.is_ai and p.id <> private.actor_id()
  for key share skip locked;
  return null;
end $$;

create trigger organization_members__send_notification
  after insert on nectar.organization_members
  for each row execute function private.notify_added_member();
create trigger team_members__send_notification
  after insert on nectar.team_members
  for each row execute function private.notify_added_member();
