-- Rows that are there were last changed by no transaction that a client could have seen. A constant default rewrites no
-- table, and the index of each person's versions is built once.
alter table nectar.journal_entries add column version xid8 not null default '0';
alter table nectar.journal_entries alter column version set default pg_current_xact_id();
alter table nectar.notebooks add column version xid8 not null default '0';
alter table nectar.notebooks alter column version set default pg_current_xact_id();
alter table nectar.goals add column version xid8 not null default '0';
alter table nectar.goals alter column version set default pg_current_xact_id();
alter table nectar.goal_check_ins add column version xid8 not null default '0';
alter table nectar.goal_check_ins alter column version set default pg_current_xact_id();
alter table nectar.wellness_entries add column version xid8 not null default '0';
alter table nectar.wellness_entries alter column version set default pg_current_xact_id();
alter table nectar.entry_pictures add column version xid8 not null default '0';
alter table nectar.entry_pictures alter column version set default pg_current_xact_id();
alter table nectar.accounts add column version xid8 not null default '0';
alter table nectar.accounts alter column version set default pg_current_xact_id();
