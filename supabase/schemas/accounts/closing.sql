-- Why: A person who asks to be erased has a week to change their mind. Until then the account is closing: the person reads
-- and exports, and nothing is done for them or with them. The times are in the account, where private.begin_as_user reads
-- them.

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.read_erasure() returns json
  language plpgsql stable security definer
  set search_path = ''
  as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  return (
    with owned as (
      select o.id, o.name, o.is_used, exists (
        select from nectar.organization_members m
        where m.org_id = o.id and m.user_id <> v_actor and private.is_human(m.user_id)
      ) as has_others
      from nectar.organizations o
      where o.owner_id = v_actor
    )
    select json_build_object(
      'preview', json_build_object(
        'entries', (select count(*) from nectar.journal_entries e where e.user_id = v_actor),
        'drops_balance', a.drops_balance,
        'subscription_active', cardinality(private.open_subscriptions(v_actor)) > 0,
        'tone_packs_with_buyers', (
          select count(*)
          from nectar.tone_packs p
          where p.owner_id = v_actor and exists (
            select from nectar.tone_pack_purchases b where b.pack_id = p.id and b.refunded_at is null
          )
        ),
        'organizations_to_transfer', (
          select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id), '[]')
          from owned o where o.has_others and o.is_used
        ),
        'organizations_handed_back', (
          select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id), '[]')
          from owned o where o.has_others and not o.is_used
        ),
        'organizations_removed', (
          select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id), '[]')
          from owned o where not o.has_others
        ),
        'teams_handed_over', (
          select count(*)
          from nectar.teams t
          where t.admin_id = v_actor and t.org_id not in (select o.id from owned o where not o.has_others)
        )
      ),
      'scheduled', case when a.erases_at is not null then json_build_object(
        'requested_at', private.rfc3339(a.erasure_requested_at), 'erases_at', private.rfc3339(a.erases_at)
      ) end
    )
    from nectar.accounts a
    where a.user_id = v_actor
  );
end
$$;
comment on function private.read_erasure() is
  'What erasing the caller would do (preview), and the times of a scheduled erasure, as the API sends them. Security definer: buyers and members of others are invisible to the caller.';
grant execute on function private.read_erasure() to nectar_user;

create function private.match_again(p_user_id uuid) returns void
  language plpgsql volatile security invoker
  set search_path = ''
  as $$
begin
  insert into private.players_to_match (user_id)
  select w.user_id from nectar.workout_windows w where w.user_id = p_user_id;
end
$$;
comment on function private.match_again(uuid) is
  'Queues a player for matching, which leaves out people whose account is closing.';

create function private.request_erasure(p_is_now boolean, p_moment timestamptz) returns json
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_delay constant interval := interval '7 days';
  v_actor constant uuid := private.actor_id();
  v_requested_at timestamptz;
  v_erases_at timestamptz;
begin
  perform private.check_moment(p_moment);
  -- Waits for the transactions in which the person is writing, as private.suspend_user does.
  perform from nectar.profiles p where p.id = v_actor for update;
  if private.is_super_admin() then
    -- As in private.change_user_role: the second of two at the same time sees the result of the first.
    perform from nectar.user_roles r where r.role = 'super_admin' for update;
    if not private.is_other_super_admin_left(v_actor) then
      raise exception 'the last super admin' using errcode = 'NX000', detail = 'admin.last_super_admin';
    end if;
  end if;
  update nectar.accounts a
  set erasure_requested_at = coalesce(a.erasure_requested_at, p_moment),
      erases_at = least(a.erases_at, case when p_is_now then p_moment else p_moment + v_delay end)
  where a.user_id = v_actor
  returning a.erasure_requested_at, a.erases_at into v_requested_at, v_erases_at;
  perform private.match_again(v_actor);
  return json_build_object(
    'requested_at', private.rfc3339(v_requested_at), 'erases_at', private.rfc3339(v_erases_at)
  );
end
$$;
comment on function private.request_erasure(boolean, timestamptz) is
  'Closes the account of the caller, to be erased now or in 7 days, and returns both times as the API sends them. A repeated request keeps the time of the first, and never postpones the erasure. Raises admin.last_super_admin, and service.unexpected unless the moment is now. Security definer: no role may write these columns.';
grant execute on function private.request_erasure(boolean, timestamptz) to nectar_user;

create function private.restore_account() returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  update nectar.accounts a set erasure_requested_at = null, erases_at = null
  where a.user_id = v_actor and a.erasing_since is null;
  if not found then
    raise exception 'being erased' using errcode = 'NX000', detail = 'account.being_erased';
  end if;
  perform private.match_again(v_actor);
end
$$;
comment on function private.restore_account() is
  'Opens the closing account of the caller again; does nothing if it is not closing. Raises account.being_erased once the erasure has begun. Security definer: no role may write these columns.';
grant execute on function private.restore_account() to nectar_user;
