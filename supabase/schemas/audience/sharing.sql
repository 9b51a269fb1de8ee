-- Why: Who may see a row is computed when something changes, not when the row is read. Each shared row carries its
-- audience: one id that a reader either has or does not have. That keeps policies free of joins and lets an index find
-- "the newest rows that this audience may see".

create type nectar.visibility as enum ('user', 'team', 'org', 'public');

create view private.audience_members with (security_invoker = true) as
-- Organizations before teams: policies look an audience up from the beginning, and a person is in few organizations.
select m.org_id as audience_id, m.user_id from nectar.organization_members m
union all
select m.team_id, m.user_id from nectar.team_members m;
comment on view private.audience_members is
  'Every group that can be an audience, with its members. Both directions read it: the audiences of a reader, and the readers of an audience.';

create table private.unsettled_shares (
  id uuid primary key default gen_random_uuid(),
  notebook_id uuid,
  group_id uuid,
  user_id uuid references nectar.profiles (id) on delete cascade,
  withdrawn_from uuid[] not null default '{}',
  after_time timestamptz(3) not null default 'infinity',
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  settled_at timestamptz(3) not null default now(),
  team_ids uuid[] not null default '{}',
  author_ids uuid[] not null default '{}',
  constraint unsettled_shares_one_source check (num_nonnulls(notebook_id, group_id) = 1)
);
comment on table private.unsettled_shares is
  'Changes of who sees entries, whose entries are not all written yet: of a notebook, of the membership of a user in a group, or of a deleted group (without user). Policies ask it, so that a share is withdrawn by one row, however many entries have it. The task "shares" writes the entries and deletes the row.';
comment on column private.unsettled_shares.team_ids is 'The teams of a deleted organization with entries, which went with it.';
comment on column private.unsettled_shares.author_ids is 'Whose entries were shared with a deleted group.';
comment on column private.unsettled_shares.withdrawn_from is 'The audiences that may no longer see the entries.';
comment on column private.unsettled_shares.after_time is 'With after_id: the last entry that was written. They are written newest first.';
comment on column private.unsettled_shares.settled_at is 'When its entries were last written. The sources take turns.';

create index unsettled_shares_turn on private.unsettled_shares (settled_at, id);
create index unsettled_shares_withdrawn on private.unsettled_shares using gin (withdrawn_from);
create index unsettled_shares_authors on private.unsettled_shares using gin (author_ids);
create index unsettled_shares_user on private.unsettled_shares (user_id);

-- Returns the audience that everyone signed in belongs to.
create function private.public_audience() returns uuid
  language sql immutable security invoker parallel safe
  return '00000000-0000-0000-0000-000000000000'::uuid;
grant execute on function private.public_audience() to nectar_user;

-- Returns every audience that the caller belongs to, apart from being the author: the public, their teams, their
-- organizations. The public is left out if there is a block between the caller and anyone: then policies compare the
-- authors of public rows with private.blocked_users(), which costs nothing for everyone else. Blocks hide nothing from
-- super admins. Policies always use (select private.my_audiences())::uuid[], so that it is evaluated once per query.
-- Security definer: policies call it.
create function private.my_audiences() returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  if v_actor is null then
    return '{}'; -- public means everyone who is signed in
  end if;
  return case
    when not exists (select from nectar.blocks b where b.user_id = v_actor)
      and not exists (select from nectar.blocks b where b.blocked_id = v_actor)
      or private.is_super_admin()
    then array[private.public_audience()]
    else '{}'
  end || array(select m.audience_id from private.audience_members m where m.user_id = v_actor);
end $$;
grant execute on function private.my_audiences() to nectar_user;

-- Returns whether a row of an author with an audience reaches a reader with these audiences and blocks. Policies pass
-- (select private.my_audiences())::uuid[] and (select private.blocked_users())::uuid[].
create function private.is_reached(p_audience_id uuid, p_author_id uuid, p_audiences uuid[], p_blocked uuid[])
  returns boolean
  language sql immutable security invoker parallel safe
  return p_audience_id = any (p_audiences)
    -- Only for a reader with a block, who does not have the public among their audiences.
    or (p_audience_id = private.public_audience() and p_author_id <> all (p_blocked));
grant execute on function private.is_reached(uuid, uuid, uuid[], uuid[]) to nectar_user;

-- Returns one id for what a user shares with a group, in private.withdrawn_shares().
create function private.member_share(p_user_id uuid, p_group_id uuid) returns uuid
  language sql immutable security invoker parallel safe
  return md5(p_user_id::text || p_group_id::text)::uuid;
