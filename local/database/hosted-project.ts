import pg from "pg";
import { LOCAL_DATABASE_PASSWORD } from "../settings/local-defaults.ts";
import { withConnection } from "../support/connection.ts";

/** The role that is called `postgres` in a hosted project; the name `postgres` belongs to the superuser here. */
const ADMINISTRATOR = "hosted_postgres";

/**
 * Gives a database the roles, owners and grants of a hosted Supabase project, as far as migrations meet them. Its schemas
 * auth and storage must exist. What a hosted project has beyond that is in docs/decisions/0008.
 * @param adminUrl a superuser's address
 * @returns the address of the role that a hosted project calls `postgres`, which is no superuser
 */
export async function ownAsHostedProject(adminUrl: string): Promise<string> {
  await withConnection(adminUrl, (client) => client.query(HOSTED_PROJECT));
  const url = new URL(adminUrl);
  url.username = ADMINISTRATOR;
  url.password = LOCAL_DATABASE_PASSWORD;
  return url.href;
}

/** Roles belong to the whole cluster, so another database on it may have made them. */
const HOSTED_PROJECT = `
  do $roles$
  declare
    v_role text;
  begin
    foreach v_role in array array['supabase_admin', 'supabase_auth_admin', 'supabase_storage_admin', '${ADMINISTRATOR}'] loop
      if not exists (select from pg_catalog.pg_roles where rolname = v_role) then
        execute format('create role %I', v_role);
      end if;
    end loop;
  end
  $roles$;
  alter role supabase_admin superuser createdb createrole replication bypassrls;
  alter role supabase_auth_admin noinherit login;
  alter role supabase_storage_admin noinherit login;
  alter role ${ADMINISTRATOR} nosuperuser createdb createrole login replication bypassrls
    password ${pg.escapeLiteral(LOCAL_DATABASE_PASSWORD)};
  alter role ${ADMINISTRATOR} set search_path = "$user", public, extensions;

  do $owners$
  declare
    v_table regclass;
  begin
    execute format('alter database %I owner to ${ADMINISTRATOR}', current_database());
    for v_table in select oid from pg_catalog.pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r' loop
      execute format('alter table %s owner to supabase_auth_admin', v_table);
    end loop;
    for v_table in select oid from pg_catalog.pg_class where relnamespace = 'storage'::regnamespace and relkind = 'r' loop
      execute format('alter table %s owner to supabase_storage_admin', v_table);
    end loop;
  end
  $owners$;
  alter schema auth owner to supabase_admin;
  alter schema storage owner to supabase_admin;
  create schema extensions authorization ${ADMINISTRATOR};
  alter table auth.users enable row level security;

  grant all on schema auth to supabase_auth_admin;
  grant usage on schema auth to ${ADMINISTRATOR};
  grant all on all tables in schema auth to ${ADMINISTRATOR};
  grant select on all tables in schema auth to ${ADMINISTRATOR} with grant option;
  grant all on schema storage to supabase_storage_admin;
  grant usage on schema storage to ${ADMINISTRATOR} with grant option;
  grant all on storage.buckets, storage.objects to ${ADMINISTRATOR} with grant option;
`;
