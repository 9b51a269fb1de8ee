-- Why: The API reaches the data only as one of two roles of its own (supabase/roles.sql), in schemas that Supabase's data
-- API does not expose. `anon` and `authenticated` (the roles behind a client's token at Supabase) get nothing here: no
-- usage, no grant, no policy.

create schema nectar;
create schema private;
comment on schema nectar is 'The tables of the service. Never exposed through a data API.';
comment on schema private is 'Policy helpers, idempotency keys and job runs. Never exposed through a data API.';

revoke all on schema nectar, private from public;
grant usage on schema nectar, private to nectar_user, nectar_service;

-- Returns the caller: the subject of the verified token, or null. Policies always use (select private.actor_id()), so
-- that it is evaluated once per query.
create function private.actor_id() returns uuid
  language sql stable security invoker
  return nullif(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub', '')::uuid;
grant execute on function private.actor_id() to nectar_user, nectar_service;

-- Returns whether the caller is a program. It has no rights of an admin. Our own transactions set the claim for every
-- program (private.begin_as_user), and Supabase Auth for programs of others.
create function private.is_program() returns boolean
  language sql stable security invoker
  return coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb ? 'client_id', false);
grant execute on function private.is_program() to nectar_user;

-- Writes a time as the API sends it, for objects that are made in the database. packages/database writes the times of
-- plain columns in the same way.
create function private.rfc3339(p_moment timestamptz) returns text
  language sql stable parallel safe security invoker
  return to_char(p_moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
grant execute on function private.rfc3339(timestamptz) to nectar_user, nectar_service;

-- Stamps updated_at. Each trigger names the columns whose change a person would call an update.
create function private.touch_updated_at() returns trigger
  language plpgsql security invoker set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- Stamps the version of a row: the transaction that wrote it. A reader that has everything below the oldest transaction
-- that still runs (`pg_snapshot_xmin`) has missed nothing, however late others commit.
create function private.stamp_version() returns trigger
  language plpgsql security invoker set search_path = '' as $$
begin
  new.version := pg_current_xact_id();
  return new;
end $$;

-- Returns how far a moment that a request passes may be from the clock of the database. There is room for clocks that
-- differ and for a loaded function. Only the owner of the database can change it; test databases widen it.
create function private.moment_tolerance() returns interval
  language sql immutable security invoker
  return interval '5 minutes';

-- Raises service.unexpected unless the moment is now, give or take private.moment_tolerance(). Every security definer
-- function that takes a moment and that nectar_user may call calls this first.
create function private.check_moment(p_moment timestamptz) returns void
  language plpgsql volatile security invoker set search_path = '' as $$
begin
  if (p_moment between clock_timestamp() - private.moment_tolerance() and clock_timestamp() + private.moment_tolerance())
    is not true
  then
    raise exception 'the moment is not now' using errcode = 'NX000', detail = 'service.unexpected';
  end if;
end $$;
