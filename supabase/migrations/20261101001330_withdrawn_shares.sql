-- Why: What visibility follows from can change: the notebook of an entry, the membership of its author, the team or
-- organization it is shared with. These triggers update notebooks and entries when that happens. Nothing ever falls
-- back to something wider, and deleting a notebook, team or organization deletes no entries.

-- Functions -----------------------------------------------------------------------------------------------------------
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
comment on function private.follow_notebook() is
  'Trigger: entries that inherit follow their notebook. Security definer: the notebook may be changed for another person, such as a member who is removed.';

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
  'Trigger: entries outlive their notebook; what they inherited falls back to private, never wider. Security definer: the notebook may be deleted with its author''s account.';

create function private.refresh_shares() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_row constant jsonb := to_jsonb(coalesce(new, old));
  v_user_id constant uuid := v_row ->> 'user_id';
  v_group_id constant uuid := v_row ->> tg_argv[0];
begin
  -- Setting the columns to what they are makes the triggers compute the audiences again.
  update nectar.notebooks n set team_id = n.team_id, org_id = n.org_id
    where n.user_id = v_user_id and (n.team_id = v_group_id or n.org_id = v_group_id);
  update nectar.journal_entries e set team_id = e.team_id, org_id = e.org_id
    where e.user_id = v_user_id and (e.team_id = v_group_id or e.org_id = v_group_id);
  return null;
end
$$;
comment on function private.refresh_shares() is
  'Trigger on memberships; its argument names the column of the team or organization. What a person shared with it is withdrawn when they leave, and shared again when they return. Security definer: the rows belong to the member, who may be removed by another person.';

create function private.end_shares() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_level constant nectar.visibility := tg_argv[0];
begin
  -- An entry that is no longer shared must not inherit something wider from its notebook, so it stops inheriting; its
  -- other visibility can only get narrower by that.
  update nectar.journal_entries e
    set inherit_visibility = e.inherit_visibility and v_level not in (e.metadata_visibility, e.content_visibility),
        metadata_visibility = case e.metadata_visibility when v_level then 'user' else e.metadata_visibility end,
        content_visibility = case e.content_visibility when v_level then 'user' else e.content_visibility end,
        team_id = nullif(e.team_id, old.id),
        org_id = nullif(e.org_id, old.id)
    where e.team_id = old.id or e.org_id = old.id;
  update nectar.notebooks n
    set metadata_visibility = case n.metadata_visibility when v_level then 'user' else n.metadata_visibility end,
        content_visibility = case n.content_visibility when v_level then 'user' else n.content_visibility end,
        team_id = nullif(n.team_id, old.id),
        org_id = nullif(n.org_id, old.id)
    where n.team_id = old.id or n.org_id = old.id;
  return old;
end
$$;
comment on function private.end_shares() is
  'Trigger on teams and organizations; its argument is the visibility that goes with them. What was shared with the deleted group becomes private. Security definer: the rows belong to the members.';

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger notebooks_entries_follow
  after update on nectar.notebooks
  for each row execute function private.follow_notebook();
create trigger notebooks_detach_entries
  before delete on nectar.notebooks
  for each row execute function private.detach_entries();
create trigger team_members_refresh_shares
  after insert or delete on nectar.team_members
  for each row execute function private.refresh_shares('team_id');
create trigger organization_members_refresh_shares
  after insert or delete on nectar.organization_members
  for each row execute function private.refresh_shares('org_id');
create trigger teams_unshare
  before delete on nectar.teams
  for each row execute function private.end_shares('team');
create trigger organizations_unshare
  before delete on nectar.organizations
  for each row execute function private.end_shares('org');
