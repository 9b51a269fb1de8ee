-- Why: What a reader sees of an entry or a notebook is stated once, as a view under the policies of the reader, for lists
-- and single rows alike. They are read by functions, which keep their plans: planning under policies takes longer than
-- running.

-- Views ---------------------------------------------------------------------------------------------------------------
create type nectar.mood_source as enum ('user', 'ai');
comment on type nectar.mood_source is 'Whether the author chose a mood, or a model found it in the content.';
create type nectar.moderation_state as enum ('hidden');
comment on type nectar.moderation_state is 'Whether an admin has hidden something.';

create view nectar.readable_entries with (security_invoker = true) as
select
  e.id, e.user_id, e.title, e.tags, (s.entry).notebook_id, e.entry_date, e.ai_excluded,
  (s.entry).metadata_visibility, (s.entry).content_visibility, (s.entry).inherit_visibility,
  (s.entry).team_id, (s.entry).org_id,
  (s.entry).effective_metadata_visibility, (s.entry).effective_content_visibility,
  private.rfc3339(e.created_at) as created_at, private.rfc3339(e.updated_at) as updated_at,
  coalesce(e.mood, c.found_mood) as mood,
  case when e.mood is not null then 'user'::nectar.mood_source when c.found_mood is not null then 'ai' end as mood_source,
  c.entry_id is null as content_hidden,
  case when e.hidden_at is not null then 'hidden'::nectar.moderation_state end as moderation,
  c.content
from nectar.journal_entries e
-- Its sharing, which the row does not have yet while many entries follow a change. "offset 0" keeps it one expression,
-- which the planner would otherwise repeat for each column.
cross join lateral (
  select case
    when private.is_unsettled(
      e.notebook_id, e.team_id, e.org_id, e.metadata_audience_id, e.content_audience_id,
      (select private.unsettled_sources())::uuid[]
    ) then private.settled_entry(e)
    else e
  end as entry
  offset 0
) s
left join nectar.journal_entry_contents c on c.entry_id = e.id;
comment on view nectar.readable_entries is
  'Entries as the caller sees them, with times as the API sends them. Content that the caller may not see is null, and so is a mood that was found in it. Only the author and super admins see an entry that is hidden by moderation. Nullable: notebook_id, team_id, org_id, mood, mood_source, moderation, content.';
grant select on nectar.readable_entries to nectar_user;

-- Security definer: the policies would read each hidden entry on the way.
create function private.audiences_in_notebook(p_notebook_id uuid) returns uuid[]
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  v_author uuid;
begin
  select n.user_id into v_author from nectar.notebooks n where n.id = p_notebook_id;
  return array(
    -- From each audience to the next one in the index, however many entries it has.
    with recursive found as (
      (
        select e.metadata_audience_id as id
        from nectar.journal_entries e
        where e.notebook_id = p_notebook_id
        order by e.metadata_audience_id
        limit 1
      )
      union all
      select (
        select e.metadata_audience_id
        from nectar.journal_entries e
        where e.notebook_id = p_notebook_id and e.metadata_audience_id > f.id
        order by e.metadata_audience_id
        limit 1
      )
      from found f
      where f.id is not null
    )
    select f.id
    from found f
    where v_author = private.actor_id()
      or private.is_reached(
        f.id, v_author, (select private.my_audiences())::uuid[], (select private.blocked_users())::uuid[]
      )
      or (select private.is_super_admin())
  );
end
$$;
comment on function private.audiences_in_notebook(uuid) is
  'Returns the audiences of the entries of a notebook that reach the caller; all for its author and for super admins.';
grant execute on function private.audiences_in_notebook(uuid) to nectar_user;

create view nectar.readable_notebooks with (security_invoker = true) as
select
  n.id, n.user_id, n.name, n.description, n.metadata_visibility, n.content_visibility, n.team_id, n.org_id,
  n.ai_excluded_default, c.template, c.notebook_id is null as content_hidden,
  (
    select count(*)
    from (
      select
      from nectar.journal_entries e
      where e.notebook_id = n.id
        and e.metadata_audience_id = any ((select private.audiences_in_notebook(n.id))::uuid[])
      limit 1000
    ) counted
  ) as entry_count,
  case when n.hidden_at is not null then 'hidden'::nectar.moderation_state end as moderation,
  n.created_at, n.updated_at
from nectar.notebooks n
left join nectar.notebook_contents c on c.notebook_id = n.id;
comment on view nectar.readable_notebooks is
  'Notebooks with the number of those entries that the caller may see, counted up to 1,000. A template that the caller may not see is null. Nullable: description, team_id, org_id, template, moderation.';
grant select on nectar.readable_notebooks to nectar_user;

