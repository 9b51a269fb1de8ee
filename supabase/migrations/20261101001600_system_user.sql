-- Why: the assistant's drops come from somebody. That is one reserved person with a fixed id, so that every installation
-- has it from the first migration on. Its row in Auth has no address, no password and no instance: Auth finds nobody to
-- sign in, to list or to mail.

insert into auth.users (
  id, aud, role, confirmation_token, recovery_token, email_change, email_change_token_new, raw_user_meta_data
)
values (private.system_user_id(), '', '', '', '', '', '', '{"full_name": "Nectar"}');

-- It is no human: awards, the leaderboard and the engagement bonus pass it by.
update nectar.profiles set is_ai = true where id = private.system_user_id();
