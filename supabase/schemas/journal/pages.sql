-- Why: What a reader sees of an entry or a notebook is stated once, as a view under the policies of the reader, for lists
-- and single rows alike. They are read by functions, which keep their plans: planning under policies takes longer than
-- running.

create type nectar.moderation_state as enum ('hidden');
comment on type nectar.moderation_state is 'Whether an admin has hidden something.';

create view nectar.readable_entries with (security_invoker = true) as
select
  e.id, e.user_id, e.title, e.tags, (s.entry).notebook_id, e.entry_date, e.ai_excluded,
  (s.entry).metadata_visibility, (s.entry).content_visibility, (s.entry).inherit_visibility,
  (s.entry).team_id, (s.entry).org_id,
  (s.entry).effective_metadata_visibility, (s.entry).effective_content_visibility,
  e.comments_enabled, coalesce(c.comment_count, 0) as comment_count,
  private.rfc3339(e.created_at) as created_at, private.rfc3339(e.updated_at) as updated_at,
  e.mood, e.mood_source,
  c.entry_id is null as content_hidden,
  case when e.hidden_at is not null then 'hidden'::nectar.moderation_state end as moderation,
  c.content,
  coalesce(c.picture_count, 0) as picture_count, e.version
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
  'Entries as the caller sees them, with times as the API sends them. Content that the caller may not see is null, and its pictures are not counted. Only the author and super admins see an entry that is hidden by moderation.';
grant select on nectar.readable_entries to nectar_user;

-- Returns the audiences of the entries of a notebook that reach the caller; all for its author and for super admins.
-- Security definer: the policies would read each hidden entry on the way.
create function private.audiences_in_notebook(p_notebook_id uuid) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_author uuid;
begin
  select n.user_id into v_author from nectar.notebooks n where n.id = p_notebook_id;
  return array(
    -- From each audience to the next one in the index, however many entries it has.
    with recursive found as (
      (
        select e.metadata_audience_id as id from nectar.journal_entries e where e.notebook_id = p_notebook_id
        order by e.metadata_audience_id limit 1
      )
      union all
      select (
        select e.metadata_audience_id from nectar.journal_entries e
        where e.notebook_id = p_notebook_id and e.metadata_audience_id > f.id order by e.metadata_audience_id limit 1
      )
      from found f where f.id is not null
    )
    select f.id from found f
    where v_author = private.actor_id()
      or private.is_reached(
        f.id, v_author, (select private.my_audiences())::uuid[], (select private.blocked_users())::uuid[]
      )
      or (select private.is_super_admin())
  );
end $$;
grant execute on function private.audiences_in_notebook(uuid) to nectar_user;

create view nectar.readable_notebooks with (security_invoker = true) as
select
  n.id, n.user_id, n.name, n.description, n.metadata_visibility, n.content_visibility, n.team_id, n.org_id,
  n.ai_excluded_default, c.template, c.notebook_id is null as content_hidden,
  (
    select count(*)
    from (
      select from nectar.journal_entries e
      where e.notebook_id = n.id
        and e.metadata_audience_id = any ((select private.audiences_in_notebook(n.id))::uuid[])
      limit 1000
    ) counted
  ) as entry_count,
  case when n.hidden_at is not null then 'hidden'::nectar.moderation_state end as moderation,
  n.created_at, n.updated_at, n.version
from nectar.notebooks n
left join nectar.notebook_contents c on c.notebook_id = n.id;
comment on view nectar.readable_notebooks is
  'Notebooks with the number of those entries that the caller may see, counted up to 1,000. A template that the caller may not see is null.';
grant select on nectar.readable_notebooks to nectar_user;

