-- Why: A person who asks to be erased has a week to change their mind. Until then the account is closing: the person reads
-- and exports, and nothing is done for them or with them. The times are in the account, where private.begin_as_user reads
-- them.

create type private.erasure_times as (requested_at text, erases_at text);
create type private.erasure_preview as (
  entries bigint, drops_balance integer, subscription_active boolean, tone_packs_with_buyers bigint,
  organizations_to_transfer private.named[], organizations_handed_back private.named[],
  organizations_removed private.named[], teams_handed_over bigint
);
create type private.erasure as (preview private.erasure_preview, scheduled private.erasure_times);
comment on type private.erasure is 'What erasing an account would do, and when it is scheduled.';

-- Describes what erasing the caller would do (preview), and the times of a scheduled erasure. Security definer: buyers
-- and members of others are invisible to the caller.
create function private.read_erasure() returns private.erasure
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  return (
    with owned as (
      select o.id, o.name, o.is_used, exists (
        select from nectar.organization_members m
        where m.org_id = o.id and m.user_id <> v_actor and private.is_human(m.user_id)
      ) as has_others
      from nectar.organizations o where o.owner_id = v_actor
    )
    select row(
      row(
        (select count(*) from nectar.journal_entries e where e.user_id = v_actor),
        a.drops_balance,
        cardinality(private.open_subscriptions(v_actor)) > 0,
        (
          select count(*) from nectar.tone_packs p
          where p.owner_id = v_actor and exists (
            select from nectar.tone_pack_purchases b where b.pack_id = p.id and b.refunded_at is null
          )
        ),
        array(select row(o.id, o.name)::private.named from owned o where o.has_others and o.is_used order by o.name, o.id),
        array(select row(o.id, o.name)::private.named from owned o where o.has_others and not o.is_used order by o.name, o.id),
        array(select row(o.id, o.name)::private.named from owned o where not o.has_others order by o.name, o.id),
        (
          select count(*) from nectar.teams t
          where t.admin_id = v_actor and t.org_id not in (select o.id from owned o where not o.has_others)
        )
      )::private.erasure_preview,
      case when a.erases_at is not null then
        row(private.rfc3339(a.erasure_requested_at), private.rfc3339(a.erases_at))::private.erasure_times
      end
    )::private.erasure
    from nectar.accounts a where a.user_id = v_actor
  );
end $$;
grant execute on function private.read_erasure() to nectar_user;

-- Queues a player for matching, which leaves out people whose account is closing.
create function private.match_again(p_user_id uuid) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.players_to_match (user_id)
  select w.user_id from nectar.workout_windows w where w.user_id = p_user_id;
end $$;

-- Closes the account of the caller, to be erased now or later, and returns both times as the API sends them. A repeated
-- request keeps the time of the first, and never postpones the erasure. Raises admin.last_super_admin, and
-- service.unexpected unless the moment is now. Security definer: no role may write these columns.
create function private.request_erasure(p_is_now boolean, p_moment timestamptz) returns private.erasure_times
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_delay constant interval := interval '7 days';
  v_actor constant uuid := private.actor_id();
  v_requested_at timestamptz;
  v_erases_at timestamptz;
begin
  perform private.check_moment(p_moment);
  -- Waits for the transactions in which the person is writing, as private.suspend_user does.
  perform private.stop_writes(v_actor);
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
  where a.user_id = v_actor returning a.erasure_requested_at, a.erases_at into v_requested_at, v_erases_at;
  perform private.match_again(v_actor);
  return row(private.rfc3339(v_requested_at), private.rfc3339(v_erases_at))::private.erasure_times;
end $$;
grant execute on function private.request_erasure(boolean, timestamptz) to nectar_user;

-- Opens the closing account of the caller again; does nothing if it is not closing. Raises account.being_erased once
-- the erasure has begun. Security definer: no role may write these columns.
create function private.restore_account() returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  update nectar.accounts a set erasure_requested_at = null, erases_at = null
  where a.user_id = v_actor and a.erasing_since is null;
  if not found then raise exception 'being erased' using errcode = 'NX000', detail = 'account.being_erased'; end if;
  perform private.match_again(v_actor);
end $$;
grant execute on function private.restore_account() to nectar_user;
