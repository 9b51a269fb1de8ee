-- Why: A background is drawn from the text of an entry, so people who may not read the text may not see the picture
-- either. Its file is in the private store under a key that follows from its row; when the row is deleted, the file is
-- too.

create table nectar.entry_backgrounds (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  entry_id uuid references nectar.journal_entries (id) on delete cascade,
  quality text not null,
  file_key text not null generated always as ('backgrounds/' || user_id::text || '/' || id::text || '.png') stored,
  created_at timestamptz(3) not null default now(),
  constraint entry_backgrounds_one_per_entry unique (entry_id),
  constraint entry_backgrounds_quality_known check (quality in ('standard', 'hd'))
);
comment on table nectar.entry_backgrounds is 'Images drawn for entries, at most one each, or for text that was not saved.';
comment on column nectar.entry_backgrounds.entry_id is 'Null if it was drawn for text that is no entry.';
comment on column nectar.entry_backgrounds.file_key is 'Path of the image in the private store.';

create index entry_backgrounds_newest_first on nectar.entry_backgrounds (user_id, created_at desc, id desc);

create trigger entry_backgrounds__sync_file
  after insert or delete on nectar.entry_backgrounds
  for each row execute function private.sync_file_of_row('private', 'file_key');

alter table nectar.entry_backgrounds enable row level security;

-- The sub-select applies the policy of the contents, so the two cannot differ.
create policy "a background is seen by its owner and by readers of the content" on nectar.entry_backgrounds
  for select to nectar_user using (
    user_id = (select private.actor_id())
    or exists (select from nectar.journal_entry_contents c where c.entry_id = entry_backgrounds.entry_id)
  );
create policy "a person adds backgrounds for themselves and their own entries" on nectar.entry_backgrounds
  for insert to nectar_user with check (
    user_id = (select private.actor_id())
    and (
      entry_id is null
      or exists (
        select from nectar.journal_entries e where e.id = entry_backgrounds.entry_id and e.user_id = (select private.actor_id())
      )
    )
  );
create policy "the owner removes a background" on nectar.entry_backgrounds
  for delete to nectar_user using (user_id = (select private.actor_id()));

grant select, delete, insert (id, entry_id, quality) on nectar.entry_backgrounds to nectar_user;
