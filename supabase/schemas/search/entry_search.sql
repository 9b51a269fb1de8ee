-- Why: A filter that matches little would go through every visible entry. The search index finds those entries, and its
-- keys contain the audience: a lookup never reads a key of an audience that the reader is not in, so what hidden texts
-- contain changes neither the result nor the work. Row-level security cannot do this by itself, because it evaluates
-- `ilike` and array operators only after the policies, never in an index.

-- Returns those of the trigrams of a text that are inside of its words. Those that pg_trgm pads with blanks are left
-- out, because a search also matches in the middle of a word. The functions that every written entry calls are
-- PL/pgSQL, which keeps its plans: planning them took 0.7 ms of each new entry. The trigrams are a parameter because
-- PL/pgSQL resolves names as the caller, who may not use the schema extensions.
create function private.search_terms(p_trigrams text[]) returns text[]
  language plpgsql immutable security invoker parallel safe set search_path = '' as $$
begin
  return array(select t from unnest(p_trigrams) t where strpos(t, ' ') = 0);
end $$;
grant execute on function private.search_terms(text[]) to nectar_user;

-- Returns the search terms that every text has that contains this one, also where it begins or ends in the middle of a
-- word.
create function private.terms_within(p_text text) returns text[]
  language sql immutable security invoker parallel safe
  return array(
    select unnest(private.search_terms(extensions.show_trgm(p_text)))
    intersect
    -- Of letters that pg_trgm encodes, blanks cannot be recognized; with another beginning and end they are different.
    select unnest(private.search_terms(extensions.show_trgm('a' || p_text || 'a')))
  );
grant execute on function private.terms_within(text) to nectar_user;

-- Returns the search term of a mood.
create function private.mood_term(p_mood text) returns text
  language sql immutable security invoker parallel safe
  return 'mood:' || lower(p_mood);
grant execute on function private.mood_term(text) to nectar_user;

-- Returns the search terms of tags.
create function private.tag_terms(p_tag_keys text[]) returns text[]
  language plpgsql immutable security invoker parallel safe set search_path = '' as $$
begin
  return array(select 'tag:' || t from unnest(p_tag_keys) t);
end $$;
grant execute on function private.tag_terms(text[]) to nectar_user;

-- Returns the key of the search index for a term that an audience may see: 24 bits of the term, then 40 bits of the
-- audience. Keys of one term are neighbors, which makes looking it up for 500 audiences a quarter faster than without
-- an order.
create function private.search_key(p_audience_id uuid, p_term text) returns bigint
  language sql immutable security invoker parallel safe
  return (hashtext(p_term)::bigint << 40) | (uuid_hash_extended(p_audience_id, 0) & ((1::bigint << 40) - 1));
grant execute on function private.search_key(uuid, text) to nectar_user;

-- Returns the keys of the search index for terms that an audience may see, without those that are null.
create function private.search_keys(p_audience_id uuid, p_terms text[]) returns bigint[]
  language plpgsql immutable security invoker parallel safe cost 10000 set search_path = '' as $$
begin
  return array(select private.search_key(p_audience_id, t) from unnest(p_terms) t where t is not null);
end $$;
grant execute on function private.search_keys(uuid, text[]) to nectar_user;

-- Returns one id for the readers who belong to both audiences of a content: one of the two, the author, or an id that
-- stands for two groups.
create function private.content_audience(p_user_id uuid, p_metadata_audience_id uuid, p_content_audience_id uuid)
  returns uuid
  language sql immutable security invoker parallel safe
  return case
    when p_metadata_audience_id = p_content_audience_id then p_content_audience_id
    when p_user_id in (p_metadata_audience_id, p_content_audience_id) then p_user_id
    when p_metadata_audience_id = private.public_audience() then p_content_audience_id
    when p_content_audience_id = private.public_audience() then p_metadata_audience_id
    else md5(
      least(p_metadata_audience_id, p_content_audience_id)::text
      || greatest(p_metadata_audience_id, p_content_audience_id)::text
    )::uuid
  end;
grant execute on function private.content_audience(uuid, uuid, uuid) to nectar_user;

-- Returns what journal_entries_search contains for an entry.
create function private.metadata_keys(p_audience_id uuid, p_title text, p_tag_keys text[], p_mood text) returns bigint[]
  language sql immutable security invoker parallel safe
  return private.search_keys(
    p_audience_id, private.search_terms(extensions.show_trgm(p_title)) || private.tag_terms(p_tag_keys) || private.mood_term(p_mood)
  );
grant execute on function private.metadata_keys(uuid, text, text[], text) to nectar_user;

-- Returns what journal_entry_contents_search contains for a content.
create function private.content_keys(p_audience_id uuid, p_content text) returns bigint[]
  language sql immutable security invoker parallel safe
  return private.search_keys(p_audience_id, private.search_terms(extensions.show_trgm(p_content)));
