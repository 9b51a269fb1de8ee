-- Why: Super admins see every entry and goal. An author can see who of them read one that was not shared with them, and
-- when. The read and its row are one transaction. The row outlives the thing, so that deleting does not hide who had read
-- it.

create table private.logged_reads (
  id uuid primary key default gen_random_uuid(),
  entry_id uuid,
  goal_id uuid,
  user_id uuid not null references nectar.profiles (id) on delete cascade,
  reader_id uuid not null,
  date date not null,
  created_at timestamptz(3) not null default now(),
  constraint logged_reads_one_thing check (num_nonnulls(entry_id, goal_id) = 1)
);
comment on table private.logged_reads is
  'Who read an entry or a goal by nothing but the role of a super admin: one row for each thing, reader and UTC day, kept for a year.';
comment on column private.logged_reads.entry_id is 'Refers to no entry, as goal_id to no goal, so that the row stays when the thing is deleted.';
comment on column private.logged_reads.user_id is 'The author of the thing.';
comment on column private.logged_reads.reader_id is 'Refers to no account, so that the row stays when the account of the reader is deleted.';

create unique index logged_reads_once_a_day on private.logged_reads (reader_id, coalesce(entry_id, goal_id), date);
create index logged_reads_of_author on private.logged_reads (user_id, created_at desc, id desc);
create index logged_reads_age on private.logged_reads (created_at);

-- Logs that a super admin reads entries or goals that they see by nothing else, with their content or only their
-- metadata. Security definer: no role may write the log directly.
create function private.log_reads(p_ids uuid[], p_with_content boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reader constant uuid := private.actor_id();
begin
  if not private.is_super_admin() then return; end if;
  perform private.lock_profiles(array(
    select e.user_id from nectar.journal_entries e where e.id = any ((select p_ids)::uuid[])
    union all
    select g.user_id from nectar.goals g where g.id = any ((select p_ids)::uuid[])
  ));
  insert into private.logged_reads (entry_id, goal_id, user_id, reader_id, date)
  select r.entry_id, r.goal_id, r.user_id, v_reader, (now() at time zone 'UTC')::date
  from (
    select e.id as entry_id, null::uuid as goal_id, e.user_id
    from nectar.journal_entries e
    cross join lateral private.axes_seen_by(v_reader, e, false) s
    where e.id = any ((select p_ids)::uuid[]) and (not s.metadata or (p_with_content and not s.content))
    union all
    select null, g.id, g.user_id from nectar.goals g
    cross join lateral private.axes_seen_by(v_reader, private.thing(null, g.id), false) s
    where g.id = any ((select p_ids)::uuid[]) and (not s.metadata or (p_with_content and not s.content))
  ) r
  where r.user_id <> v_reader
  on conflict do nothing;
end $$;
grant execute on function private.log_reads(uuid[], boolean) to nectar_user;

alter table private.logged_reads enable row level security;

create policy "an author sees who read their things" on private.logged_reads
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees the age of reads" on private.logged_reads for select to nectar_service using (true);
create policy "the service removes old reads" on private.logged_reads for delete to nectar_service using (true);

grant select on private.logged_reads to nectar_user;
grant select (id, created_at), delete on private.logged_reads to nectar_service;
