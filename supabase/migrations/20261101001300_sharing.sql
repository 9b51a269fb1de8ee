-- Why: Who may see a row is computed when something changes, not when the row is read. Each shared row carries its
-- audience: one id that a reader either has or does not have. That keeps policies free of joins and lets an index find
-- "the newest rows that this audience may see".

-- Types ---------------------------------------------------------------------------------------------------------------
create type nectar.visibility as enum ('user', 'team', 'org', 'public');

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.public_audience() returns uuid
  language sql immutable security invoker parallel safe
  return '00000000-0000-0000-0000-000000000000'::uuid;
comment on function private.public_audience() is 'The audience that everyone signed in belongs to.';
grant execute on function private.public_audience() to nectar_user;

create function private.my_audiences() returns uuid[]
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  if v_actor is null then
    return '{}'; -- public means everyone who is signed in
  end if;
  return array(
    select private.public_audience()
    where not exists (select from nectar.blocks b where b.user_id = v_actor)
      and not exists (select from nectar.blocks b where b.blocked_id = v_actor)
      or private.is_super_admin()
    union all
    -- Before the teams: policies look an audience up from the beginning, and a person is in few organizations.
    select m.org_id from nectar.organization_members m where m.user_id = v_actor
    union all
    select m.team_id from nectar.team_members m where m.user_id = v_actor
  );
end
$$;
comment on function private.my_audiences() is
  'Every audience the caller belongs to, apart from being the author: the public, their teams, their organizations. Without the public if there is a block between the caller and anyone: then policies compare the authors of public rows with private.blocked_users(), which costs nothing for everyone else. Blocks hide nothing from super admins. In policies always (select private.my_audiences())::uuid[], so that it is evaluated once per query. Security definer: policies call it.';
grant execute on function private.my_audiences() to nectar_user;

create function private.unless_hidden(p_visibility nectar.visibility, p_hidden_at timestamptz) returns nectar.visibility
  language sql immutable security invoker parallel safe
  return case when p_hidden_at is null then p_visibility else 'user' end;
comment on function private.unless_hidden(nectar.visibility, timestamptz) is
  'A requested visibility, or ''user'' for something that an admin has hidden.';

create function private.effective_share(
  p_author_id uuid,
  p_visibility nectar.visibility,
  p_team_id uuid,
  p_org_id uuid,
  out visibility nectar.visibility,
  out audience_id uuid
)
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  -- The organization and the team before the membership, as their deletion does (private.lock_group), to avoid
  -- deadlocks.
  if p_org_id is not null then
    perform from nectar.organizations o where o.id = p_org_id for key share;
  end if;
  if p_team_id is not null then
    perform from nectar.teams t where t.id = p_team_id for key share;
  end if;
  -- The membership is locked against removal until this transaction ends: a removal that runs at the same time either
  -- waits and then withdraws this share as well, or is seen here.
  if p_visibility = 'team' then
    perform from nectar.team_members m where m.team_id = p_team_id and m.user_id = p_author_id for key share;
    if found then
      visibility := 'team';
      audience_id := p_team_id;
      return;
    end if;
  elsif p_visibility = 'org' then
    perform from nectar.organization_members m where m.org_id = p_org_id and m.user_id = p_author_id for key share;
    if found then
      visibility := 'org';
      audience_id := p_org_id;
      return;
    end if;
  elsif p_visibility = 'public' then
    visibility := 'public';
    audience_id := private.public_audience();
    return;
  end if;
  visibility := 'user';
  audience_id := p_author_id;
end
$$;
comment on function private.effective_share(uuid, nectar.visibility, uuid, uuid) is
  'The visibility and audience that a requested visibility has now: a share with a team or organization is void while its author is no member. Without a share the audience is the author.';