grant execute on function private.content_keys(uuid, text) to nectar_user;

-- An author belongs to every audience of their entries, because a share without membership is void, so an entry needs
-- only the keys of its audience. Without fastupdate, because a search would go through the list of pending keys.
create index journal_entries_search on nectar.journal_entries
  using gin (private.metadata_keys(metadata_audience_id, title, tag_keys, mood)) with (fastupdate = off);
create index journal_entry_contents_search on nectar.journal_entry_contents
  using gin (
    private.content_keys(private.content_audience(user_id, metadata_audience_id, content_audience_id), content)
  )
  with (fastupdate = off);
create index journal_entry_contents_two_groups
  on nectar.journal_entry_contents (metadata_audience_id, content_audience_id)
  where private.content_audience(user_id, metadata_audience_id, content_audience_id)
    not in (user_id, metadata_audience_id, content_audience_id);

-- Returns every id that private.content_audience has for contents that the caller may see, except as a super admin.
-- Security definer: it reads which pairs of the caller's groups contents are shared with.
create function private.my_content_audiences() returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_audiences constant uuid[] := private.my_audiences();
begin
  -- Looking for pairs of 500 groups takes 0.4 ms, even if there are none.
  if not exists (
    select from nectar.journal_entry_contents c
    where private.content_audience(c.user_id, c.metadata_audience_id, c.content_audience_id)
      not in (c.user_id, c.metadata_audience_id, c.content_audience_id)
  ) then
    return v_audiences || private.actor_id();
  end if;
  return v_audiences || private.actor_id() || array(
    -- Reads each pair of groups once, however many contents are shared with it.
    with recursive pair (metadata_id, content_id) as (
      select a.id, c.content_audience_id from unnest(v_audiences) a (id)
      cross join lateral (
        select c.content_audience_id from nectar.journal_entry_contents c
        where c.metadata_audience_id = a.id
          and private.content_audience(c.user_id, c.metadata_audience_id, c.content_audience_id)
            not in (c.user_id, c.metadata_audience_id, c.content_audience_id)
        order by c.content_audience_id limit 1
      ) c
      union all
      select p.metadata_id, c.content_audience_id from pair p
      cross join lateral (
        select c.content_audience_id from nectar.journal_entry_contents c
        where c.metadata_audience_id = p.metadata_id and c.content_audience_id > p.content_id
          and private.content_audience(c.user_id, c.metadata_audience_id, c.content_audience_id)
            not in (c.user_id, c.metadata_audience_id, c.content_audience_id)
        order by c.content_audience_id limit 1
      ) c
    )
    select distinct private.content_audience(null, p.metadata_id, p.content_id) from pair p
    where p.content_id = any (v_audiences)
  );
end $$;
grant execute on function private.my_content_audiences() to nectar_user;

-- Returns the ids of visible entries that may have all terms in their metadata or, if asked, in their content; some
-- twice. The terms are neither null nor empty. For a super admin it finds only what they see as a member. Security
-- definer: it reads the search index by the audiences of the caller, which are its own.
create function private.find_entries(p_terms text[], p_in_content boolean) returns setof uuid
  language plpgsql stable security definer rows 100 set search_path = '' as $$
declare
  v_reader constant uuid := private.actor_id();
  v_audiences uuid[] := private.my_content_audiences();
  v_blocked uuid[] := '{}';
  v_terms text[];
begin
  -- A reader with a block does not have the public among their audiences.
  if v_reader is not null and private.public_audience() <> all (v_audiences) then
    v_audiences := v_audiences || private.public_audience();
    v_blocked := private.blocked_users();
  end if;
  -- Each audience and term costs about a microsecond. Terms are chosen by their hash, so that they are not neighbors in
  -- the text.
  v_terms := array(
    select t from unnest(p_terms) t order by hashtext(t) limit greatest(2, 200 / cardinality(v_audiences))
  );
  return query
  with audience as materialized (
    select array(select private.search_key(a, t) from unnest(v_terms) t) as keys from unnest(v_audiences) a
  )
  select e.id from audience a
  cross join lateral (
    select e.id from nectar.journal_entries e
    where private.metadata_keys(e.metadata_audience_id, e.title, e.tag_keys, e.mood) @> a.keys
      and (e.metadata_audience_id <> private.public_audience() or e.user_id <> all ((select v_blocked)::uuid[]))
  ) e
  union all
  select c.entry_id from audience a
  cross join lateral (
    select c.entry_id from nectar.journal_entry_contents c
    where private.content_keys(
        private.content_audience(c.user_id, c.metadata_audience_id, c.content_audience_id), c.content
      ) @> a.keys
      and (c.metadata_audience_id <> private.public_audience() or c.user_id <> all ((select v_blocked)::uuid[]))
  ) c
  where p_in_content;
end $$;
grant execute on function private.find_entries(text[], boolean) to nectar_user;
