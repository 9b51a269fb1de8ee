-- Why: A suspended person may read, and write little: decision 31 lists what stays open, such as blocking people,
-- appealing, exporting and erasing. The date is in the account, which only the person sees, and private.begin_as_user
-- compares it with the time, so that a suspension ends by itself.

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.suspend_user(p_user_id uuid, p_until timestamptz) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform from nectar.profiles p where p.id = p_user_id for update;
  update nectar.accounts a set suspended_until = p_until where a.user_id = p_user_id;
end
$$;
comment on function private.suspend_user(uuid, timestamptz) is
  'Suspends a person until a time, or ends their suspension (null). Waits until transactions in which the person is writing have ended; later ones wait until this one has. Called before other rows of the person are locked. Security definer: no role may write this column.';

create function private.refuse_suspended_admin() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  perform private.lock_writer(new.actor_id, false, false);
  return new;
end
$$;
comment on function private.refuse_suspended_admin() is
  'Trigger: an admin who is suspended, or whose account is closing, changes nothing, also by commands that run as the service. Raises auth.suspended or account.closing. Security definer: the service may not call private.lock_writer.';

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger audit_events_refuse_suspended_admin
  before insert on nectar.audit_events
  for each row when (new.actor_role <> 'user')
  execute function private.refuse_suspended_admin();
