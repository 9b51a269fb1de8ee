-- Why: Service-wide roles are few and powerful, so no role of the API may write them. They change through two
-- functions: one for the confirmed addresses that the environment names, one for super admins.

create type nectar.user_role as enum ('user', 'admin', 'super_admin');

create table nectar.user_roles (
  user_id uuid primary key references nectar.profiles (id) on delete cascade,
  role nectar.user_role not null,
  granted_at timestamptz(3) not null default now()
);
comment on table nectar.user_roles is 'Service-wide roles. No row means user. No user can write it.';

create trigger user_roles__stamp_account
  after insert or update or delete on nectar.user_roles
  for each row execute function private.stamp_account('user_id');

-- Returns whether the caller is a super admin. PL/pgSQL, because it keeps its plan for the session; a SQL function
-- would be planned again in every query with the policy. Security definer: policies on other tables call it.
create function private.is_super_admin() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from nectar.user_roles r where r.user_id = private.actor_id() and r.role = 'super_admin')
    and not private.is_program();
end $$;
grant execute on function private.is_super_admin() to nectar_user, nectar_service;

-- Returns whether the caller is an admin or a super admin. Security definer: policies on other tables call it.
create function private.is_admin() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from nectar.user_roles r where r.user_id = private.actor_id() and r.role in ('admin', 'super_admin')
  ) and not private.is_program();
end $$;
grant execute on function private.is_admin() to nectar_user;

-- Gives a role to the owner of a confirmed address that the environment names, unless they have one; false if there is
-- no such account. The caller tries again later if there is none. The change is recorded in the audit log. Security
-- definer: the service may not read Auth's users or write roles.
create function private.bootstrap_role(p_user_id uuid, p_address text, p_role nectar.user_role) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from nectar.profiles p
  join auth.users u on u.id = p.id
  where p.id = p_user_id and lower(u.email) = lower(p_address) and u.email_confirmed_at is not null for key share of p;
  if not found then return false; end if;
  insert into nectar.user_roles (user_id, role) values (p_user_id, p_role) on conflict (user_id) do nothing;
  if found then
    insert into nectar.audit_events (actor_id, actor_role, action, target_type, target_id, changed)
    values (p_user_id, 'user', 'bootstrapRole', 'user', p_user_id, '{role}');
  end if;
  return true;
end $$;
grant execute on function private.bootstrap_role(uuid, text, nectar.user_role) to nectar_service;

-- Returns whether there is another super admin whose account is not closing. The caller has locked all super admins.
create function private.is_other_super_admin_left(p_user_id uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (
    select from nectar.user_roles r
    join nectar.accounts a on a.user_id = r.user_id
    where r.user_id <> p_user_id and r.role = 'super_admin' and a.erases_at is null
  );
end $$;

-- Changes the service-wide role of a human, for super admins only. Raises auth.forbidden, user.not_found or
-- admin.last_super_admin. Security definer: no role may write roles directly.
create function private.change_user_role(p_user_id uuid, p_role nectar.user_role) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.is_super_admin() then
    raise exception 'only for super admins' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  -- Locks all super admins, so that the second of two demotions at the same time sees the result of the first.
  perform from nectar.user_roles r where r.role = 'super_admin' for update;
  if not private.is_super_admin() then
    raise exception 'not a super admin any more' using errcode = 'NX000', detail = 'auth.forbidden';
  end if;
  -- One who cannot sign in would count as another admin.
  if private.is_human(p_user_id) is not true then
    raise exception 'no such user' using errcode = 'NX000', detail = 'user.not_found';
  end if;
  if p_role <> 'super_admin'
    and exists (select from nectar.user_roles r where r.user_id = p_user_id and r.role = 'super_admin')
    and not private.is_other_super_admin_left(p_user_id)
  then
    raise exception 'the last super admin' using errcode = 'NX000', detail = 'admin.last_super_admin';
  end if;
  -- A plain user keeps a row: without one, the environment's list of admins would give the role again.
  insert into nectar.user_roles as r (user_id, role) values (p_user_id, p_role)
  on conflict (user_id) do update set role = excluded.role, granted_at = now() where r.role <> excluded.role;
end $$;
grant execute on function private.change_user_role(uuid, nectar.user_role) to nectar_user;

alter table nectar.user_roles enable row level security;

create policy "a person sees their own role, and a program none" on nectar.user_roles
  for select to nectar_user using (user_id = (select private.actor_id()) and not (select private.is_program()));
create policy "the service reads roles" on nectar.user_roles for select to nectar_service using (true);

grant select on nectar.user_roles to nectar_user;
grant select on nectar.user_roles to nectar_service;
