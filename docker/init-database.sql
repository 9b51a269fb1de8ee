-- Runs once, when the volume of the database is empty: the logins of Nectar and of Supabase Auth, and the schema that Auth
-- fills with its tables. Nectar's migrations create the rest.
\getenv api_password NECTAR_API_PASSWORD
\getenv auth_password AUTH_PASSWORD

create role nectar_api login noinherit password :'api_password';
create role supabase_auth_admin login noinherit createrole password :'auth_password';
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;

create schema auth authorization supabase_auth_admin;
grant create on database postgres to supabase_auth_admin;
alter role supabase_auth_admin set search_path = auth;
