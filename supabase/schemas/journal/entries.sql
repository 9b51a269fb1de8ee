-- Why: The metadata and the content of an entry have separate visibility, so they are two tables with a policy each:
-- content that is hidden from a reader cannot leak through a join, a list, a search or a bug in a handler, because for
-- that reader the row does not exist. Triggers keep the effective visibility (after what is inherited from the
-- notebook).

-- Writes tags as they are compared: without regard to case.
create function private.lowercase_tags(p_tags text[]) returns text[]
  language plpgsql immutable security invoker parallel safe set search_path = '' as $$
begin
  return array(select lower(t.tag) from unnest(p_tags) t (tag));
end $$;
grant execute on function private.lowercase_tags(text[]) to nectar_user;

-- Counts the words of a text: what is between spaces and is not only punctuation. Thus don't and well-known are one word.
-- Each Chinese character and each kana counts as a word, because Chinese and Japanese have no spaces.
create function private.count_words(p_text text) returns integer
  language plpgsql immutable security invoker parallel safe set search_path = '' as $$
declare
  -- Written out, because what \s and \w match beyond ASCII depends on the locale of the database.
  v_spaces constant text := '\s\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000';
  v_marks constant text := '!-/:-@\[-`{-~\u00A1-\u00A9\u00AB-\u00B4\u00B6-\u00B9\u00BB-\u00BF\u2010-\u2027\u2030-\u205E'
    || '\u3001-\u3004\u3008-\u3020\u3030\u30FB\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65';
  v_characters constant text := '\u3005-\u3007\u3041-\u3096\u309D-\u309F\u30A1-\u30FA\u30FC-\u30FF\u31F0-\u31FF'
    || '\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF';
begin
  return regexp_count(
    p_text,
    '[' || v_characters || ']|[^' || v_spaces || v_marks || v_characters || '][^' || v_spaces || v_characters || ']*'
  );
end $$;
grant execute on function private.count_words(text) to nectar_user;

create type nectar.mood_source as enum ('user', 'ai');
comment on type nectar.mood_source is 'Whether the author chose a mood, or a model found it in the content.';

create table nectar.journal_entries (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  notebook_id uuid,
  title text not null,
  mood text,
  mood_source nectar.mood_source,
  tags text[] not null default '{}',
  tag_keys text[] not null generated always as (private.lowercase_tags(tags)) stored,
  entry_date date not null default private.today(),
  ai_excluded boolean not null default false,
  is_imported boolean not null default false,
  comments_enabled boolean not null default true,
  metadata_visibility nectar.visibility not null default 'user',
  content_visibility nectar.visibility not null default 'user',
  inherit_visibility boolean not null default true,
  team_id uuid,
  org_id uuid,
  effective_metadata_visibility nectar.visibility not null default 'user',
  effective_content_visibility nectar.visibility not null default 'user',
  metadata_audience_id uuid not null default private.actor_id(),
  content_audience_id uuid not null default private.actor_id(),
  hidden_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  version xid8 not null default pg_current_xact_id(),
  constraint journal_entries_title_length check (char_length(title) between 1 and 255),
  constraint journal_entries_mood_length check (char_length(mood) between 1 and 50),
  constraint journal_entries_mood_source check ((mood is null) = (mood_source is null)),
  constraint journal_entries_tag_count check (cardinality(tags) <= 20),
  constraint journal_entries_team_is_named check (
    team_id is not null or (metadata_visibility <> 'team' and content_visibility <> 'team')
  ),
  constraint journal_entries_org_is_named check (
    org_id is not null or (metadata_visibility <> 'org' and content_visibility <> 'org')
  )
);
comment on table nectar.journal_entries is 'What may be known about an entry: its metadata.';
comment on column nectar.journal_entries.notebook_id is 'No foreign key, nor have team_id and org_id, so that deleting a notebook or group need not write all entries at once. The trigger checks new ones, and clears those that are gone.';
comment on column nectar.journal_entries.metadata_audience_id is 'Who besides the author sees the entry; kept by trigger.';
comment on column nectar.journal_entries.content_audience_id is 'Who besides the author sees its text, given they see the entry; kept by trigger.';
comment on column nectar.journal_entries.hidden_at is 'Since when only the author sees the entry, by a decision of an admin.';
comment on column nectar.journal_entries.entry_date is 'The day that the entry is about, in the time zone of its author.';
comment on column nectar.journal_entries.ai_excluded is 'Whether no model may read the entry.';
comment on column nectar.journal_entries.is_imported is 'Whether it came with an import, so that it counts for no engagement.';
comment on column nectar.journal_entries.version is 'The transaction that last changed what a client sees of the entry itself, for its etag and the feed of changes.';
comment on column nectar.journal_entries.inherit_visibility is 'Whether ''user'' means what the notebook says (true) or private (false).';

