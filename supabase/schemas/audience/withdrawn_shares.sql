-- Why: What visibility follows from can change: the notebook of an entry, the membership of its author, the team or
-- organization it is shared with. Nothing ever falls back to something wider, and deleting a notebook, team or
-- organization deletes no entries. Writing an entry writes its search keys, which takes milliseconds. So a change writes
-- at most a few entries at once. If there are more, it leaves a row of private.unsettled_shares, which counts at the next
-- request, and a task writes the entries in batches.

-- Returns the next entries that may have to follow a change of their notebook, of a membership or of a group, newest
-- first. A change of a notebook reaches the entries that inherit from it, and its deletion reaches all of its entries.
create function private.unsettled_entries(p_source private.unsettled_shares, p_max_entries integer) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_notebook_exists constant boolean := exists (select from nectar.notebooks n where n.id = p_source.notebook_id);
begin
  if p_source.notebook_id is not null then
    return array(
      select e.id from nectar.journal_entries e
      where e.notebook_id = p_source.notebook_id
        and (not v_notebook_exists or (e.inherit_visibility and 'user' in (e.metadata_visibility, e.content_visibility)))
        and (e.created_at, e.id) < (p_source.after_time, p_source.after_id)
      order by e.created_at desc, e.id desc limit p_max_entries
    );
  elsif p_source.user_id is not null then
    return array(
      select e.id from nectar.journal_entries e
      where e.user_id = p_source.user_id
        and (
          e.team_id = p_source.group_id or e.org_id = p_source.group_id
          or e.notebook_id in (
            select n.id from nectar.notebooks n
            where n.user_id = p_source.user_id and (n.team_id = p_source.group_id or n.org_id = p_source.group_id)
          )
        )
        and (e.created_at, e.id) < (p_source.after_time, p_source.after_id)
      order by e.created_at desc, e.id desc limit p_max_entries
    );
  end if;
  return array(
    select e.id from nectar.journal_entries e
    where (e.team_id = any (p_source.team_ids || p_source.group_id) or e.org_id = p_source.group_id)
      and (e.created_at, e.id) < (p_source.after_time, p_source.after_id)
    order by e.created_at desc, e.id desc limit p_max_entries
  );
end $$;

-- Writes the next entries of a change of who sees them; returns the new position, their number, and whether none are
-- left. There are at most so many, with about 500 bytes of content each on average. It either waits for entries that
-- another transaction is writing, or leaves them out. Security definer: the entries may belong to others, such as those
-- of a member who is removed.
create function private.settle_entries(
  p_source private.unsettled_shares, p_max_entries integer, p_waits boolean,
  out source private.unsettled_shares, out entries integer, out is_done boolean
)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_ids constant uuid[] := private.unsettled_entries(p_source, p_max_entries);
  v_batch constant uuid[] := private.entries_within_bytes(v_ids, 500 * p_max_entries);
  v_locked uuid[];
begin
  source := p_source;
  if p_waits then
    perform from nectar.journal_entries e where e.id = any (v_batch) order by e.created_at desc, e.id desc
      for no key update;
    v_locked := v_batch;
  else
    v_locked := array(
      select e.id from nectar.journal_entries e where e.id = any (v_batch) for no key update skip locked
    );
  end if;
  -- Setting a column to what it is makes the trigger resolve the entry again.
  update nectar.journal_entries e set inherit_visibility = e.inherit_visibility where e.id = any (v_locked);
  entries := cardinality(v_locked);
  is_done := cardinality(v_ids) < p_max_entries and entries = cardinality(v_ids);
  -- An entry that is being written by another transaction is left for the task, which begins again.
  if entries = cardinality(v_batch) and entries > 0 then
    select e.created_at, e.id into source.after_time, source.after_id
      from nectar.journal_entries e where e.id = v_batch[cardinality(v_batch)];
  end if;
end $$;
grant execute on function private.settle_entries(private.unsettled_shares, integer, boolean) to nectar_service;

-- Returns how many entries a batch writes: at most about half a second of work. All changes of one transaction together
-- write as many at once.
create function private.max_settled_at_once() returns integer
  language sql immutable security invoker
  return 200;
grant execute on function private.max_settled_at_once() to nectar_service;

-- Makes entries follow a change of their notebook, of a membership or of a deleted group: a few at once, the others by
-- the task. They are withdrawn from the audiences of p_withdrawn_from immediately. p_team_ids are the teams of a
-- deleted organization. Security definer: no role may write the unsettled shares directly.
create function private.settle(
  p_notebook_id uuid, p_group_id uuid, p_user_id uuid, p_withdrawn_from uuid[], p_team_ids uuid[] default '{}'
) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_written constant integer := coalesce(nullif(current_setting('nectar.settled_entries', true), '')::integer, 0);
  v_batch record;
  v_source private.unsettled_shares;
begin
  v_batch := private.settle_entries(
    (
      gen_random_uuid(), p_notebook_id, p_group_id, p_user_id, p_withdrawn_from, 'infinity',
      '00000000-0000-0000-0000-000000000000', now(), p_team_ids, '{}'
    )::private.unsettled_shares,
    greatest(private.max_settled_at_once() - v_written, 0), false
  );
  perform set_config('nectar.settled_entries', (v_written + v_batch.entries)::text, true);
  -- After as many entries as a transaction writes, a change without entries must leave no row.
  if not v_batch.is_done and cardinality(private.unsettled_entries(v_batch.source, 1)) > 0 then
    v_source := v_batch.source;
    if v_source.user_id is null then
      v_source.author_ids := array(
        select distinct e.user_id from nectar.journal_entries e
        where e.team_id = any (p_team_ids || p_group_id) or e.org_id = p_group_id
      );
    end if;
    insert into private.unsettled_shares select v_source.*;
  end if;
end $$;

-- Writes the next batch of entries whose sharing has changed; false if nothing is left, or another transaction writes
-- it.
create function private.settle_next() returns boolean
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_source private.unsettled_shares;
  v_batch record;
begin
  select * into v_source from private.unsettled_shares s order by s.settled_at, s.id limit 1 for update skip locked;
  if not found then return false; end if;
  v_batch := private.settle_entries(v_source, private.max_settled_at_once(), true);
  if v_batch.is_done then
    delete from private.unsettled_shares s where s.id = v_source.id;
  else
    update private.unsettled_shares s
      set after_time = (v_batch.source).after_time, after_id = (v_batch.source).after_id, settled_at = clock_timestamp()
      where s.id = v_source.id;
  end if;
  return true;
end $$;
grant execute on function private.settle_next() to nectar_service;
