-- Why: The database raises levels where successes are counted, so it has the badge ladder too. Its rows are those of
-- packages/core/people/badges.ts (supabase/seeds/badge_ladder.sql).

create table nectar.badge_definitions (
  level smallint primary key,
  name text not null,
  min_engagement_increases integer not null,
  min_success_rate numeric(5,2),
  min_consecutive_days integer,
  emoji text not null,
  color text not null,
  constraint badge_definitions_level_in_range check (level between 1 and 7),
  constraint badge_definitions_name_length check (char_length(name) between 1 and 50),
  constraint badge_definitions_minima_in_range
    check (min_engagement_increases >= 0 and min_success_rate between 0 and 100 and min_consecutive_days >= 1),
  constraint badge_definitions_first_is_free check (
    level > 1 or (min_engagement_increases = 0 and min_success_rate is null and min_consecutive_days is null)
  ),
  constraint badge_definitions_emoji_length check (char_length(emoji) between 1 and 8),
  constraint badge_definitions_color_is_hex check (color ~ '^#[0-9A-F]{6}$')
);
comment on table nectar.badge_definitions is 'The badge ladder. A person has the highest level all of whose minima they meet; a null minimum asks for nothing.';

alter table nectar.badge_definitions enable row level security;

create policy "everyone signed in sees the badges there are" on nectar.badge_definitions
  for select to nectar_user using ((select private.actor_id()) is not null);

grant select on nectar.badge_definitions to nectar_user;