create table nectar.journal_entry_contents (
  entry_id uuid primary key references nectar.journal_entries (id) on delete cascade,
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  content text not null,
  words integer not null generated always as (private.count_words(content)) stored,
  comment_count integer not null default 0,
  picture_count integer not null default 0,
  metadata_audience_id uuid not null default private.actor_id(),
  content_audience_id uuid not null default private.actor_id(),
  constraint journal_entry_contents_length check (char_length(content) between 1 and 100000),
  constraint journal_entry_contents_picture_count check (picture_count between 0 and 20)
);
comment on table nectar.journal_entry_contents is 'The text of an entry, one row each, guarded by a policy of its own.';
comment on column nectar.journal_entry_contents.comment_count is 'Kept by trigger: all comments on the entry, also those that not everyone sees.';
comment on column nectar.journal_entry_contents.picture_count is 'How many pictures the entry has; kept by trigger.';

create index journal_entries_own on nectar.journal_entries (user_id, created_at desc, id desc);
create index journal_entries_version on nectar.journal_entries (user_id, version, id);
create index journal_entries_audience
  on nectar.journal_entries (metadata_audience_id, created_at desc, id desc) include (user_id);
create index journal_entries_newest_first
  on nectar.journal_entries (created_at desc, id desc) include (user_id, metadata_audience_id);
create index journal_entries_notebook
  on nectar.journal_entries (notebook_id, created_at desc, id desc) where notebook_id is not null;
create index journal_entries_notebook_audience on nectar.journal_entries (notebook_id, metadata_audience_id)
  where notebook_id is not null;
create index journal_entries_public_by_day on nectar.journal_entries (((created_at at time zone 'UTC')::date), user_id)
  where metadata_audience_id = private.public_audience();
create index journal_entries_team on nectar.journal_entries (team_id) where team_id is not null;
create index journal_entries_org on nectar.journal_entries (org_id) where org_id is not null;
create index journal_entries_public_authors on nectar.journal_entries (user_id)
  where metadata_audience_id = private.public_audience();
create index journal_entry_contents_author on nectar.journal_entry_contents (user_id);

-- Returns whether a visibility of an entry is that of its notebook, if it is in one: 'user' inherits unless the entry
-- says otherwise. It takes values, no rows: PostgreSQL 15 refuses to rewrite a table, as the migration does for columns
-- with a default that is a function, while a function after `return` takes its rows.
create function private.inherits_visibility(p_visibility nectar.visibility, p_inherits boolean, p_notebook_id uuid)
returns boolean
  language sql immutable security invoker parallel safe
  return p_visibility = 'user' and p_inherits and p_notebook_id is not null;

-- Returns the effective visibility and the audience of the metadata or the content of an entry. Nothing else computes
-- them, for triggers and previews. They follow from the visibility of the entry and that of its notebook (null in
-- none). p_groups are those of their teams and organizations that the author is a member of. Only the author sees what
-- is hidden, or inherits from a hidden notebook.
create function private.entry_share(
  p_visibility nectar.visibility, p_notebook_visibility nectar.visibility, p_entry nectar.journal_entries,
  p_notebook nectar.notebooks, p_groups uuid[], out visibility nectar.visibility, out audience_id uuid
)
  language plpgsql immutable security invoker set search_path = '' as $$
declare
  v_team_id uuid := p_entry.team_id;
  v_org_id uuid := p_entry.org_id;
begin
  visibility := private.unless_hidden(p_visibility, p_entry.hidden_at);
  if p_entry.hidden_at is null
    and private.inherits_visibility(p_visibility, p_entry.inherit_visibility, p_notebook.id) then
    visibility := private.unless_hidden(p_notebook_visibility, p_notebook.hidden_at);
    v_team_id := p_notebook.team_id;
    v_org_id := p_notebook.org_id;
  end if;
  visibility := private.effective_visibility(visibility, v_team_id, v_org_id, p_groups);
  audience_id := private.audience_of(visibility, p_entry.user_id, v_team_id, v_org_id);
