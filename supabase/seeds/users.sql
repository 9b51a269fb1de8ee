-- Why: The assistant's drops are sent by one reserved user with a fixed id. It is not human, so it gets no awards and no
-- bonus and is not on the leaderboard.

insert into auth.users (
  id, aud, role, confirmation_token, recovery_token, email_change, email_change_token_new, raw_user_meta_data
)
values (private.system_user_id(), '', '', '', '', '', '', '{"full_name": "Nectar"}')
on conflict (id) do nothing;
update nectar.profiles set is_ai = true where id = private.system_user_id() and not is_ai;

-- Users who signed up before the service was installed. The trigger on auth.users exists already, so a sign-up in between
-- is not missed.
select private.open_account(u.id, u.email, u.raw_user_meta_data, u.raw_app_meta_data)
from auth.users u
where not exists (select from nectar.profiles p where p.id = u.id)
order by u.created_at, u.id;
