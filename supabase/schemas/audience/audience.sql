-- Why: Authors ask who can see an entry or a goal, and what a change would do, before they share. The answers come from the
-- functions and columns that triggers and policies use; nothing acts as another person, and nothing is written or locked.
-- Anyone may ask at any time, so people are counted and entries looked at up to a number only.

-- Returns how many entries of a notebook a preview looks at, and how many readers of an entry are counted.
create function private.preview_limit() returns integer
  language sql immutable security invoker parallel safe
  return 10000;

-- Counts the humans beside the caller, who is the author, that belong to both audiences; null for the public. Both are
-- the same for metadata. Super admins, who see everything, do not count. It counts up to one more than
-- private.preview_limit.
create function private.count_readers(p_metadata_audience_id uuid, p_content_audience_id uuid) returns bigint
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_author constant uuid := private.actor_id();
  v_groups constant uuid[] := array_remove(
    array[p_metadata_audience_id, p_content_audience_id], private.public_audience()
  );
  -- Members of a group do not see content whose metadata they could see only by its being public.
  v_blocked constant uuid[] := case
    when p_metadata_audience_id = private.public_audience() then private.blocked_users() else '{}'
  end;
begin
  if v_groups = '{}' then return null; end if;
  return (
    select count(*)
    from (
      select from private.audience_members m
      where m.audience_id = v_groups[1] and m.user_id <> v_author and m.user_id <> all (v_blocked)
        and (
          v_groups[2] = v_groups[1] or v_groups[2] is null
          or exists (select from private.audience_members o where o.audience_id = v_groups[2] and o.user_id = m.user_id)
        )
        -- Scalar sub-selects, which search these large tables and never read them as a whole.
        and not (select p.is_ai from nectar.profiles p where p.id = m.user_id)
        and (select r.role from nectar.user_roles r where r.user_id = m.user_id) is distinct from 'super_admin'
      limit private.preview_limit() + 1
    ) r
  );
end $$;

-- Returns whether one audience of the caller's entries is part of another one by its kind, without looking at members.
-- The author is in all, a team in its organization, and all are in the public.
create function private.is_within(p_inner uuid, p_outer uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return p_outer = p_inner or p_outer = private.public_audience() or p_inner = private.actor_id()
    or exists (select from nectar.teams t where t.id = p_inner and t.org_id = p_outer);
end $$;

-- Returns whether everyone who belongs to all of some audiences belongs to all of some others too, as far as
-- private.is_within says.
create function private.is_all_within(p_inner uuid[], p_outer uuid[]) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select bool_and((select bool_or(private.is_within(i.id, o.id)) from unnest(p_inner) i (id)))
    from unnest(p_outer) o (id)
  );
end $$;

create type private.visibility_axis as enum ('metadata', 'content');
create type private.audience_reason as enum (
  'private', 'explicit', 'inherited_from_notebook', 'not_inherited', 'share_void', 'limited_by_metadata', 'public',
  'hidden_by_moderation'
);
create type private.named_notebook as (notebook_id uuid, name text);
create type private.axis_audience as (
  set nectar.visibility, effective nectar.visibility, inherited_from private.named_notebook, team private.named,
  organization private.named, people integer, approximate boolean, reasons private.audience_reason[]
);
comment on type private.axis_audience is 'Who sees the metadata or the content of an entry or a goal.';
create type private.entry_audience as (metadata private.axis_audience, content private.axis_audience);
create type private.seen_axes as (metadata boolean, content boolean);
create type private.preview_example as (
  entry_id uuid, title text, axis private.visibility_axis, "from" nectar.visibility, "to" nectar.visibility
);
create type private.notebook_preview as (
  approximate boolean, entries bigint, widened bigint, narrowed bigint, examples private.preview_example[]
);

