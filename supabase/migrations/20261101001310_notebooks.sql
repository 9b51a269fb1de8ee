-- Why: A notebook groups entries and gives them the visibility that they inherit. Its metadata visibility also says who
-- sees the notebook itself.

-- Tables --------------------------------------------------------------------------------------------------------------
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
  hidden_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
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
comment on column nectar.notebooks.hidden_at is 'Since when only the author sees the notebook, by a decision of an admin.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create index notebooks_own on nectar.notebooks (user_id, created_at desc, id desc);
create index notebooks_audience on nectar.notebooks (metadata_audience_id, created_at desc, id desc) include (user_id);
create index notebooks_newest_first
  on nectar.notebooks (created_at desc, id desc) include (user_id, metadata_audience_id);
create index notebooks_public_by_day on nectar.notebooks (((created_at at time zone 'UTC')::date), user_id)
  where metadata_audience_id = private.public_audience();
create index notebooks_team on nectar.notebooks (team_id) where team_id is not null;
create index notebooks_org on nectar.notebooks (org_id) where org_id is not null;

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.set_notebook_audience() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  new.metadata_audience_id := private.audience_of(
    private.effective_visibility(
      private.unless_hidden(new.metadata_visibility, new.hidden_at), new.team_id, new.org_id,
      private.lock_memberships(new.user_id, array[new.org_id], array[new.team_id])
    ),
    new.user_id, new.team_id, new.org_id
  );
  return new;
end
$$;
comment on function private.set_notebook_audience() is
  'Trigger: keeps the audience of a notebook in step with its visibility; that of a hidden one is the author. Security definer: no role may write audiences directly.';

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger notebooks_set_audience
  before insert or update of metadata_visibility, team_id, org_id, hidden_at on nectar.notebooks
  for each row execute function private.set_notebook_audience();
create trigger notebooks_touch_updated_at
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
create trigger notebooks_note_shared
  after insert or update on nectar.notebooks
  for each row when (
    new.user_id = private.actor_id() and new.metadata_audience_id <> new.user_id and new.metadata_visibility <> 'public'
  )
  execute function private.note_acting_member('metadata_audience_id');
create trigger notebooks_delete_stored_responses
  after delete on nectar.notebooks
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

-- Row-level security --------------------------------------------------------------------------------------------------
alter table nectar.notebooks enable row level security;

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
  for update to nectar_user
  using (user_id = (select private.actor_id())) with check (user_id = (select private.actor_id()));
create policy "the author deletes a notebook" on nectar.notebooks
  for delete to nectar_user using (user_id = (select private.actor_id()));

-- Grants --------------------------------------------------------------------------------------------------------------
grant select, delete on nectar.notebooks to nectar_user;
grant insert (name, description, metadata_visibility, content_visibility, team_id, org_id, ai_excluded_default)
  on nectar.notebooks to nectar_user;
grant update (name, description, metadata_visibility, content_visibility, team_id, org_id, ai_excluded_default)
  on nectar.notebooks to nectar_user;
