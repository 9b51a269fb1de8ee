-- The window of a player is read from its table. The plan would drop the type before the attribute that has it.
alter type private.started_check_in drop attribute "window";