grant execute on function private.member_share(uuid, uuid) to nectar_user;

-- Returns ids of what is no longer shared with some audiences, although the entries still have them. These are ids of
-- notebooks and of private.member_share; there are nearly never any.
create function private.shares_withdrawn_from(p_audiences uuid[]) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return array(
    select coalesce(s.notebook_id, private.member_share(s.user_id, s.group_id)) from private.unsettled_shares s
    where s.withdrawn_from && p_audiences
  );
end $$;

-- Returns ids of what is no longer shared with the caller, although the entries still have its audience. Policies
-- always use (select private.withdrawn_shares())::uuid[], after (select private.withdrawn_shares() <> '{}'), which
-- spares the comparison of each row. Security definer: policies call it.
create function private.withdrawn_shares() returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.unsettled_shares) then return '{}'; end if;
  return private.shares_withdrawn_from(private.my_audiences() || private.public_audience());
end $$;
grant execute on function private.withdrawn_shares() to nectar_user;

-- Returns whether an entry is no longer shared with its audience. p_inherits says whether an axis of the entry inherits
-- from its notebook; p_withdrawn is private.withdrawn_shares().
create function private.is_withdrawn(
  p_author_id uuid, p_notebook_id uuid, p_inherits boolean, p_audience_id uuid, p_withdrawn uuid[]
) returns boolean
  language sql immutable security invoker parallel safe
  return (p_inherits and p_notebook_id = any (p_withdrawn)) is true
    or private.member_share(p_author_id, p_audience_id) = any (p_withdrawn);
grant execute on function private.is_withdrawn(uuid, uuid, boolean, uuid, uuid[]) to nectar_user;

-- Returns notebooks and groups that changed, but not yet all the caller's entries in them; everyone's for super admins.
-- There are nearly never any. Security definer: only this function and private.withdrawn_shares() may be asked.
create function private.unsettled_sources() returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.unsettled_shares) then return '{}'; end if;
  return array(
    select unnest(array[coalesce(s.notebook_id, s.group_id)] || s.team_ids) from private.unsettled_shares s
    where s.user_id = private.actor_id() or s.author_ids @> array[private.actor_id()]
      or (select private.is_super_admin())
  );
end $$;
grant execute on function private.unsettled_sources() to nectar_user;

-- Returns whether an entry may not have the audiences of a change yet. p_sources is private.unsettled_sources().
create function private.is_unsettled(
  p_notebook_id uuid, p_team_id uuid, p_org_id uuid, p_metadata_audience_id uuid, p_content_audience_id uuid,
  p_sources uuid[]
) returns boolean
  language sql immutable security invoker parallel safe
  -- With p_sources only once, the planner writes this into the query: a parameter with a sub-select that is used twice
  -- makes it a call for each row.
  return array[p_notebook_id, p_team_id, p_org_id, p_metadata_audience_id, p_content_audience_id] && p_sources;
grant execute on function private.is_unsettled(uuid, uuid, uuid, uuid, uuid, uuid[]) to nectar_user;

-- Returns a requested visibility, or 'user' for something that an admin has hidden.
create function private.unless_hidden(p_visibility nectar.visibility, p_hidden_at timestamptz) returns nectar.visibility
  language sql immutable security invoker parallel safe
  return case when p_hidden_at is null then p_visibility else 'user' end;

-- Returns the visibility that counts for a requested one: private if it names a group that the author has left.
-- p_groups are those of these teams and organizations that the author is a member of.
create function private.effective_visibility(
  p_visibility nectar.visibility, p_team_id uuid, p_org_id uuid, p_groups uuid[]
) returns nectar.visibility
  language sql immutable security invoker parallel safe
  return case
    when p_visibility = 'team' and (p_team_id = any (p_groups)) is not true then 'user'
    when p_visibility = 'org' and (p_org_id = any (p_groups)) is not true then 'user'
    else p_visibility
  end;

-- Returns the effective visibility that an audience came from. The reverse of private.audience_of.
create function private.visibility_of(p_audience_id uuid, p_author_id uuid, p_team_id uuid, p_org_id uuid)
  returns nectar.visibility
  language sql immutable security invoker parallel safe
  return case p_audience_id
    when p_author_id then 'user'::nectar.visibility
    when p_team_id then 'team'
    when p_org_id then 'org'
    else 'public'
  end;
grant execute on function private.visibility_of(uuid, uuid, uuid, uuid) to nectar_user;

