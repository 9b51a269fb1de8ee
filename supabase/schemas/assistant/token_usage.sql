-- Why: Every call of an external model costs money. Each is an appended row with its exact price, summed per person and
-- calendar month (UTC). How many tokens one drop is worth is a rate with a history.

create type nectar.token_usage_type as enum (
  'tone_analysis', 'background_generation', 'tone_pack_image', 'assistant_drop', 'note_analysis'
);

create type nectar.token_usage_month as (
  month text, total_tokens bigint, total_cost_usd numeric, drops_equivalent numeric, breakdown jsonb
);

comment on type nectar.token_usage_month is 'One month of a person: `YYYY-MM`, sums, what the tokens are worth in drops (two decimals), and for tone, images, packs, assistant and analysis tokens, cost_usd and count.';

create table nectar.token_usage (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default private.actor_id() references nectar.profiles (id) on delete cascade,
  usage_type nectar.token_usage_type not null,
  model text not null,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  image_count integer not null default 0,
  image_quality text,
  cost_usd numeric(12, 6) not null,
  has_reply boolean not null default true,
  reference_type text,
  reference_id uuid,
  created_at timestamptz(3) not null default now(),
  constraint token_usage_model_length check (char_length(model) between 1 and 200),
  -- What one call can come to. A person's transaction records its own calls, so this bounds a mistake of ours.
  constraint token_usage_counts_not_negative check (input_tokens >= 0 and output_tokens >= 0 and image_count >= 0),
  constraint token_usage_counts_in_range check (input_tokens <= 2000000 and output_tokens <= 2000000 and image_count <= 20),
  constraint token_usage_image_quality_known check (image_quality in ('standard', 'hd')),
  constraint token_usage_images_have_quality check ((image_count > 0) = (image_quality is not null)),
  constraint token_usage_cost_not_negative check (cost_usd >= 0),
  constraint token_usage_cost_in_range check (cost_usd <= 10),
  constraint token_usage_reference_is_whole check ((reference_type is null) = (reference_id is null)),
  constraint token_usage_reference_type_length check (char_length(reference_type) between 1 and 50)
);
comment on table nectar.token_usage is 'Append-only: every call of an external model, and what it cost.';
comment on column nectar.token_usage.cost_usd is 'Exact, from the price list at the time of the call.';
comment on column nectar.token_usage.has_reply is 'Whether the model replied. A call without a reply sent a text as well, but counts in no sum.';
comment on column nectar.token_usage.reference_type is 'What reference_id is the id of; the thing may be gone by now.';