-- Describes who sees metadata and content of an entry of the caller, by its audiences and its notebook (null in none).
-- The first reason says where the visibility comes from, the others what makes it wider or narrower.
create function private.audience(p_entry nectar.journal_entries, p_notebook nectar.notebooks)
  returns private.entry_audience
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select row((array_agg(s.axis order by s.name desc))[1], (array_agg(s.axis order by s.name))[1])::private.entry_audience
    from (
      select axis.name, row(
        axis.visibility,
        axis.effective,
        case when axis.inherits then row(p_notebook.id, p_notebook.name)::private.named_notebook end,
        (select row(t.id, t.name)::private.named from nectar.teams t where t.id = axis.audience_id),
        (select row(o.id, o.name)::private.named from nectar.organizations o where o.id = axis.audience_id),
        -- Null for the public, which "least" would ignore.
        case when readers.count is not null then least(readers.count, private.preview_limit()) end,
        coalesce(readers.count > private.preview_limit(), false),
        array_remove(
          array[
            case
              when axis.inherits then 'inherited_from_notebook'
              when axis.visibility <> 'user' then 'explicit'
              when p_notebook.id is null then 'private'
              else 'not_inherited'
            end,
            case when not axis.is_hidden and axis.effective <> axis.requested then 'share_void' end,
            case when not private.is_within(axis.audience_id, p_entry.metadata_audience_id) then 'limited_by_metadata' end,
            case
              when private.public_audience() = all (array[p_entry.metadata_audience_id, axis.audience_id]) then 'public'
            end,
            case when axis.is_hidden then 'hidden_by_moderation' end
          ],
          null
        )::private.audience_reason[]
      )::private.axis_audience as axis
    from (values
      (
        'metadata', p_entry.metadata_visibility, p_notebook.metadata_visibility,
        p_entry.effective_metadata_visibility, p_entry.metadata_audience_id
      ),
      (
        'content', p_entry.content_visibility, p_notebook.content_visibility,
        p_entry.effective_content_visibility, p_entry.content_audience_id
      )
    ) a (name, visibility, notebook_visibility, effective, audience_id)
    cross join lateral (select private.count_readers(p_entry.metadata_audience_id, a.audience_id) as count) readers
    cross join lateral (
      select private.inherits_visibility(a.visibility, p_entry.inherit_visibility, p_notebook.id) as inherits
    ) i
    cross join lateral (
      select a.*, i.inherits,
        case when i.inherits then a.notebook_visibility else a.visibility end as requested,
        p_entry.hidden_at is not null or (i.inherits and p_notebook.hidden_at is not null) as is_hidden
    ) axis
    ) s
  );
end $$;

-- Returns an entry or a goal as an entry; all null if there is none. A goal is as an entry in no notebook. One of the
-- two ids is null.
create function private.thing(p_entry_id uuid, p_goal_id uuid) returns nectar.journal_entries
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_thing nectar.journal_entries;
begin
  if p_goal_id is null then
    select * into v_thing from nectar.journal_entries e where e.id = p_entry_id;
  else
    select t.* into v_thing from nectar.goals g
    cross join lateral jsonb_populate_record(null::nectar.journal_entries, to_jsonb(g)) t
    where g.id = p_goal_id;
  end if;
  return v_thing;
end $$;

-- Returns an entry or a goal of the caller as an entry; all null if the caller does not own it.
create function private.own_thing(p_entry_id uuid, p_goal_id uuid) returns nectar.journal_entries
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_thing nectar.journal_entries := private.thing(p_entry_id, p_goal_id);
begin
  if v_thing.user_id = private.actor_id() then return v_thing; end if;
  return null;
end $$;

