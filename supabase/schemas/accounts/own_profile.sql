-- Why: A profile as its person sees it is a card, an account and a role.

create function private.read_profile(p_user_id uuid) returns json
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return (
    select row_to_json(sent)
    from (
      select p.id, a.email, p.full_name, p.avatar_url,
        a.preferences || jsonb_build_object(
          -- Null while the pack is hidden by moderation; it is active again if that is reversed.
          'active_tone_pack_id', (select t.id from nectar.tone_packs t where t.id = a.active_tone_pack_id)
        ) as preferences,
        a.drops_balance, p.is_ai, coalesce(r.role, 'user') as role, a.read_notes_enabled, a.check_in_enabled,
        a.timezone, a.leaderboard_visible, a.is_premium,
        case when a.suspended_until > now() then private.rfc3339(a.suspended_until) end as suspended_until,
        private.rfc3339(p.created_at) as created_at,
        private.rfc3339(greatest(p.updated_at, a.updated_at)) as updated_at
      from nectar.profiles p
      join nectar.accounts a on a.user_id = p.id
      left join nectar.user_roles r on r.user_id = p.id
      where p.id = p_user_id
    ) sent
  );
end $$;
comment on function private.read_profile(uuid) is
  'Returns the profile of the caller as an object; null for other people, who have no account that the caller may see.';
grant execute on function private.read_profile(uuid) to nectar_user;
