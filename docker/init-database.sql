-- Runs once, when the volume of the database is empty: the logins of Nectar, Supabase Auth and Supabase Realtime, and the
-- schemas that Auth and Realtime fill with their tables. Nectar's migrations create the rest.
\getenv api_password NECTAR_API_PASSWORD
\getenv auth_password AUTH_PASSWORD
\getenv realtime_password REALTIME_PASSWORD

create role nectar_api login noinherit password :'api_password';
create role supabase_auth_admin login noinherit createrole password :'auth_password';
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;

create schema auth authorization supabase_auth_admin;
grant create on database postgres to supabase_auth_admin;
alter role supabase_auth_admin set search_path = auth;

-- Realtime takes the role of each app to ask the policies, and its own migrations name the other roles and schemas. The
-- migrations of Nectar add their tables to the publication.
create role supabase_admin login superuser replication password :'realtime_password';
create role supabase_realtime_admin nologin noinherit;
create role dashboard_user nologin;
create schema _realtime authorization supabase_admin;
create schema realtime authorization supabase_admin;
create schema extensions;
create publication supabase_realtime;
