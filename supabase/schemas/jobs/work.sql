-- Why: Work that may be interrupted is claimed in one way, whether it is the run of a job, an export, an import or the text
-- of a mail to us. A claim has an end, so it needs no connection, and when its process dies it ends by itself. The rows
-- of the subject say what there is to do, and what has been done.

create table private.work (
  kind text not null,
  key text not null,
  claim uuid,
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  primary key (kind, key)
);
comment on table private.work is 'Work that is due or claimed. The row is deleted when the work is done.';
comment on column private.work.claim is 'Id of the claim, new each time; null while no one works on it.';
comment on column private.work.due_at is 'When it may be claimed; while it is claimed, when the claim expires.';
comment on column private.work.attempts is 'How often it was claimed since it was added, or since it last got on.';

create index work_due on private.work (kind, due_at);

-- Adds work that is due at a moment. If the work is there already, its claim ends and its attempts are counted anew. The
-- moment is cut to milliseconds, because a rounded one may be later than the next transaction.
create function private.add_work(p_kind text, p_key uuid, p_due_at timestamptz default now()) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  insert into private.work (kind, key, due_at) values (p_kind, p_key, date_trunc('milliseconds', p_due_at))
  on conflict (kind, key) do update set claim = null, due_at = excluded.due_at, attempts = 0;
end $$;
grant execute on function private.add_work(text, uuid, timestamptz) to nectar_service;

alter table private.work enable row level security;

create policy "the service reads work" on private.work for select to nectar_service using (true);
create policy "the service adds and claims work" on private.work for insert to nectar_service with check (true);
create policy "the service claims, renews and releases work" on private.work for update to nectar_service using (true);
create policy "the service deletes work that is done" on private.work for delete to nectar_service using (true);

grant select, delete, insert (kind, key, claim, due_at, attempts), update (claim, due_at, attempts)
  on private.work to nectar_service;
