-- Generated from tools/visible-rows-sql.ts by `npm run generate`. Do not edit.

-- Returns the ids of the newest public journal entries without those of some people, after a row and up to a bound.
create function private.newest_public_journal_entries(
  p_blocked uuid[], p_after timestamptz, p_after_id uuid, p_until timestamptz, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_day date := (p_after at time zone 'UTC')::date;
  v_ids uuid[];
begin
  v_ids := array(
    select n.id
    from (
      select r.id, r.user_id from nectar.journal_entries r
      where r.metadata_audience_id = private.public_audience()
        and (r.created_at, r.id) < (p_after, p_after_id)
        and r.created_at >= p_until
      order by r.created_at desc, r.id desc limit (select 20 * p_max)
    ) n
    where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
  );
  if cardinality(v_ids) = p_max or not exists (
    select from nectar.journal_entries r
    where r.metadata_audience_id = private.public_audience()
      and (r.created_at, r.id) < (p_after, p_after_id)
      and r.created_at >= p_until
    order by r.created_at desc, r.id desc offset (select 20 * p_max)
  ) then
    return v_ids;
  end if;
  -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
  -- day by day, the index is searched between their ids.
  v_ids := '{}';
  while cardinality(v_ids) < p_max and not v_day < (p_until at time zone 'UTC')::date loop
    v_ids := v_ids || array(
      select r.id
      from (
        select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
        from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
      ) others
      cross join lateral (
        select r.id, r.created_at from nectar.journal_entries r
        where r.metadata_audience_id = private.public_audience()
          and (r.created_at at time zone 'UTC')::date = v_day
          and r.user_id > others.after_id and r.user_id < others.before_id
          and (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until
        offset 0
      ) r
      order by r.created_at desc, r.id desc limit (select p_max - cardinality(v_ids))
    );
    v_day := (
      select (r.created_at at time zone 'UTC')::date from nectar.journal_entries r
      where r.metadata_audience_id = private.public_audience() and (r.created_at at time zone 'UTC')::date < v_day
      order by (r.created_at at time zone 'UTC')::date desc limit 1
    );
  end loop;
  return v_ids;
end $$;

-- Returns the ids of the newest journal entries that the caller may see, after a row (its time and id) and up to a bound.
-- The scopes are all, own, shared and public. Security definer: it reads the table by the audiences of the caller.
create function private.newest_visible_journal_entries(
  p_scope text, p_after timestamptz, p_after_id uuid, p_until timestamptz, p_max integer
) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
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
  -- A reader of many audiences sees much of what is new, so the first rows of everyone are read before. What decides
  -- about the plan is in sub-selects, or the planner makes a new one in every call.
  if v_shows_everything or cardinality(v_audiences) > 20 then
    v_ids := array(
      select n.id
      from (
        select r.id, r.user_id, r.metadata_audience_id from nectar.journal_entries r
        where (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until
        order by r.created_at desc, r.id desc
        limit (select case when v_shows_everything then p_max else 20 * p_max end)
      ) n
      where (select v_shows_everything)
        or (p_scope in ('all', 'own') and n.user_id = v_reader)
        or (n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader))
        or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
      limit (select p_max)
    );
    if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
    -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
    -- for one row, and only N of them for more.
    v_audiences := array(
      select a.id from unnest(v_audiences) a (id)
      cross join lateral (
        select r.id, r.created_at from nectar.journal_entries r
        where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
          and (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until
        order by r.created_at desc, r.id desc limit 1
      ) r
      order by r.created_at desc, r.id desc limit p_max
    );
  end if;
  if v_blocked is not null then
    v_public := private.newest_public_journal_entries(v_blocked, p_after, p_after_id, p_until, p_max);
  end if;
  return array(
    select r.id
    from (
      (
        select r.id, r.created_at from nectar.journal_entries r
        where p_scope in ('all', 'own') and r.user_id = v_reader
          and (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until
        order by r.created_at desc, r.id desc limit p_max
      )
      union
      (
        select r.id, r.created_at from unnest(v_audiences) a (id)
        cross join lateral (
          select r.id, r.created_at from nectar.journal_entries r
          where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
            and (r.created_at, r.id) < (p_after, p_after_id)
            and r.created_at >= p_until
          order by r.created_at desc, r.id desc limit p_max
        ) r
      )
      union
      (
        select r.id, r.created_at from unnest((select v_public)) v (id)
        cross join lateral (select r.id, r.created_at from nectar.journal_entries r where r.id = v.id limit 1) r
      )
    ) r
    order by r.created_at desc, r.id desc limit p_max
  );
end $$;
grant execute on function private.newest_visible_journal_entries to nectar_user;

-- Does what private.newest_visible_journal_entries does for one notebook.
create function private.newest_entries_of_notebook(
  p_notebook_id uuid, p_scope text, p_after timestamptz, p_after_id uuid, p_until timestamptz, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
begin
  return array(
    select r.id from nectar.journal_entries r
    where r.notebook_id = p_notebook_id
      and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
      and (r.created_at, r.id) < (p_after, p_after_id)
      and r.created_at >= p_until
    order by r.created_at desc, r.id desc limit p_max
  );
end $$;
grant execute on function private.newest_entries_of_notebook to nectar_user;

-- Returns the ids of the oldest public journal entries without those of some people, after a row and up to a bound.
create function private.oldest_public_journal_entries(
  p_blocked uuid[], p_after timestamptz, p_after_id uuid, p_until timestamptz, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_day date := (p_after at time zone 'UTC')::date;
  v_ids uuid[];
begin
  v_ids := array(
    select n.id
    from (
      select r.id, r.user_id from nectar.journal_entries r
      where r.metadata_audience_id = private.public_audience()
        and (r.created_at, r.id) > (p_after, p_after_id)
        and r.created_at < p_until
      order by r.created_at asc, r.id asc limit (select 20 * p_max)
    ) n
    where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
  );
  if cardinality(v_ids) = p_max or not exists (
    select from nectar.journal_entries r
    where r.metadata_audience_id = private.public_audience()
      and (r.created_at, r.id) > (p_after, p_after_id)
      and r.created_at < p_until
    order by r.created_at asc, r.id asc offset (select 20 * p_max)
  ) then
    return v_ids;
  end if;
  -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
  -- day by day, the index is searched between their ids.
  v_ids := '{}';
  while cardinality(v_ids) < p_max and not v_day > (p_until at time zone 'UTC')::date loop
    v_ids := v_ids || array(
      select r.id
      from (
        select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
        from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
      ) others
      cross join lateral (
        select r.id, r.created_at from nectar.journal_entries r
        where r.metadata_audience_id = private.public_audience()
          and (r.created_at at time zone 'UTC')::date = v_day
          and r.user_id > others.after_id and r.user_id < others.before_id
          and (r.created_at, r.id) > (p_after, p_after_id)
          and r.created_at < p_until
        offset 0
      ) r
      order by r.created_at asc, r.id asc limit (select p_max - cardinality(v_ids))
    );
    v_day := (
      select (r.created_at at time zone 'UTC')::date from nectar.journal_entries r
      where r.metadata_audience_id = private.public_audience() and (r.created_at at time zone 'UTC')::date > v_day
      order by (r.created_at at time zone 'UTC')::date asc limit 1
    );
  end loop;
  return v_ids;
end $$;

-- Returns the ids of the oldest journal entries that the caller may see, after a row (its time and id) and up to a bound.
-- The scopes are all, own, shared and public. Security definer: it reads the table by the audiences of the caller.
create function private.oldest_visible_journal_entries(
  p_scope text, p_after timestamptz, p_after_id uuid, p_until timestamptz, p_max integer
) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
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
  -- A reader of many audiences sees much of what is new, so the first rows of everyone are read before. What decides
  -- about the plan is in sub-selects, or the planner makes a new one in every call.
  if v_shows_everything or cardinality(v_audiences) > 20 then
    v_ids := array(
      select n.id
      from (
        select r.id, r.user_id, r.metadata_audience_id from nectar.journal_entries r
        where (r.created_at, r.id) > (p_after, p_after_id)
          and r.created_at < p_until
        order by r.created_at asc, r.id asc
        limit (select case when v_shows_everything then p_max else 20 * p_max end)
      ) n
      where (select v_shows_everything)
        or (p_scope in ('all', 'own') and n.user_id = v_reader)
        or (n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader))
        or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
      limit (select p_max)
    );
    if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
    -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
    -- for one row, and only N of them for more.
    v_audiences := array(
      select a.id from unnest(v_audiences) a (id)
      cross join lateral (
        select r.id, r.created_at from nectar.journal_entries r
        where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
          and (r.created_at, r.id) > (p_after, p_after_id)
          and r.created_at < p_until
        order by r.created_at asc, r.id asc limit 1
      ) r
      order by r.created_at asc, r.id asc limit p_max
    );
  end if;
  if v_blocked is not null then
    v_public := private.oldest_public_journal_entries(v_blocked, p_after, p_after_id, p_until, p_max);
  end if;
  return array(
    select r.id
    from (
      (
        select r.id, r.created_at from nectar.journal_entries r
        where p_scope in ('all', 'own') and r.user_id = v_reader
          and (r.created_at, r.id) > (p_after, p_after_id)
          and r.created_at < p_until
        order by r.created_at asc, r.id asc limit p_max
      )
      union
      (
        select r.id, r.created_at from unnest(v_audiences) a (id)
        cross join lateral (
          select r.id, r.created_at from nectar.journal_entries r
          where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
            and (r.created_at, r.id) > (p_after, p_after_id)
            and r.created_at < p_until
          order by r.created_at asc, r.id asc limit p_max
        ) r
      )
      union
      (
        select r.id, r.created_at from unnest((select v_public)) v (id)
        cross join lateral (select r.id, r.created_at from nectar.journal_entries r where r.id = v.id limit 1) r
      )
    ) r
    order by r.created_at asc, r.id asc limit p_max
  );
end $$;
grant execute on function private.oldest_visible_journal_entries to nectar_user;

-- Does what private.oldest_visible_journal_entries does for one notebook.
create function private.oldest_entries_of_notebook(
  p_notebook_id uuid, p_scope text, p_after timestamptz, p_after_id uuid, p_until timestamptz, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
begin
  return array(
    select r.id from nectar.journal_entries r
    where r.notebook_id = p_notebook_id
      and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
      and (r.created_at, r.id) > (p_after, p_after_id)
      and r.created_at < p_until
    order by r.created_at asc, r.id asc limit p_max
  );
end $$;
grant execute on function private.oldest_entries_of_notebook to nectar_user;

-- Returns the ids of the latest public journal entries without those of some people, after a row and up to a bound.
create function private.latest_public_journal_entries(
  p_blocked uuid[], p_after_date date, p_after timestamptz, p_after_id uuid, p_until date, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_day date := p_after_date;
  v_ids uuid[];
begin
  v_ids := array(
    select n.id
    from (
      select r.id, r.user_id from nectar.journal_entries r
      where r.metadata_audience_id = private.public_audience()
        and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id)
        and r.entry_date >= p_until
      order by r.entry_date desc, r.created_at desc, r.id desc limit (select 20 * p_max)
    ) n
    where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
  );
  if cardinality(v_ids) = p_max or not exists (
    select from nectar.journal_entries r
    where r.metadata_audience_id = private.public_audience()
      and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id)
      and r.entry_date >= p_until
    order by r.entry_date desc, r.created_at desc, r.id desc offset (select 20 * p_max)
  ) then
    return v_ids;
  end if;
  -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
  -- day by day, the index is searched between their ids.
  v_ids := '{}';
  while cardinality(v_ids) < p_max and not v_day < p_until loop
    v_ids := v_ids || array(
      select r.id
      from (
        select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
        from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
      ) others
      cross join lateral (
        select r.id, r.entry_date, r.created_at from nectar.journal_entries r
        where r.metadata_audience_id = private.public_audience()
          and r.entry_date = v_day
          and r.user_id > others.after_id and r.user_id < others.before_id
          and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id)
          and r.entry_date >= p_until
        offset 0
      ) r
      order by r.entry_date desc, r.created_at desc, r.id desc limit (select p_max - cardinality(v_ids))
    );
    v_day := (
      select r.entry_date from nectar.journal_entries r
      where r.metadata_audience_id = private.public_audience() and r.entry_date < v_day
      order by r.entry_date desc limit 1
    );
  end loop;
  return v_ids;
end $$;

-- Returns the ids of the latest journal entries that the caller may see, after a row (its date, time and id) and up to a bound.
-- The scopes are all, own, shared and public. Security definer: it reads the table by the audiences of the caller.
create function private.latest_visible_journal_entries(
  p_scope text, p_after_date date, p_after timestamptz, p_after_id uuid, p_until date, p_max integer
) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
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
  -- A reader of many audiences sees much of what is new, so the first rows of everyone are read before. What decides
  -- about the plan is in sub-selects, or the planner makes a new one in every call.
  if v_shows_everything or cardinality(v_audiences) > 20 then
    v_ids := array(
      select n.id
      from (
        select r.id, r.user_id, r.metadata_audience_id from nectar.journal_entries r
        where (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id)
          and r.entry_date >= p_until
        order by r.entry_date desc, r.created_at desc, r.id desc
        limit (select case when v_shows_everything then p_max else 20 * p_max end)
      ) n
      where (select v_shows_everything)
        or (p_scope in ('all', 'own') and n.user_id = v_reader)
        or (n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader))
        or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
      limit (select p_max)
    );
    if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
    -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
    -- for one row, and only N of them for more.
    v_audiences := array(
      select a.id from unnest(v_audiences) a (id)
      cross join lateral (
        select r.id, r.entry_date, r.created_at from nectar.journal_entries r
        where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
          and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id)
          and r.entry_date >= p_until
        order by r.entry_date desc, r.created_at desc, r.id desc limit 1
      ) r
      order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
    );
  end if;
  if v_blocked is not null then
    v_public := private.latest_public_journal_entries(v_blocked, p_after_date, p_after, p_after_id, p_until, p_max);
  end if;
  return array(
    select r.id
    from (
      (
        select r.id, r.entry_date, r.created_at from nectar.journal_entries r
        where p_scope in ('all', 'own') and r.user_id = v_reader
          and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id)
          and r.entry_date >= p_until
        order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
      )
      union
      (
        select r.id, r.entry_date, r.created_at from unnest(v_audiences) a (id)
        cross join lateral (
          select r.id, r.entry_date, r.created_at from nectar.journal_entries r
          where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
            and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id)
            and r.entry_date >= p_until
          order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
        ) r
      )
      union
      (
        select r.id, r.entry_date, r.created_at from unnest((select v_public)) v (id)
        cross join lateral (select r.id, r.entry_date, r.created_at from nectar.journal_entries r where r.id = v.id limit 1) r
      )
    ) r
    order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
  );
