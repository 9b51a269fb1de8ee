import * as z from "zod";
import { MAX_RANKS_AGE_SECONDS, RANKS_COUNTED_AT_ONCE } from "#core/limits";
import { BadgeLevel, BadgeProgress, Percentage } from "#core/people/badges";
import { grouped, inWords } from "#core/text/numbers";
import { Uuid } from "#core/text/uuid";
import { NextCursor, pageFields } from "#http/response/paging";

const Timestamp = z.iso.datetime({ precision: 3 });
const Level = BadgeLevel.shape.level;

/** A person's badge: the level, the numbers that count for it, and the progress to the next level. */
export const Badge = z
  .object({
    user_id: z.guid(),
    level: Level,
    name: z.string().meta({ description: "The name of the level." }),
    emoji: z.string(),
    color: z.string().meta({ description: "#RRGGBB." }),
    total_drops_sent: z.int(),
    engagement_increases: z
      .int()
      .meta({ description: "Drops after which the recipient wrote a journal entry in time." }),
    success_rate: Percentage.meta({
      description: "Percentage of drops sent that led to an engagement, 0 to 100 with two decimals.",
    }),
    bonus_drops_earned: z.int().meta({ description: "Bonus drops of all time." }),
    consecutive_days: z.int().meta({
      description: "UTC days in a row on which a drop was sent, ending today or yesterday; else 0.",
    }),
    progress: BadgeProgress,
  })
  .meta({ id: "Badge" });
export type Badge = z.infer<typeof Badge>;

/** When a person reached a level, and their numbers at that moment. */
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

const LeaderboardEntry = z
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

export const UserId = Uuid.meta({ description: "The id of the user." });

export const MilestoneQuery = z.object({
  ...pageFields(),
  user_id: Uuid.optional().meta({ description: "Another user; you by default." }),
});

export const LeaderboardQuery = z.object({ limit: pageFields({ default: 50, max: 100 }).limit });

export const MAX_USERS = 100;

export const BadgesRequest = z.object({ user_ids: z.array(Uuid).min(1).max(MAX_USERS) }).meta({ id: "BadgesRequest" });

export const BadgeResponse = z.object({ badge: Badge });
export const BadgeUpdateResponse = z.object({
  badge: Badge,
  leveled_up: z.boolean().meta({ description: "Whether this call raised your level." }),
});
export const BadgesResponse = z.object({
  badges: z.array(Badge).meta({ description: "In the order of user_ids, without users who do not exist." }),
});
export const MilestonesResponse = z.object({
  milestones: z.array(Milestone).meta({ description: "Highest level first." }),
  next_cursor: NextCursor,
});
export const DefinitionsResponse = z.object({
  definitions: z.array(BadgeLevel).meta({ description: "Lowest level first." }),
});
export const LeaderboardResponse = z.object({
  leaderboard: z.array(LeaderboardEntry),
  my_rank: z
    .int()
    .min(1)
    .nullable()
    .meta({ description: "Your rank, from 1; null if you have not sent a drop yet, or hide from the leaderboard." }),
  as_of: Timestamp.nullable().meta({
    description: `When the people ahead of you were counted: now for the first ${grouped(RANKS_COUNTED_AT_ONCE)} ranks, at most ${inWords(MAX_RANKS_AGE_SECONDS)} ago behind them. Null without \`my_rank\`.`,
  }),
});
export type LeaderboardResponse = z.infer<typeof LeaderboardResponse>;