end $$;

-- Returns an entry with its effective visibility and audiences; what it shares with a deleted group becomes private.
-- p_notebook is null in none, or if it was deleted; p_groups are those of its groups that the author is a member of.
create function private.resolve_entry(
  p_entry nectar.journal_entries, p_notebook nectar.notebooks, p_groups uuid[], p_deleted uuid[]
) returns nectar.journal_entries
  language plpgsql immutable security invoker set search_path = '' as $$
declare
  v_ended constant nectar.visibility[] := array_remove(
    array[
      case when p_entry.team_id = any (p_deleted) then 'team' end, case when p_entry.org_id = any (p_deleted) then 'org' end
    ]::nectar.visibility[],
    null
  );
  v_share record;
begin
  if v_ended <> '{}' then
    -- An entry that is no longer shared must not inherit something wider from its notebook, so it stops inheriting; its
    -- other visibility can only get narrower by that.
    p_entry.inherit_visibility := p_entry.inherit_visibility
      and not array[p_entry.metadata_visibility, p_entry.content_visibility] && v_ended;
    p_entry.metadata_visibility :=
      case when p_entry.metadata_visibility = any (v_ended) then 'user' else p_entry.metadata_visibility end;
    p_entry.content_visibility :=
      case when p_entry.content_visibility = any (v_ended) then 'user' else p_entry.content_visibility end;
    p_entry.team_id := case when 'team' <> all (v_ended) then p_entry.team_id end;
    p_entry.org_id := case when 'org' <> all (v_ended) then p_entry.org_id end;
  end if;
  p_entry.notebook_id := p_notebook.id;
  -- Assignments, because a query of its own for each takes longer than the function.
  v_share := private.entry_share(p_entry.metadata_visibility, p_notebook.metadata_visibility, p_entry, p_notebook, p_groups);
  p_entry.effective_metadata_visibility := v_share.visibility;
  p_entry.metadata_audience_id := v_share.audience_id;
  v_share := private.entry_share(p_entry.content_visibility, p_notebook.content_visibility, p_entry, p_notebook, p_groups);
  p_entry.effective_content_visibility := v_share.visibility;
  p_entry.content_audience_id := v_share.audience_id;
  return p_entry;
end $$;

-- Returns those of a team and an organization that do not exist. It is volatile, so that a trigger sees what was
-- deleted while it waited for a lock. Security definer: the caller does not see all groups.
create function private.deleted_groups(p_team_id uuid, p_org_id uuid) returns uuid[]
  language plpgsql volatile security definer set search_path = '' as $$
begin
  return array_remove(
    array[
      case when not exists (select from nectar.teams t where t.id = p_team_id) then p_team_id end,
      case when not exists (select from nectar.organizations o where o.id = p_org_id) then p_org_id end
    ],
    null
  );
end $$;

-- Computes the visibility and audiences of an entry from its sharing, its notebook and its author's memberships. Raises
-- notebook.not_found, team.not_found or organization.not_found if a new one does not exist. Security definer: no role
-- may write audiences directly.
create function private.set_entry_audiences() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_notebook nectar.notebooks;
  v_groups uuid[];
  v_deleted uuid[] := '{}';
begin
  if new.notebook_id is not null then
    -- Locked, so that the visibility is not read while the notebook is being changed.
    select * into v_notebook from nectar.notebooks n where n.id = new.notebook_id and n.user_id = new.user_id for share;
    if v_notebook.id is null and (tg_op = 'INSERT' or new.notebook_id is distinct from old.notebook_id) then
      raise exception 'no such notebook' using errcode = 'NX000', detail = 'notebook.not_found';
    end if;
  end if;
  v_groups := private.lock_memberships(
    new.user_id, array[v_notebook.org_id, new.org_id], array[v_notebook.team_id, new.team_id]
  );
  if num_nonnulls(new.team_id, new.org_id) > 0 then
    v_deleted := private.deleted_groups(new.team_id, new.org_id);
    if new.team_id = any (v_deleted) and (tg_op = 'INSERT' or new.team_id is distinct from old.team_id) then
      raise exception 'no such team' using errcode = 'NX000', detail = 'team.not_found';
    end if;
    if new.org_id = any (v_deleted) and (tg_op = 'INSERT' or new.org_id is distinct from old.org_id) then
      raise exception 'no such organization' using errcode = 'NX000', detail = 'organization.not_found';
    end if;
  end if;
  return private.resolve_entry(new, v_notebook, v_groups, v_deleted);
