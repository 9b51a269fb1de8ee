-- Why: Supabase Realtime sends new rows to open apps. It reads a table under row-level security, as the role of the app's
-- token, and sends what that role sees.

-- Lets Supabase Realtime send notifications and messages to open apps, by the policies that the API has. They are the
-- only tables that a client's token may read, apart from the ids of those entries and goals whose content the client
-- sees, by which the policy of messages finds comments. What the database does not have (the role, the publication) is
-- skipped, and it may be called again.
create function private.open_tables_to_realtime() returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_table text;
begin
  -- Roles are those of the whole server, so the role may exist without Supabase in this database.
  if exists (select from pg_catalog.pg_roles where rolname = 'authenticated')
    and to_regprocedure('auth.uid()') is not null
  then
    grant usage on schema nectar to authenticated;
    grant select (id, user_id, type, data, created_at, read_at) on nectar.notifications to authenticated;
    grant select (id, team_id, squad_id, entry_id, goal_id, room_id, sender_id, content, created_at) on nectar.team_messages to authenticated;
    -- Apps get by the same policies what they read from the API. What the policies call is not run as the table's owner.
    alter policy "a person sees their own notifications" on nectar.notifications to nectar_user, authenticated;
    alter policy "readers of a room see messages, not hidden or blocked ones"
      on nectar.team_messages to nectar_user, authenticated;
    grant select (id) on nectar.journal_entries to authenticated;
    grant select (entry_id) on nectar.journal_entry_contents to authenticated;
    grant select (goal_id) on nectar.goal_contents to authenticated;
    alter policy "an entry is seen by its author and its audience"
      on nectar.journal_entries to nectar_user, authenticated;
    alter policy "content is seen by its author and both its audiences"
      on nectar.journal_entry_contents to nectar_user, authenticated;
    alter policy "a description is seen by its owner and both its audiences"
      on nectar.goal_contents to nectar_user, authenticated;
    -- Supabase gives this role to tokens of programs of others as well.
    foreach v_table in array '{notifications,team_messages}'::text[] loop
      execute format('drop policy if exists "programs of others see nothing" on nectar.%I', v_table);
      execute format(
        'create policy "programs of others see nothing" on nectar.%I as restrictive for select to authenticated
           using (not (select private.is_program()))', v_table
      );
    end loop;
    grant execute on function private.actor_id(), private.is_program(), private.blocked_users(),
      private.is_in_squad(uuid), private.is_super_admin(), private.my_audiences(), private.public_audience(),
      private.withdrawn_shares(), private.member_share(uuid, uuid),
      private.is_withdrawn(uuid, uuid, boolean, uuid, uuid[]),
      private.is_reached(uuid, uuid, uuid[], uuid[]), private.sees_unshared(), private.can_see_entry(uuid),
      private.can_see_content(uuid, uuid) to authenticated;
  end if;
  if exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    foreach v_table in array '{notifications,team_messages}'::text[] loop
      if not exists (
        select from pg_catalog.pg_publication_tables
        where pubname = 'supabase_realtime' and schemaname = 'nectar' and tablename = v_table
      ) then
        execute format('alter publication supabase_realtime add table nectar.%I', v_table);
      end if;
    end loop;
  end if;
end $$;
