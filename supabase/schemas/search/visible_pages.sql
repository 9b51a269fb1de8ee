-- Why: With row-level security alone, PostgreSQL reads a table in the order of a list and discards what the reader may not
-- see: with a million rows of other people, nearly all. The functions in visible_rows.sql find the ids of a page by the
-- audiences of the reader instead. They only say which rows; the rows themselves are read under the policies. They are
-- functions because a function keeps its plans as long as its connection lives, also behind a pooler, and planning these
-- statements takes longer than running them. They return an array of ids, because returning a set takes longer.

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