end $$;
grant execute on function private.latest_visible_journal_entries to nectar_user;

-- Does what private.latest_visible_journal_entries does for one notebook.
create function private.latest_entries_of_notebook(
  p_notebook_id uuid, p_scope text, p_after_date date, p_after timestamptz, p_after_id uuid, p_until date, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
begin
  return array(
    select r.id from nectar.journal_entries r
    where r.notebook_id = p_notebook_id
      and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
      and (r.entry_date, r.created_at, r.id) < (p_after_date, p_after, p_after_id)
      and r.entry_date >= p_until
    order by r.entry_date desc, r.created_at desc, r.id desc limit p_max
  );
end $$;
grant execute on function private.latest_entries_of_notebook to nectar_user;

-- Returns the ids of the earliest public journal entries without those of some people, after a row and up to a bound.
create function private.earliest_public_journal_entries(
  p_blocked uuid[], p_after_date date, p_after timestamptz, p_after_id uuid, p_until date, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_day date := p_after_date;
  v_ids uuid[];
begin
  v_ids := array(
    select n.id
    from (
      select r.id, r.user_id from nectar.journal_entries r
      where r.metadata_audience_id = private.public_audience()
        and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id)
        and r.entry_date <= p_until
      order by r.entry_date asc, r.created_at asc, r.id asc limit (select 20 * p_max)
    ) n
    where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
  );
  if cardinality(v_ids) = p_max or not exists (
    select from nectar.journal_entries r
    where r.metadata_audience_id = private.public_audience()
      and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id)
      and r.entry_date <= p_until
    order by r.entry_date asc, r.created_at asc, r.id asc offset (select 20 * p_max)
  ) then
    return v_ids;
  end if;
  -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
  -- day by day, the index is searched between their ids.
  v_ids := '{}';
  while cardinality(v_ids) < p_max and not v_day > p_until loop
    v_ids := v_ids || array(
      select r.id
      from (
        select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
        from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
      ) others
      cross join lateral (
        select r.id, r.entry_date, r.created_at from nectar.journal_entries r
        where r.metadata_audience_id = private.public_audience()
          and r.entry_date = v_day
          and r.user_id > others.after_id and r.user_id < others.before_id
          and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id)
          and r.entry_date <= p_until
        offset 0
      ) r
      order by r.entry_date asc, r.created_at asc, r.id asc limit (select p_max - cardinality(v_ids))
    );
    v_day := (
      select r.entry_date from nectar.journal_entries r
      where r.metadata_audience_id = private.public_audience() and r.entry_date > v_day
      order by r.entry_date asc limit 1
    );
  end loop;
  return v_ids;