-- Returns the audience of an effective visibility: the author if there is no share.
create function private.audience_of(p_visibility nectar.visibility, p_author_id uuid, p_team_id uuid, p_org_id uuid)
  returns uuid
  language sql immutable security invoker parallel safe
  return case p_visibility
    when 'team' then p_team_id
    when 'org' then p_org_id
    when 'public' then private.public_audience()
    else p_author_id
  end;

-- Returns those of some organizations and teams that an author is a member of, and locks them until the transaction
-- ends. The lock is against removal, of the groups and of the memberships.
create function private.lock_memberships(p_author_id uuid, p_org_ids uuid[], p_team_ids uuid[]) returns uuid[]
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_org_ids constant uuid[] := array_remove(p_org_ids, null);
  v_team_ids constant uuid[] := array_remove(p_team_ids, null);
  v_groups uuid[] := '{}';
begin
  if v_org_ids <> '{}' or v_team_ids <> '{}' then
    perform private.lock_fairly(o.id, true)
    from (
      select unnest(v_org_ids) as id
      union select t.org_id from nectar.teams t where t.id = any ((select v_team_ids)::uuid[])
    ) o;
  end if;
  -- The organizations and the teams before the memberships, as their deletion does (private.lock_group), to avoid
  -- deadlocks. A removal that runs at the same time either waits for this transaction and then withdraws its shares as
  -- well, or is seen here.
  if v_org_ids <> '{}' then
    perform from nectar.organizations o where o.id = any ((select v_org_ids)::uuid[]) for key share;
  end if;
  if v_team_ids <> '{}' then
    perform from nectar.teams t where t.id = any ((select v_team_ids)::uuid[]) for key share;
    v_groups := array(
      select m.team_id from nectar.team_members m
      where m.team_id = any ((select v_team_ids)::uuid[]) and m.user_id = p_author_id for key share
    );
  end if;
  if v_org_ids <> '{}' then
    v_groups := v_groups || array(
      select m.org_id from nectar.organization_members m
      where m.org_id = any ((select v_org_ids)::uuid[]) and m.user_id = p_author_id for key share
    );
  end if;
  return v_groups;
end $$;

-- Computes the audiences of a thing from its visibility; those of a hidden one are the author. The next three functions
-- are for things with metadata and a table of their content, such as notebooks. Security definer: no role may write
-- audiences directly.
create function private.set_audiences() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_groups constant uuid[] := private.lock_memberships(new.user_id, array[new.org_id], array[new.team_id]);
begin
  new.metadata_audience_id := private.audience_of(
    private.effective_visibility(
      private.unless_hidden(new.metadata_visibility, new.hidden_at), new.team_id, new.org_id, v_groups
    ),
    new.user_id, new.team_id, new.org_id
  );
  new.content_audience_id := private.audience_of(
    private.effective_visibility(
      private.unless_hidden(new.content_visibility, new.hidden_at), new.team_id, new.org_id, v_groups
    ),
    new.user_id, new.team_id, new.org_id
  );
  return new;
end $$;

-- Copies the audiences of a thing to its content. The argument is the thing, such as notebook. Security definer: no
-- role may write audiences directly.
create function private.copy_audiences() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  execute format(
    'insert into nectar.%1$s_contents (%1$s_id, user_id, metadata_audience_id, content_audience_id)
     values ($1, $2, $3, $4) on conflict (%1$s_id) do update
     set metadata_audience_id = excluded.metadata_audience_id, content_audience_id = excluded.content_audience_id',
    tg_argv[0]
  ) using new.id, new.user_id, new.metadata_audience_id, new.content_audience_id;
  return null;
end $$;

-- Stamps updated_at and the version of a thing when its content changes. The argument is the thing. Security definer: no
-- role may write either directly.
create function private.touch_thing_of_content() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  execute format('update nectar.%ss set updated_at = now(), version = pg_current_xact_id() where id = $1', tg_argv[0])
    using (to_jsonb(new) ->> (tg_argv[0] || '_id'))::uuid;
  return null;
end $$;

alter table private.unsettled_shares enable row level security;

create policy "the service settles shares" on private.unsettled_shares for select to nectar_service using (true);
create policy "the service moves on in unsettled shares" on private.unsettled_shares
  for update to nectar_service using (true);
create policy "the service removes settled shares" on private.unsettled_shares
  for delete to nectar_service using (true);

grant select, update (after_time, after_id, settled_at), delete on private.unsettled_shares to nectar_service;
