-- Why: A tone pack is a set of images, one for each tone, that its owner creates, shares, publishes or sells. A person
-- sees their own packs, public ones, and those that are shared with them or that they bought. The images are public
-- files: everyone may load one by its address. Only the service, with the project's secret key, may write one, so the
-- bucket needs no policy on storage.objects.

create type nectar.tone_pack_theme as enum (
  'origami', 'animals', 'nature', 'abstract', 'geometric', 'minimalist', 'watercolor', 'line-art', 'icons', 'emojis',
  'shapes', 'patterns'
);

create table nectar.tone_packs (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  name text not null,
  description text,
  theme nectar.tone_pack_theme not null,
  is_public boolean not null default false,
  price_drops integer not null default 0,
  deleted_at timestamptz(3),
  hidden_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (id, owner_id),
  constraint tone_packs_name_length check (char_length(name) between 1 and 100),
  constraint tone_packs_description_length check (char_length(description) <= 1000),
  constraint tone_packs_price_in_range check (price_drops between 0 and 100000),
  constraint tone_packs_deleted_is_not_public check (deleted_at is null or not is_public)
);
comment on table nectar.tone_packs is 'Sets of images for tones, with their owners and prices.';
comment on column nectar.tone_packs.deleted_at is 'Since this time only its buyers see the pack.';
comment on column nectar.tone_packs.hidden_at is 'Since when only the owner sees the pack, by a decision of an admin.';
comment on column nectar.tone_packs.price_drops is 'What a new buyer pays, in drops.';

create table nectar.tone_pack_images (
  id uuid primary key default gen_random_uuid(),
  pack_id uuid not null,
  owner_id uuid not null default private.actor_id(),
  tone text not null,
  file_path text not null,
  created_at timestamptz(3) not null default now(),
  foreign key (pack_id, owner_id) references nectar.tone_packs (id, owner_id) on update cascade on delete cascade,
  constraint tone_pack_images_one_for_a_tone unique (pack_id, tone),
  constraint tone_pack_images_tone_form check (tone ~ '^[a-z][a-z -]{0,29}$'),
  constraint tone_pack_images_file_path_length check (char_length(file_path) between 1 and 1024),
  -- The file is removed with the row, so a row can only name a file of its own pack.
  constraint tone_pack_images_file_path_of_pack
    check (
      starts_with(file_path, owner_id::text || '/' || pack_id::text || '/')
      -- The files of an erased owner's pack stay where they are.
      or (owner_id = private.system_user_id() and split_part(file_path, '/', 2) = pack_id::text)
    )
);
comment on table nectar.tone_pack_images is 'The image of a pack for a tone.';
comment on column nectar.tone_pack_images.file_path is 'Path in the public bucket tone-packs.';

create index tone_packs_own on nectar.tone_packs (owner_id, created_at desc, id desc);
create index tone_packs_public on nectar.tone_packs (created_at desc, id desc) where is_public;

-- Returns the tone packs that are shared with the caller or that the caller bought. Security definer: policies call it.
create function private.my_tone_pack_ids() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor constant uuid := private.actor_id();
begin
  return query select s.pack_id from nectar.tone_pack_shares s where s.user_id = v_actor;
  return query select b.pack_id from nectar.tone_pack_purchases b where b.user_id = v_actor and b.refunded_at is null;
end $$;
grant execute on function private.my_tone_pack_ids() to nectar_user;

-- Returns whether the caller's policies show them a pack. PL/pgSQL, because it keeps a plan that looks a pack up by its
-- id; inside the policy, the planner may read all packs first.
create function private.sees_tone_pack(p_pack_id uuid) returns boolean
  language plpgsql stable security invoker set search_path = '' as $$
begin
  return exists (select from nectar.tone_packs p where p.id = p_pack_id);
end $$;
grant execute on function private.sees_tone_pack(uuid) to nectar_user;

create trigger tone_packs__touch_updated_at
  before update on nectar.tone_packs
  for each row when (
    (old.name, old.description, old.theme, old.is_public, old.price_drops)
    is distinct from (new.name, new.description, new.theme, new.is_public, new.price_drops)
  )
  execute function private.touch_updated_at();
create trigger tone_pack_images__sync_file
  after insert or update of file_path or delete on nectar.tone_pack_images
  for each row execute function private.sync_file_of_row('tone-packs', 'file_path');

alter table nectar.tone_packs enable row level security;
alter table nectar.tone_pack_images enable row level security;

create policy "owners, buyers and recipients see a pack, everyone a public one" on nectar.tone_packs
  for select to nectar_user using (
    (owner_id = (select private.actor_id()) and deleted_at is null)
    or (
      hidden_at is null and is_public and (select private.actor_id()) is not null
      and owner_id <> all ((select private.blocked_users())::uuid[])
    )
    or (hidden_at is null and id in (select private.my_tone_pack_ids()))
  );
create policy "a person creates packs of their own" on nectar.tone_packs
  for insert to nectar_user with check (owner_id = (select private.actor_id()));
create policy "the owner edits a pack" on nectar.tone_packs
  for update to nectar_user using (owner_id = (select private.actor_id()) and deleted_at is null)
  with check (owner_id = (select private.actor_id()));

create policy "an image is seen by those who see its pack" on nectar.tone_pack_images
  for select to nectar_user using (private.sees_tone_pack(pack_id));
create policy "the owner adds images to a pack" on nectar.tone_pack_images
  for insert to nectar_user with check (owner_id = (select private.actor_id()));
create policy "the owner replaces images of a pack" on nectar.tone_pack_images
  for update to nectar_user using (owner_id = (select private.actor_id()));

grant select, insert (name, description, theme, is_public, price_drops),
  update (name, description, theme, is_public, price_drops) on nectar.tone_packs to nectar_user;
grant select, insert (pack_id, tone, file_path), update (file_path, created_at)
  on nectar.tone_pack_images to nectar_user;