-- Functions -----------------------------------------------------------------------------------------------------------
-- Page and filter are as for private.entry_page. The page has in addition excerpt_length, and max is one more than is
-- shown.
create function private.list_entries(p_page jsonb, p_filter jsonb) returns setof nectar.readable_entries
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
declare
  v_max constant integer := p_page ->> 'max';
  v_ids constant uuid[] := case
    -- What clients read most. The variables of private.entry_page would take a tenth of its time.
    when p_filter = '{}' and p_page ->> 'order' = 'newest first' and v_max <= 50 and private.withdrawn_shares() = '{}'
      then private.newest_visible_journal_entries(
        p_page ->> 'scope', coalesce((p_page ->> 'after')::timestamptz, 'infinity'),
        coalesce((p_page ->> 'after_id')::uuid, '00000000-0000-0000-0000-000000000000'), '-infinity', v_max
      )
    else private.entry_page(p_page, p_filter)
  end;
begin
  -- The last row is read to know whether there is a next page.
  if not current_setting('transaction_read_only')::boolean then
    perform private.log_entry_reads(v_ids[:v_max - 1], p_page ->> 'fields' <> 'metadata' or p_filter ? 'q');
  end if;
  return query
    select e.id, e.user_id, e.title, e.tags, e.notebook_id, e.entry_date, e.ai_excluded,
      e.metadata_visibility, e.content_visibility, e.inherit_visibility, e.team_id, e.org_id,
      e.effective_metadata_visibility, e.effective_content_visibility, e.created_at, e.updated_at,
      e.mood, e.mood_source, e.content_hidden, e.moderation,
      case p_page ->> 'fields'
        when 'all' then e.content
        when 'excerpt' then left(e.content, (p_page ->> 'excerpt_length')::integer)
      end
    -- In a sub-select, or the planner makes a new plan in every call, because it knows the length of the array.
    from unnest((select v_ids)) with ordinality page (id, place)
    join nectar.readable_entries e on e.id = page.id
    order by page.place;
end
$$;
comment on function private.list_entries(jsonb, jsonb) is
  'Returns a page of entries as the caller sees them, and logs what a super admin reads in a transaction that writes.';
grant execute on function private.list_entries(jsonb, jsonb) to nectar_user;

-- In a transaction that writes, it logs what a super admin reads.
create function private.read_entry(p_id uuid) returns setof nectar.readable_entries rows 1
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  if not current_setting('transaction_read_only')::boolean then
    perform private.log_entry_reads(array[p_id], true);
  end if;
  return query select * from nectar.readable_entries e where e.id = p_id;
end
$$;
comment on function private.read_entry(uuid) is
  'Returns the entry with an id as the caller sees it, as an object; null if they may not see it.';
grant execute on function private.read_entry(uuid) to nectar_user;

-- The scopes are all, own, shared and public.
create function private.list_notebooks(p_scope text, p_after timestamptz, p_after_id uuid, p_max integer)
  returns setof nectar.readable_notebooks
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  return query
    select n.*
    from unnest((select private.newest_visible_notebooks(p_scope, p_after, p_after_id, '-infinity', p_max)))
      with ordinality page (id, place)
    join nectar.readable_notebooks n on n.id = page.id
    order by page.place;
end
$$;
comment on function private.list_notebooks(text, timestamptz, uuid, integer) is
  'Returns a page of the notebooks that the caller may see, newest first, after a row (its time and id).';
grant execute on function private.list_notebooks(text, timestamptz, uuid, integer) to nectar_user;

create function private.entries_within_bytes(p_ids uuid[], p_max_bytes bigint) returns uuid[]
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  return array(
    select e.id
    from (
      select page.id, page.place, sum(octet_length(c.content)) over (
        order by page.place rows between unbounded preceding and 1 preceding
      ) as bytes_before
      from unnest((select p_ids)) with ordinality page (id, place)
      left join lateral (
        select c.content from nectar.journal_entry_contents c where c.entry_id = page.id limit 1
      ) c on true
    ) e
    where coalesce(e.bytes_before, 0) <= p_max_bytes
    order by e.place
  );
end
$$;
comment on function private.entries_within_bytes(uuid[], bigint) is
  'Returns the first of these entries, up to the one whose visible content exceeds a number of bytes together with those before.';
grant execute on function private.entries_within_bytes(uuid[], bigint) to nectar_user;

-- A page has scope (all, own, shared or public), order (newest, oldest, latest date or earliest date first), after,
-- after_id and, by date, after_date (of the last row of the page before), max, fields (all, metadata or excerpt) and
-- max_content_bytes: a page of more than 50 rows ends once its contents together have more bytes. A filter may have
-- from, before (times), date_from, date_to (inclusive), notebook_id, tags (all of them), mood, q (part of title or
-- content; one without three letters or digits in a row is looked for in the newest 5,000 of the entries that scope,
-- notebook and times leave).
create function private.entry_page(p_page jsonb, p_filter jsonb) returns uuid[]
  language plpgsql stable security invoker
  set search_path = ''
  as $$
