-- Why: A goal has a status, and a check-in says how a day of it went. Goals are shared like notebooks: metadata and
-- content have tables and policies of their own.

create type nectar.goal_status as enum ('active', 'paused', 'completed', 'abandoned');

create type nectar.goal_check_in_status as enum ('completed', 'partial', 'missed', 'skipped');

create table nectar.goals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  title text not null,
  target_date date,
  status nectar.goal_status not null default 'active',
  weekdays smallint[],
  started_on date not null default private.today(),
  streak integer not null default 0,
  longest_streak integer not null default 0,
  streak_ends_on date,
  comments_enabled boolean not null default true,
  metadata_visibility nectar.visibility not null default 'user',
  content_visibility nectar.visibility not null default 'user',
  team_id uuid references nectar.teams (id),
  org_id uuid references nectar.organizations (id),
  metadata_audience_id uuid not null default private.actor_id(),
  content_audience_id uuid not null default private.actor_id(),
  hidden_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version xid8 not null default pg_current_xact_id(),
  unique (id, user_id),
  constraint goals_title_length check (char_length(title) between 1 and 200),
  constraint goals_weekdays check (cardinality(weekdays) between 1 and 7 and weekdays <@ '{1,2,3,4,5,6,7}'),
  constraint goals_team_is_named check (
    team_id is not null or (metadata_visibility <> 'team' and content_visibility <> 'team')
  ),
  constraint goals_org_is_named check (
    org_id is not null or (metadata_visibility <> 'org' and content_visibility <> 'org')
  )
);
comment on table nectar.goals is 'What may be known about a goal: its metadata.';
comment on column nectar.goals.weekdays is 'The days on which it is due, ascending; 1 is Monday. Null: every day with a check-in.';
comment on column nectar.goals.started_on is 'The day of its creation in the time zone of its owner.';
comment on column nectar.goals.streak is 'The streak on the day of the last check-in; with the next two columns counted by private.recount_streaks.';
comment on column nectar.goals.streak_ends_on is 'The first due day after the last check-in: the streak has ended when it is over.';
comment on column nectar.goals.metadata_audience_id is 'Who besides the owner sees the goal and its check-ins; kept by trigger.';
comment on column nectar.goals.content_audience_id is 'Who besides the owner sees the description and the notes of check-ins, given they see the goal; kept by trigger.';
comment on column nectar.goals.hidden_at is 'Since when only the owner sees the goal, by a decision of an admin.';
comment on column nectar.goals.version is 'The transaction that last changed what a client sees of the goal itself, for its etag and the feed of changes.';

create table nectar.goal_contents (
  goal_id uuid primary key references nectar.goals (id) on delete cascade,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  description text not null default '',
  comment_count integer not null default 0,
  metadata_audience_id uuid not null,
  content_audience_id uuid not null,
  constraint goal_contents_description_length check (char_length(description) <= 5000)
);
comment on table nectar.goal_contents is
  'The description of a goal, one row each, guarded by a policy of its own. Written by a trigger, apart from the description.';
comment on column nectar.goal_contents.comment_count is 'Kept by trigger: all comments on the goal, also those that not everyone sees.';

create table nectar.goal_check_ins (
  id uuid primary key default gen_random_uuid(),
  goal_id uuid not null,
  user_id uuid not null default private.actor_id(),
  status nectar.goal_check_in_status not null,
  check_in_date date not null,
  created_at timestamptz(3) not null default now(),
  version xid8 not null default pg_current_xact_id(),
  unique (id, goal_id, user_id),
  -- People check in to their own goals only.
  constraint goal_check_ins_goal_is_own foreign key (goal_id, user_id)
    references nectar.goals (id, user_id) on delete cascade
);
comment on table nectar.goal_check_ins is 'How it went with a goal on a day.';
comment on column nectar.goal_check_ins.version is 'The transaction that last changed what a client sees of the check-in itself, for its etag and the feed of changes.';
comment on column nectar.goal_check_ins.check_in_date is 'By the calendar of the person''s time zone.';

create table nectar.goal_check_in_contents (
  check_in_id uuid primary key,
  goal_id uuid not null,
  user_id uuid not null default private.actor_id(),
  notes text not null default '',
  foreign key (check_in_id, goal_id, user_id) references nectar.goal_check_ins (id, goal_id, user_id) on delete cascade,
  constraint goal_check_in_contents_notes_length check (char_length(notes) <= 2000)
);
comment on table nectar.goal_check_in_contents is 'The notes of a check-in, one row each; seen with the content of the goal.';

