-- Generated from packages/core/people/badges.ts by `npm run generate`. Do not edit.

insert into nectar.badge_definitions
  (level, name, min_engagement_increases, min_success_rate, min_consecutive_days, emoji, color)
values
  (1, 'Seedling', 0, null, null, '🌱', '#90EE90'),
  (2, 'Sprout', 6, null, null, '🌿', '#7CFC00'),
  (3, 'Bloom', 21, null, null, '🌸', '#FF69B4'),
  (4, 'Pollinator', 51, null, null, '🐝', '#FFD700'),
  (5, 'Hive Keeper', 151, null, null, '🍯', '#FF8C00'),
  (6, 'Queen Bee', 501, null, null, '👑', '#9370DB'),
  (7, 'Hive Legend', 1501, null, null, '🏆', '#FFD700')
on conflict (level) do update set (name, min_engagement_increases, min_success_rate, min_consecutive_days, emoji, color)
  = (excluded.name, excluded.min_engagement_increases, excluded.min_success_rate, excluded.min_consecutive_days, excluded.emoji, excluded.color)
where (badge_definitions.name, badge_definitions.min_engagement_increases, badge_definitions.min_success_rate, badge_definitions.min_consecutive_days, badge_definitions.emoji, badge_definitions.color)
  is distinct from (excluded.name, excluded.min_engagement_increases, excluded.min_success_rate, excluded.min_consecutive_days, excluded.emoji, excluded.color);
