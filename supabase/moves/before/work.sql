-- Leases are claims of work. Exports and imports that are open, and mails whose text is missing, are work that is due.
alter table private.leases rename to work;
alter table private.work rename constraint leases_pkey to work_pkey;
alter table private.work rename column name to kind;
alter table private.work rename column holder to claim;
alter table private.work rename column expires_at to due_at;
alter table private.work alter column claim drop not null;
update private.work set kind = 'job ' || kind where kind not in ('export', 'import');
alter table private.work add column attempts integer not null default 0;
insert into private.work (kind, key, claim, due_at, attempts)
select 'export', x.id::text, null::uuid, x.created_at, x.attempts from nectar.exports x where x.status = 'pending'
union all
select 'import', i.id::text, null, i.created_at, i.starts from nectar.journal_imports i where i.status = 'running'
union all
select case when r.is_verified then 'received-mail' else 'unverified-mail' end, r.provider_id, null, r.content_due_at,
  r.content_attempts
from private.email_received r where r.content_due_at is not null
on conflict do nothing;
