-- Why: Super admins see every entry. An author can see who of them read an entry that was not shared with them, and when.
-- The read and its row are one transaction. The row outlives the entry, so that deleting does not hide who had read it.

create table private.entry_reads (
  id uuid primary key default gen_random_uuid(),
  entry_id uuid not null,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  reader_id uuid not null,
  date date not null,
  created_at timestamptz(3) not null default now(),
  constraint entry_reads_once_a_day unique (reader_id, entry_id, date)
);
comment on table private.entry_reads is
  'Who read an entry by nothing but the role of a super admin: one row for each entry, reader and UTC day, kept for a year.';
comment on column private.entry_reads.entry_id is 'Refers to no entry, so that the row stays when the entry is deleted.';
comment on column private.entry_reads.user_id is 'The author of the entry.';
comment on column private.entry_reads.reader_id is 'Refers to no account, so that the row stays when the account of the reader is deleted.';

create index entry_reads_of_author on private.entry_reads (user_id, created_at desc, id desc);
create index entry_reads_age on private.entry_reads (created_at);

-- Metadata with a mood that was found in the content counts as content. Security definer: no role may write the log
-- directly.
create function private.log_entry_reads(p_entry_ids uuid[], p_with_content boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reader constant uuid := private.actor_id();
  v_audiences uuid[];
  v_withdrawn uuid[];
begin
  if not private.is_super_admin() then return; end if;
  v_audiences := private.my_audiences();
  v_withdrawn := private.withdrawn_shares();
  perform private.lock_profiles(
    array(select e.user_id from nectar.journal_entries e where e.id = any ((select p_entry_ids)::uuid[]))
  );
  insert into private.entry_reads (entry_id, user_id, reader_id, date)
  select e.id, e.user_id, v_reader, (now() at time zone 'UTC')::date from nectar.journal_entries e
  where e.id = any ((select p_entry_ids)::uuid[]) and e.user_id <> v_reader
    and (
      e.metadata_audience_id <> all (v_audiences)
      or private.is_withdrawn(
        e.user_id, e.notebook_id, e.inherit_visibility and 'user' in (e.metadata_visibility, e.content_visibility),
        e.metadata_audience_id, v_withdrawn
      )
      or (
        (
          e.content_audience_id <> all (v_audiences)
          or private.member_share(e.user_id, e.content_audience_id) = any (v_withdrawn)
        )
        and (
          p_with_content
          -- A mood that was found in the content is shown with the metadata.
          or e.mood is null and exists (
            select from nectar.journal_entry_contents c where c.entry_id = e.id and c.found_mood is not null
          )
        )
      )
    )
  on conflict do nothing;
end $$;
comment on function private.log_entry_reads(uuid[], boolean) is
  'Logs that a super admin reads entries that they see by nothing else, with (or by) their content or only their metadata.';
grant execute on function private.log_entry_reads(uuid[], boolean) to nectar_user;

alter table private.entry_reads enable row level security;

create policy "an author sees who read their entries" on private.entry_reads
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees the age of reads" on private.entry_reads for select to nectar_service using (true);
create policy "the service removes old reads" on private.entry_reads for delete to nectar_service using (true);

grant select on private.entry_reads to nectar_user;
grant select (id, created_at), delete on private.entry_reads to nectar_service;