-- Returns whether a person sees metadata and content of an entry or a goal. Sharing alone counts, as it is now: super
-- admins see more. The thing is as its table has it. p_is_blocked says whether the person does not see what is public
-- of the author. Policies say the same of the caller.
create function private.axes_seen_by(p_person_id uuid, p_thing nectar.journal_entries, p_is_blocked boolean)
  returns private.seen_axes
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_audiences constant uuid[] := array(
    select m.audience_id from private.audience_members m where m.user_id = p_person_id
  );
  -- Entries only: goals are written with the change of their sharing, and inherit nothing.
  v_withdrawn constant uuid[] := case
    when p_thing.inherit_visibility is null then '{}'
    else private.shares_withdrawn_from(v_audiences || private.public_audience())
  end;
  v_is_author constant boolean := p_person_id = p_thing.user_id;
  v_sees_metadata constant boolean := v_is_author or private.is_reached(
    p_thing.metadata_audience_id, p_thing.user_id, v_audiences,
    case when p_is_blocked then array[p_thing.user_id] else '{}' end
  ) and not private.is_withdrawn(
    p_thing.user_id, p_thing.notebook_id,
    p_thing.inherit_visibility and 'user' in (p_thing.metadata_visibility, p_thing.content_visibility),
    p_thing.metadata_audience_id, v_withdrawn
  );
begin
  return row(
    v_sees_metadata,
    v_is_author or (
      v_sees_metadata and p_thing.content_audience_id = any (v_audiences || private.public_audience())
        and private.member_share(p_thing.user_id, p_thing.content_audience_id) <> all (v_withdrawn)
    )
  )::private.seen_axes;
end $$;

-- Describes who sees an entry or a goal, like private.audience; null if the caller does not own it. Security definer: it
-- counts members and roles that the caller may not see.
create function private.read_audience(p_entry_id uuid, p_goal_id uuid) returns private.entry_audience
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_entry nectar.journal_entries := private.own_thing(p_entry_id, p_goal_id);
  v_notebook nectar.notebooks;
begin
  if v_entry.id is null then return null; end if;
  v_entry := private.settled_entry(v_entry);
  select * into v_notebook from nectar.notebooks n where n.id = v_entry.notebook_id;
  return private.audience(v_entry, v_notebook);
end $$;
grant execute on function private.read_audience(uuid, uuid) to nectar_user;

-- Describes who would see an entry or a goal of the caller if its columns were changed like this; without ids a new
-- one. The result is that of private.audience. Raises notebook.not_found. Security definer: it counts members and roles
-- that the caller may not see; it reads only entries, goals and notebooks of the caller.
create function private.preview_audience(p_entry_id uuid, p_goal_id uuid, p_change jsonb)
  returns private.entry_audience
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_groups constant uuid[] := array(select m.audience_id from private.audience_members m where m.user_id = v_actor);
  v_entry nectar.journal_entries := private.own_thing(p_entry_id, p_goal_id);
  v_notebook nectar.notebooks;
begin
  v_entry := jsonb_populate_record(v_entry, p_change);
  v_entry.user_id := v_actor;
  v_entry.inherit_visibility := coalesce(v_entry.inherit_visibility, true);
  if v_entry.notebook_id is not null then
    select * into v_notebook from nectar.notebooks n where n.id = v_entry.notebook_id and n.user_id = v_actor;
    if not found then raise exception 'no such notebook' using errcode = 'NX000', detail = 'notebook.not_found'; end if;
  end if;
  return private.audience(private.resolve_entry(v_entry, v_notebook, v_groups, '{}'), v_notebook);
end $$;
grant execute on function private.preview_audience(uuid, uuid, jsonb) to nectar_user;

-- Returns whether sharing shows a person the metadata and the content of an entry or a goal; null if the caller does
-- not own it. Rights of super admins do not count, because the result would show who is one. Raises
-- user.not_found for everyone who shares no organization with the caller. Security definer: it reads memberships and
-- blocks that the caller may not see.
create function private.sees_thing(p_entry_id uuid, p_goal_id uuid, p_person_id uuid) returns private.seen_axes
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_entry nectar.journal_entries := private.own_thing(p_entry_id, p_goal_id);
begin
  if v_entry.id is null then return null; end if;
  if not private.shares_organization(p_person_id) then
    raise exception 'no shared organization' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  return private.axes_seen_by(p_person_id, v_entry, private.has_block(v_entry.user_id, p_person_id));
end $$;
grant execute on function private.sees_thing(uuid, uuid, uuid) to nectar_user;

