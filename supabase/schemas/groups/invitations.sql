-- Why: People join an organization by an invitation: a link that anyone may use, or one that is bound to an address. The
-- token is a secret, so only its hash is stored.

create type nectar.invitation_email_status as enum ('sent', 'suppressed', 'not_sent');

create table nectar.invitations (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references nectar.organizations (id) on delete cascade,
  invited_by uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  token_hash bytea not null unique,
  email text,
  email_status nectar.invitation_email_status,
  role nectar.member_role not null,
  team_ids uuid[] not null,
  max_uses integer not null,
  uses integer not null default 0,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint invitations_token_hash_size check (octet_length(token_hash) = 32),
  constraint invitations_email_length check (char_length(email) between 1 and 254),
  constraint invitations_email_has_status check ((email is null) = (email_status is null)),
  constraint invitations_team_ids_count check (cardinality(team_ids) <= 20),
  constraint invitations_max_uses_range check (max_uses between 1 and case when email is null then 500 else 1 end),
  constraint invitations_uses_range check (uses between 0 and max_uses),
  constraint invitations_lifetime check (expires_at <= created_at + interval '720 hours')
);
comment on table nectar.invitations is 'Invitations to organizations. Deleted with the organization, with the account that has the address, and some time after they expire; those that have ended also with the account of the inviter.';
comment on column nectar.invitations.token_hash is 'SHA-256 of the token.';
comment on column nectar.invitations.email is 'The only address that may use it; null for a link that anyone may use.';
comment on column nectar.invitations.email_status is 'What became of its mail; not_sent until the provider has accepted it.';
comment on column nectar.invitations.team_ids is 'Teams of the organization that are joined too. A team that is deleted stays here, so that accepting can name it.';

create index invitations_newest_first on nectar.invitations (org_id, created_at desc, id desc);
create index invitations_inviter on nectar.invitations (invited_by);
create index invitations_email on nectar.invitations (lower(email), org_id) where email is not null;
create index invitations_age on nectar.invitations (expires_at);

-- Returns the status of an invitation: pending, accepted (no use is left), revoked or expired.
create function private.invitation_status(
  p_revoked_at timestamptz, p_uses integer, p_max_uses integer, p_expires_at timestamptz
) returns text
  language sql stable parallel safe security invoker
  return case
    when p_revoked_at is not null then 'revoked'
    when p_uses >= p_max_uses then 'accepted'
    when p_expires_at <= now() then 'expired'
    else 'pending'
  end;
grant execute on function private.invitation_status(timestamptz, integer, integer, timestamptz) to nectar_user;

-- Returns the person who has confirmed an address; null if there is none.
create function private.invitee(p_address text) returns uuid
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select a.user_id from nectar.accounts a
    where lower(a.email) = lower(p_address) and private.confirmed_address(a.user_id) is not null
  );
end $$;

