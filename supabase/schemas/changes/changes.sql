-- Why: A device asks for what changed since it last asked. A sequence or a clock cannot say: a change that takes its
-- number early and commits late would be skipped. A version is the transaction that wrote it. All transactions below the
-- oldest one that still runs have ended, so a walk that ends there has missed nothing, and the next one begins there.

-- Returns what a walk through the changes starts from: what this database is, the oldest transaction that still runs, and
-- the next one. Another database, or a restored one, has another epoch: a restored backup begins a timeline, and a dump is
-- loaded into tables that are new or were truncated, which have another file. Only the primary can say. Security definer:
-- no role of ours may read the control file everywhere.
create function private.change_horizon(out epoch text, out oldest xid8, out next xid8)
  language plpgsql volatile security definer set search_path = '' as $$
begin
  epoch := concat_ws(
    ' ', (select s.system_identifier from pg_control_system() s), left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
    (select d.oid from pg_catalog.pg_database d where d.datname = current_database()),
    pg_relation_filenode('private.removed_things')
  );
  oldest := pg_snapshot_xmin(pg_current_snapshot());
  next := pg_snapshot_xmax(pg_current_snapshot());
end $$;
grant execute on function private.change_horizon() to nectar_user;

-- Returns the caller's things of some types whose version is below a bound, by version and id, after a position. A first
-- walk has nothing that was removed, but it has rows that came with a dump from a cluster with greater versions. Security
-- definer: no role may read removed things.
create function private.list_changes(
  p_types nectar.thing_type[], p_after xid8, p_after_id uuid, p_bound xid8, p_is_first boolean, p_max integer
) returns table (type nectar.thing_type, id uuid, version xid8, removed boolean)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_me constant uuid := private.actor_id();
  v_foreign constant xid8 := case when p_is_first then pg_snapshot_xmax(pg_current_snapshot()) end;
begin
  return query
    (
      select 'entry'::nectar.thing_type, e.id, e.version, false from nectar.journal_entries e
      where 'entry' = any (p_types) and e.user_id = v_me and (e.version, e.id) > (p_after, p_after_id)
        and (e.version < p_bound or e.version >= v_foreign)
      order by e.version, e.id limit (select p_max)
    )
    union all
    (
      select 'notebook', n.id, n.version, false from nectar.notebooks n
      where 'notebook' = any (p_types) and n.user_id = v_me and (n.version, n.id) > (p_after, p_after_id)
        and (n.version < p_bound or n.version >= v_foreign)
      order by n.version, n.id limit (select p_max)
    )
    union all
    (
      select 'goal', g.id, g.version, false from nectar.goals g
      where 'goal' = any (p_types) and g.user_id = v_me and (g.version, g.id) > (p_after, p_after_id)
        and (g.version < p_bound or g.version >= v_foreign)
      order by g.version, g.id limit (select p_max)
    )
    union all
    (
      select 'goal_check_in', k.id, k.version, false from nectar.goal_check_ins k
      where 'goal_check_in' = any (p_types) and k.user_id = v_me and (k.version, k.id) > (p_after, p_after_id)
        and (k.version < p_bound or k.version >= v_foreign)
      order by k.version, k.id limit (select p_max)
    )
    union all
    (
      select 'wellness_entry', w.id, w.version, false from nectar.wellness_entries w
      where 'wellness_entry' = any (p_types) and w.user_id = v_me and (w.version, w.id) > (p_after, p_after_id)
        and (w.version < p_bound or w.version >= v_foreign)
      order by w.version, w.id limit (select p_max)
    )
    union all
    (
      -- In the trash they have no entry.
      select 'picture', p.id, p.version, p.entry_id is null from nectar.entry_pictures p
      where 'picture' = any (p_types) and p.user_id = v_me and (p.version, p.id) > (p_after, p_after_id)
        and (p.version < p_bound or p.version >= v_foreign)
        and not (p_is_first and p.entry_id is null)
      order by p.version, p.id limit (select p_max)
    )
    union all
    (
      select 'profile', a.user_id, a.version, false from nectar.accounts a
      where 'profile' = any (p_types) and a.user_id = v_me and (a.version, a.user_id) > (p_after, p_after_id)
        and (a.version < p_bound or a.version >= v_foreign)
    )
    union all
    (
      select r.type, r.id, r.version, true from private.removed_things r
      where not p_is_first and r.type = any (p_types) and r.user_id = v_me
        and (r.version, r.id) > (p_after, p_after_id) and r.version < p_bound
      order by r.version, r.id limit (select p_max)
    )
    order by 3, 2 limit (select p_max);
end $$;
grant execute on function private.list_changes(nectar.thing_type[], xid8, uuid, xid8, boolean, integer) to nectar_user;
