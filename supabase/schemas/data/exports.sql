-- Why: People take their data away as one zip file in the private store. It may be larger than memory and take longer than
-- one run of a function, so it is built in slices: each is one part of an upload, and what the next slice continues with
-- is stored with it.

-- Types ---------------------------------------------------------------------------------------------------------------
create type nectar.export_status as enum ('pending', 'ready', 'failed', 'expired');

-- Tables --------------------------------------------------------------------------------------------------------------
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

create table private.export_work (
  export_id uuid primary key references nectar.exports (id) on delete cascade,
  claim uuid,
  claimed_until timestamptz(3),
  attempts integer not null default 0,
  upload_id text,
  checkpoint jsonb
);
comment on table private.export_work is 'How far pending exports are.';
comment on column private.export_work.claim is 'Id of the worker''s claim, new each time. It commits slices only while it is this one.';
comment on column private.export_work.claimed_until is 'When another worker may claim it; null if no worker has it.';
comment on column private.export_work.attempts is 'How often it was claimed since the last slice.';
comment on column private.export_work.upload_id is 'The store''s id of the upload; null before the first slice.';
comment on column private.export_work.checkpoint is 'What the next slice continues with; null before the first one.';

create table private.export_parts (
  export_id uuid not null references private.export_work (export_id) on delete cascade,
  number integer not null,
  etag text not null,
  records bytea not null,
  files jsonb not null,
  primary key (export_id, number)
);
comment on table private.export_parts is 'The parts of pending exports that are uploaded.';
comment on column private.export_parts.records is 'Records of the zip''s central directory for the files that end in this part.';
comment on column private.export_parts.files is 'Their rows in manifest.json.';

-- Indexes -------------------------------------------------------------------------------------------------------------
create unique index exports_one_pending on nectar.exports (user_id) where status = 'pending';
create index exports_newest_first on nectar.exports (user_id, created_at desc, id desc);
create index exports_expiry on nectar.exports (expires_at) where status = 'ready';
create index exports_age on nectar.exports (created_at);
create index export_work_due on private.export_work (claimed_until);

-- Functions -----------------------------------------------------------------------------------------------------------
create function private.create_export() returns uuid
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_id uuid;
begin
  insert into nectar.exports (user_id) values (private.actor_id()) returning id into v_id;
  insert into private.export_work (export_id) values (v_id);
  return v_id;
exception when unique_violation then
  raise exception 'an export is pending' using errcode = 'NX000', detail = 'export.in_progress';
end
$$;
comment on function private.create_export() is
  'Creates a pending export of the caller and returns its id. Raises export.in_progress while another one is pending. Security definer: no role may write exports directly.';
grant execute on function private.create_export() to nectar_user;

create function private.claim_export(p_id uuid, p_lease interval, p_max_attempts integer) returns json
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_work private.export_work;
begin
  update private.export_work w
  set claim = gen_random_uuid(), claimed_until = now() + p_lease, attempts = w.attempts + 1
  where w.export_id = p_id and (w.claimed_until is null or w.claimed_until <= now())
  returning * into v_work;
  if v_work.attempts > p_max_attempts then
    update nectar.exports set status = 'failed' where id = p_id;
    delete from private.export_work where export_id = p_id;
    return null;
  end if;
  return (
    select json_build_object(
      'id', x.id, 'user_id', x.user_id, 'key', x.file_key, 'created_at', private.rfc3339(x.created_at),
      'claim', v_work.claim, 'upload_id', v_work.upload_id, 'checkpoint', v_work.checkpoint
    )
    from nectar.exports x where x.id = v_work.export_id
  );
end
$$;
comment on function private.claim_export(uuid, interval, integer) is
  'Claims a pending export for a worker and returns what it continues with; null if there is none, if another worker has it, or if it was claimed too often without a slice: then it has failed. Security definer: no role may write exports directly.';
grant execute on function private.claim_export(uuid, interval, integer) to nectar_service;

create function private.save_export_slice(p_id uuid, p_claim uuid, p_slice jsonb, p_records bytea, p_lease interval)
  returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  update private.export_work w
  set upload_id = p_slice ->> 'upload_id', checkpoint = p_slice -> 'checkpoint', attempts = 0,
    claimed_until = now() + p_lease
  where w.export_id = p_id and w.claim = p_claim;
  if not found then
    return false;
  end if;
  if p_slice ->> 'etag' is not null then
    insert into private.export_parts (export_id, number, etag, records, files)
    values (p_id, (p_slice ->> 'number')::integer, p_slice ->> 'etag', p_records, p_slice -> 'files');
  end if;
  return true;
