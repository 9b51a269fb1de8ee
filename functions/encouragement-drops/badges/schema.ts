import { Uuid } from "@nectar/core/uuid";
import { pageFields } from "@nectar/http/paging";
import { z } from "zod";

const Level = z.int().min(1).max(7);
const Percentage = z.number().min(0).max(100);

/** A person's badge: level, what counts for it, and the way to the next. */
export const Badge = z
  .object({
    user_id: z.guid(),
    level: Level,
    name: z.string(),
    emoji: z.string(),
    color: z.string(),
    total_drops_sent: z.int(),
    engagement_increases: z.int().meta({ description: "Drops that were followed by an entry of their recipient." }),
    success_rate: Percentage.meta({ description: "Engagements of a hundred drops sent, two decimals." }),
    bonus_drops_earned: z.int(),
    consecutive_days: z.int().meta({ description: "Days in a row (UTC) with a drop sent, up to today or yesterday." }),
    progress: z.object({
      current: z.int(),
      required: z.int().nullable(),
      remaining: z.int().nullable(),
      percent: z.int().min(0).max(100),
      next_level: Level.nullable(),
      next_name: z.string().nullable(),
    }),
  })
  .meta({ id: "Badge" });
export type Badge = z.infer<typeof Badge>;

/** One level of the ladder. */
export const BadgeDefinition = z
  .object({
    level: Level,
    name: z.string(),
    min_engagement_increases: z.int(),
    min_success_rate: Percentage.nullable(),
    min_consecutive_days: z.int().nullable(),
    emoji: z.string(),
    color: z.string(),
  })
  .meta({ id: "BadgeDefinition" });
export type BadgeDefinition = z.infer<typeof BadgeDefinition>;

/** When somebody reached a level, and what counted then. */
export const Milestone = z
  .object({
    id: z.guid(),
    user_id: z.guid(),
    level: Level,
    badge_name: z.string(),
    achieved_at: z.iso.datetime({ precision: 3 }),
    stats: z.object({
      total_drops_sent: z.int(),
      engagement_increases: z.int(),
      success_rate: Percentage,
      bonus_drops_earned: z.int(),
      consecutive_days: z.int(),
    }),
  })
  .meta({ id: "BadgeMilestone" });
export type Milestone = z.infer<typeof Milestone>;

/** One rank of the leaderboard. */
export const LeaderboardEntry = z
  .object({
    rank: z.int().min(1),
    user_id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    badge_level: Level,
    badge_name: z.string(),
    emoji: z.string(),
    color: z.string(),
    total_drops_sent: z.int(),
    engagement_increases: z.int(),
    success_rate: Percentage,
  })
  .meta({ id: "LeaderboardEntry" });
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>;

/** Whose badge is asked for. */
export const UserParam = z.object({ userId: Uuid });

/** Whose milestones are asked for. */
export const MilestoneQuery = z.object({
  user_id: Uuid.optional().meta({ description: "Somebody else's; without it one's own." }),
});

/** How much of the leaderboard is asked for. */
export const LeaderboardQuery = z.object({ limit: pageFields({ default: 50, max: 100 }).limit });

/** Whose badges are asked for. */
export const BadgesRequest = z.object({ user_ids: z.array(Uuid).min(1).max(100) }).meta({ id: "BadgesRequest" });

export const BadgeResponse = z.object({ badge: Badge });
export const BadgeUpdateResponse = z.object({
  badge: Badge,
  leveled_up: z.boolean().meta({ description: "Whether the level rose by this call." }),
});
export const BadgesResponse = z.object({
  badges: z.array(Badge).meta({ description: "In the order of user_ids; people who do not exist are left out." }),
});
export const MilestonesResponse = z.object({
  milestones: z.array(Milestone).meta({ description: "The highest level first." }),
});
export const DefinitionsResponse = z.object({
  definitions: z.array(BadgeDefinition).meta({ description: "The lowest level first." }),
});
export const LeaderboardResponse = z.object({
  leaderboard: z.array(LeaderboardEntry),
  my_rank: z.int().min(1).nullable().meta({ description: "The caller's rank; null if you have sent no drop yet." }),
});
