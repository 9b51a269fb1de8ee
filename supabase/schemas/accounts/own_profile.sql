-- Why: A profile as its person sees it is a card, an account and a role.

create type private.own_profile as (
  id uuid, email text, full_name text, avatar_url text, preferences jsonb, drops_balance integer, is_ai boolean,
  role nectar.user_role, read_notes_enabled boolean, check_in_enabled boolean, timezone text, leaderboard_visible boolean,
  is_premium boolean, suspended_until text, created_at text, updated_at text
);

-- Returns the profile of the caller as an object; null for other people, who have no account that the caller may see.
create function private.read_profile(p_user_id uuid) returns private.own_profile
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select row(
      p.id, a.email, p.full_name, p.avatar_url,
      a.preferences || jsonb_build_object(
        -- Null while the pack is hidden by moderation; it is active again if that is reversed.
        'active_tone_pack_id', (select t.id from nectar.tone_packs t where t.id = a.active_tone_pack_id)
      ),
      a.drops_balance, p.is_ai, coalesce(r.role, 'user'), a.read_notes_enabled, a.check_in_enabled, a.timezone,
      a.leaderboard_visible, a.is_premium,
      case when a.suspended_until > now() then private.rfc3339(a.suspended_until) end,
      private.rfc3339(p.created_at), private.rfc3339(greatest(p.updated_at, a.updated_at))
    )::private.own_profile
    from nectar.profiles p
    join nectar.accounts a on a.user_id = p.id
    left join nectar.user_roles r on r.user_id = p.id
    where p.id = p_user_id
  );
end $$;
grant execute on function private.read_profile(uuid) to nectar_user;
