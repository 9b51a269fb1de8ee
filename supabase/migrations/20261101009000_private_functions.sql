-- Why: PostgreSQL lets everyone execute a new function. The functions of the API are for the roles that their migrations
-- grant them to, and for no other.

revoke execute on all functions in schema private from public;