declare
  v_scope constant text := p_page ->> 'scope';
  v_max constant integer := (p_page ->> 'max')::integer;
  v_by_date constant boolean := p_page ->> 'order' in ('latest date first', 'earliest date first');
  v_descending constant boolean := p_page ->> 'order' in ('newest first', 'latest date first');
  v_notebook_id constant uuid := p_filter ->> 'notebook_id';
  v_tags constant text[] := case when p_filter ? 'tags'
    then private.lowercase_tags(array(select t from jsonb_array_elements_text(p_filter -> 'tags') t)) end;
  v_mood constant text := lower(p_filter ->> 'mood');
  v_q constant text := p_filter ->> 'q';
  v_pattern constant text := '%' || regexp_replace(v_q, '([\\%_])', '\\\1', 'g') || '%';
  -- No index finds such a text, and looking through all entries for it would take seconds.
  v_is_short constant boolean := v_q is not null and private.terms_within(v_q) = '{}';
  v_max_searched constant integer := 5000;
  -- Whether the range is of the other sort key.
  v_has_other_range constant boolean :=
    p_filter ?| case when v_by_date then array['from', 'before'] else array['date_from', 'date_to'] end;
  -- What was withdrawn still has the audiences of the caller, so the policies have to filter it.
  v_is_filtered constant boolean := v_tags is not null or v_mood is not null or v_q is not null or v_has_other_range
    or private.withdrawn_shares() <> '{}';
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
  -- More than anyone can see.
  v_all constant integer := 100000000;
  v_from constant timestamptz := coalesce(p_filter ->> 'from', '-infinity');
  v_before constant timestamptz := coalesce(p_filter ->> 'before', 'infinity');
  v_date_from constant date := coalesce(p_filter ->> 'date_from', '-infinity');
  v_date_to constant date := coalesce(p_filter ->> 'date_to', 'infinity');
  v_after_date date := p_page ->> 'after_date';
  v_after timestamptz := p_page ->> 'after';
  v_after_id uuid := p_page ->> 'after_id';
  v_rows integer := v_max;
  v_walked integer := 0;
  v_terms text[];
  v_audiences uuid[];
  v_candidates uuid[];
  v_found uuid[];
  v_ids uuid[];
  v_page uuid[] := '{}';
