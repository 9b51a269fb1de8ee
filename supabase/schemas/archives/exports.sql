-- Why: People take their data away as one zip file in the private store. It is built in the background in one go, and from
-- its beginning again after a crash.

create type nectar.export_status as enum ('pending', 'ready', 'failed', 'expired');

create table nectar.exports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  status nectar.export_status not null default 'pending',
  file_key text not null generated always as ('exports/' || user_id::text || '/' || id::text || '.zip') stored,
  created_at timestamptz(3) not null default now(),
  ready_at timestamptz(3),
  expires_at timestamptz(3),
  size_bytes bigint,
  sha256 text,
  constraint exports_ready_has_file check (
    status not in ('ready', 'expired') or num_nonnulls(ready_at, expires_at, size_bytes, sha256) = 4
  )
);
comment on table nectar.exports is 'What people exported of their data. Written by definer functions alone.';
comment on column nectar.exports.file_key is 'Path of the zip file in the private store, while the export is ready.';

create unique index exports_one_pending on nectar.exports (user_id) where status = 'pending';
create index exports_newest_first on nectar.exports (user_id, created_at desc, id desc);
create index exports_expiry on nectar.exports (expires_at) where status = 'ready';
create index exports_age on nectar.exports (created_at);

-- Creates a pending export of the caller and returns its id. Raises export.in_progress while another one is pending.
-- Security definer: no role may write exports directly.
create function private.create_export() returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  insert into nectar.exports (user_id) values (private.actor_id()) returning id into v_id;
  perform private.add_work('export', v_id);
  return v_id;
exception when unique_violation then
  raise exception 'an export is pending' using errcode = 'NX000', detail = 'export.in_progress';
end $$;
grant execute on function private.create_export() to nectar_user;

-- Ends a pending export while its claim lasts; false if it has ended. The export is ready, and its person is notified, or
-- without a size it has failed. Locks the profile first, as the deletion of the account does. Security definer: no role
-- may write exports directly.
create function private.end_export(p_id uuid, p_claim uuid, p_size bigint default null, p_sha256 text default null)
  returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user constant uuid := (select x.user_id from nectar.exports x where x.id = p_id);
begin
  if not private.lock_profile(v_user) then return false; end if;
  -- Locked before the claim is looked at, so that the export is not begun again in between.
  perform from nectar.exports x where x.id = p_id and x.status = 'pending' for update;
  if not found then return false; end if;
  perform from private.work w where w.kind = 'export' and w.key = p_id::text and w.claim = p_claim;
  if not found then return false; end if;
  if p_size is null then
    update nectar.exports x set status = 'failed' where x.id = p_id;
    return true;
  end if;
  update nectar.exports x
  set status = 'ready', ready_at = now(), expires_at = now() + interval '7 days', size_bytes = p_size, sha256 = p_sha256
  where x.id = p_id;
  perform private.notify(v_user, 'export_ready', jsonb_build_object('export_id', p_id));
  return true;
end $$;
grant execute on function private.end_export(uuid, uuid, bigint, text) to nectar_service;

-- Expires a batch of the exports whose time is over, and returns how many. Security definer: no role may write exports
-- directly.
create function private.expire_exports(p_max integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count integer;
begin
  update nectar.exports set status = 'expired'
  where id in (
    select x.id from nectar.exports x where x.status = 'ready' and x.expires_at <= now() limit p_max for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end $$;
grant execute on function private.expire_exports(integer) to nectar_service;

-- Discards the file of an export that failed, expired or was deleted, and the stored responses that contain a deleted
-- one. Security definer: no role may write the notes directly.
create function private.discard_export() returns trigger
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.status not in ('failed', 'expired') then return null; end if;
  perform private.discard_file('private', old.file_key);
  if tg_op = 'DELETE' then
    delete from private.idempotency_keys k where k.resource_id = old.id;
    delete from private.work w where w.kind = 'export' and w.key = old.id::text;
    -- The file may still be uploaded.
    update private.stored_files_to_remove f set remove_after = now() + interval '1 hour'
    where f.store = 'private' and f.path = old.file_key and old.status = 'pending';
  end if;
  return null;
end $$;

create trigger exports__discard
  after update of status or delete on nectar.exports
  for each row execute function private.discard_export();

alter table nectar.exports enable row level security;

create policy "a person sees their own exports" on nectar.exports
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person deletes their own exports" on nectar.exports
  for delete to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees exports" on nectar.exports for select to nectar_service using (true);
create policy "the service removes exports of more than a month ago" on nectar.exports
  for delete to nectar_service using (created_at < now() - interval '30 days');

grant select, delete on nectar.exports to nectar_user;
grant select (id, user_id, status, file_key, created_at), delete on nectar.exports to nectar_service;
