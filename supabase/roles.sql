-- Why: The login role of the functions can do nothing by itself; it changes into the user or the service role, per
-- transaction. Roles belong to the whole cluster and a migration to one database, and a project of Supabase may have the
-- extension already, so both are created here, and only if they are missing: `npm run migrate` runs this file each time,
-- before the migrations. A later change of a role is another statement at the end that may run again.

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'nectar_user') then
    create role nectar_user nologin noinherit;
    comment on role nectar_user is 'Runs a request for the person in request.jwt.claims; row-level security applies.';
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'nectar_service') then
    create role nectar_service nologin noinherit;
    comment on role nectar_service is
      'Runs webhooks, jobs and admin routes; row-level security applies, with policies of its own.';
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'nectar_api') then
    create role nectar_api login noinherit;
  end if;
  -- An operator may have created it with a password.
  if not pg_has_role('nectar_api', 'nectar_user', 'member') then
    comment on role nectar_api is 'Login role of the functions. May only change into nectar_user or nectar_service.';
    grant nectar_user, nectar_service to nectar_api;
    -- A request that hangs must not keep its locks: the function that sent it has timed out by then.
    alter role nectar_api set statement_timeout = '15s';
    alter role nectar_api set lock_timeout = '5s';
    alter role nectar_api set idle_in_transaction_session_timeout = '30s';
    -- Here and not in each transaction, which would take longer to begin. The API refuses to read a time that is not in UTC.
    alter role nectar_api set search_path = nectar;
    alter role nectar_api set timezone = 'UTC';
  end if;
end $$;

-- pg_trgm is trusted: the owner of a database may create it without being a superuser.
create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
