-- Why: With row-level security alone, PostgreSQL reads a table in the order of a list and discards what the reader may not
-- see: with a million rows of other people, nearly all. These functions find the ids of a page by the audiences of the
-- reader instead. They only say which rows; the rows themselves are read under the policies. They are functions because
-- a function keeps its plans as long as its connection lives, also behind a pooler, and planning these statements takes
-- longer than running them.

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.audiences_of_scope(p_scope text) returns uuid[]
  language sql stable security invoker
  return case p_scope
    when 'all' then private.my_audiences()
    when 'shared' then array_remove(private.my_audiences(), private.public_audience())
    when 'public' then
      case when private.public_audience() = any (private.my_audiences()) then array[private.public_audience()] else '{}' end
    else '{}'
  end;
comment on function private.audiences_of_scope(text) is
  'The audiences of the caller whose rows a list with this scope shows: all, own (none), shared or public. As private.my_audiences, without the public for a caller with a block.';
grant execute on function private.audiences_of_scope(text) to nectar_user;

-- One text for both tables and both orders, because neither can be a parameter of a plan that is kept. An array of ids,
-- because returning a set takes longer.
do $do$
declare
  v_list record;
begin
  for v_list in
    select l.table_name, l.newest_or_oldest, l.direction, l.after, l.until
    from (values
      ('journal_entries', 'newest', 'desc', '<', '>='),
      ('journal_entries', 'oldest', 'asc', '>', '<'),
      ('notebooks', 'newest', 'desc', '<', '>=')
    ) as l (table_name, newest_or_oldest, direction, after, until)
  loop
    execute replace(replace(replace(replace(replace($create$
      create function private.NEWEST_visible_TABLE(
        p_scope text, p_after timestamptz, p_after_id uuid, p_until timestamptz, p_max integer
      )
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
        v_ids uuid[];
      begin
        -- A reader of many audiences sees much of what is new, so the newest rows of everyone come first. What decides about
        -- the plan is in sub-selects, or the planner makes a new one in every call.
        if v_shows_everything or cardinality(v_audiences) > 20 then
          v_ids := array(
            select n.id
            from (
              select r.id, r.user_id, r.metadata_audience_id
              from nectar.TABLE r
              where (r.created_at, r.id) AFTER (p_after, p_after_id) and r.created_at UNTIL p_until
              order by r.created_at DIRECTION, r.id DIRECTION
              limit (select case when v_shows_everything then p_max else 20 * p_max end)
            ) n
            where (select v_shows_everything)
              or (p_scope in ('all', 'own') and n.user_id = v_reader)
              or (
                n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader)
              )
              or (
                n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[])
              )
            limit (select p_max)
          );
          if cardinality(v_ids) = p_max or v_shows_everything then
            return v_ids;
          end if;
          -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
          -- for one row, and only N of them for more.
          v_audiences := array(
            select a.id
            from unnest(v_audiences) a (id)
            cross join lateral (
              select r.created_at, r.id
              from nectar.TABLE r
              where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                and (r.created_at, r.id) AFTER (p_after, p_after_id) and r.created_at UNTIL p_until
              order by r.created_at DIRECTION, r.id DIRECTION
              limit 1
            ) f
            order by f.created_at DIRECTION, f.id DIRECTION
            limit p_max
          );
        end if;
        return array(
          select p.id
          from (
            (
              select r.id, r.created_at
              from nectar.TABLE r
              where p_scope in ('all', 'own') and r.user_id = v_reader
                and (r.created_at, r.id) AFTER (p_after, p_after_id) and r.created_at UNTIL p_until
              order by r.created_at DIRECTION, r.id DIRECTION
              limit p_max
            )
            union
            (
              select r.id, r.created_at
              from unnest(v_audiences) a (id)
              cross join lateral (
                select r.id, r.created_at
                from nectar.TABLE r
                where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
                  and (r.created_at, r.id) AFTER (p_after, p_after_id) and r.created_at UNTIL p_until
                order by r.created_at DIRECTION, r.id DIRECTION
                limit p_max
              ) r
            )
            union
            (
              select r.id, r.created_at
              from nectar.TABLE r
              where (select v_blocked is not null)
                and r.metadata_audience_id = private.public_audience() and r.user_id <> all ((select v_blocked)::uuid[])
                and (r.created_at, r.id) AFTER (p_after, p_after_id) and r.created_at UNTIL p_until
              order by r.created_at DIRECTION, r.id DIRECTION
              limit p_max
            )
          ) p
          order by p.created_at DIRECTION, p.id DIRECTION
          limit p_max
        );
      end
      $function$;
      comment on function private.NEWEST_visible_TABLE(text, timestamptz, uuid, timestamptz, integer) is
        'The ids of the first rows of the table that the caller may see, in this order, that come after a row (its time and id) and not beyond a time. Scopes: all, own, shared, public. Security definer: it reads the table by the audiences of the caller, which are its own.';
      grant execute on function private.NEWEST_visible_TABLE(text, timestamptz, uuid, timestamptz, integer) to nectar_user;
    $create$,
      'NEWEST', v_list.newest_or_oldest), 'TABLE', v_list.table_name), 'DIRECTION', v_list.direction),
      'AFTER', v_list.after), 'UNTIL', v_list.until);
  end loop;
end
$do$;
