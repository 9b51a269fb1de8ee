-- Why: PostgreSQL lets everyone execute a new function or procedure. Those of the API are for the roles that their
-- migrations grant them to, and for no other.

revoke execute on all routines in schema private from public;
