import * as z from "zod";

const Level = z.int().min(1).max(7);
/** 0 to 100. */
export const Percentage = z.number().min(0).max(100);

/** A level of the badge ladder. A person has the highest level all of whose minima they meet; null asks for nothing. */
export const BadgeLevel = z
  .object({
    level: Level,
    name: z.string(),
    min_engagement_increases: z.int(),
    min_success_rate: Percentage.nullable().meta({ description: "null if this level requires none." }),
    min_consecutive_days: z.int().nullable().meta({ description: "null if this level requires none." }),
    emoji: z.string(),
    color: z.string().meta({ description: "#RRGGBB." }),
  })
  .meta({ id: "BadgeDefinition" });
export type BadgeLevel = z.infer<typeof BadgeLevel>;

/** The badge ladder, the lowest level first. `npm run generate` writes it into a migration for the database. */
export const BADGE_LADDER: readonly BadgeLevel[] = [
  badgeLevel(1, "Seedling", 0, "🌱", "#90EE90"),
  badgeLevel(2, "Sprout", 6, "🌿", "#7CFC00"),
  badgeLevel(3, "Bloom", 21, "🌸", "#FF69B4"),
  badgeLevel(4, "Pollinator", 51, "🐝", "#FFD700"),
  badgeLevel(5, "Hive Keeper", 151, "🍯", "#FF8C00"),
  badgeLevel(6, "Queen Bee", 501, "👑", "#9370DB"),
  badgeLevel(7, "Hive Legend", 1501, "🏆", "#FFD700"),
];

function badgeLevel(level: number, name: string, successes: number, emoji: string, color: string): BadgeLevel {
  return {
    level,
    name,
    min_engagement_increases: successes,
    min_success_rate: null,
    min_consecutive_days: null,
    emoji,
    color,
  };
}

/** A level of the ladder. @throws Error if there is no such level */
export function badgeOfLevel(level: number): BadgeLevel {
  const found = BADGE_LADDER.find((one) => one.level === level);
  if (found === undefined) throw new Error(`The badge ladder has no level ${level}.`);
  return found;
}

/** How far a person is on the way from their level of the badge ladder to the next. */
export const BadgeProgress = z.object({
  current: z.int().meta({ description: "The same number as engagement_increases." }),
  required: z.int().nullable().meta({ description: "Engagements that the next level requires; null at the top." }),
  remaining: z.int().nullable().meta({ description: "Engagements still missing; null at the top." }),
  percent: z.int().min(0).max(100).meta({ description: "From this level to the next; 100 at the top." }),
  next_level: Level.nullable().meta({ description: "null at the top." }),
  next_name: z.string().nullable().meta({ description: "null at the top." }),
});
export type BadgeProgress = z.infer<typeof BadgeProgress>;

/**
 * The progress of a person towards the next level.
 * @param current successes so far, a whole number of at least 0
 * @param level the person's level; it is kept if the count of successes falls
 */
export function badgeProgress(current: number, level: number): BadgeProgress {
  const { min_engagement_increases: start } = badgeOfLevel(level);
  const next = BADGE_LADDER.find((one) => one.level === level + 1);
  if (next === undefined) {
    return { current, required: null, remaining: null, percent: 100, next_level: null, next_name: null };
  }
  const required = next.min_engagement_increases;
  const done = Math.min(Math.max(current - start, 0), required - start);
  return {
    current,
    required,
    remaining: Math.max(required - current, 0),
    percent: Math.floor((100 * done) / (required - start)),
    next_level: next.level,
    next_name: next.name,
  };
}
