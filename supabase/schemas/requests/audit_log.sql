-- Why: What admins change is recorded in the transaction of the change: who, what and when, with ids and the names of
-- fields, never their values. No role may change or delete a row, and none refers to another table, so that deleting an
-- account leaves the log as it is.

create type nectar.audit_target as enum (
  'account', 'appeal', 'battle', 'checkin', 'conversion_rate', 'drop_config', 'drop_template', 'drop_transaction', 'job',
  'message', 'mosaic', 'report', 'synthetic_user', 'user'
);

create table nectar.audit_events (
  id uuid primary key default gen_random_uuid(),
  actor_id uuid not null default private.actor_id(),
  actor_role nectar.user_role not null
    default (case when private.is_super_admin() then 'super_admin' else 'admin' end)::nectar.user_role,
  action text not null,
  target_type nectar.audit_target not null,
  target_id uuid,
  changed text[] not null default '{}',
  request_id uuid,
  created_at timestamptz(3) not null default now(),
  constraint audit_events_action_is_name check (action ~ '^[A-Za-z]{1,100}$'),
  constraint audit_events_changed_are_names check (changed::text ~ '^\{[A-Za-z_,]*\}$')
);
comment on table nectar.audit_events is 'What admins changed. Append-only, and kept for as long as the service exists.';
comment on column nectar.audit_events.actor_role is 'The role before the change.';
comment on column nectar.audit_events.action is 'The operation in the reference, such as updateUserRole.';
comment on column nectar.audit_events.changed is 'Names of the fields that were set.';

create index audit_events_newest_first on nectar.audit_events (created_at desc, id desc);
create index audit_events_actor on nectar.audit_events (actor_id, created_at desc, id desc);
create index audit_events_action on nectar.audit_events (action, created_at desc, id desc);
create index audit_events_target on nectar.audit_events (target_id, created_at desc, id desc);

alter table nectar.audit_events enable row level security;

create policy "a super admin reads the audit log" on nectar.audit_events
  for select to nectar_user using ((select private.is_super_admin()));
create policy "an admin records what they change" on nectar.audit_events
  for insert to nectar_user with check (actor_id = (select private.actor_id()) and (select private.is_admin()));
-- Raises auth.suspended or account.closing: such an admin changes nothing, also by commands that run as the service.
create policy "the service records what an admin changes who may write" on nectar.audit_events
  for insert to nectar_service with check (actor_role = 'user' or private.lock_writer(actor_id, false, false));

grant select, insert (action, target_type, target_id, changed, request_id) on nectar.audit_events to nectar_user;
grant insert (actor_id, actor_role, action, target_type, target_id, changed, request_id)
  on nectar.audit_events to nectar_service;