create table nectar.conversion_rates (
  id uuid primary key default gen_random_uuid(),
  rate numeric(14, 4) not null,
  effective_date timestamptz(3) not null default now(),
  created_by uuid default private.actor_id() references nectar.profiles (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  constraint conversion_rates_rate_positive check (rate > 0)
);
comment on table nectar.conversion_rates is 'Append-only: how many tokens one drop is worth. The newest effective_date counts, for a use the newest that is not after it.';
comment on column nectar.conversion_rates.created_by is 'Null for the first rate, and when that person is gone.';

create index token_usage_by_time on nectar.token_usage (user_id, created_at desc, id desc);
create index conversion_rates_newest_first on nectar.conversion_rates (effective_date desc, id desc);
create index conversion_rates_created_by on nectar.conversion_rates (created_by);

-- Returns the model calls of a person in one calendar month (UTC): always one row, with every kind. The tokens of each
-- call are converted to drops at the rate in force when it was recorded. The policies of the caller apply.
create function private.token_usage_monthly(p_user_id uuid, p_year integer, p_month integer)
  returns setof nectar.token_usage_month rows 1
  language sql stable security invoker set search_path = '' as $$
    with period as (
      select
        make_timestamptz(p_year, p_month, 1, 0, 0, 0, 'UTC') as starts,
        -- December's end is January of the next year.
        make_timestamptz(p_year + p_month / 12, p_month % 12 + 1, 1, 0, 0, 0, 'UTC') as ends
    ), rates as (
      -- Only the rates in force during the month: the newest one that is not after its start, and those set within it.
      select c.rate, c.effective_date as since,
        lead(c.effective_date, 1, 'infinity') over (order by c.effective_date, c.id) as until
      from nectar.conversion_rates c, period m
      where c.effective_date < m.ends
        and c.effective_date >= (select max(b.effective_date) from nectar.conversion_rates b where b.effective_date <= m.starts)
    ), used as (
      select u.usage_type, r.rate,
        sum(u.input_tokens::bigint + u.output_tokens)::bigint as tokens,
        sum(u.cost_usd) as cost_usd,
        count(*) as calls
      from nectar.token_usage u
      cross join period m
      left join rates r on u.created_at >= r.since and u.created_at < r.until
      where u.user_id = p_user_id and u.created_at >= m.starts and u.created_at < m.ends and u.has_reply
      group by u.usage_type, r.rate
    ), kinds as (
      select k.kind, coalesce(sum(u.tokens), 0)::bigint as tokens,
        coalesce(sum(u.cost_usd), 0)::numeric(18, 6) as cost_usd,
        coalesce(sum(u.calls), 0)::bigint as calls,
        -- Quotients such as 1/3 have no end, so they keep more decimal places than the result.
        coalesce(sum(u.tokens::numeric(50, 30) / u.rate), 0) as drops
      from (
        values
          ('tone', 'tone_analysis'), ('images', 'background_generation'), ('packs', 'tone_pack_image'),
          ('assistant', 'assistant_drop'), ('analysis', 'note_analysis')
      ) as k (kind, usage_type)
      left join used u on u.usage_type = k.usage_type::nectar.token_usage_type
      group by k.kind
    )
    select
      to_char(m.starts at time zone 'UTC', 'YYYY-MM'),
      sum(k.tokens)::bigint,
      sum(k.cost_usd)::numeric(18, 6),
      -- Half up, after removing the error of the quotients, which could tip a half.
      round(round(sum(k.drops), 20), 2),
      jsonb_object_agg(k.kind, jsonb_build_object('tokens', k.tokens, 'cost_usd', k.cost_usd, 'count', k.calls))
    from kinds k cross join period m group by m.starts
  $$;
grant execute on function private.token_usage_monthly(uuid, integer, integer) to nectar_service;

-- Returns a person's own token usage of a month to the data API, and that of everyone to the service role. This is a
-- deliberate opening. Raises 42501 for other people's months, and if the account was deleted. Security definer: the
-- roles of the data API may not read the tables.
create function public.get_user_token_usage_monthly(user_id uuid, year integer, month integer)
  returns setof nectar.token_usage_month rows 1
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- `role` is the role that the session has set, not the owner of this function; clients of the data API cannot choose
  -- it.
  if not exists (select from nectar.profiles p where p.id = user_id and p.id = private.actor_id() and not private.is_program())
    and current_setting('role', true) is distinct from 'service_role'
  then
    raise exception 'only your own usage' using errcode = '42501';
  end if;
  return query select * from private.token_usage_monthly(user_id, year, month);
end $$;
-- To public, because Supabase creates its roles before the migrations and Supabase Lite after them. The function itself
-- checks the caller.
grant execute on function public.get_user_token_usage_monthly(uuid, integer, integer) to public;

alter table nectar.token_usage enable row level security;
alter table nectar.conversion_rates enable row level security;

create policy "a person sees their own usage" on nectar.token_usage
  for select to nectar_user using (user_id = (select private.actor_id()));
create policy "a person's calls are recorded" on nectar.token_usage
  for insert to nectar_user with check (user_id = (select private.actor_id()));
create policy "the service sees all usage" on nectar.token_usage for select to nectar_service using (true);
create policy "the service records its calls for a person" on nectar.token_usage
  for insert to nectar_service with check (true);

create policy "a super admin sees the rates" on nectar.conversion_rates
  for select to nectar_user using ((select private.is_super_admin()));
create policy "a super admin sets a rate" on nectar.conversion_rates
  for insert to nectar_user with check ((select private.is_super_admin()) and created_by = (select private.actor_id()));
create policy "the service reads the rates" on nectar.conversion_rates for select to nectar_service using (true);

grant select on nectar.token_usage to nectar_user, nectar_service;
grant insert (usage_type, model, input_tokens, output_tokens, image_count, image_quality, cost_usd, has_reply,
    reference_type, reference_id) on nectar.token_usage to nectar_user;
grant insert (user_id, usage_type, model, input_tokens, output_tokens, image_count, image_quality, cost_usd, has_reply,
    reference_type, reference_id) on nectar.token_usage to nectar_service;
grant select on nectar.conversion_rates to nectar_user, nectar_service;
grant insert (rate) on nectar.conversion_rates to nectar_user;