-- Returns the newest entry of a notebook that a preview does not look at; -infinity if it looks at all.
create function private.last_before_preview(p_notebook_id uuid, out created_at timestamptz, out id uuid)
  language plpgsql stable security invoker set search_path = '' as $$
begin
  select e.created_at, e.id into created_at, id from nectar.journal_entries e where e.notebook_id = p_notebook_id
  order by e.created_at desc, e.id desc offset private.preview_limit() limit 1;
  if not found then
    created_at := '-infinity';
    id := '00000000-0000-0000-0000-000000000000';
  end if;
end $$;

-- Counts the entries of the caller's notebook that a change would show to others, with examples; null if it is not
-- theirs. It also counts the axes (metadata, content) that someone would see who does not now, and those that someone
-- would no longer see; an axis that goes from one group to another is both. The examples are widened ones first, then
-- newest first. It looks at the newest private.preview_limit entries, and is approximate if there are more. Security
-- definer: it reads teams that the caller may not see; it reads only entries and notebooks of the caller.
create function private.preview_notebook_audience(p_notebook_id uuid, p_change jsonb) returns private.notebook_preview
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_groups constant uuid[] := array(select m.audience_id from private.audience_members m where m.user_id = v_actor);
  v_notebook nectar.notebooks;
  v_after timestamptz;
  v_after_id uuid;
begin
  select * into v_notebook from nectar.notebooks n where n.id = p_notebook_id and n.user_id = v_actor;
  if not found then return null; end if;
  v_notebook := jsonb_populate_record(v_notebook, p_change);
  select f.created_at, f.id into v_after, v_after_id from private.last_before_preview(p_notebook_id) f;
  return (
    with axes as materialized (
      -- The entries that private.settle_notebook writes. Someone sees an axis who belongs to all of its audiences.
      select e.id, e.title, e.created_at, axis.* from nectar.journal_entries e
      cross join lateral private.entry_share(
        e.metadata_visibility, v_notebook.metadata_visibility, e, v_notebook, v_groups
      ) m
      cross join lateral private.entry_share(
        e.content_visibility, v_notebook.content_visibility, e, v_notebook, v_groups
      ) c
      cross join lateral (values
        (
          'metadata', array[e.metadata_audience_id], array[m.audience_id], e.effective_metadata_visibility, m.visibility
        ),
        (
          'content', array[e.metadata_audience_id, e.content_audience_id], array[m.audience_id, c.audience_id],
          least(e.effective_metadata_visibility, e.effective_content_visibility), least(m.visibility, c.visibility)
        )
      ) axis (name, audiences_before, audiences_after, visibility_before, visibility_after)
      where e.notebook_id = p_notebook_id and (e.created_at, e.id) > (v_after, v_after_id) and e.inherit_visibility
        and 'user' in (e.metadata_visibility, e.content_visibility)
        and axis.audiences_after <> axis.audiences_before
    ),
    kinds as materialized (
      select k.*,
        not private.is_all_within(k.audiences_after, k.audiences_before) as is_widened,
        not private.is_all_within(k.audiences_before, k.audiences_after) as is_narrowed
      from (select distinct a.audiences_before, a.audiences_after from axes a) k
    ),
    changes as materialized (
      select a.*, k.is_widened, k.is_narrowed from axes a
      join kinds k using (audiences_before, audiences_after)
      where k.is_widened or k.is_narrowed
    )
    select row(
      v_after > '-infinity',
      (select count(distinct c.id) from changes c),
      (select count(*) from changes c where c.is_widened),
      (select count(*) from changes c where c.is_narrowed),
      array(
        select row(
          c.id, c.title, c.name::private.visibility_axis, c.visibility_before, c.visibility_after
        )::private.preview_example
        from changes c order by c.is_widened desc, c.created_at desc, c.id desc, c.name desc limit 20
      )
    )::private.notebook_preview
  );
end $$;
grant execute on function private.preview_notebook_audience(uuid, jsonb) to nectar_user;