end $$;

-- Returns the ids of the earliest journal entries that the caller may see, after a row (its date, time and id) and up to a bound.
-- The scopes are all, own, shared and public. Security definer: it reads the table by the audiences of the caller.
create function private.earliest_visible_journal_entries(
  p_scope text, p_after_date date, p_after timestamptz, p_after_id uuid, p_until date, p_max integer
) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
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
  -- A reader of many audiences sees much of what is new, so the first rows of everyone are read before. What decides
  -- about the plan is in sub-selects, or the planner makes a new one in every call.
  if v_shows_everything or cardinality(v_audiences) > 20 then
    v_ids := array(
      select n.id
      from (
        select r.id, r.user_id, r.metadata_audience_id from nectar.journal_entries r
        where (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id)
          and r.entry_date <= p_until
        order by r.entry_date asc, r.created_at asc, r.id asc
        limit (select case when v_shows_everything then p_max else 20 * p_max end)
      ) n
      where (select v_shows_everything)
        or (p_scope in ('all', 'own') and n.user_id = v_reader)
        or (n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader))
        or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
      limit (select p_max)
    );
    if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
    -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
    -- for one row, and only N of them for more.
    v_audiences := array(
      select a.id from unnest(v_audiences) a (id)
      cross join lateral (
        select r.id, r.entry_date, r.created_at from nectar.journal_entries r
        where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
          and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id)
          and r.entry_date <= p_until
        order by r.entry_date asc, r.created_at asc, r.id asc limit 1
      ) r
      order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
    );
  end if;
  if v_blocked is not null then
    v_public := private.earliest_public_journal_entries(v_blocked, p_after_date, p_after, p_after_id, p_until, p_max);
  end if;
  return array(
    select r.id
    from (
      (
        select r.id, r.entry_date, r.created_at from nectar.journal_entries r
        where p_scope in ('all', 'own') and r.user_id = v_reader
          and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id)
          and r.entry_date <= p_until
        order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
      )
      union
      (
        select r.id, r.entry_date, r.created_at from unnest(v_audiences) a (id)
        cross join lateral (
          select r.id, r.entry_date, r.created_at from nectar.journal_entries r
          where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
            and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id)
            and r.entry_date <= p_until
          order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
        ) r
      )
      union
      (
        select r.id, r.entry_date, r.created_at from unnest((select v_public)) v (id)
        cross join lateral (select r.id, r.entry_date, r.created_at from nectar.journal_entries r where r.id = v.id limit 1) r
      )
    ) r
    order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
  );
