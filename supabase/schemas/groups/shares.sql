-- Why: What is shared with a team or an organization is withdrawn when its author leaves, and when the group is deleted.
-- A deleted group or membership ends the sharing, and deletes nothing that was shared.

-- Withdraws what a person shared with a group that they leave, and shares it again when they return. The argument names
-- the column of the team or organization. Security definer: the rows belong to the member, who may be removed by
-- another person.
create function private.settle_member() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_row constant jsonb := to_jsonb(coalesce(new, old));
  v_user_id constant uuid := v_row ->> 'user_id';
  v_group_id constant uuid := v_row ->> tg_argv[0];
  v_table text;
begin
  -- A deleted group settles what was shared with it by itself, an organization also for its teams, and entries of a
  -- deleted account go with it.
  if cardinality(private.deleted_groups(v_group_id, v_group_id)) = 2
    or not exists (select from nectar.organizations o where o.id = (v_row ->> 'org_id')::uuid)
    or not exists (select from nectar.profiles p where p.id = v_user_id)
  then
    return null;
  end if;
  -- Setting the columns to what they are makes the trigger compute the audience again.
  foreach v_table in array array['notebooks', 'goals'] loop
    execute format(
      'update nectar.%I t set team_id = t.team_id, org_id = t.org_id
       where t.user_id = $1 and (t.team_id = $2 or t.org_id = $2)', v_table
    ) using v_user_id, v_group_id;
  end loop;
  perform private.settle(null, v_group_id, v_user_id, case when tg_op = 'DELETE' then array[v_group_id] else '{}' end);
  return null;
end $$;

-- Makes notebooks and goals private that were shared with a deleted team or organization, and records the teams that go
-- with an organization. The argument is the visibility that goes with the group. Security definer: the rows belong to
-- the members, and no role may write the unsettled shares directly.
create function private.unshare() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_level constant nectar.visibility := tg_argv[0];
  v_table text;
begin
  if v_level = 'org' then
    -- One row for all teams, of which an organization may have thousands.
    insert into private.unsettled_shares (group_id, team_ids)
    values (old.id, array(
      select t.id from nectar.teams t
      where t.org_id = old.id and exists (select from nectar.journal_entries e where e.team_id = t.id)
    ));
  end if;
  foreach v_table in array array['notebooks', 'goals'] loop
    execute format(
      'update nectar.%I t
       set metadata_visibility = case t.metadata_visibility when $1 then ''user'' else t.metadata_visibility end,
         content_visibility = case t.content_visibility when $1 then ''user'' else t.content_visibility end,
         team_id = nullif(t.team_id, $2), org_id = nullif(t.org_id, $2)
       where t.team_id = $2 or t.org_id = $2', v_table
    ) using v_level, old.id;
  end loop;
  return old;
end $$;

-- Makes private what was shared with a deleted team, unless it goes with its organization. Security definer: the rows
-- belong to the members.
create function private.settle_deleted_team() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Withdrawn from no one: a group that does not exist has no members.
  if exists (select from nectar.organizations o where o.id = old.org_id) then
    perform private.settle(null, old.id, null, '{}');
  end if;
  return null;
end $$;

-- Makes private what was shared with a deleted organization or its teams. Security definer: the rows belong to the
-- members.
create function private.settle_deleted_organization() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_team_ids uuid[];
begin
  delete from private.unsettled_shares s where s.group_id = old.id and s.user_id is null
    returning s.team_ids into v_team_ids;
  perform private.settle(null, old.id, null, '{}', v_team_ids);
  return null;
end $$;

create trigger team_members__settle_shares
  after insert or delete on nectar.team_members
  for each row execute function private.settle_member('team_id');
create trigger organization_members__settle_shares
  after insert or delete on nectar.organization_members
  for each row execute function private.settle_member('org_id');
create trigger teams__unshare
  before delete on nectar.teams
  for each row execute function private.unshare('team');
create trigger organizations__unshare
  before delete on nectar.organizations
  for each row execute function private.unshare('org');
create trigger teams__settle_shares
  after delete on nectar.teams
  for each row execute function private.settle_deleted_team();
create trigger organizations__settle_shares
  after delete on nectar.organizations
  for each row execute function private.settle_deleted_organization();