-- Locks the person who has confirmed an address, if there is one, and the pair of this person and the caller. Called
-- before the organization is locked. Security definer: people cannot read the addresses of others.
create function private.lock_invitee(p_address text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitee constant uuid := private.invitee(p_address);
begin
  if v_invitee is not null then
    perform private.lock_profiles(array[v_invitee]);
    perform private.lock_pair(private.actor_id(), v_invitee, true);
  end if;
end $$;
grant execute on function private.lock_invitee(text) to nectar_user;

-- Returns whether an address belongs to a member of an organization, as far as the caller knows. The caller knows their
-- own address, and one by which someone joined an organization that the caller owns. Security definer: people cannot
-- read the addresses of others.
create function private.is_known_member(p_org_id uuid, p_address text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  return exists (
    select from nectar.accounts a
    join nectar.organization_members m on m.org_id = p_org_id and m.user_id = a.user_id
    where lower(a.email) = lower(p_address)
      -- Otherwise the error would tell the owner which member has the address.
      and (
        a.user_id = v_actor
        or exists (
          select from nectar.invitations i
          where i.org_id = p_org_id and lower(i.email) = lower(p_address) and i.uses > 0
            and (i.org_id in (select private.my_owned_organization_ids()) or private.is_super_admin())
        )
      )
  );
end $$;
grant execute on function private.is_known_member(uuid, text) to nectar_user;

-- Notifies a person of an invitation by the caller, unless there is a block or they are a member. There is one unread
-- notification for each inviter, about their newest invitation; the inviter's quota is locked, so no other invitation
-- of theirs is created meanwhile.
create function private.notify_invitee(p_invitee uuid, p_invitation_id uuid, p_org_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  -- The name of the organization is left out, because it could be used to send any text to strangers.
  v_data constant jsonb :=
    jsonb_build_object('invitation_id', p_invitation_id, 'org_id', p_org_id, 'invited_by', v_actor);
begin
  if private.has_block(v_actor, p_invitee)
    or exists (select from nectar.organization_members m where m.org_id = p_org_id and m.user_id = p_invitee)
  then
    return;
  end if;
  update nectar.notifications n set data = v_data
  where n.user_id = p_invitee and n.read_at is null and n.type = 'invitation' and n.caused_by = v_actor;
  if not found then perform private.notify(p_invitee, 'invitation', v_data, v_actor); end if;
end $$;

-- Creates an invitation by the owner or a super admin. The caller has locked the invitee and the organization, and
-- counted the invitation. A pending one of the same address is revoked, teams of other organizations are left out, and
-- the mail is counted as a mail of the caller. message_id is null if there is no mail to send: the address is
-- suppressed, the server sends none, or the caller has no confirmed address or no mails left. A member is not notified.
-- Raises auth.forbidden, and service.unexpected unless the moment is now. Security definer: owners see neither
-- addresses nor blocks of others.
create function private.record_invitation(
  p_org_id uuid, p_invitation jsonb, p_moment timestamptz, out invitation_id uuid, out message_id uuid, out reply_to text
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_new record;
  v_invitee uuid;
  v_is_suppressed boolean := false;
begin
  perform private.check_moment(p_moment);
  if not (p_org_id in (select private.my_owned_organization_ids()) or private.is_super_admin()) then
    raise exception 'not the owner of the organization' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  select * into v_new
  from jsonb_to_record(p_invitation) n (
    token_hash text, email text, role nectar.member_role, team_ids uuid[], max_uses integer, expires_in_hours integer,
    mail_subject text
  );
  if v_new.email is not null then
    v_invitee := private.invitee(v_new.email);
    update nectar.invitations i set revoked_at = now()
    where lower(i.email) = lower(v_new.email) and i.org_id = p_org_id
      and private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending';
    v_is_suppressed := private.gets_no_mail(v_new.email, v_actor) or private.has_block(v_actor, v_invitee);
    reply_to := private.confirmed_address(v_actor);
    if v_new.mail_subject is not null and reply_to is not null then
      -- Suppressed mails are counted too, so that a block looks like any other address that gets no mail.
      select c.message_id into message_id from private.count_email(v_new.email, v_new.mail_subject, null, p_moment) c;
    end if;
    if v_is_suppressed then
      update private.email_messages m set state = 'suppressed' where m.id = message_id;
      message_id := null;
    end if;
  end if;
  insert into nectar.invitations as i
    (org_id, invited_by, token_hash, email, email_status, role, team_ids, max_uses, expires_at)
  values (
    p_org_id, v_actor, decode(v_new.token_hash, 'hex'), v_new.email,
    case when v_new.email is null then null when v_is_suppressed then 'suppressed' else 'not_sent' end
      ::nectar.invitation_email_status,
    v_new.role,
    array(select t.id from nectar.teams t where t.id = any (v_new.team_ids) and t.org_id = p_org_id order by t.id),
    v_new.max_uses, now() + v_new.expires_in_hours * interval '1 hour'
  )
  returning i.id into invitation_id;
  if v_invitee is not null then perform private.notify_invitee(v_invitee, invitation_id, p_org_id); end if;
end $$;
grant execute on function private.record_invitation(uuid, jsonb, timestamptz) to nectar_user;

-- Makes the owners the inviters instead of a person whose account is being deleted, and deletes responses that show the
-- person.
create function private.pass_on_invitations(p_user_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  update nectar.invitations i set invited_by = o.owner_id
  from nectar.organizations o
  where o.id = i.org_id and i.invited_by = p_user_id
    and private.invitation_status(i.revoked_at, i.uses, i.max_uses, i.expires_at) = 'pending';
  delete from private.idempotency_keys k where k.resource_id = p_user_id;
end $$;

-- Deletes the stored responses that contain a deleted invitation, or show its inviter. Security definer: they may
-- belong to another person.
create function private.delete_stored_responses_of_invitations() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.idempotency_keys k using deleted d where k.resource_id = any (array[d.id, d.invited_by]);
  return null;
end $$;

create trigger invitations__record_use
  after insert or update of revoked_at on nectar.invitations
  for each row execute function private.record_acting_owner();
create trigger invitations__delete_stored_responses
  after delete on nectar.invitations
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses_of_invitations();

alter table nectar.invitations enable row level security;

create policy "the owner sees the invitations of an organization" on nectar.invitations
  for select to nectar_user using (
    org_id in (select private.my_owned_organization_ids()) or (select private.is_super_admin())
  );
create policy "the owner revokes invitations and records their mail" on nectar.invitations
  for update to nectar_user
  using (org_id in (select private.my_owned_organization_ids()) or (select private.is_super_admin()));
create policy "the service sees the age of invitations" on nectar.invitations for select to nectar_service using (true);
create policy "the service removes invitations that expired a month ago" on nectar.invitations
  for delete to nectar_service using (expires_at < now() - interval '30 days');

grant select (id, org_id, invited_by, email, email_status, role, team_ids, max_uses, uses, expires_at, revoked_at,
    created_at),
  update (email_status, revoked_at) on nectar.invitations to nectar_user;
grant select (id, expires_at), delete on nectar.invitations to nectar_service;
