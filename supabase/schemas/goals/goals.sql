-- Why: A goal has a status, and a check-in says how a day of it went. Only the person sees them.

create type nectar.goal_status as enum ('active', 'paused', 'completed', 'abandoned');

create type nectar.goal_check_in_status as enum ('completed', 'partial', 'missed', 'skipped');

create table nectar.goals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  title text not null,
  description text not null default '',
  target_date date,
  status nectar.goal_status not null default 'active',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (id, user_id),
  constraint goals_title_length check (char_length(title) between 1 and 200),
  constraint goals_description_length check (char_length(description) <= 5000)
);
comment on table nectar.goals is 'Goals of a person.';

create table nectar.goal_check_ins (
  id uuid primary key default gen_random_uuid(),
  goal_id uuid not null,
  user_id uuid not null default private.actor_id(),
  status nectar.goal_check_in_status not null,
  notes text not null default '',
  check_in_date date not null,
  created_at timestamptz(3) not null default now(),
  -- People check in to their own goals only.
  constraint goal_check_ins_goal_is_own foreign key (goal_id, user_id)
    references nectar.goals (id, user_id) on delete cascade,
  constraint goal_check_ins_notes_length check (char_length(notes) <= 2000)
);
comment on table nectar.goal_check_ins is 'How it went with a goal on a day.';
comment on column nectar.goal_check_ins.check_in_date is 'By the calendar of the person''s time zone.';

create index goals_newest_first on nectar.goals (user_id, created_at desc, id desc);
create index goal_check_ins_newest_first on nectar.goal_check_ins (goal_id, user_id, created_at desc, id desc);

create function private.guard_goal_status() returns trigger
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  if old.status in ('completed', 'abandoned') and new.status <> 'active' then
    raise exception 'the goal has ended' using errcode = 'NX000', detail = 'goal.illegal_transition';
  end if;
  return new;
end $$;
comment on function private.guard_goal_status() is
  'Refuses that a completed or abandoned goal becomes anything but active (goal.illegal_transition).';

-- Security definer: locking needs a privilege on the whole row.
create function private.require_open_goal(p_goal_id uuid, p_user_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_status nectar.goal_status;
begin
  -- The lock waits for a transaction that is ending the goal, and keeps the goal open until the check-in is written.
  select g.status into v_status from nectar.goals g where g.id = p_goal_id and g.user_id = p_user_id for share;
  if v_status in ('completed', 'abandoned') then
    raise exception 'the goal has ended' using errcode = 'NX000', detail = 'goal.not_open';
  end if;
  return true;
end $$;
comment on function private.require_open_goal(uuid, uuid) is
  'Requires that a goal is open until the transaction ends, for the policy of check-ins (goal.not_open).';
grant execute on function private.require_open_goal(uuid, uuid) to nectar_user;

create function private.list_goals(
  p_user_id uuid, p_status nectar.goal_status, p_after timestamptz, p_after_id uuid, p_max integer
) returns setof nectar.goals
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return query
    select g.* from nectar.goals g
    where g.user_id = p_user_id and (p_status is null or g.status = p_status)
      and (g.created_at, g.id) < (p_after, p_after_id)
    order by g.created_at desc, g.id desc limit p_max;
end $$;
comment on function private.list_goals(uuid, nectar.goal_status, timestamptz, uuid, integer) is
  'Returns a page of a person''s goals with a status, or with any if it is null, newest first, after a row (its time and id). Nullable: p_status.';
grant execute on function private.list_goals(uuid, nectar.goal_status, timestamptz, uuid, integer) to nectar_user;

create trigger goals__guard_status
  before update of status on nectar.goals
  for each row when (old.status is distinct from new.status)
  execute function private.guard_goal_status();
create trigger goals__touch_updated_at
  before update on nectar.goals
  for each row when (
    (old.title, old.description, old.target_date, old.status)
    is distinct from (new.title, new.description, new.target_date, new.status)
  )
  execute function private.touch_updated_at();
create trigger goals__delete_stored_responses
  after delete on nectar.goals
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();
create trigger goal_check_ins__delete_stored_responses
  after delete on nectar.goal_check_ins
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.goals enable row level security;
alter table nectar.goal_check_ins enable row level security;

create policy "a person sees their own goals" on nectar.goals
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person sets goals of their own" on nectar.goals
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person changes their own goals" on nectar.goals
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "a person deletes their own goals" on nectar.goals
  for delete to nectar_user using (user_id = (select private.actor_id()));

create policy "a person sees their own check-ins" on nectar.goal_check_ins
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person checks in to their own open goals" on nectar.goal_check_ins
  for insert to nectar_user
  with check (user_id = (select private.actor_id()) and private.require_open_goal(goal_id, user_id));
create policy "a person corrects their own check-ins" on nectar.goal_check_ins
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "a person deletes their own check-ins" on nectar.goal_check_ins
  for delete to nectar_user using (user_id = (select private.actor_id()));

grant select, delete, insert (title, description, target_date), update (title, description, target_date, status)
  on nectar.goals to nectar_user;
grant select, delete, insert (goal_id, status, notes, check_in_date), update (status, notes)
  on nectar.goal_check_ins to nectar_user;