end
$$;
comment on function private.save_export_slice(uuid, uuid, jsonb, bytea, interval) is
  'Stores what the next slice of an export continues with, and the part that was uploaded, if there is one. Returns false if the claim has ended, because the export is gone or another worker has it. Security definer: no role may write exports directly.';
grant execute on function private.save_export_slice(uuid, uuid, jsonb, bytea, interval) to nectar_service;

create function private.release_export(p_id uuid, p_claim uuid) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  update private.export_work w set claimed_until = null, attempts = 0 where w.export_id = p_id and w.claim = p_claim;
end
$$;
comment on function private.release_export(uuid, uuid) is
  'Lets another worker continue with an export at once. Security definer: no role may write exports directly.';
grant execute on function private.release_export(uuid, uuid) to nectar_service;

create function private.finish_export(p_id uuid, p_claim uuid, p_size bigint, p_sha256 text) returns boolean
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_user constant uuid := (select x.user_id from nectar.exports x where x.id = p_id);
begin
  if not private.lock_profile(v_user) then
    return false;
  end if;
  delete from private.export_work w where w.export_id = p_id and w.claim = p_claim;
  if not found then
    return false;
  end if;
  update nectar.exports
  set status = 'ready', ready_at = now(), expires_at = now() + interval '7 days', size_bytes = p_size, sha256 = p_sha256
  where id = p_id;
  perform private.notify(v_user, 'export_ready', jsonb_build_object('export_id', p_id));
  return true;
end
$$;
comment on function private.finish_export(uuid, uuid, bigint, text) is
  'Makes an export ready and notifies its person, once. Returns false if the claim has ended. Locks the profile first, as the deletion of the account does. Security definer: no role may write exports directly.';
grant execute on function private.finish_export(uuid, uuid, bigint, text) to nectar_service;

create function private.expire_exports(p_max integer) returns integer
  language plpgsql volatile security definer
  set search_path = ''
  as $$
declare
  v_count integer;
begin
  update nectar.exports set status = 'expired'
  where id in (
    select x.id from nectar.exports x where x.status = 'ready' and x.expires_at <= now() limit p_max for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function private.expire_exports(integer) is
  'Expires a slice of the exports whose 7 days are over, and returns how many. Security definer: no role may write exports directly.';
grant execute on function private.expire_exports(integer) to nectar_service;

create function private.discard_export() returns trigger
  language plpgsql volatile security definer
  set search_path = ''
  as $$
begin
  if tg_op = 'UPDATE' and new.status not in ('failed', 'expired') then
    return null;
  end if;
  perform private.discard_file('private', old.file_key);
  -- A worker may still be about to upload a part; it stops at its next slice.
  if old.status = 'pending' and tg_op = 'DELETE' then
    update private.stored_files_to_remove f set remove_after = now() + interval '1 hour'
    where f.store = 'private' and f.path = old.file_key;
  end if;
  return null;
end
$$;
comment on function private.discard_export() is
  'Trigger: the file of an export that has failed, expired or is deleted is removed. Security definer: no role may write the notes directly.';

-- Triggers ------------------------------------------------------------------------------------------------------------
create trigger exports__discard_file
  after update of status or delete on nectar.exports
  for each row execute function private.discard_export();
create trigger exports_delete_stored_responses
  after delete on nectar.exports
  referencing old table as deleted
  for each statement execute function private.delete_stored_responses();

-- Row-level security --------------------------------------------------------------------------------------------------
alter table nectar.exports enable row level security;
alter table private.export_work enable row level security;
alter table private.export_parts enable row level security;

create policy "a person sees their own exports" on nectar.exports
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person deletes their own exports" on nectar.exports
  for delete to nectar_user using (user_id = (select private.actor_id()));
create policy "the service sees the age of exports" on nectar.exports for select to nectar_service using (true);
create policy "the service removes exports of more than a month ago" on nectar.exports
  for delete to nectar_service using (created_at < now() - interval '30 days');
create policy "the service sees which exports are due" on private.export_work for select to nectar_service using (true);
create policy "the service reads the parts of exports" on private.export_parts for select to nectar_service using (true);

-- Grants --------------------------------------------------------------------------------------------------------------
grant select, delete on nectar.exports to nectar_user;
grant select (id, created_at), delete on nectar.exports to nectar_service;
grant select (export_id, claimed_until) on private.export_work to nectar_service;
grant select on private.export_parts to nectar_service;
