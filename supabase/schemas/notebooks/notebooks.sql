-- Why: A notebook groups entries and gives them the visibility that they inherit. Its metadata visibility also says who
-- sees the notebook itself. Its template is content, so it has a table and a policy of its own, like the text of entries.

create table nectar.notebooks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  name text not null,
  description text,
  metadata_visibility nectar.visibility not null default 'user',
  content_visibility nectar.visibility not null default 'user',
  team_id uuid references nectar.teams (id),
  org_id uuid references nectar.organizations (id),
  ai_excluded_default boolean not null default false,
  metadata_audience_id uuid not null default private.actor_id(),
  content_audience_id uuid not null default private.actor_id(),
  hidden_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version xid8 not null default pg_current_xact_id(),
  constraint notebooks_name_length check (char_length(name) between 1 and 100),
  constraint notebooks_description_length check (char_length(description) <= 1000),
  constraint notebooks_team_is_named check (
    team_id is not null or (metadata_visibility <> 'team' and content_visibility <> 'team')
  ),
  constraint notebooks_org_is_named check (
    org_id is not null or (metadata_visibility <> 'org' and content_visibility <> 'org')
  )
);
comment on table nectar.notebooks is 'A person''s notebooks; entries inherit their visibility.';
comment on column nectar.notebooks.ai_excluded_default is 'Whether no model may read new entries in it, unless their author says otherwise.';
comment on column nectar.notebooks.metadata_audience_id is 'Who besides the author sees the notebook; kept by trigger.';
comment on column nectar.notebooks.content_audience_id is 'Who besides the author sees the template, given they see the notebook; kept by trigger.';
comment on column nectar.notebooks.hidden_at is 'Since when only the author sees the notebook, by a decision of an admin.';
comment on column nectar.notebooks.version is 'The transaction that last changed what a client sees of the notebook itself, for its etag and the feed of changes.';

create table nectar.notebook_contents (
  notebook_id uuid primary key references nectar.notebooks (id) on delete cascade,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  template text,
  metadata_audience_id uuid not null,
  content_audience_id uuid not null,
  constraint notebook_contents_template_length check (char_length(template) between 1 and 10000)
);
comment on table nectar.notebook_contents is
  'The template of a notebook, one row each, guarded by a policy of its own. Written by a trigger, apart from the template.';
comment on column nectar.notebook_contents.template is 'What a client puts into a new entry; null if there is none.';

create index notebooks_own on nectar.notebooks (user_id, created_at desc, id desc);
create index notebooks_version on nectar.notebooks (user_id, version, id);
create index notebooks_audience on nectar.notebooks (metadata_audience_id, created_at desc, id desc) include (user_id);
create index notebooks_newest_first
  on nectar.notebooks (created_at desc, id desc) include (user_id, metadata_audience_id);
create index notebooks_public_by_day on nectar.notebooks (((created_at at time zone 'UTC')::date), user_id)
  where metadata_audience_id = private.public_audience();
create index notebook_contents_author on nectar.notebook_contents (user_id);
create index notebooks_team on nectar.notebooks (team_id) where team_id is not null;
create index notebooks_org on nectar.notebooks (org_id) where org_id is not null;

-- Makes entries that inherit follow a change of their notebook. They outlive it: what they inherited falls back to
-- private, never wider. Security definer: the notebook may be changed for another person, such as a member who is
-- removed.
create function private.settle_notebook() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_lost uuid[] := array[old.metadata_audience_id, old.content_audience_id];
begin
  if tg_op = 'UPDATE' then
    if (old.metadata_visibility, old.content_visibility, old.team_id, old.org_id, old.hidden_at)
      is not distinct from (new.metadata_visibility, new.content_visibility, new.team_id, new.org_id, new.hidden_at)
    then
      return null;
    end if;
    v_lost := array(
      select a.before
      from (values
        (old.metadata_audience_id, new.metadata_audience_id),
        (old.content_audience_id, new.content_audience_id)
      ) a (before, after)
      where private.is_within(a.before, a.after) is not true
    );
  end if;
  -- Entries of an account that is being deleted go with it.
  if exists (select from nectar.profiles p where p.id = old.user_id) then
    perform private.settle(old.id, null, old.user_id, array_remove(v_lost, old.user_id));
  end if;
  return null;
