-- Why: What is shared with a team or an organization is withdrawn when its author leaves, and when the group is deleted.
-- A deleted group or membership ends the sharing, and deletes no entry or notebook.

-- The argument names the column of the team or organization. Security definer: the rows belong to the member, who may
-- be removed by another person.
create function private.settle_member() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_row constant jsonb := to_jsonb(coalesce(new, old));
  v_user_id constant uuid := v_row ->> 'user_id';
  v_group_id constant uuid := v_row ->> tg_argv[0];
begin
  -- A deleted group settles what was shared with it by itself, and entries of a deleted account go with it.
  if cardinality(private.deleted_groups(v_group_id, v_group_id)) = 2
    or not exists (select from nectar.profiles p where p.id = v_user_id)
  then
    return null;
  end if;
  -- Setting the columns to what they are makes the trigger compute the audience again.
  update nectar.notebooks n set team_id = n.team_id, org_id = n.org_id
    where n.user_id = v_user_id and (n.team_id = v_group_id or n.org_id = v_group_id);
  perform private.settle(null, v_group_id, v_user_id, case when tg_op = 'DELETE' then array[v_group_id] else '{}' end);
  return null;
end $$;
comment on function private.settle_member() is
  'Withdraws what a person shared with a group that they leave, and shares it again when they return.';

-- The argument is the visibility that goes with the group. Security definer: the rows belong to the members.
create function private.unshare_notebooks() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_level constant nectar.visibility := tg_argv[0];
begin
  update nectar.notebooks n
    set metadata_visibility = case n.metadata_visibility when v_level then 'user' else n.metadata_visibility end,
        content_visibility = case n.content_visibility when v_level then 'user' else n.content_visibility end,
        team_id = nullif(n.team_id, old.id),
        org_id = nullif(n.org_id, old.id)
    where n.team_id = old.id or n.org_id = old.id;
  return old;
end $$;
comment on function private.unshare_notebooks() is
  'Makes notebooks private that were shared with a deleted team or organization.';

-- Security definer: the rows belong to the members.
create function private.settle_deleted_group() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Withdrawn from no one: a group that does not exist has no members.
  perform private.settle(null, old.id, null, '{}');
  return null;
end $$;
comment on function private.settle_deleted_group() is
  'Makes private what was shared with a deleted team or organization.';

create trigger team_members__settle_shares
  after insert or delete on nectar.team_members
  for each row execute function private.settle_member('team_id');
create trigger organization_members__settle_shares
  after insert or delete on nectar.organization_members
  for each row execute function private.settle_member('org_id');
create trigger teams__unshare_notebooks
  before delete on nectar.teams
  for each row execute function private.unshare_notebooks('team');
create trigger organizations__unshare_notebooks
  before delete on nectar.organizations
  for each row execute function private.unshare_notebooks('org');
create trigger teams__settle_shares
  after delete on nectar.teams
  for each row execute function private.settle_deleted_group();
create trigger organizations__settle_shares
  after delete on nectar.organizations
  for each row execute function private.settle_deleted_group();