-- Returns a page of entries as the caller sees them, and logs what a super admin reads in a transaction that writes.
-- Page and filter are as for private.entry_page. The page has in addition excerpt_length, and max is one more than is
-- shown.
create function private.list_entries(p_page jsonb, p_filter jsonb) returns setof nectar.readable_entries
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_max constant integer := p_page ->> 'max';
  v_fields constant text := p_page ->> 'fields';
  v_ids constant uuid[] := case
    -- What clients read most. The variables of private.entry_page would take a tenth of its time.
    when p_filter = '{}' and p_page ->> 'order' = 'newest first' and v_max <= 50 and private.withdrawn_shares() = '{}'
      then private.newest_visible_journal_entries(
        p_page ->> 'scope', coalesce((p_page ->> 'after')::timestamptz, 'infinity'),
        coalesce((p_page ->> 'after_id')::uuid, '00000000-0000-0000-0000-000000000000'), '-infinity', v_max
      )
    else private.entry_page(p_page, p_filter)
  end;
  v_entry nectar.readable_entries;
begin
  -- The last row is read to know whether there is a next page.
  if not current_setting('transaction_read_only')::boolean then
    perform private.log_reads(v_ids[:v_max - 1], v_fields <> 'metadata' or p_filter ? 'q');
  end if;
  for v_entry in
    select e.*
    -- In a sub-select, or the planner makes a new plan in every call, because it knows the length of the array.
    from unnest((select v_ids)) with ordinality page (id, place)
    join nectar.readable_entries e on e.id = page.id
    order by page.place
  loop
    if v_fields <> 'all' then
      v_entry.content := case v_fields when 'excerpt' then left(v_entry.content, (p_page ->> 'excerpt_length')::integer) end;
    end if;
    return next v_entry;
  end loop;
end $$;
grant execute on function private.list_entries(jsonb, jsonb) to nectar_user;

-- Returns the entry with an id as the caller sees it; no row if they may not see it. In a transaction that writes, it
-- logs what a super admin reads.
create function private.read_entry(p_id uuid) returns setof nectar.readable_entries rows 1
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  if not current_setting('transaction_read_only')::boolean then
    perform private.log_reads(array[p_id], true);
  end if;
  return query select * from nectar.readable_entries e where e.id = p_id;
end $$;
grant execute on function private.read_entry(uuid) to nectar_user;

-- Returns a page of the notebooks that the caller may see, newest first, after a row (its time and id). The scopes are
-- all, own, shared and public.
create function private.list_notebooks(p_scope text, p_after timestamptz, p_after_id uuid, p_max integer)
  returns setof nectar.readable_notebooks
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    select n.*
    from unnest((select private.newest_visible_notebooks(p_scope, p_after, p_after_id, '-infinity', p_max)))
      with ordinality page (id, place)
    join nectar.readable_notebooks n on n.id = page.id
    order by page.place;
end $$;
grant execute on function private.list_notebooks(text, timestamptz, uuid, integer) to nectar_user;

-- Returns the first of these entries, up to the one whose visible content exceeds a number of bytes together with those
-- before.
create function private.entries_within_bytes(p_ids uuid[], p_max_bytes bigint) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
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
    where coalesce(e.bytes_before, 0) <= p_max_bytes order by e.place
  );
end $$;
grant execute on function private.entries_within_bytes(uuid[], bigint) to nectar_user;

-- Returns where a page of private.entry_page begins: after its cursor, or at the end of the range that comes first.
create function private.entry_page_start(
  p_page jsonb, p_filter jsonb, out after_date date, out after_time timestamptz, out after_id uuid
)
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_by_date constant boolean := p_page ->> 'order' in ('latest date first', 'earliest date first');
  v_descending constant boolean := p_page ->> 'order' in ('newest first', 'latest date first');
  -- The end of the range that comes first.
  v_date constant date := case
    when v_descending then coalesce(p_filter ->> 'date_to', 'infinity') else coalesce(p_filter ->> 'date_from', '-infinity')
  end;
  v_time constant timestamptz := case
    when v_descending then coalesce(p_filter ->> 'before', 'infinity') else coalesce(p_filter ->> 'from', '-infinity')
  end;
