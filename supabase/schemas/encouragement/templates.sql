-- Why: Drops that are ready to be sent. A template is offered once an admin has approved it.

create type nectar.encouragement_drop_type as enum ('encouragement', 'media', 'science_tidbit');

create type nectar.media_type as enum ('youtube', 'vimeo', 'spotify', 'soundcloud');

create table nectar.drop_templates (
  id uuid primary key default gen_random_uuid(),
  type nectar.encouragement_drop_type not null,
  title text not null,
  content text not null,
  media_type nectar.media_type,
  media_url text,
  thumbnail_url text,
  is_approved boolean not null default false,
  usage_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint drop_templates_title_length check (char_length(title) between 1 and 100),
  constraint drop_templates_content_length check (char_length(content) between 1 and 500),
  constraint drop_templates_media_has_link check ((type = 'media') = (media_url is not null)),
  constraint drop_templates_link_has_service check ((media_type is null) = (media_url is null)),
  constraint drop_templates_link_is_https check (media_url ~ '^https://' and char_length(media_url) <= 2048),
  constraint drop_templates_thumbnail_is_of_link check (thumbnail_url is null or media_url is not null),
  constraint drop_templates_thumbnail_is_https check (thumbnail_url ~ '^https://' and char_length(thumbnail_url) <= 2048),
  constraint drop_templates_usage_not_negative check (usage_count >= 0)
);
comment on table nectar.drop_templates is 'Drops that may be sent once they are approved.';
comment on column nectar.drop_templates.usage_count is 'How often it was sent. Written only by private.send_encouragement_drop.';

create index drop_templates_approved on nectar.drop_templates (created_at desc, id desc) where is_approved;
-- One for each type: comparing enums is not leakproof, so under row-level security no index can be searched by type.
create index drop_templates_approved_encouragement on nectar.drop_templates (created_at desc, id desc)
  where is_approved and type = 'encouragement';
create index drop_templates_approved_media on nectar.drop_templates (created_at desc, id desc)
  where is_approved and type = 'media';
create index drop_templates_approved_science_tidbit on nectar.drop_templates (created_at desc, id desc)
  where is_approved and type = 'science_tidbit';
create index drop_templates_newest on nectar.drop_templates (created_at desc, id desc);

alter table nectar.drop_templates enable row level security;

create policy "an approved template is seen by all, any by admins" on nectar.drop_templates
  for select to nectar_user using (
    (is_approved and (select private.actor_id()) is not null) or (select private.is_admin())
  );
create policy "an admin creates templates" on nectar.drop_templates
  for insert to nectar_user with check ((select private.is_admin()));
create policy "an admin changes templates" on nectar.drop_templates
  for update to nectar_user using ((select private.is_admin()));
create policy "an admin deletes templates" on nectar.drop_templates
  for delete to nectar_user using ((select private.is_admin()));

grant select, delete, insert (type, title, content, media_type, media_url, thumbnail_url, is_approved),
  update (type, title, content, media_type, media_url, thumbnail_url, is_approved, updated_at)
  on nectar.drop_templates to nectar_user;
