-- Why: A profile as its person sees it is a card, an account and a role.

-- Views ---------------------------------------------------------------------------------------------------------------
create view nectar.own_profile with (security_invoker = true) as
select
  p.id, a.email, p.full_name, p.avatar_url,
  a.preferences || jsonb_build_object('active_tone_pack_id', a.active_tone_pack_id) as preferences,
  a.drops_balance, p.is_ai, coalesce(r.role, 'user') as role, a.read_notes_enabled, a.check_in_enabled, a.timezone,
  a.is_premium, p.created_at, greatest(p.updated_at, a.updated_at) as updated_at
from nectar.profiles p
join nectar.accounts a on a.user_id = p.id
left join nectar.user_roles r on r.user_id = p.id;
comment on view nectar.own_profile is 'The profile of the caller: others have no account that the caller may see.';
grant select on nectar.own_profile to nectar_user;

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.read_profile(p_user_id uuid) returns setof nectar.own_profile
  language plpgsql stable security invoker
  set search_path = ''
  as $$
begin
  return query select p.* from nectar.own_profile p where p.id = p_user_id;
end
$$;
comment on function private.read_profile(uuid) is 'The profile of the caller; no row for other people.';
grant execute on function private.read_profile(uuid) to nectar_user;
