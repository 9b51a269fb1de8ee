-- Why: A person's page is open to those who have to do with them: in an organization, in the game, by a drop, or because
-- something of theirs is public. For everyone else there is no such person.

-- Returns whether the caller is in an organization of a person.
create function private.shares_organization(p_user_id uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (
    select from nectar.organization_members m
    where m.user_id = p_user_id and m.org_id in (select private.my_organization_ids())
  );
end $$;
grant execute on function private.shares_organization(uuid) to nectar_user;

-- Returns whether the caller may see the page of a person, if there is no block between them. PL/pgSQL, which looks the
-- tables up when it runs: most of them are created later. The caller sees themselves, the assistant, people of their
-- organizations, of their chain or squad on one of the last 30 dates, who sent them a drop or got one from them, or who
-- have something public. The policies of the caller apply, so that what is hidden does not count.
create function private.can_see_person(p_user_id uuid, p_moment timestamptz) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
  v_today constant date := private.date_of(v_actor, p_moment);
begin
  return p_user_id in (v_actor, private.system_user_id())
    or private.shares_organization(p_user_id)
    or exists (
      select from nectar.chains c
      left join nectar.squads s on s.id = c.squad_id
      where c.user_id = v_actor and c.date > v_today - 30 and c.date <= v_today
        and p_user_id in (c.before_user_id, c.after_user_id, s.user_1_id, s.user_2_id, s.user_3_id)
    )
    or exists (select from nectar.encouragement_drops d where d.recipient_id = v_actor and d.sender_id = p_user_id)
    or exists (select from nectar.encouragement_drops d where d.sender_id = v_actor and d.recipient_id = p_user_id)
    or exists (select from nectar.tone_packs t where t.owner_id = p_user_id and t.is_public and t.hidden_at is null)
    or exists (
      select from nectar.notebooks n where n.user_id = p_user_id and n.metadata_audience_id = private.public_audience()
    )
    or exists (
      select from nectar.goals g where g.user_id = p_user_id and g.metadata_audience_id = private.public_audience()
    )
    or exists (
      select from nectar.journal_entries e
      where e.user_id = p_user_id and e.metadata_audience_id = private.public_audience()
    );
end $$;
grant execute on function private.can_see_person(uuid, timestamptz) to nectar_user;

create type private.card as (id uuid, full_name text, avatar_url text, is_ai boolean);
comment on type private.card is 'A user with their name and picture.';

create type private.user_page as (
  id uuid, full_name text, avatar_url text, is_ai boolean, badge_level smallint, shared_organizations private.named[]
);
comment on type private.user_page is 'A user as others see them. Synthetic users have no badge.';

-- Returns the page of a person as an object, with organizations of both; null if the caller may not see it.
create function private.read_user(p_user_id uuid, p_moment timestamptz) returns private.user_page
  language plpgsql stable security invoker set search_path = '' as $$
begin
  -- Looks for a block last, so that it takes no less time than for a stranger.
  if not private.can_see_person(p_user_id, p_moment) or p_user_id = any (private.blocked_users()) then
    return null;
  end if;
  return (
    select row(
      p.id, p.full_name, p.avatar_url, p.is_ai, case when not p.is_ai then b.level end,
      array(
        select row(o.id, o.name)::private.named from nectar.organization_members m
        join nectar.organizations o on o.id = m.org_id
        where m.user_id = p.id and m.org_id in (select private.my_organization_ids()) order by o.name, o.id limit 500
      )
    )::private.user_page
    from nectar.profiles p
    left join nectar.user_badges b on b.user_id = p.id
    where p.id = p_user_id
  );
end $$;
grant execute on function private.read_user(uuid, timestamptz) to nectar_user;
