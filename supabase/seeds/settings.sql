-- Why: Rows that every installation needs, and that a schema cannot say. `npm run migrate` runs the files of this folder
-- after the migrations, each time, so every statement may run again, and none overwrites what admins have set.

insert into private.erased_totals default values on conflict do nothing;
insert into private.email_policy default values on conflict do nothing;
insert into nectar.encouragement_config default values on conflict do nothing;

-- In force since 1970, so that there is a rate for every use.
insert into nectar.conversion_rates (rate, effective_date)
select 1000, '1970-01-01T00:00:00Z' where not exists (select from nectar.conversion_rates);

-- A database without Supabase has no Supabase Storage; its images are in another bucket.
do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values (
      'tone-packs', 'tone-packs', true, 5242880, array['image/png', 'image/jpeg', 'image/jpg', 'image/webp']
    )
    on conflict (id) do update set
      public = excluded.public,
      file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;
  end if;
end
$$;

-- Here and not in a schema, because it depends on what else is on the server.
select private.open_tables_to_realtime();