end $$;

create trigger notebooks__set_audiences
  before insert or update of metadata_visibility, content_visibility, team_id, org_id, hidden_at on nectar.notebooks
  for each row execute function private.set_audiences();
create trigger notebooks__copy_audiences
  after insert or update of metadata_visibility, content_visibility, team_id, org_id, hidden_at on nectar.notebooks
  for each row execute function private.copy_audiences('notebook');
create trigger notebook_contents__touch_notebook
  after update of template on nectar.notebook_contents
  for each row when (old.template is distinct from new.template)
  execute function private.touch_thing_of_content('notebook');
create trigger notebooks__touch_updated_at
  before update on nectar.notebooks
  for each row when (
    (
      old.name, old.description, old.metadata_visibility, old.content_visibility, old.team_id, old.org_id,
      old.ai_excluded_default
    )
    is distinct from
    (
      new.name, new.description, new.metadata_visibility, new.content_visibility, new.team_id, new.org_id,
      new.ai_excluded_default
    )
  )
  execute function private.touch_updated_at();
create trigger notebooks__stamp_version
  before update on nectar.notebooks
  for each row when (
    (
      old.name, old.description, old.metadata_visibility, old.content_visibility, old.team_id, old.org_id,
      old.ai_excluded_default, old.hidden_at
    )
    is distinct from
    (
      new.name, new.description, new.metadata_visibility, new.content_visibility, new.team_id, new.org_id,
      new.ai_excluded_default, new.hidden_at
    )
  )
  execute function private.stamp_version();
create trigger notebooks__record_sharing
  after insert or update on nectar.notebooks
  for each row when (
    new.user_id = private.actor_id() and new.metadata_audience_id <> new.user_id and new.metadata_visibility <> 'public'
  )
  execute function private.record_acting_member('metadata_audience_id');
create trigger notebooks__settle_entries
  after update of metadata_visibility, content_visibility, team_id, org_id, hidden_at or delete on nectar.notebooks
  for each row execute function private.settle_notebook();
create trigger notebooks__record_removal
  after delete on nectar.notebooks
  for each row execute function private.record_removal('notebook');
create trigger notebooks__delete_stored_responses
  after delete on nectar.notebooks
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.notebooks enable row level security;
alter table nectar.notebook_contents enable row level security;

create policy "a notebook is seen by its author and its audience" on nectar.notebooks
  for select to nectar_user using (
    user_id = (select private.actor_id())
    or private.is_reached(
      metadata_audience_id, user_id, (select private.my_audiences())::uuid[], (select private.blocked_users())::uuid[]
    )
    or (select private.is_super_admin())
  );
create policy "a person creates notebooks of their own" on nectar.notebooks
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "the author edits a notebook" on nectar.notebooks
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "the author deletes a notebook" on nectar.notebooks
  for delete to nectar_user using (user_id = (select private.actor_id()));

-- Metadata gates content, as for entries. Super admins see a template only if it is shared with them, so that there is
-- nothing to log.
create policy "a template is seen by its author and both its audiences" on nectar.notebook_contents
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
  );
create policy "the author edits a template" on nectar.notebook_contents
  for update to nectar_user using (user_id = (select private.actor_id()));

grant select, delete,
  insert (id, name, description, metadata_visibility, content_visibility, team_id, org_id, ai_excluded_default),
  update (name, description, metadata_visibility, content_visibility, team_id, org_id, ai_excluded_default)
  on nectar.notebooks to nectar_user;
grant select, update (template) on nectar.notebook_contents to nectar_user;