create index goals_own on nectar.goals (user_id, created_at desc, id desc) include (status);
create index goals_version on nectar.goals (user_id, version, id);
create index goals_audience on nectar.goals (metadata_audience_id, created_at desc, id desc) include (user_id, status);
create index goals_newest_first
  on nectar.goals (created_at desc, id desc) include (user_id, metadata_audience_id, status);
create index goals_public_by_day on nectar.goals (((created_at at time zone 'UTC')::date), user_id)
  where metadata_audience_id = private.public_audience();
create index goals_team on nectar.goals (team_id) where team_id is not null;
create index goals_org on nectar.goals (org_id) where org_id is not null;
create index goal_contents_author on nectar.goal_contents (user_id);
create index goal_check_ins_newest_first on nectar.goal_check_ins (goal_id, user_id, created_at desc, id desc);
create index goal_check_ins_version on nectar.goal_check_ins (user_id, version, id);
create index goal_check_ins_of_day on nectar.goal_check_ins (user_id, check_in_date);

-- Requires that a goal is open until the transaction ends, for the policy of check-ins (goal.not_open). Security
-- definer: locking needs a privilege on the whole row.
create function private.require_open_goal(p_goal_id uuid, p_user_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_status nectar.goal_status;
begin
  -- The lock waits for a transaction that is ending the goal, and keeps the goal open until the check-in is written. It is
  -- the one that counting the streak needs.
  select g.status into v_status from nectar.goals g where g.id = p_goal_id and g.user_id = p_user_id for no key update;
  if v_status in ('completed', 'abandoned') then
    raise exception 'the goal has ended' using errcode = 'NX000', detail = 'goal.not_open';
  end if;
  return true;
end $$;
grant execute on function private.require_open_goal(uuid, uuid) to nectar_user;

-- Returns whether the policies show a goal to the caller. The policies of check-ins call these two, because the sharing
-- of a goal is not copied to its check-ins.
create function private.can_see_goal(p_id uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (select from nectar.goals g where g.id = p_id);
end $$;
grant execute on function private.can_see_goal(uuid) to nectar_user;

-- Returns whether the policies show the content of a goal to the caller.
create function private.can_see_goal_content(p_id uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (select from nectar.goal_contents c where c.goal_id = p_id);
end $$;
grant execute on function private.can_see_goal_content(uuid) to nectar_user;

-- Notifies the other members of the team with which a goal is shared of a check-in, up to the quota of its owner.
-- Messages have a quota of their own; a check-in succeeds without one, and so does a new goal, so the team is what
-- counts. Security definer: no role may write notifications directly.
create function private.notify_of_goal_check_in() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_team_id constant uuid := (
    select g.team_id from nectar.goals g where g.id = new.goal_id and g.metadata_audience_id = g.team_id
  );
begin
  if v_team_id is null or private.consume_quota_of(new.user_id, 'goal_update', 1, v_team_id) > 0 then return null; end if;
  perform private.notify_room(
    new.goal_id, array(select m.user_id from nectar.team_members m where m.team_id = v_team_id), 'goal_update',
    jsonb_build_object('goal_id', new.goal_id, 'status', new.status), new.user_id
  );
  return null;
end $$;

-- Stamps a check-in whose notes change. Security definer: no role may write versions directly.
create function private.stamp_check_in() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update nectar.goal_check_ins k set version = pg_current_xact_id() where k.id = new.check_in_id;
  return null;
end $$;

create trigger goal_check_ins__send_notifications
  after insert on nectar.goal_check_ins
  for each row execute function private.notify_of_goal_check_in();
create trigger goals__touch_updated_at
  before update on nectar.goals
  for each row when (
    (
      old.title, old.target_date, old.status, old.weekdays, old.comments_enabled, old.metadata_visibility,
      old.content_visibility, old.team_id, old.org_id
    )
    is distinct from
    (
      new.title, new.target_date, new.status, new.weekdays, new.comments_enabled, new.metadata_visibility,
      new.content_visibility, new.team_id, new.org_id
    )
  )
  execute function private.touch_updated_at();
create trigger goals__stamp_version
  before update on nectar.goals
  for each row when (
    (
      old.title, old.target_date, old.status, old.weekdays, old.comments_enabled, old.metadata_visibility,
      old.content_visibility, old.team_id, old.org_id, old.hidden_at
    )
    is distinct from
    (
      new.title, new.target_date, new.status, new.weekdays, new.comments_enabled, new.metadata_visibility,
      new.content_visibility, new.team_id, new.org_id, new.hidden_at
    )
  )
  execute function private.stamp_version();
create trigger goal_check_ins__stamp_version
  before update on nectar.goal_check_ins
  for each row when (old.status <> new.status)
  execute function private.stamp_version();
create trigger goal_check_in_contents__stamp_check_in
  after update of notes on nectar.goal_check_in_contents
  for each row when (old.notes <> new.notes)
  execute function private.stamp_check_in();
create trigger goals__set_audiences
  before insert or update of metadata_visibility, content_visibility, team_id, org_id, hidden_at on nectar.goals
  for each row execute function private.set_audiences();
create trigger goals__copy_audiences
  after insert or update of metadata_visibility, content_visibility, team_id, org_id, hidden_at on nectar.goals
  for each row execute function private.copy_audiences('goal');
create trigger goal_contents__touch_goal
  after update of description on nectar.goal_contents
  for each row when (old.description is distinct from new.description)
  execute function private.touch_thing_of_content('goal');
create trigger goals__record_sharing
  after insert or update on nectar.goals
  for each row when (
    new.user_id = private.actor_id() and new.metadata_audience_id <> new.user_id and new.metadata_visibility <> 'public'
  )
  execute function private.record_acting_member('metadata_audience_id');
create trigger goals__delete_comments
  before delete on nectar.goals
  for each row execute function private.delete_comments();
create trigger goals__record_removal
  after delete on nectar.goals
  for each row execute function private.record_removal('goal');
create trigger goals__delete_stored_responses
  after delete on nectar.goals
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();
create trigger goal_check_ins__record_removal
  after delete on nectar.goal_check_ins
  for each row execute function private.record_removal('goal_check_in');
create trigger goal_check_ins__delete_stored_responses
  after delete on nectar.goal_check_ins
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.goals enable row level security;
alter table nectar.goal_contents enable row level security;
alter table nectar.goal_check_ins enable row level security;
alter table nectar.goal_check_in_contents enable row level security;

create policy "a goal is seen by its owner and its audience" on nectar.goals
  for select to nectar_user using (
    user_id = (select private.actor_id())
    or private.is_reached(
      metadata_audience_id, user_id, (select private.my_audiences())::uuid[], (select private.blocked_users())::uuid[]
    )
    or (select private.sees_unshared())
  );
create policy "a person sets goals of their own" on nectar.goals
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person changes their own goals" on nectar.goals
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "a person deletes their own goals" on nectar.goals
  for delete to nectar_user using (user_id = (select private.actor_id()));

-- Metadata gates content, as for entries.
create policy "a description is seen by its owner and both its audiences" on nectar.goal_contents
  for select to nectar_user using (
    user_id = (select private.actor_id())
    or (
      private.is_reached(
        metadata_audience_id, user_id, (select private.my_audiences())::uuid[], (select private.blocked_users())::uuid[]
      )
      and (
        content_audience_id in (metadata_audience_id, private.public_audience())
        or content_audience_id = any ((select private.my_audiences())::uuid[])
      )
    )
    or (select private.sees_unshared())
  );
create policy "the owner edits a description" on nectar.goal_contents
  for update to nectar_user using (user_id = (select private.actor_id()));

create policy "a check-in is seen with its goal" on nectar.goal_check_ins
  for select to nectar_user using (user_id = (select private.actor_id()) or private.can_see_goal(goal_id));
create policy "a person checks in to their own open goals" on nectar.goal_check_ins
  for insert to nectar_user
  with check (user_id = (select private.actor_id()) and private.require_open_goal(goal_id, user_id));
create policy "a person corrects their own check-ins" on nectar.goal_check_ins
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "a person deletes their own check-ins" on nectar.goal_check_ins
  for delete to nectar_user using (user_id = (select private.actor_id()));

create policy "notes are seen with the content of their goal" on nectar.goal_check_in_contents
  for select to nectar_user using (user_id = (select private.actor_id()) or private.can_see_goal_content(goal_id));
create policy "a person writes notes of their own" on nectar.goal_check_in_contents
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person edits their own notes" on nectar.goal_check_in_contents
  for update to nectar_user using (user_id = (select private.actor_id()));

grant select, delete,
  insert (id, title, target_date, weekdays, comments_enabled, metadata_visibility, content_visibility, team_id, org_id),
  update (title, target_date, weekdays, comments_enabled, metadata_visibility, content_visibility, team_id, org_id)
  on nectar.goals to nectar_user;
grant select, update (description) on nectar.goal_contents to nectar_user;
grant select, delete, insert (id, goal_id, status, check_in_date),
  update (status) on nectar.goal_check_ins to nectar_user;
grant select, insert (check_in_id, goal_id, notes), update (notes) on nectar.goal_check_in_contents to nectar_user;
