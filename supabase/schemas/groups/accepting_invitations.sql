-- Why: Invited people are not members yet and see nothing of the organization, so what they do goes through functions.
-- These treat every invitation that the caller cannot use like one that does not exist.

-- Returns the invitation with a token, or one to the caller's confirmed address by its id. A member may accept one
-- again that is used up. Raises invitation.not_found for every invitation that the caller cannot use.
create function private.find_invitation(p_token_hash bytea, p_invitation_id uuid, p_is_accepting boolean)
  returns nectar.invitations
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_found nectar.invitations;
begin
  -- One statement for all reasons to refuse, so that none of them takes longer than another.
  select i.* into v_found from nectar.invitations i
  where i.id = coalesce(p_invitation_id, (select t.id from nectar.invitations t where t.token_hash = p_token_hash))
    -- A link is used with its token only.
    and (p_invitation_id is null or i.email is not null)
    and (i.email is null or lower(i.email) = lower(private.confirmed_address(v_actor)))
    and not private.has_block(i.invited_by, v_actor)
    and (
      private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending'
      or (
        p_is_accepting
        and private.invitation_status(i.revoked_at, 0, i.max_uses, i.expires_at) = 'pending'
        and exists (select from nectar.organization_members m where m.org_id = i.org_id and m.user_id = v_actor)
      )
    );
  if not found then
    raise exception 'no such invitation' using errcode = 'NX000', detail = 'invitation.not_found';
  end if;
  return v_found;
end $$;

-- Only definer functions call it.
create type private.inviting_organization as (id uuid, name text, member_count integer);
create type private.received_invitation as (
  id uuid, organization private.inviting_organization, role nectar.member_role, invited_by private.card,
  expires_at text, created_at text
);
comment on type private.received_invitation is 'An invitation as the invited person sees it.';

-- Returns an invitation as the invited person sees it.
create function private.present_invitation(p_invitation nectar.invitations) returns private.received_invitation
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select row(
      p_invitation.id,
      row(o.id, o.name, (select count(*) from nectar.organization_members m where m.org_id = o.id))
        ::private.inviting_organization,
      p_invitation.role, row(p.id, p.full_name, p.avatar_url, p.is_ai)::private.card,
      private.rfc3339(p_invitation.expires_at), private.rfc3339(p_invitation.created_at)
    )::private.received_invitation
    from nectar.organizations o
    join nectar.profiles p on p.id = p_invitation.invited_by
    where o.id = p_invitation.org_id
  );
end $$;

-- Returns a page of the pending invitations to the caller's confirmed address, newest first, after a row (its time and
-- id). It leaves out organizations that the caller is in, and people with a block between them. Security definer: the
-- caller sees neither the organizations nor the invitations.
create function private.list_my_invitations(p_after timestamptz, p_after_id uuid, p_max integer)
  returns private.received_invitation[]
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  return array(
    select private.present_invitation(mine)
    from (
      select i.* from nectar.invitations i
      where lower(i.email) = (select lower(private.confirmed_address(v_actor)))
        and private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending'
        and (i.created_at, i.id) < (p_after, p_after_id)
        and not private.has_block(i.invited_by, v_actor)
        and not exists (select from nectar.organization_members m where m.org_id = i.org_id and m.user_id = v_actor)
      order by i.created_at desc, i.id desc limit p_max
    ) mine
    order by mine.created_at desc, mine.id desc
  );
end $$;
grant execute on function private.list_my_invitations(timestamptz, uuid, integer) to nectar_user;

-- Returns the invitation with a token. Raises invitation.not_found if the caller cannot use it. Security definer: the
-- caller does not see the organization.
create function private.preview_invitation(p_token_hash bytea) returns private.received_invitation
  language plpgsql stable security definer set search_path = '' as $$
begin
  return private.present_invitation(private.find_invitation(p_token_hash, null, false));
end $$;
grant execute on function private.preview_invitation(bytea) to nectar_user;

-- Makes the caller a member of the organization of an invitation, and of those of its teams that still exist;
-- skipped_team_ids are the others. For a member no use is counted, the role stays, and missing teams are joined. Raises
-- invitation.not_found if the caller cannot use it. Security definer: only owners add members.
create function private.accept_invitation(p_token_hash bytea, p_invitation_id uuid)
  returns table (org_id uuid, org_name text, is_new boolean, skipped_team_ids uuid[])
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_invitation nectar.invitations := private.find_invitation(p_token_hash, p_invitation_id, true);
  v_organization nectar.organizations;
  v_is_new boolean;
begin
  -- Locks profiles first, then the group from the outside in, as everything that changes a group does.
  perform private.lock_profiles(array[v_invitation.invited_by]);
  perform private.lock_pair(v_invitation.invited_by, v_actor, true);
  select * into v_organization from nectar.organizations o where o.id = v_invitation.org_id for key share;
  perform from nectar.teams t where t.id = any (v_invitation.team_ids) order by t.id for key share;
  perform from nectar.organization_members m where m.org_id = v_invitation.org_id and m.user_id = v_actor for key share;
  perform from nectar.invitations i where i.id = v_invitation.id for no key update;
  -- Again, because it may have ended while this transaction waited.
  v_invitation := private.find_invitation(p_token_hash, p_invitation_id, true);

  insert into nectar.organization_members (org_id, user_id, role)
  values (v_invitation.org_id, v_actor, v_invitation.role) on conflict do nothing;
  v_is_new := found;
  if v_is_new then update nectar.invitations i set uses = i.uses + 1 where i.id = v_invitation.id; end if;
  perform private.record_member_acted(array[v_invitation.org_id]);
  insert into nectar.team_members (team_id, org_id, user_id)
  select t.id, t.org_id, v_actor from nectar.teams t where t.id = any (v_invitation.team_ids)
  on conflict do nothing;
  return query
    select v_organization.id, v_organization.name, v_is_new, array(
      select given.id from unnest(v_invitation.team_ids) given (id)
      where not exists (select from nectar.teams t where t.id = given.id)
    );
end $$;
grant execute on function private.accept_invitation(bytea, uuid) to nectar_user;

-- Revokes a pending invitation to the caller's confirmed address. Raises invitation.not_found if there is none.
-- Security definer: only owners revoke invitations.
create function private.decline_invitation(p_invitation_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation constant nectar.invitations := private.find_invitation(null, p_invitation_id, false);
begin
  -- Unless it was accepted or revoked in the meantime.
  update nectar.invitations i set revoked_at = now()
  where i.id = v_invitation.id
    and private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending';
  if not found then
    raise exception 'no such invitation' using errcode = 'NX000', detail = 'invitation.not_found';
  end if;
end $$;
grant execute on function private.decline_invitation(uuid) to nectar_user;
