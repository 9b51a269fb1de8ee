-- Why: With row-level security alone, PostgreSQL reads a table in the order of a list and discards what the reader may not
-- see: with a million rows of other people, nearly all. These functions find the ids of a page by the audiences of the
-- reader instead. They only say which rows; the rows themselves are read under the policies. They are functions because
-- a function keeps its plans as long as its connection lives, also behind a pooler, and planning these statements takes
-- longer than running them.

-- Returns the audiences of the caller whose rows a list with this scope shows: all, own (none), shared or public. The
-- public is left out for a caller with a block, as by private.my_audiences.
create function private.audiences_of_scope(p_scope text) returns uuid[]
  language sql stable security invoker
  return case p_scope
    when 'all' then private.my_audiences()
    when 'shared' then array_remove(private.my_audiences(), private.public_audience())
    when 'public' then
      case when private.public_audience() = any (private.my_audiences()) then array[private.public_audience()] else '{}' end
    else '{}'
  end;
grant execute on function private.audiences_of_scope(text) to nectar_user;

-- Returns whether a list with a scope, whose audiences are private.audiences_of_scope, shows a row that the policies
-- allow, by its author and its audience.
create function private.is_in_scope(p_scope text, p_audiences uuid[], p_user_id uuid, p_audience_id uuid) returns boolean
  language sql stable security invoker
  return case p_scope
    when 'all' then true
    when 'own' then p_user_id = private.actor_id()
    when 'shared' then p_audience_id = any (p_audiences) and p_user_id <> private.actor_id()
    else p_audience_id = private.public_audience()
  end;
grant execute on function private.is_in_scope(text, uuid[], uuid, uuid) to nectar_user;

-- One text for all tables and orders, because neither can be a parameter of a plan that is kept: by the time of
-- creation (newest or oldest first), and entries by their date (latest or earliest first), those of a date by the time of
-- creation. The page of goals may be of one status. An array of ids, because returning a set takes longer.
do $do$
declare
  v_list record;
  v_placeholder record;
  v_functions text;
