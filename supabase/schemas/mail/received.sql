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
  content_fetched_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint email_received_once_per_event unique (event_id, is_verified),
  constraint email_received_provider_id_length check (char_length(provider_id) <= 255),
  constraint email_received_sender_length check (char_length(sender) <= 1000),
  constraint email_received_recipients_count check (cardinality(recipients) <= 50),
  constraint email_received_recipients_size check (octet_length(recipients::text) <= 262144),
  constraint email_received_subject_length check (char_length(subject) <= 1000),
  constraint email_received_body_text_length check (char_length(body_text) <= 262144),
  constraint email_received_body_html_length check (char_length(body_html) <= 262144)
);
comment on table private.email_received is 'Mail to us, for admins to read. Unverified rows may be forged until their text was fetched from the provider.';
comment on column private.email_received.content_fetched_at is 'When sender, recipients, subject and text were read from the provider; null before.';
comment on column private.email_received.sender is 'As the event says, which is no proof.';

create index email_received_newest_first on private.email_received (created_at desc, id desc);

alter table private.email_received enable row level security;

create policy "the service stores mail to us" on private.email_received for insert to nectar_service with check (true);
create policy "the service sees mail to us" on private.email_received for select to nectar_service using (true);
create policy "the service adds the text of mail to us" on private.email_received
  for update to nectar_service using (true);
create policy "the service removes mail to us of more than a month ago" on private.email_received
  for delete to nectar_service using (created_at < now() - interval '30 days');

grant delete, select,
  insert (event_id, is_verified, provider_id, sender, recipients, subject),
  update (sender, recipients, subject, body_text, body_html, content_fetched_at)
  on private.email_received to nectar_service;
