-- Why: Mail to the service, for admins to read. The event about a mail has no text, so the text is fetched afterwards.

create table private.email_received (
  id uuid primary key default gen_random_uuid(),
  event_id text not null,
  is_verified boolean not null,
  provider_id text,
  sender text not null,
  recipients text[] not null,
  subject text not null,
  body_text text,
  body_html text,
  content_due_at timestamptz(3),
  content_attempts smallint not null default 0,
  content_fetched_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint email_received_once_per_event unique (event_id, is_verified),
  constraint email_received_provider_id_length check (char_length(provider_id) <= 255),
  constraint email_received_sender_length check (char_length(sender) <= 1000),
  constraint email_received_recipients_count check (cardinality(recipients) <= 50),
  constraint email_received_recipients_size check (octet_length(recipients::text) <= 262144),
  constraint email_received_subject_length check (char_length(subject) <= 1000),
  constraint email_received_body_text_length check (char_length(body_text) <= 262144),
  constraint email_received_body_html_length check (char_length(body_html) <= 262144),
  constraint email_received_due_has_provider_id check (content_due_at is null or provider_id is not null),
  constraint email_received_fetched_is_not_due check (content_due_at is null or content_fetched_at is null),
  constraint email_received_content_attempts_positive check (content_attempts >= 0)
);
comment on table private.email_received is 'Mail to us, for admins to read. Unverified rows may be forged until their text was fetched from the provider.';
comment on column private.email_received.content_due_at is 'When the text is fetched next, or, once claimed, when the claim runs out; null when it was fetched, cannot be fetched, or was tried for too long.';
comment on column private.email_received.content_fetched_at is 'When sender, recipients, subject and text were read from the provider; null before.';
comment on column private.email_received.sender is 'As the event says, which is no proof.';

create index email_received_newest_first on private.email_received (created_at desc, id desc);
create index email_received_content_due on private.email_received (is_verified desc, content_due_at)
  where content_due_at is not null;

-- Claims the mail to us whose text is due next, verified ones first, until its next attempt is due; no row if nothing
-- is due.
create function private.claim_received_email(p_moment timestamptz)
  returns table (id uuid, provider_id text, is_verified boolean)
  language sql volatile security invoker set search_path = '' as $$
    update private.email_received r
    set content_attempts = r.content_attempts + 1,
        -- 2, 4, 8 minutes and so on, at most 6 hours: after a crash the claim runs out by itself.
        content_due_at = p_moment + least(interval '2 minutes' * power(2, least(r.content_attempts, 10)), interval '6 hours')
    where r.id = (
      select d.id from private.email_received d where d.content_due_at <= p_moment
      order by d.is_verified desc, d.content_due_at limit 1 for update skip locked
    )
    returning r.id, r.provider_id, r.is_verified
  $$;
grant execute on function private.claim_received_email(timestamptz) to nectar_service;

-- Ends the attempts to fetch the text of mails to us that came too long ago, and returns how many there were.
create function private.expire_received_emails(p_moment timestamptz) returns integer
  language sql volatile security invoker set search_path = '' as $$
    with expired as (
      update private.email_received r set content_due_at = null
      where r.content_due_at is not null and r.created_at <= p_moment - interval '3 days' returning 1
    )
    select count(*)::integer from expired
  $$;
grant execute on function private.expire_received_emails(timestamptz) to nectar_service;

alter table private.email_received enable row level security;

create policy "the service stores mail to us" on private.email_received for insert to nectar_service with check (true);
create policy "the service sees mail to us" on private.email_received for select to nectar_service using (true);
create policy "the service adds the text of mail to us" on private.email_received
  for update to nectar_service using (true);
create policy "the service removes mail to us of more than a month ago" on private.email_received
  for delete to nectar_service using (created_at < now() - interval '30 days');

grant delete, select,
  insert (event_id, is_verified, provider_id, sender, recipients, subject, content_due_at, content_attempts),
  update (sender, recipients, subject, body_text, body_html, content_due_at, content_attempts, content_fetched_at)
  on private.email_received to nectar_service;
