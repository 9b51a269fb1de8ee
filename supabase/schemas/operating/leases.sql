-- Why: Some work may be done by one process at a time, for minutes. A row with an end holds it without a connection, and
-- when its process dies, the lease ends by itself.

create table private.leases (
  name text not null,
  key text not null,
  holder uuid not null default gen_random_uuid(),
  expires_at timestamptz(3) not null,
  primary key (name, key)
);
comment on table private.leases is 'One row for every job or task that a process is working on.';

alter table private.leases enable row level security;

create policy "the service reads leases" on private.leases for select to nectar_service using (true);
create policy "the service takes leases" on private.leases for insert to nectar_service with check (true);
create policy "the service renews leases" on private.leases for update to nectar_service using (true);
create policy "the service ends leases" on private.leases for delete to nectar_service using (true);

grant select, delete, insert (name, key, expires_at), update (holder, expires_at) on private.leases to nectar_service;