end $$;
grant execute on function private.earliest_visible_journal_entries to nectar_user;

-- Does what private.earliest_visible_journal_entries does for one notebook.
create function private.earliest_entries_of_notebook(
  p_notebook_id uuid, p_scope text, p_after_date date, p_after timestamptz, p_after_id uuid, p_until date, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_audiences constant uuid[] := private.audiences_of_scope(p_scope);
begin
  return array(
    select r.id from nectar.journal_entries r
    where r.notebook_id = p_notebook_id
      and private.is_in_scope(p_scope, v_audiences, r.user_id, r.metadata_audience_id)
      and (r.entry_date, r.created_at, r.id) > (p_after_date, p_after, p_after_id)
      and r.entry_date <= p_until
    order by r.entry_date asc, r.created_at asc, r.id asc limit p_max
  );
end $$;
grant execute on function private.earliest_entries_of_notebook to nectar_user;

-- Returns the ids of the newest public notebooks without those of some people, after a row and up to a bound.
create function private.newest_public_notebooks(
  p_blocked uuid[], p_after timestamptz, p_after_id uuid, p_until timestamptz, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_day date := (p_after at time zone 'UTC')::date;
  v_ids uuid[];
begin
  v_ids := array(
    select n.id
    from (
      select r.id, r.user_id from nectar.notebooks r
      where r.metadata_audience_id = private.public_audience()
        and (r.created_at, r.id) < (p_after, p_after_id)
        and r.created_at >= p_until
      order by r.created_at desc, r.id desc limit (select 20 * p_max)
    ) n
    where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
  );
  if cardinality(v_ids) = p_max or not exists (
    select from nectar.notebooks r
    where r.metadata_audience_id = private.public_audience()
      and (r.created_at, r.id) < (p_after, p_after_id)
      and r.created_at >= p_until
    order by r.created_at desc, r.id desc offset (select 20 * p_max)
  ) then
    return v_ids;
  end if;
  -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
  -- day by day, the index is searched between their ids.
  v_ids := '{}';
  while cardinality(v_ids) < p_max and not v_day < (p_until at time zone 'UTC')::date loop
    v_ids := v_ids || array(
      select r.id
      from (
        select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
        from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
      ) others
      cross join lateral (
        select r.id, r.created_at from nectar.notebooks r
        where r.metadata_audience_id = private.public_audience()
          and (r.created_at at time zone 'UTC')::date = v_day
          and r.user_id > others.after_id and r.user_id < others.before_id
          and (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until
        offset 0
      ) r
      order by r.created_at desc, r.id desc limit (select p_max - cardinality(v_ids))
    );
    v_day := (
      select (r.created_at at time zone 'UTC')::date from nectar.notebooks r
      where r.metadata_audience_id = private.public_audience() and (r.created_at at time zone 'UTC')::date < v_day
      order by (r.created_at at time zone 'UTC')::date desc limit 1
    );
  end loop;
  return v_ids;
end $$;

-- Returns the ids of the newest notebooks that the caller may see, after a row (its time and id) and up to a bound.
-- The scopes are all, own, shared and public. Security definer: it reads the table by the audiences of the caller.
create function private.newest_visible_notebooks(
  p_scope text, p_after timestamptz, p_after_id uuid, p_until timestamptz, p_max integer
) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
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
  -- A reader of many audiences sees much of what is new, so the first rows of everyone are read before. What decides
  -- about the plan is in sub-selects, or the planner makes a new one in every call.
  if v_shows_everything or cardinality(v_audiences) > 20 then
    v_ids := array(
      select n.id
      from (
        select r.id, r.user_id, r.metadata_audience_id from nectar.notebooks r
        where (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until
        order by r.created_at desc, r.id desc
        limit (select case when v_shows_everything then p_max else 20 * p_max end)
      ) n
      where (select v_shows_everything)
        or (p_scope in ('all', 'own') and n.user_id = v_reader)
        or (n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader))
        or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
      limit (select p_max)
    );
    if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
    -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
    -- for one row, and only N of them for more.
    v_audiences := array(
      select a.id from unnest(v_audiences) a (id)
      cross join lateral (
        select r.id, r.created_at from nectar.notebooks r
        where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
          and (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until
        order by r.created_at desc, r.id desc limit 1
      ) r
      order by r.created_at desc, r.id desc limit p_max
    );
  end if;
  if v_blocked is not null then
    v_public := private.newest_public_notebooks(v_blocked, p_after, p_after_id, p_until, p_max);
  end if;
  return array(
    select r.id
    from (
      (
        select r.id, r.created_at from nectar.notebooks r
        where p_scope in ('all', 'own') and r.user_id = v_reader
          and (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until
        order by r.created_at desc, r.id desc limit p_max
      )
      union
      (
        select r.id, r.created_at from unnest(v_audiences) a (id)
        cross join lateral (
          select r.id, r.created_at from nectar.notebooks r
          where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
            and (r.created_at, r.id) < (p_after, p_after_id)
            and r.created_at >= p_until
          order by r.created_at desc, r.id desc limit p_max
        ) r
      )
      union
      (
        select r.id, r.created_at from unnest((select v_public)) v (id)
        cross join lateral (select r.id, r.created_at from nectar.notebooks r where r.id = v.id limit 1) r
      )
    ) r
    order by r.created_at desc, r.id desc limit p_max
  );
end $$;
grant execute on function private.newest_visible_notebooks to nectar_user;

-- Returns the ids of the newest public goals without those of some people, after a row and up to a bound.
create function private.newest_public_goals(
  p_blocked uuid[], p_after timestamptz, p_after_id uuid, p_until timestamptz, p_status nectar.goal_status, p_max integer
) returns uuid[]
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_day date := (p_after at time zone 'UTC')::date;
  v_ids uuid[];
begin
  v_ids := array(
    select n.id
    from (
      select r.id, r.user_id from nectar.goals r
      where r.metadata_audience_id = private.public_audience()
        and (r.created_at, r.id) < (p_after, p_after_id)
        and r.created_at >= p_until and ((select p_status) is null or r.status = (select p_status))
      order by r.created_at desc, r.id desc limit (select 20 * p_max)
    ) n
    where n.user_id <> all ((select p_blocked)::uuid[]) limit (select p_max)
  );
  if cardinality(v_ids) = p_max or not exists (
    select from nectar.goals r
    where r.metadata_audience_id = private.public_audience()
      and (r.created_at, r.id) < (p_after, p_after_id)
      and r.created_at >= p_until and ((select p_status) is null or r.status = (select p_status))
    order by r.created_at desc, r.id desc offset (select 20 * p_max)
  ) then
    return v_ids;
  end if;
  -- Nearly all of these rows are of people who are blocked. From here on theirs are not read, however many there are:
  -- day by day, the index is searched between their ids.
  v_ids := '{}';
  while cardinality(v_ids) < p_max and not v_day < (p_until at time zone 'UTC')::date loop
    v_ids := v_ids || array(
      select r.id
      from (
        select lag(b.id, 1, '00000000-0000-0000-0000-000000000000') over (order by b.id) as after_id, b.id as before_id
        from unnest((select p_blocked || 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) b (id)
      ) others
      cross join lateral (
        select r.id, r.created_at from nectar.goals r
        where r.metadata_audience_id = private.public_audience()
          and (r.created_at at time zone 'UTC')::date = v_day
          and r.user_id > others.after_id and r.user_id < others.before_id
          and (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until and ((select p_status) is null or r.status = (select p_status))
        offset 0
      ) r
      order by r.created_at desc, r.id desc limit (select p_max - cardinality(v_ids))
    );
    v_day := (
      select (r.created_at at time zone 'UTC')::date from nectar.goals r
      where r.metadata_audience_id = private.public_audience() and (r.created_at at time zone 'UTC')::date < v_day
      order by (r.created_at at time zone 'UTC')::date desc limit 1
    );
  end loop;
  return v_ids;
end $$;

-- Returns the ids of the newest goals that the caller may see, after a row (its time and id) and up to a bound.
-- The scopes are all, own, shared and public. Security definer: it reads the table by the audiences of the caller.
create function private.newest_visible_goals(
  p_scope text, p_after timestamptz, p_after_id uuid, p_until timestamptz, p_status nectar.goal_status, p_max integer
) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
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
  -- A reader of many audiences sees much of what is new, so the first rows of everyone are read before. What decides
  -- about the plan is in sub-selects, or the planner makes a new one in every call.
  if v_shows_everything or cardinality(v_audiences) > 20 then
    v_ids := array(
      select n.id
      from (
        select r.id, r.user_id, r.metadata_audience_id from nectar.goals r
        where (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until and ((select p_status) is null or r.status = (select p_status))
        order by r.created_at desc, r.id desc
        limit (select case when v_shows_everything then p_max else 20 * p_max end)
      ) n
      where (select v_shows_everything)
        or (p_scope in ('all', 'own') and n.user_id = v_reader)
        or (n.metadata_audience_id in (select unnest(v_audiences)) and (p_scope <> 'shared' or n.user_id <> v_reader))
        or (n.metadata_audience_id = private.public_audience() and n.user_id <> all ((select v_blocked)::uuid[]))
      limit (select p_max)
    );
    if cardinality(v_ids) = p_max or v_shows_everything then return v_ids; end if;
    -- A page of N rows can only contain rows of the N audiences whose first row comes first, so each audience is read
    -- for one row, and only N of them for more.
    v_audiences := array(
      select a.id from unnest(v_audiences) a (id)
      cross join lateral (
        select r.id, r.created_at from nectar.goals r
        where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
          and (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until and ((select p_status) is null or r.status = (select p_status))
        order by r.created_at desc, r.id desc limit 1
      ) r
      order by r.created_at desc, r.id desc limit p_max
    );
  end if;
  if v_blocked is not null then
    v_public := private.newest_public_goals(v_blocked, p_after, p_after_id, p_until, p_status, p_max);
  end if;
  return array(
    select r.id
    from (
      (
        select r.id, r.created_at from nectar.goals r
        where p_scope in ('all', 'own') and r.user_id = v_reader
          and (r.created_at, r.id) < (p_after, p_after_id)
          and r.created_at >= p_until and ((select p_status) is null or r.status = (select p_status))
        order by r.created_at desc, r.id desc limit p_max
      )
      union
      (
        select r.id, r.created_at from unnest(v_audiences) a (id)
        cross join lateral (
          select r.id, r.created_at from nectar.goals r
          where r.metadata_audience_id = a.id and (p_scope <> 'shared' or r.user_id <> v_reader)
            and (r.created_at, r.id) < (p_after, p_after_id)
            and r.created_at >= p_until and ((select p_status) is null or r.status = (select p_status))
          order by r.created_at desc, r.id desc limit p_max
        ) r
      )
      union
      (
        select r.id, r.created_at from unnest((select v_public)) v (id)
        cross join lateral (select r.id, r.created_at from nectar.goals r where r.id = v.id limit 1) r
      )
    ) r
    order by r.created_at desc, r.id desc limit p_max
  );
end $$;
grant execute on function private.newest_visible_goals to nectar_user;