end $$;

-- Returns an entry of the caller, or any for super admins, as it will be once it has followed all changes; any other
-- unchanged. It follows its notebook, its groups and its author's memberships. Security definer: reads groups and
-- notebooks for the view of entries.
create function private.settled_entry(p_entry nectar.journal_entries) returns nectar.journal_entries
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_notebook nectar.notebooks;
begin
  if p_entry.user_id is distinct from private.actor_id() and not private.is_super_admin() then return p_entry; end if;
  select * into v_notebook from nectar.notebooks n where n.id = p_entry.notebook_id and n.user_id = p_entry.user_id;
  return private.resolve_entry(
    p_entry, v_notebook,
    array(
      select m.audience_id from private.audience_members m
      where m.user_id = p_entry.user_id
        and m.audience_id in (v_notebook.org_id, v_notebook.team_id, p_entry.org_id, p_entry.team_id)
    ),
    private.deleted_groups(p_entry.team_id, p_entry.org_id)
  );
end $$;
grant execute on function private.settled_entry(nectar.journal_entries) to nectar_user;

-- Copies the audiences of an entry to its content. Security definer: no role may write audiences directly.
create function private.copy_entry_audiences() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update nectar.journal_entry_contents
    set metadata_audience_id = new.metadata_audience_id, content_audience_id = new.content_audience_id
    where entry_id = new.id;
  return null;
end $$;

-- Gives new content the author and the audiences of its entry. Security definer: no role may write audiences directly.
create function private.adopt_entry_audiences() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  select e.user_id, e.metadata_audience_id, e.content_audience_id
    into strict new.user_id, new.metadata_audience_id, new.content_audience_id
    from nectar.journal_entries e where e.id = new.entry_id for share;
  return new;
end $$;

-- Returns the first day that an entry can be about.
create function private.first_entry_day() returns date
  language sql immutable security invoker
  return date '1900-01-01';

-- Returns the last day that an entry can be about: tomorrow in the time zone of its author. Security definer: reads the
-- account of the author.
create function private.last_entry_day(p_author_id uuid) returns date
  language sql stable security definer set search_path = ''
  return private.date_of(p_author_id, now()) + 1;

-- Requires that an entry is about a day from 1900 to tomorrow in the time zone of its author. Raises
-- journal.date_out_of_range. Security definer: reads the account of the author.
create function private.check_entry_date() returns trigger
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- Today in UTC is at most tomorrow everywhere, so the account is read for later dates only.
  if new.entry_date is not distinct from old.entry_date
    or new.entry_date >= private.first_entry_day()
      and (new.entry_date <= (now() at time zone 'UTC')::date or new.entry_date <= private.last_entry_day(new.user_id))
  then
    return new;
  end if;
  raise exception 'date out of range' using errcode = 'NX000', detail = 'journal.date_out_of_range',
    column = 'entry_date', hint = format('must be between %s and tomorrow', private.first_entry_day());
end $$;

-- Inserts objects into a table: those fields of the first one that are columns of it and not generated. What copies
-- entries calls it instead of naming their columns. A column without a field gets its default.
create function private.insert_rows(p_table regclass, p_rows jsonb) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_columns constant text := (
    select string_agg(quote_ident(a.attname), ', ') from pg_catalog.pg_attribute a
    where a.attrelid = p_table and a.attnum > 0 and a.attgenerated = '' and p_rows -> 0 ? a.attname
  );
begin
  if v_columns is null then return; end if;
  execute format(
    'insert into %1$s (%2$s) select %2$s from jsonb_populate_recordset(null::%1$s, $1)', p_table, v_columns
  ) using p_rows;
end $$;

-- Writes an entry of the caller with its content, under the policies. p_entry has all columns that a person may insert,
-- and content. Without an id it gets one, without entry_date the entry is about today, and without ai_excluded the
-- notebook decides. It is one function because it keeps its plans.
create function private.create_entry(p_entry jsonb) returns nectar.journal_entries
  language plpgsql volatile security invoker set search_path = '' as $$