begin
  -- Where the page begins: after its cursor, or at the end of the range that comes first.
  if v_by_date then
    if v_descending and (v_after is null or v_date_to < v_after_date) then
      v_after_date := v_date_to;
      v_after := 'infinity';
      v_after_id := v_nil;
    elsif not v_descending and (v_after is null or v_date_from > v_after_date) then
      v_after_date := v_date_from;
      v_after := '-infinity';
      v_after_id := v_nil;
    end if;
  elsif v_descending and (v_after is null or v_before <= v_after) then
    v_after := v_before;
    v_after_id := v_nil;
  elsif not v_descending and (v_after is null or v_from > v_after) then
    v_after := v_from;
    v_after_id := v_nil;
  end if;
  -- With a filter, visible entries are read in slices until enough of them match, or until it is clear that few do.
  if v_is_filtered then
    v_rows := 4 * v_max;
  end if;
  loop
    -- If fewer than one in a hundred matched, looking all others up and sorting them costs less than reading on. A super
    -- admin reads on, because the search index finds only what they see as a member.
    if v_found is null and (v_is_short or v_walked > 100 * cardinality(v_page)) then
      v_terms := case when not private.is_super_admin() then coalesce(
        nullif(private.terms_within(v_q), '{}'),
        nullif(private.tag_terms(v_tags), '{}'),
        case when v_mood is not null then array[private.mood_term(v_mood)] end
      ) end;
      v_candidates := case
        when v_is_short and v_notebook_id is not null then private.newest_entries_of_notebook(
          v_notebook_id, v_scope, v_before, v_nil, v_from, v_max_searched
        )
        when v_is_short
          then private.newest_visible_journal_entries(v_scope, v_before, v_nil, v_from, v_max_searched)
        when v_terms is not null
          then array(select distinct f from private.find_entries(v_terms, v_terms[1] not like 'tag:%') f)
        when not v_has_other_range then null
        when v_by_date then private.newest_visible_journal_entries(v_scope, v_before, v_nil, v_from, v_all)
        else private.latest_visible_journal_entries(v_scope, v_date_to, 'infinity', v_nil, v_date_from, v_all)
      end;
      if v_candidates is not null then
        v_audiences := private.audiences_of_scope(v_scope);
        v_found := array(
          select e.id
          from unnest((select v_candidates)) f (id)
          cross join lateral (
            select r.id, case when v_by_date then r.entry_date else 'epoch' end as day, r.created_at, r.user_id,
              r.metadata_audience_id, r.notebook_id
            from nectar.journal_entries r where r.id = f.id limit 1
          ) e
          where (v_notebook_id is null or e.notebook_id = v_notebook_id)
            and private.is_in_scope(v_scope, v_audiences, e.user_id, e.metadata_audience_id)
            and case
              when v_descending then (e.day, e.created_at, e.id) < (coalesce(v_after_date, 'epoch'), v_after, v_after_id)
              else (e.day, e.created_at, e.id) > (coalesce(v_after_date, 'epoch'), v_after, v_after_id)
            end
          order by
            case when v_descending then e.day end desc, case when v_descending then e.created_at end desc,
            case when v_descending then e.id end desc, e.day, e.created_at, e.id
        );
      end if;
    end if;
    if v_found is not null then
      v_ids := v_found[1:v_rows];
      v_found := v_found[v_rows + 1:];
    elsif v_notebook_id is not null then
      v_ids := case
        when v_by_date and v_descending then private.latest_entries_of_notebook(
          v_notebook_id, v_scope, v_after_date, v_after, v_after_id, v_date_from, v_rows
        )
        when v_by_date then private.earliest_entries_of_notebook(
          v_notebook_id, v_scope, v_after_date, v_after, v_after_id, v_date_to, v_rows
        )
        when v_descending
          then private.newest_entries_of_notebook(v_notebook_id, v_scope, v_after, v_after_id, v_from, v_rows)
        else private.oldest_entries_of_notebook(v_notebook_id, v_scope, v_after, v_after_id, v_before, v_rows)
      end;
    else
      v_ids := case
        when v_by_date and v_descending then private.latest_visible_journal_entries(
          v_scope, v_after_date, v_after, v_after_id, v_date_from, v_rows
        )
        when v_by_date then private.earliest_visible_journal_entries(
          v_scope, v_after_date, v_after, v_after_id, v_date_to, v_rows
        )
        when v_descending then private.newest_visible_journal_entries(v_scope, v_after, v_after_id, v_from, v_rows)
        else private.oldest_visible_journal_entries(v_scope, v_after, v_after_id, v_before, v_rows)
      end;
    end if;
    if not v_is_filtered then
      v_page := v_ids;
      exit;
    end if;
    -- Under the policies of the caller: what they may not see matches nothing.
    v_page := v_page || array(
      select slice.id
      from unnest(v_ids) with ordinality slice (id, place)
      -- The limits keep the planner from reading all entries for a slice of them.
      cross join lateral (
        select e.title, e.mood, e.tag_keys, e.entry_date, e.created_at
        from nectar.journal_entries e where e.id = slice.id limit 1
      ) e
      left join lateral (
        select c.content, c.found_mood from nectar.journal_entry_contents c
        where c.entry_id = slice.id and (v_q is not null or (v_mood is not null and e.mood is null))
        limit 1
      ) c on true
      where (v_tags is null or e.tag_keys @> v_tags)
        and (v_mood is null or lower(coalesce(e.mood, c.found_mood)) = v_mood)
        and (v_q is null or e.title ilike v_pattern or c.content ilike v_pattern)
        and e.entry_date between v_date_from and v_date_to
        and e.created_at >= v_from and e.created_at < v_before
      order by slice.place
      limit v_max - cardinality(v_page)
    );
    exit when cardinality(v_page) = v_max or cardinality(v_ids) < v_rows;
    v_walked := v_walked + v_rows;
    if v_found is null then
      v_after_id := v_ids[v_rows];
      select case when v_by_date then e.entry_date end, e.created_at into v_after_date, v_after
        from nectar.journal_entries e where e.id = v_after_id;
    end if;
    -- As many rows as should contain the rest of the page, and half of that more.
    v_rows := least(
      greatest(v_max, 1.5 * v_walked * (v_max - cardinality(v_page)) / greatest(cardinality(v_page), 1)), 20 * v_max
    );
  end loop;
  -- 50 contents of the maximum length fit into memory.
  if p_page ->> 'fields' = 'all' and v_max > 50 then
    return private.entries_within_bytes(v_page, (p_page ->> 'max_content_bytes')::bigint);
  end if;
  return v_page;
end
$$;
comment on function private.entry_page(jsonb, jsonb) is
  'Returns the ids of a page of the entries that the caller may see, in order.';
grant execute on function private.entry_page(jsonb, jsonb) to nectar_user;
