-- Why: Satisfaction, what people did for themselves, and how they slept: short entries beside the journal. Together
-- with journal entries they count as engagement after an encouragement drop. Only the person sees them.

create type nectar.wellness_type as enum ('satisfaction', 'action_note', 'sleep');

create table nectar.wellness_entries (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  type nectar.wellness_type not null,
  rating smallint,
  content text,
  hours numeric(4, 2),
  quality smallint,
  notes text,
  created_at timestamptz(3) not null default now(),
  version xid8 not null default pg_current_xact_id(),
  constraint wellness_entries_satisfaction_is_rated check (
    (type = 'satisfaction') = (rating is not null) and rating between 1 and 10
  ),
  constraint wellness_entries_action_note_has_content check (
    (type = 'action_note') = (content is not null) and char_length(content) between 1 and 5000
  ),
  constraint wellness_entries_sleep_has_hours check ((type = 'sleep') = (hours is not null) and hours between 0 and 24),
  constraint wellness_entries_quality_is_of_sleep check (quality is null or (type = 'sleep' and quality between 1 and 5)),
  constraint wellness_entries_notes_length check (
    notes is null or (type <> 'action_note' and char_length(notes) between 1 and 2000)
  )
);
comment on table nectar.wellness_entries is 'Satisfaction, action notes and sleep of a person.';
comment on column nectar.wellness_entries.rating is 'Satisfaction from 1 to 10.';
comment on column nectar.wellness_entries.hours is 'Hours slept, 0 to 24, rounded to two decimals.';
comment on column nectar.wellness_entries.quality is 'Of the sleep, from 1 to 5.';
comment on column nectar.wellness_entries.version is 'The transaction that last changed what a client sees of the entry itself, for its etag and the feed of changes.';

create index wellness_entries_newest_first on nectar.wellness_entries (user_id, created_at desc, id desc);
create index wellness_entries_version on nectar.wellness_entries (user_id, version, id);

create trigger wellness_entries__stamp_version
  before update on nectar.wellness_entries
  for each row when (
    (old.type, old.rating, old.content, old.hours, old.quality, old.notes)
    is distinct from (new.type, new.rating, new.content, new.hours, new.quality, new.notes)
  )
  execute function private.stamp_version();
create trigger wellness_entries__record_removal
  after delete on nectar.wellness_entries
  for each row execute function private.record_removal('wellness_entry');
create trigger wellness_entries__delete_stored_responses
  after delete on nectar.wellness_entries
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

alter table nectar.wellness_entries enable row level security;

create policy "a person sees their own wellness entries" on nectar.wellness_entries
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person writes wellness entries of their own" on nectar.wellness_entries
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "a person corrects their own wellness entries" on nectar.wellness_entries
  for update to nectar_user using (user_id = (select private.actor_id()));
create policy "a person deletes their own wellness entries" on nectar.wellness_entries
  for delete to nectar_user using (user_id = (select private.actor_id()));

grant select, delete, insert (id, type, rating, content, hours, quality, notes),
  update (type, rating, content, hours, quality, notes) on nectar.wellness_entries to nectar_user;
