-- Why: A profile as its person sees it is a card, an account and a role.

create view nectar.own_profiles with (security_invoker = true) as
select p.id, a.email, p.full_name, p.avatar_url,
  a.preferences || jsonb_build_object(
    -- Null while the pack is hidden by moderation; it is active again if that is reversed.
    'active_tone_pack_id', (select t.id from nectar.tone_packs t where t.id = a.active_tone_pack_id)
  ) as preferences,
  a.drops_balance, p.is_ai, coalesce(r.role, 'user') as role, a.read_notes_enabled, a.check_in_enabled, a.timezone,
  a.leaderboard_visible, a.is_premium, case when a.suspended_until > now() then a.suspended_until end as suspended_until,
  p.created_at, greatest(p.updated_at, a.updated_at) as updated_at, a.version
from nectar.profiles p
join nectar.accounts a on a.user_id = p.id
left join nectar.user_roles r on r.user_id = p.id;
comment on view nectar.own_profiles is 'Profiles as the API sends them. The caller sees only their own.';
grant select on nectar.own_profiles to nectar_user;
