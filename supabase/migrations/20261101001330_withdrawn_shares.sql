-- Why: What visibility follows from can change: the notebook of an entry, the membership of its author, the team or
-- organization it is shared with. These triggers update notebooks and entries when that happens. Nothing ever falls back to
-- something wider, and deleting a notebook, team or organization deletes nobody's writing.

-- Functions -------------------------------------------------------------------------------------------------------------
create function private.follow_notebook() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  update nectar.journal_entries
    set inherit_visibility = inherit_visibility
    where notebook_id = new.id and inherit_visibility and 'user' in (metadata_visibility, content_visibility);
  return null;
end
$$;
comment on function private.follow_notebook() is 'Trigger: entries that inherit follow their notebook.';

create function private.detach_entries() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  update nectar.journal_entries set notebook_id = null where notebook_id = old.id;
  return old;
end
$$;
comment on function private.detach_entries() is
  'Trigger: entries outlive their notebook; what they inherited falls back to private, never wider.';

create function private.refresh_team_shares() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  member uuid := coalesce(new.user_id, old.user_id);
  team uuid := coalesce(new.team_id, old.team_id);
begin
  update nectar.notebooks set team_id = team_id where user_id = member and team_id = team;
  update nectar.journal_entries set team_id = team_id where user_id = member and team_id = team;
  return null;
end
$$;
comment on function private.refresh_team_shares() is
  'Trigger: what a person shared with a team is withdrawn when they leave and back when they return.';

create function private.refresh_org_shares() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  member uuid := coalesce(new.user_id, old.user_id);
  organization uuid := coalesce(new.org_id, old.org_id);
begin
  update nectar.notebooks set org_id = org_id where user_id = member and org_id = organization;
  update nectar.journal_entries set org_id = org_id where user_id = member and org_id = organization;
  return null;
end
$$;
comment on function private.refresh_org_shares() is
  'Trigger: what a person shared with an organization is withdrawn when they leave and back when they return.';

create function private.unshare_with_team() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  -- An entry whose explicit share falls back to 'user' must not start to inherit something wider from its notebook, so
  -- it stops inheriting: its other axis can only become narrower by that.
  update nectar.journal_entries
    set inherit_visibility = inherit_visibility and 'team' not in (metadata_visibility, content_visibility),
        metadata_visibility = case metadata_visibility when 'team' then 'user' else metadata_visibility end,
        content_visibility = case content_visibility when 'team' then 'user' else content_visibility end,
        team_id = null
    where team_id = old.id;
  update nectar.notebooks
    set metadata_visibility = case metadata_visibility when 'team' then 'user' else metadata_visibility end,
        content_visibility = case content_visibility when 'team' then 'user' else content_visibility end,
        team_id = null
    where team_id = old.id;
  return old;
end
$$;
comment on function private.unshare_with_team() is
  'Trigger: deleting a team deletes nobody''s writing; what was shared with it becomes private.';

create function private.unshare_with_org() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  update nectar.journal_entries
    set inherit_visibility = inherit_visibility and 'org' not in (metadata_visibility, content_visibility),
        metadata_visibility = case metadata_visibility when 'org' then 'user' else metadata_visibility end,
        content_visibility = case content_visibility when 'org' then 'user' else content_visibility end,
        org_id = null
    where org_id = old.id;
  update nectar.notebooks
    set metadata_visibility = case metadata_visibility when 'org' then 'user' else metadata_visibility end,
        content_visibility = case content_visibility when 'org' then 'user' else content_visibility end,
        org_id = null
    where org_id = old.id;
  return old;
end
$$;
comment on function private.unshare_with_org() is
  'Trigger: deleting an organization deletes nobody''s writing; what was shared with it becomes private.';

-- Triggers --------------------------------------------------------------------------------------------------------------
create trigger notebooks_entries_follow
  after update on nectar.notebooks
  for each row execute function private.follow_notebook();
create trigger notebooks_detach_entries
  before delete on nectar.notebooks
  for each row execute function private.detach_entries();
create trigger team_members_refresh_shares
  after insert or delete on nectar.team_members
  for each row execute function private.refresh_team_shares();
create trigger organization_members_refresh_shares
  after insert or delete on nectar.organization_members
  for each row execute function private.refresh_org_shares();
create trigger teams_unshare
  before delete on nectar.teams
  for each row execute function private.unshare_with_team();
create trigger organizations_unshare
  before delete on nectar.organizations
  for each row execute function private.unshare_with_org();

revoke execute on all functions in schema private from public;