begin
  after_date := p_page ->> 'after_date';
  after_time := p_page ->> 'after';
  after_id := p_page ->> 'after_id';
  if v_by_date
    and (after_time is null or case when v_descending then v_date < after_date else v_date > after_date end)
  then
    after_date := v_date;
    after_time := case when v_descending then 'infinity' else '-infinity' end;
    after_id := '00000000-0000-0000-0000-000000000000';
  elsif not v_by_date
    and (after_time is null or case when v_descending then v_time <= after_time else v_time > after_time end)
  then
    after_time := v_time;
    after_id := '00000000-0000-0000-0000-000000000000';
  end if;
end $$;
grant execute on function private.entry_page_start(jsonb, jsonb) to nectar_user;

-- Returns the next visible entries of private.entry_page after a row. By order, scope, notebook and the range of the
-- order; the other filters are not applied.
create function private.next_entries(
  p_page jsonb, p_filter jsonb, p_after_date date, p_after timestamptz, p_after_id uuid, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_scope constant text := p_page ->> 'scope';
  v_order constant text := p_page ->> 'order';
  v_notebook_id constant uuid := p_filter ->> 'notebook_id';
  v_from constant timestamptz := coalesce(p_filter ->> 'from', '-infinity');
  v_before constant timestamptz := coalesce(p_filter ->> 'before', 'infinity');
  v_date_from constant date := coalesce(p_filter ->> 'date_from', '-infinity');
  v_date_to constant date := coalesce(p_filter ->> 'date_to', 'infinity');
begin
  if v_notebook_id is not null then
    return case v_order
      when 'latest date first' then private.latest_entries_of_notebook(
        v_notebook_id, v_scope, p_after_date, p_after, p_after_id, v_date_from, p_max
      )
      when 'earliest date first' then private.earliest_entries_of_notebook(
        v_notebook_id, v_scope, p_after_date, p_after, p_after_id, v_date_to, p_max
      )
      when 'newest first'
        then private.newest_entries_of_notebook(v_notebook_id, v_scope, p_after, p_after_id, v_from, p_max)
      else private.oldest_entries_of_notebook(v_notebook_id, v_scope, p_after, p_after_id, v_before, p_max)
    end;
  end if;
  return case v_order
    when 'latest date first' then private.latest_visible_journal_entries(
      v_scope, p_after_date, p_after, p_after_id, v_date_from, p_max
    )
    when 'earliest date first' then private.earliest_visible_journal_entries(
      v_scope, p_after_date, p_after, p_after_id, v_date_to, p_max
    )
    when 'newest first' then private.newest_visible_journal_entries(v_scope, p_after, p_after_id, v_from, p_max)
    else private.oldest_visible_journal_entries(v_scope, p_after, p_after_id, v_before, p_max)
  end;
end $$;
grant execute on function private.next_entries(jsonb, jsonb, date, timestamptz, uuid, integer) to nectar_user;

-- Returns whether entries are filtered by a range of times in an order of dates, or the other way around.
create function private.has_other_range(p_page jsonb, p_filter jsonb) returns boolean
  language sql immutable parallel safe security invoker
  return p_filter ?| case
    when p_page ->> 'order' in ('latest date first', 'earliest date first') then array['from', 'before']
    else array['date_from', 'date_to']
  end;
grant execute on function private.has_other_range(jsonb, jsonb) to nectar_user;

-- Returns all visible entries that may pass the filters of private.entry_page; null if there is nothing to look up.
-- They are in any order: those that the search index finds, those of the other range or, for a text that no index
-- finds, the newest 5,000. A super admin looks up no terms, because the index finds only what they see as a member.
create function private.entry_candidates(p_page jsonb, p_filter jsonb) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_scope constant text := p_page ->> 'scope';
  v_notebook_id constant uuid := p_filter ->> 'notebook_id';
  v_q constant text := p_filter ->> 'q';
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
  v_max_searched constant integer := 5000;
  -- More than anyone can see.
  v_all constant integer := 100000000;
  v_from constant timestamptz := coalesce(p_filter ->> 'from', '-infinity');
  v_before constant timestamptz := coalesce(p_filter ->> 'before', 'infinity');
  v_terms constant text[] := case when not private.is_super_admin() then coalesce(
    nullif(private.terms_within(v_q), '{}'),
    nullif(private.tag_terms(private.lowercase_tags(array(select jsonb_array_elements_text(p_filter -> 'tags')))), '{}'),
    case when p_filter ? 'mood' then array[private.mood_term(lower(p_filter ->> 'mood'))] end
  ) end;
begin
  if v_q is not null and private.terms_within(v_q) = '{}' then
    return case
      when v_notebook_id is null
        then private.newest_visible_journal_entries(v_scope, v_before, v_nil, v_from, v_max_searched)
      else private.newest_entries_of_notebook(v_notebook_id, v_scope, v_before, v_nil, v_from, v_max_searched)
    end;
  elsif v_terms is not null then
    return array(select distinct f from private.find_entries(v_terms, v_q is not null) f);
  elsif not private.has_other_range(p_page, p_filter) then
    return null;
  elsif p_page ->> 'order' in ('latest date first', 'earliest date first') then
    return private.newest_visible_journal_entries(v_scope, v_before, v_nil, v_from, v_all);
  end if;
  return private.latest_visible_journal_entries(
    v_scope, coalesce(p_filter ->> 'date_to', 'infinity')::date, 'infinity', v_nil,
    coalesce(p_filter ->> 'date_from', '-infinity')::date, v_all
  );
end $$;
grant execute on function private.entry_candidates(jsonb, jsonb) to nectar_user;

-- Returns the candidates in the scope and the notebook that come after a row, in the order of the page.
create function private.sorted_candidates(
  p_page jsonb, p_filter jsonb, p_ids uuid[], p_after_date date, p_after timestamptz, p_after_id uuid
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_scope constant text := p_page ->> 'scope';
  v_audiences constant uuid[] := private.audiences_of_scope(v_scope);
  v_by_date constant boolean := p_page ->> 'order' in ('latest date first', 'earliest date first');
  v_descending constant boolean := p_page ->> 'order' in ('newest first', 'latest date first');
  v_notebook_id constant uuid := p_filter ->> 'notebook_id';
begin
  if p_ids is null then return null; end if;
  return array(
    select e.id from unnest((select p_ids)) f (id)
    cross join lateral (
      select r.id, case when v_by_date then r.entry_date else 'epoch' end as day, r.created_at, r.user_id,
        r.metadata_audience_id, r.notebook_id
      from nectar.journal_entries r where r.id = f.id limit 1
    ) e
    where (v_notebook_id is null or e.notebook_id = v_notebook_id)
      and private.is_in_scope(v_scope, v_audiences, e.user_id, e.metadata_audience_id)
      and case
        when v_descending then (e.day, e.created_at, e.id) < (coalesce(p_after_date, 'epoch'), p_after, p_after_id)
        else (e.day, e.created_at, e.id) > (coalesce(p_after_date, 'epoch'), p_after, p_after_id)
      end
    order by
      case when v_descending then e.day end desc, case when v_descending then e.created_at end desc,
      case when v_descending then e.id end desc, e.day, e.created_at, e.id
  );
end $$;
grant execute on function private.sorted_candidates(jsonb, jsonb, uuid[], date, timestamptz, uuid) to nectar_user;

-- Returns the first of these entries that pass the filters of private.entry_page. Under the policies of the caller:
-- what they may not see matches nothing.
create function private.matching_entries(p_filter jsonb, p_ids uuid[], p_max integer) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_tags constant text[] := case when p_filter ? 'tags'
    then private.lowercase_tags(array(select jsonb_array_elements_text(p_filter -> 'tags'))) end;
  v_mood constant text := lower(p_filter ->> 'mood');
  v_q constant text := p_filter ->> 'q';
  v_pattern constant text := '%' || regexp_replace(v_q, '([\\%_])', '\\\1', 'g') || '%';
  v_from constant timestamptz := coalesce(p_filter ->> 'from', '-infinity');
  v_before constant timestamptz := coalesce(p_filter ->> 'before', 'infinity');
  v_date_from constant date := coalesce(p_filter ->> 'date_from', '-infinity');
  v_date_to constant date := coalesce(p_filter ->> 'date_to', 'infinity');
begin
  return array(
    select batch.id from unnest(p_ids) with ordinality batch (id, place)
    -- The limits keep the planner from reading all entries for a batch of them.
    cross join lateral (
      select e.title, e.mood, e.tag_keys, e.entry_date, e.created_at
      from nectar.journal_entries e where e.id = batch.id limit 1
    ) e
    left join lateral (
      select c.content from nectar.journal_entry_contents c where c.entry_id = batch.id and v_q is not null limit 1
    ) c on true
    where (v_tags is null or e.tag_keys @> v_tags)
      and (v_mood is null or lower(e.mood) = v_mood)
      and (v_q is null or e.title ilike v_pattern or c.content ilike v_pattern)
      and e.entry_date between v_date_from and v_date_to
      and e.created_at >= v_from and e.created_at < v_before
    order by batch.place limit p_max
  );
end $$;
grant execute on function private.matching_entries(jsonb, uuid[], integer) to nectar_user;

-- Returns the ids of a page of the entries that the caller may see, in order. A page has scope (all, own, shared or
-- public), order (newest, oldest, latest date or earliest date first), after, after_id and, by date, after_date (of the
-- last row of the page before), max, fields (all, metadata or excerpt) and max_content_bytes: a page of more than 50
-- rows ends once its contents together have more bytes. A filter may have from, before (times), date_from, date_to
-- (inclusive), notebook_id, tags (all of them), mood, q (part of title or content; one without three letters or digits
-- in a row is looked for in the newest 5,000 of the entries that scope, notebook and times leave).
create function private.entry_page(p_page jsonb, p_filter jsonb) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_max constant integer := (p_page ->> 'max')::integer;
  v_q constant text := p_filter ->> 'q';
  -- No index finds such a text, and looking through all entries for it would take seconds.
  v_is_short constant boolean := v_q is not null and private.terms_within(v_q) = '{}';
  -- Withdrawn entries still have the audiences of the caller, so the policies have to filter them.
  v_is_filtered constant boolean := p_filter ?| array['tags', 'mood', 'q'] or private.has_other_range(p_page, p_filter)
    or private.withdrawn_shares() <> '{}';
  v_after record := private.entry_page_start(p_page, p_filter);
  -- With a filter, visible entries are read in batches until enough of them match, or until it is clear that few do.
  v_rows integer := case when v_is_filtered then 4 * v_max else v_max end;
  v_walked integer := 0;
  v_found uuid[];
  v_ids uuid[];
  v_page uuid[] := '{}';
begin
  loop
    -- If fewer than one in a hundred matched, looking all others up and sorting them costs less than reading on. A super
    -- admin reads on, because the search index finds only what they see as a member.
    if v_found is null and (v_is_short or v_walked > 100 * cardinality(v_page)) then
      v_found := private.sorted_candidates(
        p_page, p_filter, private.entry_candidates(p_page, p_filter),
        v_after.after_date, v_after.after_time, v_after.after_id
      );
    end if;
    if v_found is not null then
      v_ids := v_found[1:v_rows];
      v_found := v_found[v_rows + 1:];
    else
      v_ids := private.next_entries(p_page, p_filter, v_after.after_date, v_after.after_time, v_after.after_id, v_rows);
    end if;
    if not v_is_filtered then
      v_page := v_ids;
      exit;
    end if;
    v_page := v_page || private.matching_entries(p_filter, v_ids, v_max - cardinality(v_page));
    exit when cardinality(v_page) = v_max or cardinality(v_ids) < v_rows;
    v_walked := v_walked + v_rows;
    if v_found is null then
      select case when v_after.after_date is not null then e.entry_date end as after_date, e.created_at as after_time,
        e.id as after_id
      into v_after from nectar.journal_entries e where e.id = v_ids[v_rows];
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
end $$;
grant execute on function private.entry_page(jsonb, jsonb) to nectar_user;