begin
  for v_list in
    select to_jsonb(k) as sort_key, to_jsonb(l) as list
    from (values
      ('journal_entries', 'newest', 'created_at', 'desc', '<', '>=', '', '', '', ''),
      ('journal_entries', 'oldest', 'created_at', 'asc', '>', '<', '', '', '', ''),
      ('journal_entries', 'latest', 'entry_date', 'desc', '<', '>=', '', '', '', ''),
      ('journal_entries', 'earliest', 'entry_date', 'asc', '>', '<=', '', '', '', ''),
      ('notebooks', 'newest', 'created_at', 'desc', '<', '>=', '', '', '', ''),
      (
        'goals', 'newest', 'created_at', 'desc', '<', '>=', ', p_status nectar.goal_status', ', nectar.goal_status',
        ', p_status', 'and ((select p_status) is null or r.status = (select p_status))'
      )
    ) as l ("TABLE", "NEWEST", "COLUMN", "DIRECTION", "AFTER", "UNTIL", "PARAMETER", "TYPE", "ARGUMENT", "FILTER")
    join (values
      (
        'created_at', 'p_after timestamptz, p_after_id uuid, p_until timestamptz PARAMETER',
        'timestamptz, uuid, timestamptz TYPE', 'p_after, p_after_id, p_until ARGUMENT', 'r.created_at',
        '(r.created_at, r.id) AFTER (p_after, p_after_id) FILTER',
        'r.created_at DIRECTION, r.id DIRECTION', 'p_after at time zone ''UTC''',
        '(r.created_at at time zone ''UTC'')::date', '(p_until at time zone ''UTC'')::date'
      ),
      (
        'entry_date', 'p_after_date date, p_after timestamptz, p_after_id uuid, p_until date', 'date, timestamptz, uuid, date',
        'p_after_date, p_after, p_after_id, p_until', 'r.entry_date, r.created_at',
        '(r.entry_date, r.created_at, r.id) AFTER (p_after_date, p_after, p_after_id)',
        'r.entry_date DIRECTION, r.created_at DIRECTION, r.id DIRECTION', 'p_after_date', 'r.entry_date', 'p_until'
      )
    ) as k (
      "COLUMN", "BOUNDS", "BOUND_TYPES", "BOUND_NAMES", "SORT_KEY", "IS_AFTER", "IN_ORDER", "FIRST_DAY", "DAY_OF_ROW",
      "LAST_DAY"
    ) using ("COLUMN")
  loop
    v_functions := $create$
      -- Only private.NEWEST_visible_TABLE calls it.
      create function private.NEWEST_public_TABLE(p_blocked uuid[], BOUNDS, p_max integer)
        returns uuid[]
        language plpgsql stable security invoker
        set search_path = ''
        as $function$
      declare
        v_day date := FIRST_DAY;
        v_ids uuid[];
      begin
        v_ids := array(
          select n.id
          from (
            select r.id, r.user_id from nectar.TABLE r
            where r.metadata_audience_id = private.public_audience()
              and IS_AFTER and r.COLUMN UNTIL p_until
            order by IN_ORDER limit (select 20 * p_max)
          ) n
          where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
        );
        if cardinality(v_ids) = p_max or not exists (
          select from nectar.TABLE r
          where r.metadata_audience_id = private.public_audience()
            and IS_AFTER and r.COLUMN UNTIL p_until
          order by IN_ORDER offset (select 20 * p_max)
        ) then
          return v_ids;
        end if;
        -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
        -- day by day, the index is searched between their ids.
        v_ids := '{}';
        while cardinality(v_ids) < p_max and not v_day AFTER LAST_DAY loop
          v_ids := v_ids || array(
            select r.id
            from (
              select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
              from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
            ) others
            cross join lateral (
              select r.id, SORT_KEY from nectar.TABLE r
              where r.metadata_audience_id = private.public_audience()
                and DAY_OF_ROW = v_day
                and r.user_id > others.after_id and r.user_id < others.before_id
                and IS_AFTER and r.COLUMN UNTIL p_until
              offset 0
            ) r
            order by IN_ORDER limit (select p_max - cardinality(v_ids))
          );
          v_day := (
            select DAY_OF_ROW from nectar.TABLE r
            where r.metadata_audience_id = private.public_audience()
              and DAY_OF_ROW AFTER v_day
            order by DAY_OF_ROW DIRECTION limit 1
          );
        end loop;
        return v_ids;
      end
      $function$;
      comment on function private.NEWEST_public_TABLE(uuid[], BOUND_TYPES, integer) is
        'Returns the ids of the first public rows of the table in this order, without those of some people, that come after a row (its sort key) and not beyond a bound.';
      -- The scopes are all, own, shared and public. Security definer: it reads the table by the audiences of the
      -- caller, which are its own.
      create function private.NEWEST_visible_TABLE(p_scope text, BOUNDS, p_max integer)
        returns uuid[]
        language plpgsql stable security definer
        set search_path = ''
        as $function$
      declare
        v_reader constant uuid := private.actor_id();
        v_shows_everything constant boolean := p_scope = 'all' and private.is_super_admin();
        v_audiences uuid[] := private.audiences_of_scope(p_scope);
        -- Null unless the reader has a block, and the list shows public rows.
        v_blocked constant uuid[] := case
          when p_scope in ('all', 'public') and v_reader is not null and private.public_audience() <> all (v_audiences)
            then private.blocked_users()
        end;
        v_public uuid[];
        v_ids uuid[];
      begin
        -- A reader of many audiences sees much of what is new, so the newest rows of everyone come first. What decides about
        -- the plan is in sub-selects, or the planner makes a new one in every call.
        if v_shows_everything or cardinality(v_audiences) > 20 then
          v_ids := array(
            select n.id
            from (
              select r.id, r.user_id, r.metadata_audience_id from nectar.TABLE r
              where IS_AFTER and r.COLUMN UNTIL p_until order by IN_ORDER
              limit (select case when v_shows_everything then p_max else 20 * p_max end)
            ) n
            where (select v_shows_everything)
              or (p_scope in ('all', 'own') and n.user_id = v_reader)
              or (
                n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader)
              )
              or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
            limit (select p_max)
          );
          if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
          -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
          -- for one row, and only N of them for more.
          v_audiences := array(
            select a.id from unnest(v_audiences) a (id)
            cross join lateral (
              select r.id, SORT_KEY from nectar.TABLE r
              where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                and IS_AFTER and r.COLUMN UNTIL p_until
              order by IN_ORDER limit 1
            ) r
            order by IN_ORDER limit p_max
          );
        end if;
        if v_blocked is not null then v_public := private.NEWEST_public_TABLE(v_blocked, BOUND_NAMES, p_max); end if;
        return array(
          select r.id
          from (
            (
              select r.id, SORT_KEY from nectar.TABLE r
              where p_scope in ('all', 'own') and r.user_id = v_reader
                and IS_AFTER and r.COLUMN UNTIL p_until
              order by IN_ORDER limit p_max
            )
            union
            (
              select r.id, SORT_KEY from unnest(v_audiences) a (id)
              cross join lateral (
                select r.id, SORT_KEY from nectar.TABLE r
                where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                  and IS_AFTER and r.COLUMN UNTIL p_until
                order by IN_ORDER limit p_max
              ) r
            )
            union
            (
              select r.id, SORT_KEY from unnest((select v_public)) v (id)
              cross join lateral (select r.id, SORT_KEY from nectar.TABLE r where r.id = v.id limit 1) r
            )
          ) r
          order by IN_ORDER limit p_max
        );
      end
      $function$;
      comment on function private.NEWEST_visible_TABLE(text, BOUND_TYPES, integer) is
        'Returns the ids of the first rows of the table that the caller may see, in this order, that come after a row (its sort key) and not beyond a bound.';
      grant execute on function private.NEWEST_visible_TABLE(text, BOUND_TYPES, integer) to nectar_user;
    $create$;
    if v_list.list ->> 'TABLE' = 'journal_entries' then
      v_functions := v_functions || $create$
        create function private.NEWEST_entries_of_notebook(p_notebook_id uuid, p_scope text, BOUNDS, p_max integer)
          returns uuid[]
          language plpgsql stable security invoker
          set search_path = ''
          as $function$
        declare
          v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
        begin
          return array(
            select r.id from nectar.journal_entries r
            where r.notebook_id = p_notebook_id
              and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
              and IS_AFTER and r.COLUMN UNTIL p_until
            order by IN_ORDER limit p_max
          );
        end
        $function$;
        comment on function private.NEWEST_entries_of_notebook(uuid, text, BOUND_TYPES, integer) is
          'Does what private.NEWEST_visible_journal_entries does for one notebook.';
        grant execute on function private.NEWEST_entries_of_notebook(uuid, text, BOUND_TYPES, integer) to nectar_user;
      $create$;
    end if;
    -- What is in capitals above. Those of the sort key contain others, so they come first.
    for v_placeholder in
      select * from jsonb_each_text(v_list.sort_key) union all select * from jsonb_each_text(v_list.list)
    loop
      v_functions := replace(v_functions, v_placeholder.key, v_placeholder.value);
    end loop;
    execute v_functions;
  end loop;
end
$do$;