declare
  v_entry nectar.journal_entries;
begin
  insert into nectar.journal_entries (
    id, notebook_id, title, mood, mood_source, tags, entry_date, ai_excluded, comments_enabled,
    metadata_visibility, content_visibility, inherit_visibility, team_id, org_id
  )
  select
    coalesce(e.id, gen_random_uuid()), e.notebook_id, e.title, e.mood, e.mood_source, e.tags,
    coalesce(e.entry_date, private.today()),
    coalesce(e.ai_excluded, (select n.ai_excluded_default from nectar.notebooks n where n.id = e.notebook_id), false),
    e.comments_enabled, e.metadata_visibility, e.content_visibility, e.inherit_visibility, e.team_id, e.org_id
  from jsonb_populate_record(null::nectar.journal_entries, p_entry) e
  returning * into v_entry;
  insert into nectar.journal_entry_contents (entry_id, content) values (v_entry.id, p_entry ->> 'content');
  return v_entry;
end $$;
grant execute on function private.create_entry(jsonb) to nectar_user;

-- Returns whether the policies show an entry to the caller. The policy of contents calls it, because a sub-select there
-- would cost every reader, although it is nearly never needed.
create function private.can_see_entry(p_id uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (select from nectar.journal_entries e where e.id = p_id);
end $$;
grant execute on function private.can_see_entry(uuid) to nectar_user;

-- Returns whether the caller sees entries and goals that are not shared with them, as super admins do. Policies
-- evaluate it only for rows that the caller does not see otherwise. Raises read_only_sql_transaction in a transaction
-- that only reads, because it could not log the read: the API then runs it again as one that writes. Supabase Realtime
-- logs nothing either. Security definer: its clients may not use this schema.
create function private.sees_unshared() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_super_admin() or current_setting('role') = 'authenticated' then return false; end if;
  if current_setting('transaction_read_only')::boolean then
    raise exception 'what a super admin reads is logged' using errcode = 'read_only_sql_transaction';
  end if;
  return true;
end $$;
grant execute on function private.sees_unshared() to nectar_user;

-- Deletes the mood that a model found in an entry, and every analysis that read the entry. Models get only what
-- private.notes shows or what an endpoint has checked; this removes what they found before.
create function private.delete_findings() returns trigger
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  if new.mood_source = 'ai' then
    new.mood := null;
    new.mood_source := null;
  end if;
  delete from nectar.note_analyses n
    where n.user_id = new.user_id
      and n.id = any (array(
        select s.analysis_id from nectar.note_analysis_sources s where s.user_id = new.user_id and s.entry_id = new.id
      ));
  return new;
end $$;

-- Deletes the comments on an entry or a goal that is being deleted. An entry that goes to the trash or returns from it
-- is in both tables, and keeps its comments. Security definer: most are of others.
create function private.delete_comments() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_is_kept constant boolean := case tg_table_name
    when 'journal_entries' then exists (select from nectar.trashed_entries t where t.id = old.id)
    when 'trashed_entries' then exists (select from nectar.journal_entries e where e.id = old.id)
    else false
  end;
begin
  if not v_is_kept then
    perform private.lock_profiles(array(select m.sender_id from nectar.team_messages m where m.room_id = old.id));
    -- Waits for comments that are being written, so that none is left.
    perform from nectar.journal_entry_contents c where c.entry_id = old.id for update;
    perform from nectar.goal_contents c where c.goal_id = old.id for update;
    delete from nectar.team_messages m where m.room_id = old.id;
  end if;
  return old;
end $$;

create trigger journal_entries__set_audiences
  before insert or update of
    notebook_id, metadata_visibility, content_visibility, inherit_visibility, team_id, org_id, hidden_at
  on nectar.journal_entries
  for each row execute function private.set_entry_audiences();
create trigger journal_entries__check_date
  before insert or update of entry_date on nectar.journal_entries
  for each row execute function private.check_entry_date();
create trigger journal_entries__copy_audiences
  after update on nectar.journal_entries
  for each row when (
    (old.metadata_audience_id, old.content_audience_id) is distinct from (new.metadata_audience_id, new.content_audience_id)
  )
  execute function private.copy_entry_audiences();
create trigger journal_entries__delete_findings
  before update of ai_excluded on nectar.journal_entries
  for each row when (new.ai_excluded and not old.ai_excluded)
  execute function private.delete_findings();
-- Whoever changes the content sets updated_at.
create trigger journal_entries__stamp_version
  before update on nectar.journal_entries
  for each row when (
    (
      old.notebook_id, old.title, old.mood, old.mood_source, old.tags, old.entry_date, old.ai_excluded,
      old.comments_enabled, old.metadata_visibility, old.content_visibility, old.inherit_visibility, old.team_id,
      old.org_id, old.hidden_at, old.updated_at
    )
    is distinct from
    (
      new.notebook_id, new.title, new.mood, new.mood_source, new.tags, new.entry_date, new.ai_excluded,
      new.comments_enabled, new.metadata_visibility, new.content_visibility, new.inherit_visibility, new.team_id,
      new.org_id, new.hidden_at, new.updated_at
    )
  )
  execute function private.stamp_version();
create trigger journal_entries__record_sharing
  after insert or update on nectar.journal_entries
  for each row when (
    new.user_id = private.actor_id()
    and (new.effective_metadata_visibility in ('team', 'org') or new.effective_content_visibility in ('team', 'org'))
  )
  execute function private.record_acting_member('metadata_audience_id', 'content_audience_id');
create trigger journal_entry_contents__adopt_audiences
  before insert on nectar.journal_entry_contents
  for each row execute function private.adopt_entry_audiences();
create trigger journal_entries__delete_comments
  before delete on nectar.journal_entries
  for each row execute function private.delete_comments();
create trigger journal_entries__record_removal
  after delete on nectar.journal_entries
  for each row execute function private.record_removal('entry');
create trigger journal_entries__delete_stored_responses
  after delete on nectar.journal_entries
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.journal_entries enable row level security;
alter table nectar.journal_entry_contents enable row level security;

create policy "an entry is seen by its author and its audience" on nectar.journal_entries
  for select to nectar_user using (
    user_id = (select private.actor_id())
    or (
      private.is_reached(
        metadata_audience_id, user_id, (select private.my_audiences())::uuid[], (select private.blocked_users())::uuid[]
      )
      and not (
        (select private.withdrawn_shares() <> '{}')
        and private.is_withdrawn(
          user_id, notebook_id, inherit_visibility and 'user' in (metadata_visibility, content_visibility),
          metadata_audience_id, (select private.withdrawn_shares())::uuid[]
        )
      )
    )
    or (select private.sees_unshared())
  );
create policy "a person writes entries of their own" on nectar.journal_entries
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "the author edits an entry" on nectar.journal_entries
  for update to nectar_user using (user_id = (select private.actor_id()));

-- Metadata gates content: a reader of the content belongs to both audiences.
create policy "content is seen by its author and both its audiences" on nectar.journal_entry_contents
  for select to nectar_user using (
    user_id = (select private.actor_id())
    or (
      private.is_reached(
        metadata_audience_id, user_id, (select private.my_audiences())::uuid[], (select private.blocked_users())::uuid[]
      )
      -- Nearly always the same, so that the audiences are looked up only once.
      and (
        content_audience_id = metadata_audience_id
        or content_audience_id = private.public_audience()
        or content_audience_id = any ((select private.my_audiences())::uuid[])
      )
      and (
        (select private.withdrawn_shares() = '{}')
        or (
          private.member_share(user_id, content_audience_id) <> all ((select private.withdrawn_shares())::uuid[])
          and private.can_see_entry(entry_id)
        )
      )
    )
    or (select private.sees_unshared())
  );
create policy "a person writes content of their own" on nectar.journal_entry_contents
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "the author edits content" on nectar.journal_entry_contents
  for update to nectar_user using (user_id = (select private.actor_id()));

-- No delete: entries go to the trash.
grant select,
  insert (id, notebook_id, title, mood, mood_source, tags, entry_date, ai_excluded, comments_enabled,
    metadata_visibility, content_visibility, inherit_visibility, team_id, org_id),
  update (notebook_id, title, mood, mood_source, tags, entry_date, ai_excluded, comments_enabled, metadata_visibility,
    content_visibility, inherit_visibility, team_id, org_id, updated_at) on nectar.journal_entries to nectar_user;
grant select, insert (entry_id, content), update (content) on nectar.journal_entry_contents to nectar_user;
