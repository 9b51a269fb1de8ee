-- Why: Members of an organization find each other by the beginning of any word of the name. An organization may have ten
-- thousand members, so their names are stored beside the membership, and both the list and the search are a range of an
-- index.

create table nectar.member_names (
  org_id uuid not null,
  user_id uuid not null,
  word_number integer not null,
  full_name text not null,
  search_text text collate "C" not null,
  primary key (user_id, org_id, word_number),
  constraint member_names_of_members foreign key (org_id, user_id)
    references nectar.organization_members (org_id, user_id) on delete cascade
);
comment on table nectar.member_names is
  'The names of the human members of organizations, with a row for each word. Kept by triggers.';
comment on column nectar.member_names.full_name is 'As in the profile.';
comment on column nectar.member_names.search_text is
  'The name from this word on, as private.search_form writes it. Empty if the name has no word.';

create index member_names_in_order on nectar.member_names (org_id, full_name, user_id) where word_number = 1;
create index member_names_search on nectar.member_names (org_id, search_text);

-- Writes a name as it is compared: without case, accents and punctuation, with one blank between words.
create function private.search_form(p_name text) returns text
  language plpgsql immutable security invoker parallel safe set search_path = '' as $$
declare
  -- Combining marks, after NFKD has separated them from their letters.
  v_marks constant text := U&'[\0300-\036F\1AB0-\1AFF\1DC0-\1DFF\20D0-\20FF\FE20-\FE2F]';
  -- ASCII without letters and digits, spaces and punctuation.
  v_separators constant text := U&'[\0001-/:-@\005B-`\007B-\00BF\2000-\206F\3000-\303F]+';
  v_name text := regexp_replace(normalize(p_name, NFKD), v_marks, '', 'g');
begin
  -- Letters that NFKD does not take apart. Upper case is listed as well, because lower() leaves it in some collations.
  v_name := translate(v_name, U&'\00D8\00F8\0141\0142\0110\0111\00D0\00F0\0126\0127\0131\03C2', U&'oollddddhhi\03C3');
  v_name := replace(replace(replace(v_name, U&'\00DF', 'ss'), U&'\1E9E', 'ss'), U&'\00FE', 'th');
  v_name := replace(replace(replace(v_name, U&'\00DE', 'th'), U&'\00E6', 'ae'), U&'\00C6', 'ae');
  v_name := replace(replace(v_name, U&'\0153', 'oe'), U&'\0152', 'oe');
  return btrim(regexp_replace(lower(v_name), v_separators, ' ', 'g'));
end $$;
grant execute on function private.search_form(text) to nectar_user;

-- Returns the words of a name by their number, each with the beginning of what follows it. A name without words has one
-- empty row.
create function private.name_words(p_full_name text) returns table (word_number integer, search_text text)
  language plpgsql immutable security invoker parallel safe set search_path = '' as $$
declare
  v_words constant text[] := string_to_array(private.search_form(p_full_name), ' ');
begin
  -- A name of 100 characters has at most 50 words, unless single characters stand for several words.
  return query
    select n, left(array_to_string(v_words[n:], ' '), 100)
    from generate_series(1, least(greatest(cardinality(v_words), 1), 50)) n;
end $$;

-- Stores the names of new members. Security definer: no role may write names directly.
create function private.write_names_of_new_members() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- A profile that is being renamed is waited for.
  perform from nectar.profiles p where p.id in (select n.user_id from new_rows n) order by p.id for share;
  insert into nectar.member_names (org_id, user_id, word_number, full_name, search_text)
  select n.org_id, n.user_id, w.word_number, p.full_name, w.search_text from new_rows n
  join nectar.profiles p on p.id = n.user_id and p.full_name is not null and not p.is_ai
  cross join lateral private.name_words(p.full_name) w;
  return null;
end $$;

-- Stores the name of a profile again for all organizations of its person.
create function private.rewrite_member_names(p_profile nectar.profiles) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  delete from nectar.member_names n where n.user_id = p_profile.id;
  if p_profile.full_name is null or p_profile.is_ai then return; end if;
  -- Locked, because a membership may be ending.
  with memberships as (select m.org_id from nectar.organization_members m where m.user_id = p_profile.id for key share)
  insert into nectar.member_names (org_id, user_id, word_number, full_name, search_text)
  select m.org_id, p_profile.id, w.word_number, p_profile.full_name, w.search_text from memberships m
  cross join private.name_words(p_profile.full_name) w;
end $$;

-- Returns the people of the caller's organizations, or of one, by the beginning of a word of their name, in the order
-- of names. The caller and blocked people are left out. Without a query, p_org_id is needed. Raises
-- organization.not_found or organization.not_a_reader.
create function private.list_people(p_query text, p_org_id uuid, p_after_name text, p_after_id uuid, p_max integer)
  returns table (id uuid, full_name text, avatar_url text, is_ai boolean)
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_not_listed constant uuid[] := private.blocked_users() || v_actor;
  v_from constant text := left(private.search_form(p_query), 100);
  v_role text;
begin
  if p_org_id is not null then
    v_role := private.my_organization_role(p_org_id);
    if v_role is null then
      raise exception 'no such organization' using errcode = 'NX000', detail = 'organization.not_found';
    end if;
    if v_role = 'none' and not private.is_super_admin() then
      raise exception 'not a member' using errcode = 'NX000', detail = 'organization.not_a_reader';
    end if;
  end if;
  -- The inner limits make each query a search; a join may read all names, or all profiles.
  if p_query is null then
    return query
      select p.id, n.full_name, p.avatar_url, p.is_ai
      from (
        select m.full_name, m.user_id from nectar.member_names m
        where m.org_id = p_org_id and m.word_number = 1
          and (m.full_name, m.user_id) > (p_after_name, p_after_id)
          and m.user_id <> all ((select v_not_listed)::uuid[])
        order by m.full_name, m.user_id limit (select p_max)
      ) n
      cross join lateral (select c.id, c.avatar_url, c.is_ai from nectar.profiles c where c.id = n.user_id limit 1) p
      order by n.full_name, n.user_id;
  elsif v_from <> '' then
    return query
      select p.id, n.full_name, p.avatar_url, p.is_ai
      from (
        select distinct m.full_name, m.user_id
        from unnest(
          case when p_org_id is null then array(select private.my_organization_ids()) else array[p_org_id] end
        ) o (org_id)
        cross join lateral (
          select distinct w.full_name, w.user_id from nectar.member_names w
          -- U+10FFFF is no character, so what begins with the words is between these two.
          where w.org_id = o.org_id and w.search_text >= v_from and w.search_text < v_from || U&'\+10FFFF'
            and (w.full_name, w.user_id) > (p_after_name, p_after_id)
            and w.user_id <> all ((select v_not_listed)::uuid[])
          order by w.full_name, w.user_id limit (select p_max)
        ) m
        order by m.full_name, m.user_id limit (select p_max)
      ) n
      cross join lateral (select c.id, c.avatar_url, c.is_ai from nectar.profiles c where c.id = n.user_id limit 1) p
      order by n.full_name, n.user_id;
  end if;
end $$;
grant execute on function private.list_people(text, uuid, text, uuid, integer) to nectar_user;

create trigger organization_members__write_names
  after insert on nectar.organization_members
  referencing new table as new_rows
  for each statement execute function private.write_names_of_new_members();

alter table nectar.member_names enable row level security;

create policy "members see each other's names" on nectar.member_names
  for select to nectar_user using (
    org_id in (select private.my_organization_ids()) or (select private.is_super_admin())
  );

grant select on nectar.member_names to nectar_user;
