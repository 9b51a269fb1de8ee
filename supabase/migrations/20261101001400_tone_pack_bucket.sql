-- Why: the images of tone packs are public files. Everybody may load one by its address; only the service, with the
-- project's secret key, may write one, so the bucket needs no policy on storage.objects.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'tone-packs', 'tone-packs', true, 5242880, array['image/png', 'image/jpeg', 'image/jpg', 'image/webp']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
